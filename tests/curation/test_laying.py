"""From an answer to lines: whatever stands in the file, markers stay single, anchors stay, and nobody's line moves."""

from __future__ import annotations

from collections import Counter

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.curation.claims.wording import one_line, triggers
from clawmem_core.curation.consolidation import Prior, consolidate
from clawmem_core.curation.lineage import label_of, retired_by_newer
from clawmem_core.curation.promotion import Desk, entry_block
from clawmem_core.ledger.candidates import Candidate, Evidence, Source
from clawmem_core.ledger.hunks import HunkKind
from clawmem_core.ledger.lines import Provenance
from clawmem_core.models.embedded import EmbeddedModel
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.workspace.annotations import claim_hash, parse_anchors
from clawmem_core.workspace.entries import Document, parse
from tests.properties.documents import plain_files

SAID = ("The archive was flooded", "Mrs. Adler keeps the keys", "Deploy target: kestrel", "A line", "備份每天兩點執行")
WHO = Provenance(Origin.AGENT, SessionKind.NONE, None)


def _candidate(
    number: int, text: str, key: str | None = None, origin: Origin = Origin.AGENT, at: str = ""
) -> Candidate:
    source = Source("memory/2026-11-27.md", number + 3, number + 3, claim_hash(text))
    kind = SessionKind.NONE
    return Candidate(f"memory:claim:{claim_hash(text)}", text, source.claim, (source,), origin, kind, at, key)


def _markers(document: Document) -> Counter[str]:
    return Counter(marker for entry in document.entries for marker in entry.markers)


@given(plain_files, st.lists(st.sampled_from(SAID), unique=True, max_size=4), st.booleans())
def test_markers_stay_single_anchors_stay_and_other_lines_do_not_move(
    memory: bytes, texts: list[str], generated: bool
) -> None:
    before = parse(memory)
    priors = [
        Prior(entry, WHO, generated and bool(entry.markers), entry.lineage or label_of(entry.text))
        for entry in before.entries
        if entry.text
    ]
    candidates = [_candidate(number, text) for number, text in enumerate(texts)]
    layout = Desk("MEMORY.md", memory, 100_000, "2026-11-30", False, priors, {})
    proposal, _ = layout.lay(candidates, consolidate(EmbeddedModel(), candidates, priors))
    after = parse(proposal.data)
    had, has = _markers(before), _markers(after)
    assert all(times <= max(1, had[marker]) for marker, times in has.items())
    for value, _ in proposal.hunks:
        if value.kind is HunkKind.MERGED and value.after is not None:
            anchors = set(parse_anchors(value.after.body))
            assert all(set(parse_anchors(block.body)) <= anchors for block in value.before)
            assert value.after.sentence == value.before[0].sentence
    gone = {block.hash for value, _ in proposal.hunks for block in value.before}
    stays = [entry.block_hash for entry in before.entries if entry.block_hash not in gone]
    here = [entry.block_hash for entry in after.entries if entry.block_hash in set(stays)]
    assert here == stays


def test_a_marker_that_stands_on_another_line_is_not_used_again() -> None:
    """Somebody reworded a promoted line; the claim comes again from its note, and again from the same place."""
    candidate = _candidate(0, "Mrs. Adler keeps the keys")
    memory = f"<!-- openclaw-memory-promotion:{candidate.key} -->\n- Noor keeps the keys now\n"
    first = entry_block(memory.encode(), candidate, 5)
    again = entry_block(f"{memory}{first.text}\n".encode(), candidate, 5)
    third = entry_block(f"{memory}{first.text}\n{again.text}\n".encode(), candidate, 5)
    markers = {block.text.splitlines()[0] for block in (first, again, third)}
    assert len(markers) == 3
    assert f"<!-- openclaw-memory-promotion:{candidate.key} -->" not in markers


def test_a_merge_keeps_the_lineage_that_a_writer_named() -> None:
    """The note says which thing it speaks of; the line that said the same without it does so from now on."""
    memory = b"- Mrs. Adler keeps the keys\n"
    priors = [Prior(entry, WHO, False, None) for entry in parse(memory).entries]
    candidate = _candidate(0, "Mrs. Adler keeps the keys", "archive-keys")
    layout = Desk("MEMORY.md", memory, 10_000, "2026-11-30", False, priors, {})
    proposal, _ = layout.lay([candidate], consolidate(EmbeddedModel(), [candidate], priors))
    (entry,) = parse(proposal.data).entries
    assert (entry.lineage, entry.text) == ("archive-keys", "Mrs. Adler keeps the keys")


