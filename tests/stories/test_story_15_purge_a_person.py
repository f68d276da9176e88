"""Story 15: a leaver's sessions are forgotten as planned, entry by entry, and only once the name is typed."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from clawmem_core.ledger.lines import LineFacts, record_lines
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.provenance.classify import SessionNode
from clawmem_tui.screens.blame import BlameScreen
from clawmem_tui.screens.modals.forget import Forget
from tests.conftest import NIGHT, Desk
from tests.episodic.spoken import assistant, conversation, user, written
from tests.tui.driving import opened

LEAVER = "telegram:4711"
SAID = "Berth nine is let to the Quist family until spring"
SHARED = "The crane of pier two needs a new cable by Christmas"


def lived(desk: Desk, folder: Path) -> Path:
    """Two people said things, one of them the same; the notes were dreamt on. Returns the leaver's transcript."""
    talk = conversation("7c1e", [user(SAID), assistant("Noted.")], NIGHT - timedelta(days=3))
    file = written(folder / "7c1e.jsonl", talk)
    sessions = {"7c1e": SessionNode("agent:main:main")}
    desk.engine.episodic.ingest([file], handed_over=True, sessions=sessions)
    for text, session, sender in ((SAID, "7c1e", LEAVER), (SHARED, "7c1e", LEAVER), (SHARED, "99aa", "telegram:2")):
        facts = LineFacts(
            Origin.OWNER, SessionKind.INTERACTIVE, NIGHT - timedelta(days=3), "agent:main", None, session, "1", sender
        )
        record_lines(desk.engine.store, desk.clock, "memory/2026-11-27.md", [text], facts)
    desk.note("2026-11-27", SAID, SHARED)
    desk.ask(SAID, SHARED)
    desk.dream()
    return file


def planned(dialog: Forget) -> str:
    """What would be forgotten, as it has to be typed."""
    return dialog.plan.name if dialog.plan else ""


async def test_a_plan_is_shown_and_nothing_happens_until_the_name_is_typed(desk: Desk, tmp_path: Path) -> None:
    file = lived(desk, tmp_path)
    before = desk.files()
    line = 1 + next(at for at, text in enumerate(desk.read().decode().splitlines()) if SAID in text)
    async with opened(desk, (120, 60)) as driver:
        await driver.press("enter")
        while SAID not in driver.text().split("MEMORY.md:")[-1]:
            await driver.press("j")
        await driver.press("b")
        assert isinstance(driver.app.screen, BlameScreen)
        await driver.press("f")
        dialog = driver.app.screen
        assert isinstance(dialog, Forget)
        assert planned(dialog) == f"MEMORY.md:{line}"
        while planned(dialog) != "7c1e":
            await driver.press("tab")
        text = driver.text()
        assert "3 entries go:" not in text
        assert "2 entries go:" in text
        assert "2 messages of sessions go." in text
        assert "Mixed: these stay" in text
        assert SHARED in " ".join(text.split())
        assert file.name in text
        assert "git filter-repo" in text
        await driver.press(*"7c1", "enter")
        assert driver.app.screen is dialog
        assert "type the name exactly" in driver.text()
        assert desk.files() == before
        await driver.press("e", "enter")
        assert not isinstance(driver.app.screen, Forget)
    memory, note = desk.read().decode(), desk.read("memory/2026-11-27.md").decode()
    assert SAID not in memory + note
    assert SHARED in memory
    assert SHARED in note
    assert file.exists(), "the host's own file is named, not touched"
    sessions = {"7c1e": SessionNode("agent:main:main")}
    again = desk.engine.episodic.ingest([file], handed_over=True, sessions=sessions).files[0]
    assert again.added == 0
    assert not [hit for hit in desk.engine.recall.search(SAID, record=False).hits if SAID in hit.text]


async def test_leaving_the_plan_changes_nothing(desk: Desk, tmp_path: Path) -> None:
    lived(desk, tmp_path)
    before = desk.files()
    async with opened(desk) as driver:
        await driver.press("enter", "b", "f")
        assert isinstance(driver.app.screen, Forget)
        await driver.burst("tab", "x", "escape")
        assert not isinstance(driver.app.screen, Forget)
    assert desk.files() == before
    assert desk.sql("SELECT count(*) FROM tombstones") == [(0,)]
