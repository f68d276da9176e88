"""One look at the repository around a workspace: where it is, and what stands between us and a commit.

Everything is asked of git; nothing here changes anything. Trouble is told, never raised.
"""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from clawmem_core.clock import SECONDS_PER_DAY, system_clock
from clawmem_core.errors import HistoryError
from clawmem_core.history.quiet import ASKED, Config
from clawmem_core.history.trouble import LOOK, GitStatus, GitTrouble, told
from clawmem_core.workspace.layout import NOTES, USER, memory_path

_RUNNING = {
    "rebase-merge": "A rebase",
    "rebase-apply": "A rebase",
    "MERGE_HEAD": "A merge",
    "CHERRY_PICK_HEAD": "A cherry-pick",
    "REVERT_HEAD": "A revert",
    "sequencer": "A cherry-pick or revert",
    "BISECT_LOG": "A bisect",
}
_LOCKS = ("index.lock", "HEAD.lock")
_A_NOTE = f"{NOTES}/2000-01-01.md"
_LEFT_ALONE = frozenset("Ssh")
"""Marks of `git ls-files -v`: skipped in the work tree, assumed unchanged, or both."""
_UNMERGED = "M"


class Ask(Protocol):
    """Runs git and returns its exit code, output and error output."""

    def __call__(
        self, *command: str, stdin: bytes = b"", env: Mapping[str, str] | None = None
    ) -> tuple[int, bytes, bytes]:
        """Raise HistoryError when git does not start or does not answer."""


@dataclass(frozen=True)
class Place:
    """A repository that git can read."""

    git_folder: Path
    prefix: str
    """The workspace's path within the repository, with a slash at its end, or nothing."""
    root: Path
    """The repository's top folder."""
    work_tree: bool
    """Whether it has working files here."""
    shallow: bool
    above: str
    """The repository of which this one is a submodule, or nothing."""

    def locks(self) -> list[Path]:
        """Return the locks of other programs that hold up a commit."""
        return [path for name in _LOCKS if (path := self.git_folder / name).exists()]


@dataclass(frozen=True)
class Obstacle:
    """What stands in the way."""

    trouble: GitTrouble
    what: str
    """The path, state or reason that its sentence names."""


def locate(workspace: Path, ask: Ask) -> Place | Obstacle:
    """Return the repository that holds a workspace, or why there is none to use."""
    if not workspace.is_dir():
        return Obstacle(GitTrouble.NO_REPOSITORY, "")
    asked = ("--is-inside-work-tree", "--is-shallow-repository", "--absolute-git-dir", "--show-prefix")
    try:
        code, out, err = ask("rev-parse", *asked, "--show-superproject-working-tree")
    except HistoryError as error:
        return Obstacle(GitTrouble.NO_GIT, error.message)
    if code:
        why = reason(err)
        if "not a git repository" not in why:
            return Obstacle(GitTrouble.UNREADABLE, why)
        there = marker(workspace)
        if there is None:
            return Obstacle(GitTrouble.NO_REPOSITORY, why)
        return Obstacle(GitTrouble.UNREADABLE, f"{there} is there, and is none that git can use")
    inside, shallow, folder, prefix, *above = os.fsdecode(out).split("\n")[:-1]
    root = workspace.parents[prefix.count("/") - 1] if prefix else workspace
    return Place(Path(folder), prefix, root, inside == "true", shallow == "true", "".join(above))


def marker(workspace: Path) -> Path | None:
    """Return the `.git` that stands in the workspace or above it on the same disk, None when there is none."""
    device = workspace.stat().st_dev
    for folder in (workspace, *workspace.parents):
        if folder.stat().st_dev != device:
            return None
        if os.path.lexists(folder / ".git"):
            return folder / ".git"
    return None


def examine(workspace: Path, place: Place | Obstacle, ask: Ask) -> GitStatus:
    """Return whether git can be used in a repository and what stands against it."""
    if isinstance(place, Obstacle):
        return told(place.trouble, place.what, str(workspace))
    try:
        head = ask("rev-parse", "--verify", "--quiet", "HEAD^{commit}")[1].decode().strip() or None
        branch = os.fsdecode(ask("symbolic-ref", "--quiet", "--short", "HEAD")[1]).strip() or None
        found = _in_the_way(place, branch) or _of_the_files(workspace, place, ask)
    except HistoryError as error:
        return told(GitTrouble.UNREADABLE, error.message, str(place.root))
    trouble, what = (found.trouble, found.what) if found else (None, "")
    return told(trouble, what, str(place.root), head, branch)


def configuration(ask: Ask) -> Config:
    """Return what the person has configured, as far as we must know it. Raises HistoryError."""
    code, out, err = ask("config", "-z", "--get-regexp", ASKED)
    if code > 1:
        raise HistoryError("Git refused", reason(err), LOOK)
    pairs = (item.partition("\n") for item in os.fsdecode(out).split("\0") if item)
    return Config({key: value for key, _, value in pairs})


