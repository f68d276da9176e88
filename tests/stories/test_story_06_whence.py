"""Story 6: from any promoted line `b` leads to the daily-note line and the turn, or to an explicit "not recorded"."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from clawmem_core.ledger.lines import LineFacts, record_lines
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.provenance.classify import SessionNode
from clawmem_core.review.values import SourceEvidence
from clawmem_core.review.whence.chain import LinkKind
from clawmem_tui.screens.blame import BlameScreen
from tests.cli.shell import Shell
from tests.conftest import NIGHT, Desk, said
from tests.episodic.spoken import assistant, conversation, user, written
from tests.tui.driving import opened, reviewing

SAID = "the deploys go to the osprey machine now, heron is off"
NOTED = "Deploys of the quay go to the machine called Osprey"


def lived(desk: Desk, folder: Path) -> str:
    """A night after a session that is known to its turn, beside notes that somebody typed; returns its sweep."""
    talk = conversation("7c1e", [user(SAID), assistant("Noted.")], NIGHT - timedelta(days=3))
    file = written(folder / "7c1e.jsonl", talk)
    desk.engine.episodic.ingest([file], handed_over=True, sessions={"7c1e": SessionNode("agent:main:main")})
    facts = LineFacts(
        Origin.OWNER, SessionKind.INTERACTIVE, NIGHT - timedelta(days=3), "agent:main", None, "7c1e", "1", "olga"
    )
    record_lines(desk.engine.store, desk.clock, "memory/2026-11-27.md", [NOTED], facts)
    desk.note("2026-11-27", NOTED)
    desk.ask(NOTED)
    return desk.dream().sweep.id


async def test_every_promoted_line_leads_to_its_note_line_and_turn_by_one_key(desk: Desk, tmp_path: Path) -> None:
    sweep = lived(desk, tmp_path)
    hunks = [hunk for hunk in desk.hunks(sweep) if hunk.value.candidate_keys]
    assert len(hunks) >= 5
    reached = 0
    async with reviewing(desk, sweep) as driver:
        for hunk in hunks:
            place = [one.number for one in desk.hunks(sweep)].index(hunk.number)
            await driver.press("g", *"j" * place)
            await driver.press("b")
            screen = driver.app.screen
            assert isinstance(screen, BlameScreen) and screen.blame is not None
            text = " ".join(driver.text().split())
            note = next(link for link in screen.blame.chain if link.kind is LinkKind.NOTE)
            assert isinstance(note.detail, SourceEvidence)
            assert note.ref in text
            assert " ".join(note.detail.lines).removeprefix("- ").split()[0] in text
            if said(hunk) in (NOTED, SAID):
                assert f"owner {SAID}" in text
                assert "agent Noted." in text
                reached += 1
            else:
                assert "? who wrote it, and in which turn: not recorded" in text
            await driver.press("escape")
    assert reached == 2, "the agent's note, and what the owner said in the session itself"


async def test_a_line_that_nobody_recorded_says_so_at_once(desk: Desk) -> None:
    desk.dream()
    async with opened(desk) as driver:
        desk.type_over("- Mrs. Adler keeps", "- The ferryman is called Ruben\n- Mrs. Adler keeps")
        await driver.press("f5")
        edit = next(item for item in driver.inbox.shown if item.kind == "edit")
        await driver.press("g", *"j" * [item.key for item in driver.inbox.shown].index(edit.key), "b")
        text = driver.text()
        assert "written outside ClawMem, by hand" in text
        assert "The ferryman is called Ruben" in text


def test_the_same_at_the_shell(desk: Desk, tmp_path: Path) -> None:
    lived(desk, tmp_path)
    shell = Shell(desk.root, desk.state, desk.clock.at)
    for number, line in enumerate(desk.read().decode().splitlines(), start=1):
        if "Source: memory/2026-11-2" not in line:
            continue
        chain = shell.json("blame", f"MEMORY.md:{number}")["chain"]
        notes = [link for link in chain if link["kind"] == "note"]
        assert notes and all(link["ref"].startswith("memory/2026-11-2") for link in notes)
        turns = [link for link in chain if link["kind"] == "turn"]
        if NOTED in line:
            assert [(link["ref"], link["state"]) for link in turns] == [("session:7c1e:1", "matches")]
        else:
            writer = next(link for link in chain if link["kind"] == "writer")
            assert (turns, writer["state"]) == ([], "never_recorded")
