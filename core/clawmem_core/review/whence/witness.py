"""What git says of recorded versions: whether a commit is there and holds the lines, and with which one they came.

Git is a witness, not the record: its log is text that anyone who may commit can write. When it is not there or does
not answer, that is said, and what ClawMem keeps itself decides.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from clawmem_core.errors import ClawmemError, HistoryError, NotFoundError
from clawmem_core.history.git import Repository, Revision
from clawmem_core.ledger.hunks import Block
from clawmem_core.review.values import LinkState
from clawmem_core.review.whence.steps import holds
from clawmem_core.words import _
from clawmem_core.workspace.files import real_path
from clawmem_core.workspace.text import lfs_content

MOST_COMMITS = 2_000
"""Commits that are looked through for the one with which a line came."""


@dataclass(frozen=True)
class Testimony:
    """What git says of one commit."""

    state: LinkState
    remark: str
    """For people; empty when there is nothing to say."""


class Witness:
    """The repository around a workspace, asked about lines."""

    def __init__(self, root: Path, repository: Repository | None) -> None:
        """Ask this repository; None when the workspace is in none."""
        self._root, self._repository = root, repository

    def of(self, commit: str | None, path: str, block: Block) -> Testimony:
        """Return whether a commit is in git and holds an entry's lines in a file."""
        if commit is None:
            return Testimony(LinkState.MATCHES, _("no commit; ClawMem keeps that version itself"))
        if self._repository is None:
            return Testimony(
                LinkState.MISSING, _("there is no git repository here any more; ClawMem keeps the version")
            )
        try:
            data = self._repository.read(self._repository.resolve(commit), real_path(self._root, path))
        except NotFoundError:
            return Testimony(LinkState.MISSING, _("its commit is not in git any more; ClawMem keeps the version"))
        except HistoryError as error:
            why = error.message or error.title
            return Testimony(LinkState.MATCHES, _("git could not be asked: {why}").format(why=why))
        if data is not None and lfs_content(data):
            return Testimony(LinkState.MATCHES, _("git keeps a pointer of Git LFS; ClawMem keeps the version itself"))
        if not holds(data or b"", block):
            return Testimony(LinkState.CHANGED, _("its commit does not hold these lines"))
        return Testimony(LinkState.MATCHES, _("found in git"))

    def came_with(self, path: str, block: Block) -> Revision | None:
        """Return the commit with which lines came that stand in the newest one; None when git does not say."""
        repository = self._repository
        if repository is None:
            return None
        found: Revision | None = None
        with suppress(ClawmemError):
            real = real_path(self._root, path)
            for revision in repository.log(real, limit=MOST_COMMITS):
                if holds(repository.read(revision.id, real) or b"", block):
                    found = revision
                elif found is not None:
                    return found
        return found


@contextmanager
def witness(root: Path) -> Iterator[Witness]:
    """Open the repository of a workspace for some questions."""
    repository: Repository | None = None
    with suppress(HistoryError):
        repository = Repository.open(root)
    try:
        yield Witness(root, repository)
    finally:
        if repository is not None:
            repository.close()
