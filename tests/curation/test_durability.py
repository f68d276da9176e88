"""What may become durable: a line that a person would want remembered, and nothing that a program left behind."""

from __future__ import annotations

import pytest

from clawmem_core.curation.durability import judge, judge_text
from clawmem_core.ledger.candidates import LeftOut
from clawmem_core.workspace.entries import parse
from clawmem_core.workspace.managed import managed_blocks

ARTIFACTS = [
    "Candidate: User: likes tea confidence: 0.62 evidence: memory/2026-11-01.md:3-3 status: staged",
    "[2026-11-04 03:00] Candidate: the pump was replaced - confidence: 0.7 - evidence: memory/x.md:1-1",
    "Backups run at two [score=0.851 signals=4 recalls=0 avg=0.620 source=memory/2026-08-02.md:30-32]",
    "text <!-- openclaw-memory-promotion:memory:claim:000000000000 --> more of it",
    "@@ -10,4 @@ (9 before, 0 after)",
    "HEARTBEAT_OK",
    "NO_REPLY",
    "[cron:nightly] checked the disk: 61% used",
    "user: which printer is loud and slow",
    "**Assistant:** The one on the second floor.",
    "Utilisateur : où est la clé du bureau",
    "Session Key: agent:main:main of today",
    "the answer <|im_end|> and then some",
    'calls <invoke name="memory_search"> twice a day',
    "Theme: `pump` kept surfacing; confidence: 0.98; evidence: memory/2026-04-09.md:2-2",
]
NOT_DURABLE = [
    "$ sudo systemctl restart gateway",
    "sudo apt remove printer-driver",
    "pg_restore -d shop /srv/move/shop.dump",
    "`git push --force`",
    "Which printer is loud?",
    "Wo ist der Schlüssel？",
    "Things to look at today:",
    "ok",
    "Loud printer",
    "[ ] order paper for the big plotter",
    '{"error": {"code": 500, "message": "no"}}',
    "x" * 641,
]
DURABLE = [
    "Gateway listens on loopback only, port 18789.",
    "La réunion hebdo passe au jeudi à 9 h",
    "部署目标：beta（自 11 月 27 日起）",
    "Deploy target: beta (since 27 Nov)",
    "The heartbeat check of the pump takes two minutes",
    "Robin said that the user manual is out of date",
    "Make sure that guests get the second network",
    "node 4 has 32 GB of memory since March",
    "Never restart delta at night",
]


@pytest.mark.parametrize("text", ARTIFACTS)
def test_b02_pipeline_output_is_no_input(text: str) -> None:
    verdict = judge_text(text, text)
    assert verdict is not None
    assert verdict[0] is LeftOut.ARTIFACT
    assert verdict[1]


@pytest.mark.parametrize("text", NOT_DURABLE)
def test_b06_what_is_no_statement_is_not_durable(text: str) -> None:
    verdict = judge_text(text, text)
    assert verdict is not None
    assert verdict[0] is LeftOut.NOT_DURABLE
    assert verdict[1]


@pytest.mark.parametrize("text", DURABLE)
def test_statements_pass(text: str) -> None:
    assert judge_text(text, text) is None


def test_b01_managed_blocks_are_structure_and_move_no_line() -> None:
    note = parse(
        b"# 2026-04-11\n\n- moved production to beta, alpha is off\n\n## Light Sleep\n"
        b"<!-- openclaw:dreaming:light:start -->\n- staged line that looks like any other one\n"
        b"<!-- openclaw:dreaming:light:end -->\n\n- written after the block by a person\n"
    )
    managed = managed_blocks(note)
    verdicts = {entry.text: judge(entry, managed) for entry in note.entries}
    assert verdicts["moved production to beta, alpha is off"] is None
    assert verdicts["written after the block by a person"] is None
    staged = verdicts["staged line that looks like any other one"]
    assert staged is not None and staged[0] is LeftOut.ARTIFACT


def test_an_unclosed_managed_block_reaches_to_the_end() -> None:
    note = parse(b"- before the block as ever\n\n<!-- openclaw:dreaming:rem:start -->\n- after it, and never closed\n")
    assert [judge(entry, managed_blocks(note)) is None for entry in note.entries] == [True, False]


def test_a_table_row_is_no_entry_of_its_own_in_memory() -> None:
    note = parse(b"| time | what happened |\n|---|---|\n| 06:14 | last dump of the old database, 11.8 GB |\n")
    verdict = judge(note.entries[0], ())
    assert verdict == (LeftOut.NOT_DURABLE, "a row of a table")


def test_b05_headings_with_empty_bullets_say_nothing() -> None:
    note = parse(b"# Montag\n\n## Entscheidungen\n\n-\n\n## Offen\n\n- \n")
    assert all(not entry.text or judge(entry, ()) for entry in note.entries)
