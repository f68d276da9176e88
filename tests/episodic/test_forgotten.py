"""What a person had forgotten does not come in again, by whatever way it comes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from clawmem_core.clock import iso
from clawmem_core.ledger.lines import line_hash
from clawmem_core.ledger.sessions import messages_of, read_session
from tests.conftest import Desk
from tests.episodic.spoken import assistant, conversation, user, written

NewDesk = Callable[..., Desk]
LABELLED = 'Sender (untrusted metadata):\n```json\n{{"id": "{}", "name": "Somebody"}}\n```\n\n{}'
TALK = [
    user(LABELLED.format("3952", "The vault is on the pier")),
    assistant("Noted.\n\n- The vault is on the pier\n- Ana knows"),
    user(LABELLED.format("7001", "The ferry is late")),
]


def forget(desk: Desk, kind: str, value: str) -> None:
    with desk.engine.store.atomic() as connection:
        connection.execute("INSERT INTO tombstones VALUES (?, ?, 'asked', ?)", (kind, value, iso(desk.clock())))


def text(desk: Desk) -> list[str]:
    source = read_session(desk.engine.store, "abc")
    return source.text.splitlines() if source else []


def test_a_message_names_its_sender_by_its_label(new_desk: NewDesk, tmp_path: Path) -> None:
    desk = new_desk(git=False)
    desk.engine.episodic.ingest([written(tmp_path / "abc.jsonl", conversation("abc", TALK))], handed_over=True)
    assert [item.sender for item in messages_of(desk.engine.store, "abc")] == ["3952", None, "7001"]
    assert desk.sql("SELECT DISTINCT sender FROM line_provenance ORDER BY sender") == [(None,), ("3952",), ("7001",)]


@pytest.mark.parametrize(
    ("kind", "value", "left"),
    [
        ("session", "abc", []),
        ("sender", "3952", ["- Noted.", "- The vault is on the pier", "- Ana knows", "- The ferry is late"]),
        ("line", line_hash("The vault is on the pier"), ["- Noted.", "", "- Ana knows", "- The ferry is late"]),
    ],
)
def test_what_was_forgotten_stays_out(
    new_desk: NewDesk, tmp_path: Path, kind: str, value: str, left: list[str]
) -> None:
    desk = new_desk(git=False)
    forget(desk, kind, value)
    path = written(tmp_path / "abc.jsonl", conversation("abc", TALK))
    (file,) = desk.engine.episodic.ingest([path], handed_over=True).files
    assert text(desk) == left
    assert file.skipped["forgotten"] == 3 - len(messages_of(desk.engine.store, "abc"))


def test_a_message_that_was_forgotten_stays_out_of_its_archive_too(new_desk: NewDesk, tmp_path: Path) -> None:
    desk = new_desk(git=False)
    path = written(tmp_path / "abc.jsonl", conversation("abc", TALK))
    desk.engine.episodic.ingest([path], handed_over=True)
    first = messages_of(desk.engine.store, "abc")[0]
    forget(desk, "message", first.message_hash)
    with desk.engine.store.atomic() as connection:
        connection.execute("DELETE FROM messages WHERE message_hash = ?", (first.message_hash,))
    before = text(desk)
    assert before[0] == "", "the other lines keep their numbers"
    archive = written(tmp_path / "abc.jsonl.deleted.2026-11-30T09-00-00.000Z", conversation("abc", TALK))
    (file,) = desk.engine.episodic.ingest([archive], handed_over=True).files
    assert (file.added, file.skipped) == (0, {"duplicate": 2, "forgotten": 1})
    assert text(desk) == before


@pytest.mark.parametrize(
    ("kind", "value", "added"), [("session", "abc", 0), ("session", "ab", 2), ("line", line_hash("- one"), 1)]
)
def test_b91_a_flush_brings_nothing_forgotten_back(new_desk: NewDesk, kind: str, value: str, added: int) -> None:
    """A session whose name only begins like the forgotten one is another session."""
    desk = new_desk(git=False)
    forget(desk, kind, value)
    assert desk.engine.episodic.flush("abc", "- one\n- two").added == added