def test_what_replaces_a_line_of_a_project_stays_in_the_project() -> None:
    memory = (
        b"<!-- openclaw-memory-lineage:pump -->\n<!-- openclaw-memory-promotion:k1 -->\n"
        b"- The pump runs at six Source: memory/a.md#L1-L1 <!-- importance: 4 --> <!-- project: orchard -->\n"
    )
    priors = [Prior(entry, WHO, True, entry.lineage) for entry in parse(memory).entries]
    candidate = _candidate(0, "The pump runs at seven", "pump")
    layout = Desk("MEMORY.md", memory, 10_000, "2026-11-30", False, priors, {})
    proposal, _ = layout.lay([candidate], consolidate(EmbeddedModel(), [candidate], priors))
    (entry,) = parse(proposal.data).entries
    assert (entry.text, entry.annotations.projects) == ("The pump runs at seven", ("orchard",))


def test_of_two_lines_that_say_the_same_the_persons_stays() -> None:
    """A generated line and a person's say the same: the person's keeps its place and takes the other's anchor."""
    memory = (
        b"<!-- openclaw-memory-promotion:k1 -->\n- The pump: runs at six Source: memory/a.md#L1-L1\n\n## Mine\n\n"
        b"- The pump: runs at six\n"
    )
    priors = [Prior(entry, WHO, bool(entry.markers), label_of(entry.text)) for entry in parse(memory).entries]
    candidate = _candidate(0, "The pump: runs at six", "the-pump")
    layout = Desk("MEMORY.md", memory, 10_000, "2026-11-30", False, priors, {})
    proposal, judged = layout.lay([candidate], consolidate(EmbeddedModel(), [candidate], priors))
    assert judged.fallback == ""
    (entry,) = parse(proposal.data).entries
    assert entry.section == ("Mine",)
    assert [anchor.path for anchor in entry.anchors] == ["memory/a.md", "memory/2026-11-27.md"]


def test_of_one_lineage_the_newest_goes_on_but_never_before_a_more_trusted_one() -> None:
    old = _candidate(0, "The pump runs at six", "pump", at="2026-11-20T08:00:00.000Z")
    new = _candidate(1, "The pump runs at seven", "pump", at="2026-11-21T08:00:00.000Z")
    owner = _candidate(2, "The pump runs at five", "pump", Origin.OWNER, "2026-11-19T08:00:00.000Z")
    kept, retired = retired_by_newer([old, new])
    assert (kept, [item.text for item in retired]) == ([new], [old.text])
    kept, retired = retired_by_newer([new, owner, old])
    assert kept == [owner]
    assert [item.detail.split(" observation")[0] for item in retired] == ["a more trusted", "a more trusted"]


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r\n#"), min_size=1, max_size=12))
def test_a_source_is_found_again_whatever_its_folder_is_called(name: str) -> None:
    """Blanks, percent signs and angle brackets in a path: the words before it stay the words of the entry."""
    source = Source(f"memory/{name}/2026-11-27.md", 3, 3, "")
    candidate = msgspec.structs.replace(_candidate(0, "Mrs. Adler keeps the keys"), sources=(source,))
    (entry,) = parse(entry_block(b"", candidate, 5).text.encode()).entries
    assert entry.text == "Mrs. Adler keeps the keys"
    assert [(anchor.path, anchor.start, anchor.end) for anchor in entry.anchors] == [(source.path, 3, 3)]


@pytest.mark.parametrize(
    "key",
    [
        "a --> <!-- importance: 10",
        "a\n- an entry of its own",
        "a <!--\u2028--> b",
        "<!--",
        "a --<!-- x -->> b",
        "a --!> b",
    ],
)
def test_what_a_writer_calls_a_thing_stays_in_its_comment(key: str) -> None:
    """A host passes any text as the key of a line: it opens no comment, closes none and begins no line."""
    block = entry_block(b"", _candidate(0, "Mrs. Adler keeps the keys", key), 5)
    (entry,) = parse(block.text.encode()).entries
    assert entry.block == block.text
    assert entry.annotations.importance == 5
    assert "\n" not in (entry.lineage or "")
    assert block.text.count("<!--") == block.text.count("-->") == len(block.text.splitlines())


def test_b25_one_bullet_however_many_the_note_had() -> None:
    assert one_line("- * a fact\u200b of\tthe quay <!-- importance: 9 -->") == "a fact of the quay"
    assert entry_block(b"", _candidate(0, "- a fact of the quay"), 5).body.startswith("- a fact of the quay Source:")


def test_trigger_words_can_end_neither_their_list_nor_their_comment() -> None:
    tags = ("x, y;z", "<!-- sly -->", "l\nb", "never reached")
    assert triggers(tags) == ("x y z", "sly", "l b")
    assert triggers(("w" * 80, "--", "")) == ("w" * 64,)
    assert Evidence(tags=tags).tags == tags
