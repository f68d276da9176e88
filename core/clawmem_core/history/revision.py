"""A commit as a value: what is written into its message, and how it is read back from the log."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from clawmem_core.errors import UsageError
from clawmem_core.history.quiet import FALLBACK

_FIELDS = ("//%H", "%at", "%an", "%ae", "%s", "%b", "%(trailers)", "%(trailers:only,unfold)")
FORMAT = "--format=format:" + "".join(field + "%x00" for field in _FIELDS)
"""The option that makes `git log -z --name-only` print what `revisions` reads."""

_LAST_SECOND = int(datetime(9999, 12, 31, tzinfo=UTC).timestamp())
_BREAKS = re.compile("[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+")
_CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


@dataclass(frozen=True)
class Revision:
    """One commit."""

    id: str
    """Full hash."""
    at: datetime
    """Author date, UTC."""
    author: str
    """Author's name as it stands in the commit."""
    email: str
    """Author's email as it stands in the commit."""
    subject: str
    """First paragraph of the message, on one line."""
    body: str
    """The rest of the message without its trailers."""
    trailers: tuple[tuple[str, str], ...]
    """Trailers in order. They are text that anyone can write, no proof."""
    paths: tuple[str, ...]
    """Files of the workspace that it changed; of a merge, only those that are as in none of its parents."""


def message_text(message: str, trailers: Sequence[tuple[str, str]]) -> str:
    """Write a commit message whose trailers are the given ones and no others, whatever the texts contain.

    Line breaks in values become spaces, control characters go. A `---` line is indented, because git reads no
    trailers behind it; so is a last paragraph that would pass for trailers when none are given. Raises UsageError
    for a key that is none.
    """
    lines = re.split("\r\n|[\n\r\u2028\u2029]", message)
    text = "\n".join(_CONTROLS.sub("", line).rstrip() for line in lines).strip() or "(no message)"
    text = re.sub(r"(?m)^(?=---(?:\s|$))", " ", text)
    if not trailers:
        start, gap, last = text.rpartition("\n\n")
        return (start + gap + re.sub(r"(?m)^(?=[A-Za-z0-9-]+\s*:)", " ", last) if gap else text) + "\n"
    for key, _ in trailers:
        if not re.fullmatch("[A-Za-z0-9][A-Za-z0-9-]*", key):
            raise UsageError("Not a trailer key", repr(key), "Use letters, digits and hyphens.")
    return text + "\n\n" + "".join(f"{key}: {one_line(value)}\n" for key, value in trailers)


def one_line(text: str) -> str:
    """Return a text on one line without control characters."""
    return _CONTROLS.sub("", _BREAKS.sub(" ", text)).strip()


def signed(author: tuple[str, str], committer: tuple[str, str], at: datetime | None) -> dict[str, str]:
    """Return the variables that name who made a commit (name and email each) and when; None is now."""
    variables: dict[str, str] = {}
    for role, person in (("AUTHOR", author), ("COMMITTER", committer)):
        # Git refuses a name of which nothing is left once these signs are taken from its ends.
        name, email = (one_line(re.sub("[<>]", "", part)).strip(" .,:;\"'\\") for part in person)
        variables[f"GIT_{role}_NAME"] = name or FALLBACK[0]
        variables[f"GIT_{role}_EMAIL"] = email or FALLBACK[1]
        if at is not None:
            variables[f"GIT_{role}_DATE"] = f"@{int(at.timestamp())} +0000"
    return variables


def revisions(cells: Iterable[bytes], prefix: str) -> Iterator[Revision]:
    """Read the commits from what stands between the NUL bytes of the log, as it arrives.

    `prefix` is the workspace's path in the repository, with a slash at its end, or nothing.
    """
    commit: list[bytes] = []
    for cell in cells:
        # The fields may contain anything; behind them come paths, which never start with a slash.
        if len(commit) >= len(_FIELDS) and cell.startswith(b"//"):
            yield _revision(commit, prefix)
            commit = []
        commit.append(cell)
    if len(commit) >= len(_FIELDS):
        yield _revision(commit, prefix)


def _revision(cells: Sequence[bytes], prefix: str) -> Revision:
    texts = (cell.decode(errors="replace") for cell in cells[: len(_FIELDS)])
    name, at, author, email, subject, body, block, trailers = texts
    # Git puts a line break before a commit's first path.
    first, *others = cells[len(_FIELDS) :] or (b"",)
    paths = [os.fsdecode(path) for path in (first.removeprefix(b"\n"), *others) if path]
    pairs = (line.partition(":") for line in trailers.split("\n") if line)
    return Revision(
        id=name.removeprefix("//"),
        at=datetime.fromtimestamp(min(int(at or 0), _LAST_SECOND), UTC),
        author=author,
        email=email,
        subject=subject,
        body=body.rstrip("\n").removesuffix(block.strip("\n")).rstrip("\n"),
        trailers=tuple((key.strip(), value.strip()) for key, _, value in pairs),
        paths=tuple(path.removeprefix(prefix) for path in paths if path.startswith(prefix)),
    )
