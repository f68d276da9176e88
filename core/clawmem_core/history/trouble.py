"""What can stand between us and a repository, and what a person does about it."""

from __future__ import annotations

import enum
from dataclasses import dataclass


class GitTrouble(enum.StrEnum):
    """Why git cannot be used as it should. An unborn branch is none: the first commit is made on it."""

    NO_REPOSITORY = "no_repository"
    """The workspace is in no repository. Unusable."""
    NO_GIT = "no_git"
    """There is no git, one that is too old, or one that does not answer. Unusable."""
    UNREADABLE = "unreadable"
    """Git refuses the repository: another owner, a format it does not know, something broken. Unusable."""
    BARE = "bare"
    """The repository has no working files here. Unusable."""
    READ_ONLY = "read_only"
    """We may not write into the repository. Unusable."""
    LOCKED = "locked"
    """Another program holds the index or HEAD. Unusable until it ends; the lock is never deleted."""
    IN_PROGRESS = "in_progress"
    """A rebase, merge, cherry-pick, revert or bisect is not finished. Unusable until it is."""
    DETACHED_HEAD = "detached_head"
    """No branch is checked out: a commit would be lost with the next checkout. Unusable."""
    UNMERGED = "unmerged"
    """A curated file is in a conflict; a commit would pass for its resolution. Unusable until it is resolved."""
    FILTERED = "filtered"
    """A curated file passes through a program, which we neither run nor pass by. Unusable."""
    IGNORED = "ignored"
    """A curated file is excluded by .gitignore. Usable; that file is left out."""
    SPARSE = "sparse"
    """A curated file is outside of the sparse checkout, or marked to be left alone. Usable; it is left out."""
    NESTED = "nested"
    """The notes are a repository of their own. Usable; what is in it is left out."""
    SUBMODULE = "submodule"
    """The repository is a submodule of another one. Usable."""
    SHALLOW = "shallow"
    """The older history was not cloned. Usable."""
    PARTIAL = "partial"
    """The older contents were not cloned. Usable."""
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
COMMIT_YOURSELF = "Commit it yourself, or take it out of .gitattributes."
"""The hint about a file that passes through a program."""

_USABLE = frozenset(
    {
        None,
        GitTrouble.IGNORED,
        GitTrouble.SPARSE,
        GitTrouble.NESTED,
        GitTrouble.SUBMODULE,
        GitTrouble.SHALLOW,
        GitTrouble.PARTIAL,
        GitTrouble.LFS,
    }
)
_DETAILS = {
    GitTrouble.NO_REPOSITORY: "The workspace is in no git repository.",
    GitTrouble.NO_GIT: "Git cannot be run: {}.",
    GitTrouble.UNREADABLE: "Git refuses the repository: {}.",
    GitTrouble.BARE: "The repository {} has no working files here.",
    GitTrouble.READ_ONLY: "The repository {} may not be written.",
    GitTrouble.LOCKED: "Another program is working in the repository: {}.",
    GitTrouble.IN_PROGRESS: "{} is in progress.",
    GitTrouble.DETACHED_HEAD: "No branch is checked out (detached HEAD).",
    GitTrouble.UNMERGED: "{} is in a conflict that is not resolved.",
    GitTrouble.FILTERED: "{} passes through a filter program, which ClawMem does not run.",
    GitTrouble.IGNORED: "Git does not keep {}.",
    GitTrouble.SPARSE: "Git does not keep {}.",
    GitTrouble.NESTED: "Git does not keep {}.",
    GitTrouble.SUBMODULE: "The workspace is in a submodule of {}, which shows it as changed after each commit.",
    GitTrouble.SHALLOW: "The repository is a shallow clone: history ends where the clone was cut.",
    GitTrouble.PARTIAL: "The repository is a partial clone: what was not fetched cannot be read back.",
    GitTrouble.LFS: "The memory files are stored through Git LFS: history holds pointers instead of text.",
}
_HINTS = {
    GitTrouble.NO_REPOSITORY: "Run `git init` in the workspace.",
    GitTrouble.NO_GIT: INSTALL,
    GitTrouble.UNREADABLE: LOOK,
    GitTrouble.BARE: "Use a clone that is not bare.",
    GitTrouble.READ_ONLY: "Give yourself the right to write there.",
    GitTrouble.LOCKED: "Wait for it to end. If none is running, remove that file by hand.",
    GitTrouble.IN_PROGRESS: "Finish or abort it (see `git status`), then try again.",
    GitTrouble.DETACHED_HEAD: "Run `git switch` to a branch, then try again.",
    GitTrouble.UNMERGED: "Resolve it and `git add` it.",
    GitTrouble.FILTERED: COMMIT_YOURSELF,
    GitTrouble.IGNORED: "Take it out of .gitignore when its versions belong into git.",
    GitTrouble.SPARSE: "Run `git sparse-checkout add` with its folder, or take its mark away with `git update-index`.",
    GitTrouble.NESTED: "Commit there yourself when you want it kept there.",
    GitTrouble.SUBMODULE: "Commit the new state in the repository above when you want it there.",
    GitTrouble.SHALLOW: "Run `git fetch --unshallow` to have the rest.",
    GitTrouble.PARTIAL: "Clone it whole to have the rest.",
    GitTrouble.LFS: "Exclude them from LFS in .gitattributes.",
}


def told(
    trouble: GitTrouble | None, what: str, root: str, head: str | None = None, branch: str | None = None
) -> GitStatus:
    """Return the status for a trouble; `what` is the path, state or reason that its sentence names."""
    detail = _DETAILS[trouble].format(what) if trouble else ""
    return GitStatus(trouble in _USABLE, trouble, detail, head, branch, root, _HINTS[trouble] if trouble else "")
