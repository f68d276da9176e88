"""The chain of an entry as rows, and what stands around it: the entry, its source, how much can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from zoneinfo import ZoneInfo

from textual.content import Content

from clawmem_core.ledger.sessions import Message
from clawmem_core.review.values import LinkState, SourceEvidence
from clawmem_core.review.whence.chain import Blame, Link, LinkKind
from clawmem_core.workspace.annotations import parse_annotations
from clawmem_tui.safe import content, safe, safe_lines, short
from clawmem_tui.theme import GLYPHS, Ink
from clawmem_tui.widgets.difftext import Laid
from clawmem_tui.widgets.lines import MAX_DRAWN, cut, fill, paragraph, plain_lines, spread, wrap
from clawmem_tui.widgets.naming import Mark, origin_ink
from clawmem_tui.words import _, clock_time, day, day_of, instant, ngettext, number

_WHEN = 13
"""Cells of the time of a link."""
_ROLE = 8
"""Cells of who said a message."""
_MAX_MESSAGES = 400
"""Messages of one turn that are drawn."""
_CONTEXT = 400
"""Lines of a note above and below the one that is meant."""


def worth(link: Link) -> Mark:
    """Return what a link is worth, as sign, words and ink."""
    match link.state:
        case LinkState.MATCHES:
            past = link.kind in (LinkKind.REPLACED, LinkKind.BASELINE)
            return Mark(GLYPHS.past if past else GLYPHS.link, _right(link), Ink.DIM)
        case LinkState.CHANGED:
            return Mark(GLYPHS.care, link.remark or _("source changed"), Ink.HELD)
        case LinkState.MISSING:
            return Mark(GLYPHS.care, link.remark or _("missing"), Ink.REMOVED)
        case LinkState.NEVER_RECORDED:
            if link.kind is LinkKind.CLAIM:
                return Mark("?", _("says so itself, not recorded"), Ink.HELD)
            return Mark("?", _("not recorded"), Ink.HELD)


def _right(link: Link) -> str:
    """Return what stands at the right of a link that matches."""
    name, _colon, rest = link.ref.partition(":")
    match link.kind:
        case LinkKind.DECISION | LinkKind.WISH | LinkKind.BACK:
            text = link.remark if link.remark == _("not applied yet") else _("decision {n}").format(n=rest)
            return text if name == "decision" else link.remark
        case LinkKind.SWEEP:
            return _("sweep {id}").format(id=rest.partition(":")[0])
        case LinkKind.CANDIDATE:
            return _("[blame.open]: factors")
        case LinkKind.RECALLS:
            return _("[blame.open]: list")
        case LinkKind.COMMIT:
            return link.ref[:10]
        case LinkKind.REPLACED:
            return _("in history")
        case LinkKind.EDIT:
            return _("sweep {id}").format(id=rest.partition(":")[0]) if name == "sweep" else link.ref
        case LinkKind.WRITER:
            return _("on record")
        case LinkKind.TURN:
            return _("text found")
        case _other:
            return _("text matches")


def link_row(link: Link, width: int, tz: ZoneInfo | None) -> Content:
    """Draw a link in one line: whether it matches, when it was, what it is, what it is worth."""
    mark = worth(link)
    when = fill(Content.styled(when_words(link, tz), Ink.DIM), _WHEN)
    ink = Ink.DIM if link.earlier else Ink.BRIGHT
    left = Content.assemble(
        (f"{mark.sign} ", mark.ink if link.state is not LinkState.MATCHES else Ink.ADDED),
        when,
        " ",
        content(short(link.what, 400), ink),
    )
    right = cut(content(short(mark.word, 200), mark.ink), max(12, width // 2))
    return spread(left, right, width - 1)


def when_words(link: Link, tz: ZoneInfo | None) -> str:
    """Return when a link was, as in `27 Nov 16:40` or `28-29 Nov`; safe to draw."""
    at = instant(link.when)
    if at is None or not link.when:
        return ""
    if "T" in link.when:
        return f"{day(at, tz)} {clock_time(at, tz)}"
    first, last = day_of(link.when), day_of(link.until or link.when)
    if first == last:
        return first
    (number_first, month_first), (_n, month_last) = first.split(), last.split()
    return f"{number_first}-{last}" if month_first == month_last else f"{first}-{last}"


def link_matches(link: Link, wanted: str) -> bool:
    """Whether a link holds all words of a filter."""
    hay = " ".join((link.what, link.ref, link.remark, link.kind.value, link.state.value)).casefold()
    return all(word in hay for word in wanted.casefold().split())


def entry_lines(blame: Blame | None, width: int) -> list[Content]:
    """Return the entry: what it says, then its annotations."""
    if blame is None:
        return plain_lines(_("Reading…"), width)
    block = blame.entry.block
    found = parse_annotations(block.text)
    parts = [
        (_("trigger"), ", ".join(found.triggers) or _("none")),
        (_("importance"), str(found.importance) if found.importance is not None else _("none")),
        (_("project"), ", ".join(found.projects) or _("none")),
    ]
    facts = Content("    ").join(
        Content.assemble((f"{name} ", Ink.DIM), content(value, Ink.TEXT)) for name, value in parts
    )
    return [*paragraph(safe(short(block.sentence, MAX_DRAWN)), width, Ink.BRIGHT), *wrap(facts, width)]


def note_of(blame: Blame) -> Link | None:
    """Return the link of the line that an entry was taken from; None when no record leads to one."""
    return next((link for link in blame.chain if link.kind is LinkKind.NOTE), None)


def source_lines(blame: Blame | None, width: int) -> list[Content]:
    """Return where an entry comes from in a few lines: the note line, then the turn, or that it is not recorded."""
    if blame is None:
        return []
    lines: list[Content] = []
    if (note := note_of(blame)) is not None:
        lines += _note_line(note, width)
    turn = blame.turn
    if turn is not None and turn.messages:
        return [*lines, *message_lines(turn.messages, width)]
    for link in blame.chain:
        if link.kind in (LinkKind.TURN, LinkKind.WRITER, LinkKind.COMMIT, LinkKind.BASELINE, LinkKind.EDIT):
            mark = worth(link)
            words = content(f"{mark.sign} {short(link.what, 400)}: {mark.word}", mark.ink)
            if link.state is LinkState.MATCHES:
                words = content(f"{mark.sign} {short(link.what, 400)}", Ink.TEXT)
            lines += wrap(words, width)
    return lines or paragraph(_("? not recorded"), width, Ink.HELD)


def _note_line(note: Link, width: int) -> list[Content]:
    evidence = note.detail
    said = evidence.lines if isinstance(evidence, SourceEvidence) else ()
    head = Content.assemble(content(note.what, Ink.DIM), "  ")
    if note.state is not LinkState.MATCHES:
        mark = worth(note)
        return wrap(Content.assemble(head, content(f"{mark.sign} {mark.word}", mark.ink)), width)
    words = " ".join(line.strip() for line in said)
    # One row: the turn below it needs the room more, and the whole note is behind the link.
    return [cut(Content.assemble(head, content(short(words, MAX_DRAWN), Ink.BRIGHT)), width)]


def message_lines(messages: Sequence[Message], width: int, ink: str = Ink.BRIGHT) -> list[Content]:
    """Return what was said, each message behind who said it."""
    lines: list[Content] = []
    for message in messages[:_MAX_MESSAGES]:
        who = message.sender if message.role == "user" and message.sender else message.origin.value
        role = who if message.role == "user" else _("agent")
        lead = fill(content(short(role, 40), origin_ink(message.origin.value)), _ROLE)
        for place, line in enumerate(safe_lines(short("\n".join(message.blocks), MAX_DRAWN))):
            lines += wrap(Content.styled(line, ink), width, lead if place == 0 else Content(" " * _ROLE))
    if len(messages) > _MAX_MESSAGES:
        rest = ngettext("{n} more message.", "{n} more messages.", len(messages) - _MAX_MESSAGES)
        lines += paragraph(rest, width, Ink.DIM)
    return lines


def lay_turns(messages: Sequence[Message], turn: str, width: int) -> Laid:
    """Lay out what was said around a turn, that turn bright, each turn under its number."""
    lines: list[Content] = []
    meant = range(0)
    for number_of_turn, said in groupby(messages, key=lambda message: message.turn):
        mine = number_of_turn == turn
        first = len(lines)
        title = _("turn {turn}").format(turn=safe(short(number_of_turn, 40)))
        lines.append(cut(Content.assemble((GLYPHS.bar if mine else " ", Ink.ACCENT), (title, Ink.DIM)), width))
        lines += message_lines(list(said), width, Ink.BRIGHT if mine else Ink.DIM)
        if mine:
            meant = range(first, len(lines))
    return Laid(lines, meant)


def trust_lines(blame: Blame | None, width: int) -> list[Content]:
    """Return how much of the chain was found, and whether anything from outside came into its turn."""
    if blame is None:
        return []
    total = len(blame.chain)
    found = _("{n} of {total} links found and matching").format(n=number(blame.matching), total=number(total))
    tainted = {
        True: Content.styled(_("! a network result came in that turn"), Ink.UNTRUSTED),
        False: Content.styled(_("no network result in that turn"), Ink.DIM),
        None: Content.styled(_("network results in its turn: not recorded"), Ink.DIM),
    }[blame.tainted]
    if blame.turn is None:
        tainted = Content.styled(_("no turn is on record"), Ink.DIM)
    last = paragraph(_("A link that was never recorded shows as '? not recorded', never as a guess."), width, Ink.DIM)
    return [spread(Content.styled(found, Ink.TEXT), tainted, width), *last]


def lay_text(lines: Sequence[str], first: int, last: int, width: int) -> Laid:
    """Lay out a note with its line numbers, the lines `first` to `last` (from 1) bright and marked."""
    start = max(1, first - _CONTEXT)
    shown = lines[start - 1 : last + _CONTEXT]
    digits = len(str(start + len(shown)))
    drawn: list[Content] = []
    meant = range(0)
    for place, text in enumerate(shown, start=start):
        chosen = first <= place <= last
        lead = Content.assemble(
            (GLYPHS.bar if chosen else " ", Ink.ACCENT), (f"{place:>{digits}} {GLYPHS.box[1]} ", Ink.DIM)
        )
        rows = wrap(content(short(text.rstrip("\r\n"), MAX_DRAWN), Ink.BRIGHT if chosen else Ink.DIM), width, lead)
        if chosen:
            meant = range(meant.start if meant else len(drawn), len(drawn) + len(rows))
        drawn += rows
    return Laid(drawn, meant)
