"""What waited is looked at again before it is written: its words, and the lines that they came from.

A held hunk may wait for weeks. Meanwhile the rules may know more, a program may have put its marks around the source,
and the state is a file that others can change. What a person wrote in its place is the person's and not judged here.
"""

from __future__ import annotations

from collections.abc import Callable

from clawmem_core.curation.lint.durability import judge, judge_text
from clawmem_core.ledger.candidates import Source
from clawmem_core.ledger.hunks import Block, Decision, Hunk
from clawmem_core.provenance.redaction import find_secrets
from clawmem_core.visible import without_hidden
from clawmem_core.workspace.entries import Document
from clawmem_core.workspace.managed import managed_blocks

Refuse = Callable[[Hunk], str]
"""Says why a hunk must not be written, nothing when it may."""


def unfit_words(hunk: Hunk) -> str:
    """Return why the words of an accepted held hunk must not be written now, nothing when they may.

    Only what a sweep proposed is judged, and nothing that stood in the file before: a line that a person wrote and
    that takes on an anchor stays the person's.
    """
    after = hunk.value.after
    if not _waited(hunk) or after is None:
        return ""
    for fault in (_secret, _hidden, _not_lasting):
        if (found := fault(after)) and not any(fault(prior) for prior in hunk.value.before):
            return found
    return ""


def unfit_source(hunk: Hunk, read: Callable[[str], Document | None]) -> str:
    """Return why no source of an accepted held hunk is a note's own line any more, nothing when one still is.

    `read` gives a note or session as it is now, None when it cannot be read. Sources that are gone say nothing:
    a person has seen that they are.
    """
    if not _waited(hunk):
        return ""
    found = [why for source in hunk.value.sources if (why := _source_now(source, read)) is not None]
    return next(iter(found), "") if all(found) else ""


def _waited(hunk: Hunk) -> bool:
    return hunk.was_held and hunk.decision is Decision.ACCEPTED and bool(hunk.value.candidate_keys)


def _secret(block: Block) -> str:
    found = find_secrets(block.text)
    return f"it holds a secret ({found[0].kind})" if found else ""


def _hidden(block: Block) -> str:
    return "it holds hidden characters" if without_hidden(block.sentence)[1] else ""


def _not_lasting(block: Block) -> str:
    finding = judge_text(block.sentence)
    return f"it would be left out now: {finding.detail}" if finding else ""


def _source_now(source: Source, read: Callable[[str], Document | None]) -> str | None:
    """Return why a source's line would be left out now, nothing when it would not, None when it is not found."""
    document = read(source.path)
    here = document.by_claim.get(source.claim, ()) if document else ()
    if document is None or not here:
        return None
    blocks = managed_blocks(document)
    findings = [judge(entry, blocks).finding for entry in here]
    first = findings[0]
    return "" if first is None or None in findings else f"{source.path} line {here[0].start}: {first.detail}"
