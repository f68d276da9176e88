"""The only door to git, and the only module that imports GitPython.

The repository belongs to the person: we commit the named files as they are on disk and leave the index, the hooks,
the signing key, every remote and every other file alone. Objects are read through one persistent `cat-file`, the
log as a stream of one process. Paths in and out are relative to the workspace, which may be a folder inside a
repository.
"""

from __future__ import annotations

import functools
import io
import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from subprocess import DEVNULL, PIPE, TimeoutExpired
from typing import TYPE_CHECKING, Any, NoReturn

from clawmem_core.commands import doing
from clawmem_core.errors import HistoryError, NotFoundError, PathRefusedError, RefusedError
from clawmem_core.history import patience
from clawmem_core.history.examine import (
    Obstacle,
    Place,
    configuration,
    examine,
    filtered,
    left_out,
    locate,
    marker,
    reason,
)
from clawmem_core.history.quiet import OLDEST_GIT, Config, environment
from clawmem_core.history.revision import FORMAT, Revision, message_text, revisions, signed
from clawmem_core.history.trouble import COMMIT_YOURSELF, INSTALL, LOOK, GitStatus, GitTrouble

if TYPE_CHECKING:
    from git.cmd import Git

__all__ = ["GitStatus", "GitTrouble", "Repository", "Revision"]

_CONFLICTS = frozenset({"DD", "AU", "UD", "UA", "DU", "AA", "UU"})
"""States of `git status` of a file in a conflict."""
_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_COMMITTED = re.compile(rb"\[\S+(?: \(root-commit\))? ([0-9a-f]{40,64})\] ")