def filtered(paths: Sequence[str], filters: Collection[str], ask: Ask) -> list[str]:
    """Return those of the files to which .gitattributes gives one of these filters. Raises HistoryError."""
    if not filters or not paths:
        return []
    cells = _answer(ask, "check-attr", "-z", "filter", "--", *paths).split("\0")
    return [path for path, name in zip(cells[::3], cells[2::3], strict=False) if name in filters]


def left_out(workspace: Path, paths: Sequence[str], ask: Ask) -> dict[str, Obstacle]:
    """Return those of the files that no commit takes, and why: ignored, left alone, or in another repository.

    Raises HistoryError.
    """
    found: dict[str, Obstacle] = {}
    for path in paths:
        for folder in [str(parent) for parent in Path(path).parents][:-1]:
            if os.path.lexists(workspace / folder / ".git"):
                found[path] = Obstacle(GitTrouble.NESTED, f"{folder}, which is a repository of its own")
    rest = [path for path in paths if path not in found]
    for mark, path in _marks(rest, ask):
        if mark in _LEFT_ALONE:
            found[path] = Obstacle(GitTrouble.SPARSE, f"{path}, which it was told to leave alone")
    stdin = b"".join(os.fsencode(f"./{path}\0") for path in rest)
    # This one command cannot take paths literally; written so, none of them can mean anything else.
    cells = os.fsdecode(ask("check-ignore", "-v", "-z", "--stdin", stdin=stdin, env={"GIT_LITERAL_PATHSPECS": "0"})[1])
    sources = cells.split("\0")
    for source, pattern, path in zip(sources[::4], sources[2::4], sources[3::4], strict=False):
        if not pattern.startswith("!"):
            name = path.removeprefix("./")
            found[name] = Obstacle(GitTrouble.IGNORED, f"{name}, which `{pattern}` in {source} excludes")
    return found


def reason(err: bytes) -> str:
    """Return the line of git's error output that says what is wrong, without its label and full stop."""
    lines = err.decode(errors="replace").strip().splitlines() or ["git gave no reason"]
    line = next((line for line in lines if line.startswith(("fatal:", "error:"))), lines[0])
    return line.removeprefix("fatal: ").removeprefix("error: ").rstrip(".")


def _in_the_way(place: Place, branch: str | None) -> Obstacle | None:
    """Return what makes any commit impossible."""
    if not place.work_tree:
        return Obstacle(GitTrouble.BARE, str(place.git_folder))
    if not os.access(place.git_folder, os.W_OK):
        return Obstacle(GitTrouble.READ_ONLY, str(place.git_folder))
    if locks := place.locks():
        return Obstacle(GitTrouble.LOCKED, f"{locks[0]} is there{_since(locks[0])}")
    if running := [text for name, text in _RUNNING.items() if (place.git_folder / name).exists()]:
        return Obstacle(GitTrouble.IN_PROGRESS, running[0])
    return None if branch else Obstacle(GitTrouble.DETACHED_HEAD, "")


def _of_the_files(workspace: Path, place: Place, ask: Ask) -> Obstacle | None:
    """Return what concerns the files that we write, the worst first."""
    curated = (memory_path(workspace), USER)
    if unmerged := [path for mark, path in _marks(curated, ask) if mark == _UNMERGED]:
        return Obstacle(GitTrouble.UNMERGED, unmerged[0])
    config = configuration(ask)
    if stopped := filtered(curated, config.filters, ask):
        return Obstacle(GitTrouble.FILTERED, stopped[0])
    missed = left_out(workspace, (*curated, _A_NOTE), ask)
    if first := next((missed[path] for path in curated if path in missed), None):
        return first
    # The notes are the agent's, and many leave them out of git on purpose; another repository is a surprise.
    if (note := missed.get(_A_NOTE)) and note.trouble is GitTrouble.NESTED:
        return note
    if place.above:
        return Obstacle(GitTrouble.SUBMODULE, place.above)
    if place.shallow:
        return Obstacle(GitTrouble.SHALLOW, "")
    if config.partial:
        return Obstacle(GitTrouble.PARTIAL, "")
    return Obstacle(GitTrouble.LFS, "") if filtered((*curated, _A_NOTE), {"lfs"}, ask) else None


def _marks(paths: Sequence[str], ask: Ask) -> list[tuple[str, str]]:
    """Return the marks that the index gives these files, and which one is meant."""
    if not paths:
        return []
    out = _answer(ask, "ls-files", "-v", "-z", "--", *paths)
    return [(item[0], item[2:]) for item in out.split("\0") if item]


def _answer(ask: Ask, *command: str) -> str:
    """Return what git prints. Raises HistoryError with its own words."""
    code, out, err = ask(*command)
    if code:
        raise HistoryError("Git refused", reason(err), LOOK)
    return os.fsdecode(out)


def _since(lock: Path) -> str:
    """Return how long a lock has been there, as the end of a sentence."""
    try:
        seconds = system_clock().timestamp() - lock.stat().st_mtime
    except FileNotFoundError:
        return ""
    minutes = int(seconds // 60)
    hours = minutes // 60
    days = int(seconds // SECONDS_PER_DAY)
    if days >= 2:
        return f" since {days} days"
    return f" since {hours} h" if hours >= 2 else f" since {minutes} min" if minutes >= 1 else ""
