"""`blame`: how a remembered line got where it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from clawmem_core.cli.completion import memory_files
from clawmem_core.cli.context import Session, minute, pass_session, styled
from clawmem_core.errors import UsageError
from clawmem_core.words import _, ngettext

if TYPE_CHECKING:
    from clawmem_core.review.whence.chain import Blame, Link

_PLACE = re.compile(r"(?P<path>.+):(?P<line>\d+)")
_WHEN_CELLS = 17
_SIGNS = {
    "matches": ("●", "green"),
    "changed": ("!", "yellow"),
    "missing": ("✗", "red"),
    "never_recorded": ("?", "dim"),
}


@click.command()
@click.argument("place", metavar="PATH:LINE", shell_complete=memory_files)
@pass_session
def blame(session: Session, place: str) -> None:
    """Show how the entry in line LINE of PATH got there, newest link first, each checked against files and git.

    PATH is MEMORY.md, USER.md or a note. Nothing is guessed: what no record tells is shown as never recorded.
    """
    match = _PLACE.fullmatch(place)
    if match is None:
        raise UsageError("Not a line", place, "Write it as MEMORY.md:22.")
    with session.opened() as engine:
        found = engine.review.blame(match["path"], int(match["line"]))
    session.result(_as_data(found), lambda: _for_people(found))


def _as_data(found: Blame) -> dict[str, object]:
    return {
        "entry": {
            "path": found.path,
            "line": found.line,
            "text": found.entry.block.sentence,
            "key": found.key,
            "section": found.entry.section,
            "origin": found.origin,
            "session_kind": found.session_kind,
        },
        "chain": [
            {
                "kind": link.kind,
                "when": link.when or None,
                "until": link.until or None,
                "what": link.what,
                "state": link.state,
                "ref": link.ref,
                "remark": link.remark,
                "earlier": link.earlier,
            }
            for link in found.chain
        ],
        "matching": found.matching,
        "network_in_turn": found.tainted,
        "same_turn": [{"path": one.path, "line": one.line, "text": one.sentence} for one in found.siblings],
        "checked_at": found.checked_at,
    }


def _for_people(found: Blame) -> Sequence[str]:
    head = f"{found.path}:{found.line}  {found.origin.value}, {found.session_kind.value}"
    lines: list[str] = [styled((head, "dim")), styled(("  " + found.entry.block.sentence, "bold")), ""]
    lines += [_link(link) for link in found.chain]
    count = ngettext("{n} link", "{n} links", len(found.chain))
    lines += ["", _("{matching} of {count} found and matching.").format(matching=found.matching, count=count)]
    if found.tainted is not None:
        lines.append(
            _("A network result came in that turn.") if found.tainted else _("No network result came in that turn.")
        )
    if found.siblings:
        lines.append(_("From the same turn:"))
        lines += [styled((f"  {one.path}:{one.line}  ", "dim"), one.sentence) for one in found.siblings]
    return lines


def _link(link: Link) -> str:
    sign, colour = _SIGNS[link.state.value]
    when = f"{_moment(link.when, link.until):<{_WHEN_CELLS}}  "
    worth = _("never recorded") if link.state.value == "never_recorded" else link.state.value
    said = ", ".join(dict.fromkeys(part for part in (worth, link.remark) if part))
    earlier = _("  (of an earlier wording)") if link.earlier else ""
    return styled((f"{sign} ", colour), (when, "dim"), link.what, (f"  {said}{earlier}", "dim"))


def _moment(when: str, until: str) -> str:
    if until and until != when:
        return f"{when[:10]} .. {until[8:10]}"
    return minute(when)
