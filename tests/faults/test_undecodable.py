"""Bytes that are not UTF-8: they are shown and searched, and neither a night nor the inbox stumbles on them."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from clawmem_core.cli.root import run
from tests.conftest import HANDWRITTEN, INVOICES, Desk

CAFE = "- Le café de la gare ferme à neuf heures le lundi\n"
LATIN = CAFE.encode("latin-1")
WORKSPACE = HANDWRITTEN.encode()


@pytest.fixture
def latin(new_desk: Callable[..., Desk]) -> Desk:
    """A workspace with a good note and one that an old editor saved as Latin-1; both were asked for."""
    desk = new_desk()
    desk.note("2026-11-27", INVOICES)
    desk.write("memory/2026-11-28.md", b"# 2026-11-28\n\n" + LATIN)
    desk.ask(INVOICES, "gare ferme heures lundi")
    return desk


def test_sweep_remembers_the_good_lines_and_says_why_it_left_out_the_others(latin: Desk) -> None:
    done = latin.dream()
    assert [value.after.sentence for value, _ in done.hunks if value.after] == [INVOICES]
    bad = [item for item in done.left_out if item.source.path == "memory/2026-11-28.md"]
    assert [(item.gate, item.detail) for item in bad] == [("not_durable", "holds bytes that are not UTF-8")]
    assert "caf\ufffd" in bad[0].text


@pytest.mark.parametrize(
    "command", [["search", "gare ferme lundi"], ["candidates"], ["dream"], ["doctor"]], ids=" ".join
)
def test_commands_answer_in_json_and_in_words(
    latin: Desk, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    latin.close()
    where = ["--workspace", str(latin.root), "--state-dir", str(latin.state), "--now", latin.clock.at.isoformat()]
    assert run([*where, "--json", *command]) in (0, 4)
    answer = json.loads(capsys.readouterr().out)
    assert "memory/2026-11-28.md" in json.dumps(answer) or command == ["dream"]
    assert run([*where, *command]) in (0, 4)
    capsys.readouterr().out.encode("utf-8")


def test_file_whose_name_is_not_utf_8_is_left_out_and_named(latin: Desk) -> None:
    name = b"memory/2026-11-29-caf\xe9.md".decode("utf-8", "surrogateescape")
    latin.write(name, f"- {INVOICES} too\n")
    assert latin.engine.recall.search("Brandt").hits
    assert latin.dream().hunks
    assert [item.reason for item in latin.engine.status().skipped] == ["its name is not UTF-8; rename it"]


def test_curated_file_saved_in_another_encoding_waits_until_it_is_mended(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk()
    review = desk.engine.review
    assert review.look_for_edits() == ()
    desk.write("MEMORY.md", WORKSPACE + LATIN)
    assert review.look_for_edits() == ()
    assert review.inbox() == ()
    desk.write("MEMORY.md", WORKSPACE + CAFE.encode())
    (edit,) = review.look_for_edits()
    assert [hunk.value.after.text for hunk in desk.hunks(edit.id) if hunk.value.after] == [CAFE.strip()]


GENERATED = """
## Consolidated Memory (2026-11-20)

<!-- openclaw-memory-promotion:memory:claim:cccccccccccc -->
- Le café ouvre à huit heures Source: memory/2026-11-18.md#L3-L3
"""


def test_workspace_that_was_never_utf_8_can_be_opened_and_mended(new_desk: Callable[..., Desk]) -> None:
    desk = new_desk((HANDWRITTEN + GENERATED + CAFE).encode("latin-1"))
    review = desk.engine.review
    assert (review.look_for_edits(), review.inbox()) == ((), ())
    mended = (HANDWRITTEN + GENERATED + CAFE).encode()
    desk.write("MEMORY.md", mended)
    assert review.look_for_edits() == ()
    desk.write("MEMORY.md", mended + b"- The lift is out of order\n")
    (edit,) = review.look_for_edits()
    assert len(desk.hunks(edit.id)) == 1
