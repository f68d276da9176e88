"""What a program wrote around a sentence, folded into short chips."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from clawmem_core.ledger.hunks import Block
from clawmem_core.workspace.annotations import (
    INVALID_PROJECT,
    LINEAGE,
    Anchor,
    parse_anchors,
    parse_annotations,
    parse_marker,
)
from clawmem_core.workspace.layout import note_day
from clawmem_tui.safe import safe, short
from clawmem_tui.theme import Ground, Ink
from clawmem_tui.widgets.lines import cut
from clawmem_tui.words import _, day_of

_MAX_ANCHORS = 4
_LONGEST = 40
_CHIP = f"{Ink.DIM} {Ground.CHIP}"


def place(path: str, start: int, end: int) -> str:
    """Return a place in the notes, short: `27 Nov note:14`, or `path:14-16` for any other file."""
    lines = f"{start}" if end <= start else f"{start}-{end}"
    date = note_day(path)
    name = path.rsplit("/", 1)[-1]
    if date is None or len(name) != len("2026-11-27.md"):
        return f"{path.removeprefix('memory/')}:{lines}"
    return _("{day} note:{lines}").format(day=day_of(date.isoformat()), lines=lines)


def chip_texts(block: Block) -> list[str]:
    """Return the chips of an entry: importance, triggers, projects, where from, and its markers."""
    annotations = parse_annotations(block.text)
    texts = []
    if annotations.importance is not None:
        texts.append(_("importance {n}").format(n=annotations.importance))
    if annotations.triggers:
        texts.append(_("trigger {words}").format(words=", ".join(annotations.triggers)))
    for project in annotations.projects:
        texts.append(
            _("project unreadable") if project == INVALID_PROJECT else _("project {name}").format(name=project)
        )
    texts += _anchors(parse_anchors(block.text))
    texts += [text for line in block.text.splitlines() if (text := _comment(line))]
    return [short(text, _LONGEST) for text in texts]


def _comment(line: str) -> str:
    """Return the chip of a comment line above an entry: a marker by its key, anything else by its words."""
    if marker := parse_marker(line):
        kind, key = marker
        return f"{_('lineage') if kind == LINEAGE else _('marker')} {key.rpartition(':')[2][:6]}"
    words = line.strip()
    if words.startswith("<!--") and words.endswith("-->"):
        return " ".join(words.removeprefix("<!--").removesuffix("-->").split())
    return ""


def _anchors(anchors: Sequence[Anchor]) -> list[str]:
    texts = [_("from {place}").format(place=place(a.path, a.start, a.end)) for a in anchors[:_MAX_ANCHORS]]
    if len(anchors) > _MAX_ANCHORS:
        texts.append(_("and {n} more places").format(n=len(anchors) - _MAX_ANCHORS))
    return texts


def set_chips(texts: Sequence[str], width: int, ink: str = _CHIP) -> list[Content]:
    """Set chips in lines of at most `width` cells."""
    lines: list[Content] = []
    for text in texts:
        chip = cut(Content.styled(f" {safe(text)} ", ink), width)
        if lines and lines[-1].cell_length + 1 + chip.cell_length <= width:
            lines[-1] = Content.assemble(lines[-1], " ", chip)
        else:
            lines.append(chip)
    return lines
