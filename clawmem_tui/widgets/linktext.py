"""What one link of a chain leads to, in full: factors, recalls, the note, the turn, a decision, earlier lines."""

from __future__ import annotations

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from textual.content import Content

from clawmem_core.config import Gate
from clawmem_core.ledger.hunks import Block, Decision, Hunk, HunkKind, HunkState, HunkValue
from clawmem_core.review.forget.derived import Selector, SelectorKind
from clawmem_core.review.values import LinkState, SourceEvidence
from clawmem_core.review.whence.chain import Blame, Link, LinkKind, Recalls, Swept, Told, TurnText, Weighed, WrittenLine
from clawmem_tui.safe import content, safe, safe_lines, short
from clawmem_tui.theme import Ink
from clawmem_tui.widgets.blametext import lay_text, message_lines, worth
from clawmem_tui.widgets.difftext import Laid, change_lines
from clawmem_tui.widgets.leftouttext import candidate_lines
from clawmem_tui.widgets.lines import MAX_DRAWN, fill, paragraph, wrap
from clawmem_tui.widgets.naming import session_word
from clawmem_tui.words import _, day_of, instant, moment, ngettext, points

_NAMES = 12
_MAX_RECALLS = 1_000


def lay_link(link: Link, note: Sequence[str], limits: Gate, tz: ZoneInfo | None, width: int) -> Laid:
    """Lay out what a link leads to; `note` are the lines of the file that it names, as they stand now."""
    mark = worth(link)
    state = f"{mark.sign} {mark.word if link.state is not LinkState.MATCHES else link.remark or _('matches')}"
    head = [*wrap(content(short(link.what, MAX_DRAWN), Ink.BRIGHT), width), *wrap(content(state, mark.ink), width)]
    if at := instant(link.when):
        head += paragraph(moment(at, tz) if "T" in link.when else day_of(link.when), width, Ink.DIM)
    head.append(Content(""))
    if isinstance(link.detail, SourceEvidence) and note:
        source = link.detail.source
        laid = lay_text(note, source.start_line, max(source.start_line, source.end_line), width)
        first = len(head) + laid.change.start
        return Laid([*head, *laid.lines], range(first, first + len(laid.change)))
    return Laid([*head, *_detail(link, limits, tz, width)], range(0))


def _detail(link: Link, limits: Gate, tz: ZoneInfo | None, width: int) -> list[Content]:
    match link.detail:
        case Weighed():
            return candidate_lines(link.detail.candidate, limits, tz, width)
        case Recalls():
            return _recall_lines(link.detail, tz, width)
        case SourceEvidence():
            gone = _("{path} is not there any more.").format(path=safe(short(link.detail.source.path, 300)))
            return paragraph(gone, width, Ink.HELD)
        case TurnText():
            return _turn_lines(link.detail, width)
        case WrittenLine():
            return _writer_lines(link.detail, tz, width)
        case Told():
            return _decision_lines(link.detail, width)
        case Swept():
            return _sweep_lines(link.detail, width)
        case Block():
            return raw_lines(link.detail, width)
        case None:
            return paragraph(_nothing(link.kind), width)


def _recall_lines(recalls: Recalls, tz: ZoneInfo | None, width: int) -> list[Content]:
    lines = paragraph(_("Of each question a hash is kept, not the question itself."), width, Ink.DIM)
    for signal in reversed(recalls.signals[-_MAX_RECALLS:]):
        at = instant(signal.at)
        later = f"  {_('after the sweep')}" if signal.at > recalls.until else ""
        row = f"{moment(at, tz) if at else signal.day}  {_('question {hash}').format(hash=signal.query_hash)}  "
        lines += wrap(content(f"{row}{_('score {n}').format(n=points(signal.score))}{later}", Ink.TEXT), width)
    return lines


def _turn_lines(turn: TurnText, width: int) -> list[Content]:
    if turn.messages:
        return message_lines(turn.messages, width)
    words = _("? not recorded: the messages of this turn are not in ClawMem's state. `clawmem ingest` brings them in.")
    return paragraph(words, width, Ink.HELD)


