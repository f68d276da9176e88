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
import shutil
import threading
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from subprocess import DEVNULL, PIPE
from typing import TYPE_CHECKING, Any, NoReturn

from clawmem_core.errors import HistoryError, NotFoundError, PathRefusedError, RefusedError
from clawmem_core.history.quiet import ASKED, OLDEST_GIT, Config, environment
from clawmem_core.history.revision import FORMAT, Revision, message_text, revisions, signed
from clawmem_core.history.trouble import INSTALL, LOOK, GitStatus, GitTrouble, told

if TYPE_CHECKING:
    from git.cmd import Git

__all__ = ["GitStatus", "GitTrouble", "Repository", "Revision"]

_RUNNING = {
    "rebase-merge": "A rebase",
    "rebase-apply": "A rebase",
    "MERGE_HEAD": "A merge",
    "CHERRY_PICK_HEAD": "A cherry-pick",
    "REVERT_HEAD": "A revert",
    "sequencer": "A cherry-pick or revert",
    "BISECT_LOG": "A bisect",
}
_PLAIN_NOTES = ("MEMORY.md", "USER.md", "memory/2000-01-01.md")
_HASH = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")
_COMMITTED = re.compile(rb"\[\S+(?: \(root-commit\))? ([0-9a-f]{40,64})\] ")


