"""The lint of a note line: is it something a person would want remembered, or something a program left behind?

What stands around a sentence is taken off first (see `wrapping`), and the sentence that is left is judged. What a
program wrote is an artifact and never an input again (see `traces`); honest text that makes no sense as a lasting
memory is not durable (see `sentences`). Structure decides wherever it can, so that no language is favoured.
"""

from __future__ import annotations

from collections.abc import Sequence

from clawmem_core.curation.lint.findings import Finding, Judged, Rule
from clawmem_core.curation.lint.sentences import MAX_UNITS, lacking
from clawmem_core.curation.lint.traces import trace_in
from clawmem_core.curation.lint.wrapping import Unwrapped, is_dressed, unwrap
from clawmem_core.provenance.marks import without_injected
from clawmem_core.words import _
from clawmem_core.workspace.annotations import sentence
from clawmem_core.workspace.entries import Entry, EntryKind
from clawmem_core.workspace.managed import ManagedBlock, ManagedKind, block_around

LONGEST_READ = 8 * MAX_UNITS
"""Characters of an entry above which it is too long, whatever stands around its sentence."""

_IN_BLOCK = {
    (ManagedKind.DREAM, True): Finding(Rule.ARTIFACT, _("it stands in a dream's report")),
    (ManagedKind.DREAM, False): Finding(Rule.ARTIFACT, _("it stands behind a dream's mark that has no end")),
    (ManagedKind.CONTEXT, True): Finding(Rule.ARTIFACT, _("memory that was injected")),
    (ManagedKind.CONTEXT, False): Finding(Rule.ARTIFACT, _("it stands behind a mark of injected memory without end")),
    (ManagedKind.SESSION, True): Finding(Rule.TRANSCRIPT, _("it stands in the dump of a session")),
}


def judge(entry: Entry, managed: Sequence[ManagedBlock]) -> Judged:
    """Return an entry of a note without what stood around it, and why it must not become durable, if so.

    `managed` are the managed blocks of its file.
    """
    if block := block_around(entry, managed):
        return Judged(entry.text, _IN_BLOCK[block.kind, block.closed])
    if entry.kind is EntryKind.ROW:
        return Judged(entry.text, Finding(Rule.TABLE_ROW))
    if len(entry.raw) > LONGEST_READ:
        return Judged(entry.text, Finding(Rule.TOO_LONG))
    said = without_injected(entry.raw)
    if finding := trace_in(said) or trace_in(entry.text if said == entry.raw else sentence(said)):
        return Judged(entry.text, finding)
    bare = unwrap(entry.raw) if is_dressed(entry.raw) else Unwrapped(entry.text)
    if finding := _wrapping(bare):
        return Judged(entry.text, finding)
    if not bare.text:
        return Judged(entry.text, Finding(Rule.HEADING_ONLY))
    finding = trace_in(bare.text) if bare.text != entry.text else None
    return Judged(bare.text, finding or lacking(bare.text, entry.kind))


def judge_text(text: str, raw: str = "") -> Finding | None:
    """Return why a sentence must not stand in a curated file, or None when it may; `raw` is its source, if any."""
    if len(raw) > LONGEST_READ or len(text) > LONGEST_READ:
        return Finding(Rule.TOO_LONG)
    if finding := trace_in(raw) or trace_in(text):
        return finding
    bare = unwrap(text)
    if bare.wrapped:
        return _wrapping(bare) or Finding(Rule.WRAPPER, _("it still stands around the sentence"))
    return lacking(bare.text, EntryKind.ITEM)


def _wrapping(bare: Unwrapped) -> Finding | None:
    if bare.wrapped and not bare.text:
        return Finding(Rule.WRAPPER)
    if bare.passages > 1:
        return Finding(Rule.WRAPPER, _("an excerpt of several lines"))
    return Finding(Rule.DATA, _("a block of code")) if bare.code_lines > 1 else None