def _writer_lines(row: WrittenLine, tz: ZoneInfo | None, width: int) -> list[Content]:
    at = instant(row.observed_at)
    missing = _("not recorded")
    facts = (
        (_("by"), row.actor or missing),
        (_("sender"), row.sender or missing),
        (_("session"), row.session or missing),
        (_("turn"), row.turn or missing),
        (_("kind"), session_word(row.session_kind)),
        (_("origin"), row.origin.value),
        (_("written"), moment(at, tz) if at else missing),
        (_("how"), row.how),
        (_("in"), row.path),
    )
    return [line for name, value in facts for line in _fact(name, value, width)]


def _decision_lines(told: Told, width: int) -> list[Content]:
    row = told.row
    facts = [(_("decision"), str(row.seq)), (_("by"), row.actor), (_("did"), row.change.summary)]
    after = row.change.after[0] if row.change.after else None
    if after is not None and after.reason:
        facts.append((_("reason"), after.reason))
    if after is not None and after.edited_text:
        facts.append((_("wrote"), after.edited_text))
    return [line for name, value in facts for line in _fact(name, value, width)]


def _sweep_lines(swept: Swept, width: int) -> list[Content]:
    sweep = swept.sweep
    facts = [(_("sweep"), sweep.id), (_("commit"), sweep.commit or _("none"))]
    if sweep.model:
        facts.append((_("judged by"), sweep.model))
    lines = [line for name, value in facts for line in _fact(name, value, width)]
    return [*lines, Content(""), *change_lines(swept.hunk, width)]


def raw_lines(block: Block, width: int) -> list[Content]:
    """Return the exact lines of an entry."""
    return [line for text in safe_lines(short(block.text, MAX_DRAWN)) for line in paragraph(text, width, Ink.TEXT)]


def _fact(name: str, value: str, width: int) -> list[Content]:
    return wrap(content(short(value, MAX_DRAWN), Ink.TEXT), width, fill(Content.styled(name, Ink.DIM), _NAMES))


def _nothing(kind: LinkKind) -> str:
    return {
        LinkKind.CLAIM: _("Anyone who can write the file can write this. No record of ClawMem says so."),
        LinkKind.BASELINE: _(
            "It stood there already: what was before the first opening of a workspace is on no record."
        ),
        LinkKind.WRITER: _("A line typed with an editor, or written before ClawMem kept records, has no writer."),
        LinkKind.EDIT: _("Somebody changed the file since ClawMem last looked."),
    }.get(kind, _("There is nothing behind this link."))


def before_of(link: Link) -> Block | None:
    """Return what the entry was before, as a link has it; None for a link that knows no earlier lines."""
    if isinstance(link.detail, Block):
        return link.detail
    if isinstance(link.detail, Swept) and link.detail.hunk.value.before:
        return link.detail.hunk.value.before[0]
    return None


def compared_lines(blame: Blame, before: Block, width: int) -> list[Content]:
    """Return an entry beside what it was before, word by word."""
    value = HunkValue(HunkKind.SUPERSEDED, blame.path, (before,), blame.entry.block)
    return change_lines(Hunk("", 1, HunkState.APPLIED, Decision.UNDECIDED, value=value), width)


def same_turn_words(blame: Blame) -> str:
    """Return how many other entries came from the same turn, for the line below the frame."""
    if not blame.siblings:
        return _("No other entry from the same turn is known.") if blame.turn else ""
    return ngettext(
        "Other entries from the same turn: {n} (press [blame.next])",
        "Other entries from the same turn: {n} (press [blame.next])",
        len(blame.siblings),
    )


def selectors_of(blame: Blame) -> list[Selector]:
    """Return what can be forgotten from an entry on: its line, if it stands in its file, its sessions and senders."""
    found = [Selector(SelectorKind.LINE, f"{blame.path}:{blame.line}")] if blame.line else []
    rows = [link.detail for link in blame.chain if isinstance(link.detail, WrittenLine)]
    found += [Selector(SelectorKind.SESSION, row.session) for row in rows if row.session]
    found += [Selector(SelectorKind.SENDER, row.sender) for row in rows if row.sender]
    return list(dict.fromkeys(found))
