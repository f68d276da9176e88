"""What can stand between us and a repository, and what a person does about it."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class GitTrouble(enum.StrEnum):
    """Why git cannot be used as it should. An unborn branch is none: the first commit is made on it."""

    NO_REPOSITORY = "no_repository"
    """The workspace is in no repository. Unusable."""
    NO_GIT = "no_git"
    """There is no git, or one that is too old. Unusable."""
    UNREADABLE = "unreadable"
    """Git refuses the repository: another owner, a format it does not know. Unusable."""
    BARE = "bare"
    """The repository has no working files here. Unusable."""
    LOCKED = "locked"
    """Another program holds the index or HEAD. Unusable until it ends; the lock is never deleted."""
    IN_PROGRESS = "in_progress"
    """A rebase, merge, cherry-pick, revert or bisect is not finished. Unusable until it is."""
    DETACHED_HEAD = "detached_head"
    """No branch is checked out: a commit would be lost with the next checkout. Unusable."""
    SUBMODULE = "submodule"
    """The repository is a submodule of another one. Usable."""
    SHALLOW = "shallow"
    """The older history was not cloned. Usable."""
    LFS = "lfs"
    """The memory files are stored through Git LFS; history gives its pointers. Usable."""


@dataclass(frozen=True)
class GitStatus:
    """Whether we can commit here, and what is to be known."""

    usable: bool
    """Whether a commit works now."""
    trouble: GitTrouble | None
    """The first trouble found; those that make git unusable come before the others."""
    detail: str
    """The trouble as a sentence for people, empty when there is none."""
    head: str | None
    """Full hash of the current commit, None before the first."""
    branch: str | None
    """Short name of the branch, None when there is none."""
    root: str
    """The repository's top folder."""
    hint: str = ""
    """What to do about the trouble."""


LOOK = "Run `git status` in the workspace and follow its advice."
"""The hint where git's own words are the message."""
INSTALL = "Install git 2.31 or newer."

_USABLE = frozenset({None, GitTrouble.SUBMODULE, GitTrouble.SHALLOW, GitTrouble.LFS})
_DETAILS = {
    GitTrouble.NO_REPOSITORY: "The workspace is in no git repository.",
    GitTrouble.NO_GIT: "Git cannot be run: {}.",
    GitTrouble.UNREADABLE: "Git refuses the repository: {}.",
    GitTrouble.BARE: "The repository {} has no working files here.",
    GitTrouble.LOCKED: "Another program is working in the repository: {} is there.",
    GitTrouble.IN_PROGRESS: "{} is in progress.",
    GitTrouble.DETACHED_HEAD: "No branch is checked out (detached HEAD).",
    GitTrouble.SUBMODULE: "The workspace is in a submodule of {}, which shows it as changed after each commit.",
    GitTrouble.SHALLOW: "The repository is a shallow clone: history ends where the clone was cut.",
    GitTrouble.LFS: "The memory files are stored through Git LFS: history holds pointers instead of text.",
}
_HINTS = {
    GitTrouble.NO_REPOSITORY: "Run `git init` in the workspace.",
    GitTrouble.NO_GIT: INSTALL,
    GitTrouble.UNREADABLE: LOOK,
    GitTrouble.BARE: "Use a clone that is not bare.",
    GitTrouble.LOCKED: "Wait for it to end. If none is running, remove that file by hand.",
    GitTrouble.IN_PROGRESS: "Finish or abort it (see `git status`), then try again.",
    GitTrouble.DETACHED_HEAD: "Run `git switch` to a branch, then try again.",
    GitTrouble.SUBMODULE: "Commit the new state in the repository above when you want it there.",
    GitTrouble.SHALLOW: "Run `git fetch --unshallow` to have the rest.",
    GitTrouble.LFS: "Exclude them from LFS in .gitattributes.",
}


def told(
    trouble: GitTrouble | None, what: str, root: str, head: str | None = None, branch: str | None = None
) -> GitStatus:
    """Return the status for a trouble; `what` is the path, state or reason that its sentence names."""
    detail = _DETAILS[trouble].format(what) if trouble else ""
    return GitStatus(trouble in _USABLE, trouble, detail, head, branch, root, _HINTS[trouble] if trouble else "")