class Repository:
    """The git repository around a workspace. Safe to use from several threads; `close` it."""

    def __init__(self, workspace: Path) -> None:
        self._workspace = workspace.resolve()
        self._reading = threading.Lock()

    @classmethod
    def open(cls, workspace: Path) -> Repository | None:
        """Return the repository that holds the workspace, None when it is in none.

        A repository that cannot be used is returned too: `status` says why.
        """
        repository = cls(workspace)
        trouble = repository._place()[0]
        folders = (repository._workspace, *repository._workspace.parents)
        if trouble is GitTrouble.NO_GIT and not any((folder / ".git").exists() for folder in folders):
            return None
        return None if trouble is GitTrouble.NO_REPOSITORY else repository

    @classmethod
    def init(cls, workspace: Path) -> Repository:
        """Make the workspace itself a repository with an unborn branch `main`. Raises HistoryError."""
        repository = cls(workspace)
        repository._run("init", "--quiet", "--initial-branch=main")
        return repository

    def status(self) -> GitStatus:
        """Return whether git can be used here and what stands against it. Trouble is told, never raised."""
        trouble, what, place = self._place()
        if trouble:
            return told(trouble, what, str(self._workspace))
        inside, shallow, git_folder, *above = place
        head = self._try("rev-parse", "--verify", "--quiet", "HEAD^{commit}")[1].decode().strip() or None
        branch = os.fsdecode(self._try("symbolic-ref", "--quiet", "--short", "HEAD")[1]).strip() or None
        folder = Path(git_folder)
        locks = [str(folder / name) for name in ("index.lock", "HEAD.lock") if (folder / name).exists()]
        running = [text for name, text in _RUNNING.items() if (folder / name).exists()]
        if inside != "true":
            trouble, what = GitTrouble.BARE, git_folder
        elif locks:
            trouble, what = GitTrouble.LOCKED, locks[0]
        elif running:
            trouble, what = GitTrouble.IN_PROGRESS, running[0]
        elif branch is None:
            trouble = GitTrouble.DETACHED_HEAD
        elif above:
            trouble, what = GitTrouble.SUBMODULE, above[0]
        elif shallow == "true":
            trouble = GitTrouble.SHALLOW
        elif self._filtered(_PLAIN_NOTES, {"lfs"}):
            trouble = GitTrouble.LFS
        root = self._workspace.parents[self._prefix.count("/") - 1] if self._prefix else self._workspace
        return told(trouble, what, str(root), head, branch)

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
        trailer values may be any text. Raises HistoryError when the status is unusable, when a file passes through
        a filter program other than Git LFS (it is neither run nor passed by), and when git refuses;
        PathRefusedError and UsageError for a path or a trailer key that cannot be.
        """
        text = message_text(message, trailers)
        status = self.status()
        if not status.usable:
            raise HistoryError("Nothing was committed", status.detail, status.hint)
        config = self._config()
        changes = self._changes(paths, config)
        if not changes:
            return None
        if filtered := self._filtered(tuple(changes), config.filters):
            what = f"{filtered[0]} passes through a filter program, which ClawMem does not run"
            raise HistoryError("Nothing was committed", what, "Commit it yourself, or take it out of .gitattributes.")
        author = author or config.identity("author")
        variables = config.switches | signed(author, config.identity("committer"), at)
        new = [path for path, state in changes.items() if state == "??"]
        done = False
        try:
            if new:
                self._run("add", "--intent-to-add", "--", *new, env=variables)
            command = ("commit", "--only", "--no-verify", "--cleanup=verbatim", "--file=-", "--", *changes)
            code, out, err = self._try(*command, stdin=text.encode(), env=variables)
            done = code == 0
        finally:
            if new and not done:
                self._run("update-index", "--force-remove", "--", *new)
        if done:
            match = _COMMITTED.match(out)
            return match[1].decode() if match else self.resolve("HEAD")
        if code == 1 and b"error:" not in err and b"fatal:" not in err:
            return None
        raise HistoryError("Nothing was committed", _reason(err), LOOK)

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

    @functools.cached_property
    def _prefix(self) -> str:
        """The workspace's path within the repository, with a slash at its end, or nothing."""
        return os.fsdecode(self._run("rev-parse", "--show-prefix"))[:-1]

    def _place(self) -> tuple[GitTrouble | None, str, list[str]]:
        """Ask git where we are: inside a work tree, shallow, the git folder, and the superproject if there is one."""
        if not self._workspace.is_dir():
            return GitTrouble.NO_REPOSITORY, "", []
        asked = ("--is-inside-work-tree", "--is-shallow-repository", "--absolute-git-dir")
        try:
            code, out, err = self._try("rev-parse", *asked, "--show-superproject-working-tree")
        except HistoryError as error:
            return GitTrouble.NO_GIT, error.message, []
        if code:
            absent = "not a git repository" in _reason(err)
            return GitTrouble.NO_REPOSITORY if absent else GitTrouble.UNREADABLE, _reason(err), []
        return None, "", os.fsdecode(out).split("\n")[:-1]

    def _config(self) -> Config:
        code, out, err = self._try("config", "-z", "--get-regexp", ASKED)
        if code > 1:
            self._raise(err)
        pairs = (item.partition("\n") for item in os.fsdecode(out).split("\0") if item)
        return Config({key: value for key, _, value in pairs})

    def _changes(self, paths: Sequence[str], config: Config) -> dict[str, str]:
        """Return the state (two letters of `git status`) of those of the files that have a change, in their order."""
        wanted = [_checked(path) for path in paths]
        if not wanted:
            return {}
        options = ("--porcelain", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=all")
        out = self._run("status", *options, "--", *wanted, env=config.switches)
        found = {item[3:].removeprefix(self._prefix): item[:2] for item in os.fsdecode(out).split("\0") if item}
        return {path: found[path] for path in wanted if path in found}

    def _filtered(self, paths: Sequence[str], filters: Collection[str]) -> list[str]:
        """Return those of the files to which .gitattributes gives one of these filters."""
        if not filters:
            return []
        cells = os.fsdecode(self._run("check-attr", "-z", "filter", "--", *paths)).split("\0")
        return [path for path, name in zip(cells[::3], cells[2::3], strict=False) if name in filters]

    def _read_log(self, process: Git.AutoInterrupt) -> Iterator[Revision]:
        yield from revisions(_cells(process.stdout), self._prefix)
        _, err = process.communicate()
        if process.returncode and self.status().head is not None:
            self._raise(err)

    def _start(self, *command: str, stdin: int = DEVNULL, env: Mapping[str, str] | None = None) -> Git.AutoInterrupt:
        git = self._git
        try:
            return git.execute([git.GIT_PYTHON_GIT_EXECUTABLE, *command], stdin, as_process=True, env=env)
        except OSError as error:
            raise HistoryError("Git did not start", str(error), "Check that git runs in the workspace.") from error

    def _try(self, *command: str, stdin: bytes = b"", env: Mapping[str, str] | None = None) -> tuple[int, bytes, bytes]:
        """Run git and return its exit code, output and error output."""
        process = self._start(*command, stdin=PIPE, env=env)
        out, err = process.communicate(stdin)
        return process.returncode, out, err

    def _run(self, *command: str, env: Mapping[str, str] | None = None) -> bytes:
        """Run git and return its output. Raises HistoryError with git's own words."""
        code, out, err = self._try(*command, env=env)
        return out if code == 0 else self._raise(err)

    def _raise(self, err: bytes) -> NoReturn:
        raise HistoryError("Git refused", _reason(err), LOOK)


@functools.cache
def _runner() -> type[Git]:
    """Import GitPython and return its command runner, with an environment of our own. Raises HistoryError."""
    # Asked first: without a git GitPython's import fails once and then leaves half a package behind.
    if not shutil.which(os.environ.get("GIT_PYTHON_GIT_EXECUTABLE", "git")):
        raise HistoryError("Git is not there", "no git was found", INSTALL)
    from git.cmd import Git, safer_popen

    version = Git().version_info
    if version < OLDEST_GIT:
        raise HistoryError("Git is too old", "this is git " + ".".join(map(str, version)), INSTALL)

    class Runner(Git):
        """GitPython's own can only add to the inherited variables, and expands `$` in the folder's name."""

        def __init__(self, folder: Path) -> None:
            super().__init__()
            self.folder = folder

        def execute(self, command: Any, istream: Any = None, **options: Any) -> Any:  # type: ignore[override]  # narrower than the base on purpose
            variables = environment(options.get("env"))
            stdin = istream or DEVNULL
            process = safer_popen(command, cwd=self.folder, env=variables, stdin=stdin, stdout=PIPE, stderr=PIPE)
            return self.AutoInterrupt(process, command)

    return Runner


def _checked(path: str) -> str:
    """Return a workspace path that can be given to git. Raises PathRefusedError."""
    if path.startswith("/") or "\0" in path or not {"", ".", ".."}.isdisjoint(path.split("/")):
        raise PathRefusedError("Path refused", f"{path!r} does not name a file inside the workspace")
    return path


def _reason(err: bytes) -> str:
    """Return the line of git's error output that says what is wrong, without its label and full stop."""
    lines = err.decode(errors="replace").strip().splitlines() or ["git gave no reason"]
    line = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[0])
    return re.sub("^(fatal|error): ", "", line).rstrip(".")


def _cells(stream: io.BufferedReader) -> Iterator[bytes]:
    """Yield what stands between the NUL bytes of a stream, as it arrives."""
    rest = b""
    while chunk := stream.read1(65536):
        *cells, rest = (rest + chunk).split(b"\0")
        yield from cells
    yield rest