class Repository:
    """The git repository around a workspace. Safe to use from several threads; `close` it."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace.resolve()
        self._reading = threading.Lock()
        self._failed: HistoryError | None = None
        self._within: str | None = None

    @classmethod
    def open(cls, workspace: Path) -> Repository | None:
        """Return the repository that holds the workspace, None when it is in none.

        A repository that cannot be used is returned too: `status` says why.
        """
        repository = cls(workspace)
        place = repository.place()
        if isinstance(place, Place):
            return repository
        lost = place.trouble is GitTrouble.NO_REPOSITORY
        unasked = place.trouble is GitTrouble.NO_GIT and marker(repository._workspace) is None
        return None if lost or unasked else repository

    @classmethod
    def init(cls, workspace: Path) -> Repository:
        """Make the workspace itself a repository with an unborn branch `main`. Raises HistoryError."""
        repository = cls(workspace)
        repository._run("init", "--quiet", "--initial-branch=main")
        return repository

    def status(self) -> GitStatus:
        """Return whether git can be used here and what stands against it. Trouble is told, never raised."""
        return examine(self._workspace, self.place(), self._try)

    def place(self) -> Place | Obstacle:
        """Return where the repository is, or why it cannot be used; one run of git, without a look at the files."""
        found = locate(self._workspace, self._try)
        if isinstance(found, Place):
            self._within = found.prefix
        return found

    def commit(
        self,
        paths: Sequence[str],
        message: str,
        trailers: Sequence[tuple[str, str]] = (),
        *,
        author: tuple[str, str] | None = None,
        at: datetime | None = None,
    ) -> str | None:
        """Commit exactly these files as they are on disk, new and removed ones too; return the full hash.

        None when none of them has a change; what .gitignore excludes is left out. What others have staged stays
        staged. `author` is name and email, else the configured ones; `at` is both dates of the commit. Message and
        trailer values may be any text. Raises HistoryError when the status is unusable, when a file is in a conflict
        or passes through a filter program other than Git LFS (it is neither run nor passed by), and when git refuses
        or does not answer; PathRefusedError and UsageError for a path or a trailer key that cannot be.
        """
        text = message_text(message, trailers)
        status = self.status()
        if not status.usable:
            raise HistoryError("Nothing was committed", status.detail, status.hint)
        config = self._config()
        changes = self._changes(paths, config)
        if not changes:
            return None
        self._refuse(changes, config)
        author = author or config.identity("author")
        variables = config.switches | signed(author, config.identity("committer"), at)
        new = [path for path, state in changes.items() if state == "??"]
        done = False
        try:
            if new:
                self._run("add", "--intent-to-add", "--", *new, env=variables)
            command = ("commit", "--only", "--no-verify", "--cleanup=verbatim", "--file=-", "--", *changes)
            with doing(self._workspace, "git", "-C", str(self._workspace), *command, typed=text) as run:
                code, out, err = self._try(*command, stdin=text.encode(), env=variables)
                done = code == 0
                run.outcome, run.failed = _committed(out) if done else reason(err), not done
        finally:
            if new and not done:
                self._run("update-index", "--force-remove", "--", *new)
        if done:
            return _committed(out) or self.resolve("HEAD")
        if code == 1 and b"error:" not in err and b"fatal:" not in err:
            return None
        raise HistoryError("Nothing was committed", reason(err), LOOK)

    def _refuse(self, changes: Mapping[str, str], config: Config) -> None:
        """Raise HistoryError when a commit of these files would do what only a person may."""
        if torn := [path for path, state in changes.items() if state in _CONFLICTS]:
            what = f"{torn[0]} is in a conflict that is not resolved"
            raise HistoryError("Nothing was committed", what, "Resolve it and `git add` it.")
        if stopped := filtered(tuple(changes), config.filters, self._try):
            what = f"{stopped[0]} passes through a filter program, which ClawMem does not run"
            raise HistoryError("Nothing was committed", what, COMMIT_YOURSELF)

    def left_out(self, paths: Sequence[str]) -> dict[str, str]:
        """Return those of the files that no commit takes, and why, for people. Raises HistoryError."""
        found = left_out(self._workspace, [_checked(path) for path in paths], self._try)
        return {path: obstacle.what for path, obstacle in found.items()}

    def changed_in(self, commit: str) -> frozenset[str]:
        """Return the files of the workspace that differ in a commit, by its full hash, from the one before."""
        options = ("--root", "-r", "-z", "--no-commit-id", "--name-only", "--no-renames")
        names = os.fsdecode(self._run("diff-tree", *options, commit)).split("\0")
        return frozenset(name.removeprefix(self._prefix) for name in names if name and name.startswith(self._prefix))

    def dirty(self, paths: Sequence[str]) -> tuple[str, ...]:
        """Return those of the files that differ from HEAD, staged or not, new ones too; ignored ones never.

        The index is not written. Raises HistoryError, PathRefusedError.
        """
        return tuple(self._changes(paths, self._config()))

    def resolve(self, revision: str) -> str:
        """Return the full hash of the commit that a name, a short hash or an expression means.

        Raises NotFoundError for one that is not there, RefusedError for a leading `-`, HistoryError.
        """
        if revision.startswith("-"):
            raise RefusedError("Revision refused", f"{revision!r} looks like an option", "Name a commit or a branch.")
        if revision.strip() and "\0" not in revision:
            code, out, err = self._try("rev-parse", "--verify", "--quiet", "--end-of-options", revision + "^{commit}")
            if code > 1:
                self._raise(err)
            if code == 0 and _HASH.fullmatch(found := out.decode().strip()):
                return found
        raise NotFoundError("No such revision", f"{revision!r} names no commit here", "Give a hash that the log shows.")

    def read(self, revision: str, path: str) -> bytes | None:
        """Return a file as it is stored in a revision, None when the revision has no such file.

        These are the bytes in git's store: line ends and LFS pointers as git keeps them. Raises NotFoundError for an
        unknown revision, HistoryError, PathRefusedError, RefusedError.
        """
        commit = revision if _HASH.fullmatch(revision) else self.resolve(revision)
        name = f"{commit}:{self._prefix}{_checked(path)}"
        if len(commit) == 40 and name.isprintable():
            with self._reading:
                try:
                    with self._patient("cat-file", lambda: self._git.cat_file_all):
                        found: tuple[Any, ...] = self._git.get_object_data(name)
                except OSError:
                    self._git.clear_cache()
                except ValueError:
                    pass  # Missing, or not to be had: the exit code below tells which.
                else:
                    return found[3] if found[1] == b"blob" else None
        code, out, err = self._try("rev-parse", "--verify", "--quiet", "--end-of-options", name)
        if code > 1:
            self._raise(err)
        if code == 1:
            self.resolve(commit)
            return None
        blob = out.decode().strip()
        return self._run("cat-file", "blob", blob) if self._run("cat-file", "-t", blob) == b"blob\n" else None

    def checked_out(self, revision: str, path: str) -> bytes | None:
        """Return a file as a checkout of a revision would write it, line ends as configured; None when it is not there.

        No filter program is run. Raises as `read` does.
        """
        commit = revision if _HASH.fullmatch(revision) else self.resolve(revision)
        if self.read(commit, path) is None:
            return None
        command = ("cat-file", "--filters", f"{commit}:{self._prefix}{_checked(path)}")
        return self._run(*command, env=self._config().switches)

    def log(self, path: str | None = None, *, limit: int | None = None, skip: int = 0) -> Iterator[Revision]:
        """Yield the commits of the workspace, or those that changed one file, newest first, as git finds them.

        At most `limit`, after leaving out `skip`. Renames are not followed. Reading may stop at any time. Raises
        HistoryError (while reading) and PathRefusedError.
        """
        within = [_checked(path)] if path is not None else ["."] * bool(self._prefix)
        options = ["-z", "-c", "--name-only", "--full-diff", "--no-renames", "--no-ext-diff", "--no-textconv", FORMAT]
        options += [f"--skip={skip}", *([] if limit is None else [f"--max-count={limit}"])]
        process = self._start("log", *options, "--", *within)
        return self._read_log(process)

    def close(self) -> None:
        """End the process that reads objects."""
        with self._reading:
            if "_git" in self.__dict__:
                self._git.clear_cache()

    @functools.cached_property
    def _git(self) -> Git:
        return _runner()(self._workspace)

    @property
    def _prefix(self) -> str:
        """The workspace's path within the repository, with a slash at its end, or nothing."""
        if self._within is None and isinstance(found := self.place(), Obstacle):
            raise HistoryError("Git refused", found.what or "the workspace is not there", LOOK)
        return self._within or ""

    def _config(self) -> Config:
        return configuration(self._try)

    def _changes(self, paths: Sequence[str], config: Config) -> dict[str, str]:
        """Return the state (two letters of `git status`) of those of the files that have a change, in their order."""
        wanted = [_checked(path) for path in paths]
        if not wanted:
            return {}
        options = ("--porcelain", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all")
        out = self._run("status", *options, "--", *wanted, env=config.switches)
        found = {item[3:].removeprefix(self._prefix): item[:2] for item in os.fsdecode(out).split("\0") if item}
        return {path: found[path] for path in wanted if path in found}

    def _read_log(self, process: Git.AutoInterrupt) -> Iterator[Revision]:
        def read() -> bytes:
            with self._patient("log", lambda: process):
                return _some(process.stdout)

        try:
            yield from revisions(_cells(read), self._prefix)
            _, err = process.communicate()
        finally:
            # Whoever reads may stop at any time; git would wait for him.
            if process.proc is not None and process.poll() is None:
                patience.stop(process.proc)
        if process.returncode and (isinstance(self.place(), Obstacle) or self.status().head is not None):
            self._raise(err)

    def _start(self, *command: str, stdin: int = DEVNULL, env: Mapping[str, str] | None = None) -> Git.AutoInterrupt:
        # A git that is not there or does not answer is asked once, not once for each question.
        if self._failed is not None:
            raise self._failed
        try:
            git = self._git
            return git.execute([git.GIT_PYTHON_GIT_EXECUTABLE, *command], stdin, as_process=True, env=env)
        except HistoryError as error:
            self._failed = error
            raise
        except OSError as error:
            self._failed = patience.not_started(error)
            raise self._failed from error

    def _try(self, *command: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> tuple[int, bytes, bytes]:
        """Run git and return its exit code, output and error output."""
        process = self._start(*command, stdin=PIPE, env=env)
        try:
            out, err = process.communicate(stdin, timeout=patience.SECONDS)
        except TimeoutExpired as error:
            raise self._give_up(command[0], process) from error
        return process.returncode, out, err

    @contextmanager
    def _patient(self, command: str, process: Callable[[], Git.AutoInterrupt | None]) -> Iterator[None]:
        """Stop a git that keeps silent during the block: what is read from it ends then."""
        with patience.within(lambda: self._give_up(command, process())):
            yield

    def _give_up(self, command: str, process: Git.AutoInterrupt | None) -> HistoryError:
        """Stop a git that keeps silent and return the error about it."""
        self._failed = patience.silent(command)
        if process is not None and process.proc is not None:
            patience.stop(process.proc)
        return self._failed

    def _run(self, *command: str, env: Mapping[str, str] | None = None) -> bytes:
        """Run git and return its output. Raises HistoryError with git's own words."""
        code, out, err = self._try(*command, env=env)
        return out if code == 0 else self._raise(err)

    def _raise(self, err: bytes) -> NoReturn:
        raise HistoryError("Git refused", reason(err), LOOK)


def _committed(out: bytes) -> str:
    """Return the full hash that a commit said, nothing when it said none."""
    match = _COMMITTED.match(out)
    return match[1].decode() if match else ""


@functools.cache
def _runner() -> type[Git]:
    """Import GitPython and return its command runner, with an environment of our own. Raises HistoryError."""
    # Asked first: without a git GitPython's import fails once and leaves half a package behind; it would wait for ever.
    version = patience.version()
    if version < OLDEST_GIT:
        raise HistoryError("Git is too old", "this is git " + ".".join(map(str, version)), INSTALL)
    from git.cmd import Git, safer_popen

    class Runner(Git):
        """GitPython's own can only add to the inherited variables, and expands `$` in the folder's name."""

        def __init__(self, folder: Path) -> None:
            super().__init__()
            self.folder = folder

        def execute(self, command: Any, istream: Any = None, **options: Any) -> Any:  # type: ignore[override]  # narrower than the base on purpose
            variables = environment(options.get("env"))
            pipes: dict[str, Any] = {"stdin": istream or DEVNULL, "stdout": PIPE, "stderr": PIPE}
            process = safer_popen(command, cwd=self.folder, env=variables, **pipes, **patience.OWN_GROUP)
            return self.AutoInterrupt(process, command)

    return Runner


def _checked(path: str) -> str:
    """Return a workspace path that can be given to git. Raises PathRefusedError."""
    if path.startswith("/") or "\0" in path or not {"", ".", ".."}.isdisjoint(path.split("/")):
        raise PathRefusedError("Path refused", f"{path!r} does not name a file inside the workspace")
    return path


def _some(stream: io.BufferedReader) -> bytes:
    """Return what is there to read, nothing at the end."""
    return stream.read1(65536)


def _cells(read: Callable[[], bytes]) -> Iterator[bytes]:
    """Yield what stands between the NUL bytes of what is read, as it arrives."""
    rest = b""
    while chunk := read():
        *cells, rest = (rest + chunk).split(b"\0")
        yield from cells
    yield rest
