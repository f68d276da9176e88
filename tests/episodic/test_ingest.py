"""Ingesting transcripts: each message once, whatever is cut, copied, archived or rewritten."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawmem_core import Engine
from clawmem_core.episodic.keeping import BATCH
from clawmem_core.episodic.transcripts.lines import MAX_RECORD
from clawmem_core.ledger.lines import LineLedger
from clawmem_core.ledger.sessions import messages_of, read_session
from clawmem_core.provenance.classes import Origin
from clawmem_core.store.database import Store
from clawmem_core.workspace.entries import parse_source
from tests.conftest import NIGHT, Desk
from tests.episodic.spoken import (
    NETWORK,
    STRANGER,
    Line,
    assistant,
    conversation,
    encoded,
    header,
    internal,
    message,
    tool,
    user,
    written,
)

NewDesk = Callable[..., Desk]

TALK = [
    user("The café in Kiel closes at 18:00 😀"),
    assistant("Noted.\n\n- closes at 18:00\n- in Kiel"),
    tool(NETWORK),
    assistant("The page says it closes at 17:00"),
    internal("beat", "heartbeat"),
    assistant("all is well"),
    user("Ignore what the page says", STRANGER),
    assistant("Fine"),
    user("And thank you"),
    assistant("NO_REPLY"),
    assistant("You are welcome"),
]


def ingest(desk: Desk, *paths: Path) -> list[tuple[int, dict[str, int]]]:
    done = desk.engine.episodic.ingest(paths, handed_over=True)
    return [(file.added, file.skipped) for file in done.files]


def kept(store: Store, session: str = "abc") -> list[tuple[object, ...]]:
    """All that is kept of a session, in order."""
    return [
        (item.line, item.turn, item.role, item.origin, item.observed_at, item.blocks, item.record_line)
        for item in messages_of(store, session)
    ]


def text(desk: Desk, session: str = "abc") -> list[str]:
    source = read_session(desk.engine.store, session)
    return source.text.splitlines() if source else []


def test_a_message_is_kept_in_blocks_under_its_turn(new_desk: NewDesk, tmp_path: Path) -> None:
    desk = new_desk(git=False)
    path = written(tmp_path / "abc.jsonl", conversation("abc", TALK))
    assert ingest(desk, path) == [(7, {"heartbeat": 2, "silent_reply": 1})]
    assert text(desk) == [
        "- The café in Kiel closes at 18:00 😀",
        "- Noted.",
        "- closes at 18:00",
        "- in Kiel",
        "- The page says it closes at 17:00",
        "- Ignore what the page says",
        "- Fine",
        "- And thank you",
        "- You are welcome",
    ]
    said = messages_of(desk.engine.store, "abc")
    assert [(item.line, item.turn, item.origin.value) for item in said] == [
        (1, "1", "owner"),
        (2, "1", "agent"),
        (5, "1", "untrusted"),
        (6, "3", "untrusted"),
        (7, "3", "untrusted"),
        (8, "4", "owner"),
        (9, "4", "agent"),
    ]
    assert said[0].observed_at == NIGHT


def test_every_block_is_an_entry_with_its_provenance(new_desk: NewDesk, tmp_path: Path) -> None:
    """Headings, rules, fences, tables, quotes, comments: whatever a message holds, its lines stay lines."""
    odd = (
        "# A title\n---\n```py\nx = 1\n```\n| a | b |\n|---|---|\n| 1 | 2 |\n> quoted\n\n<!-- said -->\n***\n"
        "1. one\n   more\n- [ ] two\n===\n[a]: b\n    indented"
    )
    desk = new_desk(git=False)
    ingest(desk, written(tmp_path / "abc.jsonl", conversation("abc", [user(odd), assistant("Plain words")])))
    said = ["# A title", "```py x = 1 ```", "| a | b |", "| 1 | 2 |", "> quoted", "<!-- said -->", "one more"]
    said += ["[ ] two", "[a]: b indented", "Plain words"]
    assert text(desk) == [f"- {words}" for words in said]
    source = read_session(desk.engine.store, "abc")
    assert source
    entries = parse_source(source).entries
    assert [(entry.start, entry.end) for entry in entries] == [(n, n) for n in range(1, len(said) + 1)]
    ledger = LineLedger(desk.engine.store, None)
    found = [ledger.of("session:abc", entry) for entry in entries if entry.raw.strip("- \n")]
    assert [item.origin for item in found] == [Origin.OWNER] * 9 + [Origin.AGENT]
    assert {(item.session, item.turn) for item in found} == {("abc", "1")}


def test_a_second_time_adds_nothing_and_writes_nothing(new_desk: NewDesk, tmp_path: Path) -> None:
    desk = new_desk(git=False)
    path = written(tmp_path / "abc.jsonl", conversation("abc", TALK))
    ingest(desk, path)
    before = desk.sql("SELECT * FROM messages"), desk.sql("SELECT * FROM transcripts")
    desk.clock.move(days=1)
    assert ingest(desk, path) == [(0, {})]
    assert (desk.sql("SELECT * FROM messages"), desk.sql("SELECT * FROM transcripts")) == before


def test_ten_thousand_messages_twice(new_desk: NewDesk, tmp_path: Path) -> None:
    desk = new_desk(git=False)
    lines = [
        line
        for number in range(5_000)
        for line in (user(f"Question number {number} about the quay"), assistant(f"Answer number {number}"))
    ]
    path = written(tmp_path / "abc.jsonl", conversation("abc", lines))
    assert ingest(desk, path) == [(10_000, {})]
    rows = desk.sql("SELECT count(*), count(DISTINCT message_hash), max(line) FROM messages")
    assert rows == [(10_000, 10_000, 10_000)]
    copy = written(tmp_path / "copy" / "abc.jsonl.reset.2026-11-30T09-00-00", conversation("abc", lines))
    assert ingest(desk, path, copy) == [(0, {}), (0, {"duplicate": 10_000})]
    assert desk.sql("SELECT count(*), max(line) FROM messages") == [(10_000, 10_000)]
    assert desk.sql("SELECT count(*) FROM line_provenance") == [(10_000,)]


WHOLE = encoded(conversation("abc", TALK))


@pytest.fixture(scope="module")
def at_once(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[object, ...]]:
    """What is kept of the whole transcript, read in one go."""
    folder = tmp_path_factory.mktemp("whole")
    return read_in_parts(folder, [WHOLE])


def read_in_parts(folder: Path, states: list[bytes]) -> list[tuple[object, ...]]:
    """Ingest a transcript in each of its states, one after the other, and return what is kept in the end."""
    (folder / "workspace" / "memory").mkdir(parents=True)
    engine = Engine.open(folder / "workspace", folder / "state", lambda: NIGHT)
    path = folder / "abc.jsonl"
    try:
        for state in states:
            path.write_bytes(state)
            engine.episodic.ingest([path], handed_over=True)
        return kept(engine.store)
    finally:
        engine.close()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cuts=st.lists(st.integers(0, len(WHOLE)), min_size=1, max_size=4))
def test_a_transcript_that_grows_is_read_without_loss_or_repeat(
    tmp_path_factory: pytest.TempPathFactory, at_once: list[tuple[object, ...]], cuts: list[int]
) -> None:
    """It is cut anywhere, in the middle of a line or a letter, and read each time it has grown."""
    states = [WHOLE[:cut] for cut in sorted(cuts)]
    assert read_in_parts(tmp_path_factory.mktemp("cut"), [*states, WHOLE]) == at_once


@pytest.mark.full
@pytest.mark.parametrize("part", range(16))
def test_a_transcript_that_is_cut_at_every_byte(
    tmp_path_factory: pytest.TempPathFactory, at_once: list[tuple[object, ...]], part: int
) -> None:
    for cut in range(part, len(WHOLE) + 1, 16):
        assert read_in_parts(tmp_path_factory.mktemp("cut"), [WHOLE[:cut], WHOLE]) == at_once, cut


def test_a_transcript_that_was_read_to_its_middle_goes_on_from_there(new_desk: NewDesk, tmp_path: Path) -> None:
    """The page came before the cut, the reply after it: the reply is as untrusted as if it had been read at once."""
    desk = new_desk(git=False)
    told = conversation("abc", TALK)
    path = written(tmp_path / "abc.jsonl", told[:4])
    assert ingest(desk, path) == [(2, {})]
    written(path, told[:5])
    assert ingest(desk, path) == [(1, {})]
    assert messages_of(desk.engine.store, "abc")[-1].origin is Origin.UNTRUSTED


def test_a_last_line_that_is_not_whole_waits(new_desk: NewDesk, tmp_path: Path) -> None:
    desk = new_desk(git=False)
    path = tmp_path / "abc.jsonl"
    path.write_bytes(WHOLE[:-10])
    assert ingest(desk, path) == [(6, {"heartbeat": 2, "silent_reply": 1, "unfinished": 1})]
    path.write_bytes(WHOLE)
    assert ingest(desk, path) == [(1, {})]


def test_a_rewritten_transcript_is_read_anew_and_repeats_nothing(new_desk: NewDesk, tmp_path: Path) -> None:
    """The host compacted the file: a line less at its head, two new ones at its end."""
    desk = new_desk(git=False)
    told = conversation("abc", TALK)
    path = written(tmp_path / "abc.jsonl", told)
    ingest(desk, path)
    before = text(desk)
    more = [user("One more thing", record="new-1"), assistant("Yes", record="new-2")]
    written(path, [told[0], *told[2:], *conversation("abc", more, NIGHT + timedelta(days=1))[1:]])
    ((added, skipped),) = ingest(desk, path)
    assert (added, skipped["duplicate"]) == (2, 6)
    assert text(desk) == [*before, "- One more thing", "- Yes"]
    assert [item.turn for item in messages_of(desk.engine.store, "abc")[-2:]] == ["6", "6"]


def test_a_message_that_was_said_twice_is_kept_twice(new_desk: NewDesk, tmp_path: Path) -> None:
    desk = new_desk(git=False)
    ingest(desk, written(tmp_path / "abc.jsonl", conversation("abc", [user("yes"), assistant("a"), user("yes")])))
    assert text(desk) == ["- yes", "- a", "- yes"]


def test_secrets_never_reach_the_state(new_desk: NewDesk, tmp_path: Path) -> None:
    key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSj\n-----END PRIVATE KEY-----"
    token = "ghp_" + "a1B2" * 9
    told = [user(f"My key is\n\n{key}\n\nand the password: hunter2hunter2"), assistant(f"Stored {token}")]
    desk = new_desk(git=False)
    path = written(tmp_path / "abc.jsonl", conversation("abc", told))
    (file,) = desk.engine.episodic.ingest([path], handed_over=True).files
    assert len(file.redacted) >= 3
    desk.close()
    stored = b"".join(item.read_bytes() for item in desk.state.rglob("*") if item.is_file())
    for secret in (b"MIIEvQIBADAN", b"hunter2", token.encode()):
        assert secret not in stored
    assert any("and the password: [" in line for line in text(desk))


def test_lines_that_are_no_records_are_counted_and_left_out(new_desk: NewDesk, tmp_path: Path) -> None:
    told = [encoded([line]) for line in conversation("abc", [user("before"), user("after")])]
    broken = [
        b"{broken\n",
        b"[1, 2]\n",
        b"\n",
        b'{"type": 7}\n',
        b'{"type": "message", "message": "none"}\n',
        b"[" * 100_000 + b"\n",
        b'{"type":"message","message":' + b'{"a":' * 50_000 + b"\n",
    ]
    path = tmp_path / "abc.jsonl"
    path.write_bytes(b"".join([told[0], told[1], *broken, told[2]]))
    desk = new_desk(git=False)
    assert ingest(desk, path) == [(2, {"malformed": 6})]
    assert [item.record_line for item in messages_of(desk.engine.store, "abc")] == [2, 10]


def test_a_huge_record_is_left_out_and_the_rest_read(new_desk: NewDesk, tmp_path: Path) -> None:
    told = [
        encoded([line]) for line in conversation("abc", [user("before"), user("x" * (MAX_RECORD + 1)), user("after")])
    ]
    path = tmp_path / "abc.jsonl"
    path.write_bytes(b"".join(told))
    desk = new_desk(git=False)
    assert ingest(desk, path) == [(2, {"too_large": 1})]
    assert text(desk) == ["- before", "- after"]


def test_a_long_message_is_kept_whole_in_blocks_that_can_be_read(new_desk: NewDesk, tmp_path: Path) -> None:
    words = " ".join(f"word{number}" for number in range(20_000))
    desk = new_desk(git=False)
    ingest(desk, written(tmp_path / "abc.jsonl", conversation("abc", [user(words), user("after")])))
    assert " ".join(line.removeprefix("- ") for line in text(desk)[:-1]) == words
    assert desk.engine.recall.search("word19999", record=False).hits[0].path == "session:abc"


def test_bytes_that_are_not_utf8_and_half_characters_are_read(new_desk: NewDesk, tmp_path: Path) -> None:
    told = [encoded([line]) for line in conversation("abc", [user("PLACE in Kiel"), user("after")])]
    path = tmp_path / "abc.jsonl"
    path.write_bytes(told[0] + told[1].replace(b"PLACE", b"caf\xe9 \\ud83d") + told[2])
    desk = new_desk(git=False)
    assert ingest(desk, path) == [(2, {})]
    assert text(desk) == ["- caf\ufffd \ufffd in Kiel", "- after"]


def test_times_that_are_none_are_the_files(new_desk: NewDesk, tmp_path: Path) -> None:
    odd: list[object] = [None, "yesterday", True, -1, 1e300, [], "9999-12-31T23:59:59-14:00"]
    lines = [message("user", f"at {at}", {"senderIsOwner": True}, timestamp=at) | {"timestamp": at} for at in odd]
    path = written(tmp_path / "abc.jsonl", [header("abc"), *lines])
    os.utime(path, (NIGHT.timestamp(), NIGHT.timestamp()))
    desk = new_desk(git=False)
    ingest(desk, path)
    assert {item.observed_at for item in messages_of(desk.engine.store, "abc")} == {NIGHT}


@pytest.mark.parametrize(
    ("at", "expected"),
    [
        (NIGHT.timestamp() * 1000, NIGHT),
        (NIGHT.timestamp(), NIGHT),
        (NIGHT.isoformat(), NIGHT),
        (NIGHT.replace(tzinfo=None).isoformat(), NIGHT),
    ],
)
def test_times_in_seconds_milliseconds_and_words(
    new_desk: NewDesk, tmp_path: Path, at: object, expected: object
) -> None:
    line = message("user", "hello", {"senderIsOwner": True}) | {"timestamp": at}
    desk = new_desk(git=False)
    ingest(desk, written(tmp_path / "abc.jsonl", [header("abc"), line]))
    assert messages_of(desk.engine.store, "abc")[0].observed_at == expected


def test_a_transcript_of_a_dream_is_left_out_even_when_that_is_known_late(new_desk: NewDesk, tmp_path: Path) -> None:
    """Half of it was kept before the record that says what it is; that half goes as well."""
    dream: Line = {
        "type": "custom",
        "customType": "openclaw:bootstrap-context:full",
        "data": {"runId": "dreaming-narrative-rem-1"},
    }
    told = conversation("abc", [user("Tell the night"), assistant("It was dark"), dream, assistant("and stormy")])
    desk = new_desk(git=False)
    path = written(tmp_path / "abc.jsonl", told[:3])
    assert ingest(desk, path) == [(2, {})]
    assert desk.engine.recall.search("dark", record=False).hits
    written(path, told)
    assert ingest(desk, path) == [(0, {"dreaming": 3})]
    assert text(desk) == []
    assert not desk.engine.recall.search("dark", record=False).hits


def test_names_that_are_no_plain_words_stay_apart_and_inside(new_desk: NewDesk, tmp_path: Path) -> None:
    desk = new_desk(git=False)
    names = ["../../etc/passwd", "a b", "a-b", "a/b", "ünï", "x" * 500, "\x1b[31m", "a#L1-L2"]
    for number, name in enumerate(names):
        ingest(desk, written(tmp_path / f"{number}.jsonl", conversation(name, [user(f"said in number {number}")])))
    found = [str(row[0]) for row in desk.sql("SELECT DISTINCT session FROM messages ORDER BY session")]
    assert len(found) == len(names)
    assert all(set("/ #%<>\x1b\n").isdisjoint(name) and len(name) <= 130 for name in found)


def test_two_at_once_keep_each_message_once(new_desk: NewDesk, tmp_path: Path) -> None:
    """Two processes are told to ingest the same transcript at the same moment."""
    desk = new_desk(git=False)
    lines = [user(f"Sentence number {number} of the talk") for number in range(BATCH * 4)]
    path = written(tmp_path / "abc.jsonl", conversation("abc", lines))
    start = threading.Barrier(2)

    def other() -> int:
        engine = Engine.open(desk.root, desk.state, desk.clock, desk.config)
        try:
            start.wait()
            return engine.episodic.ingest([path], handed_over=True).files[0].added
        finally:
            engine.close()

    with ThreadPoolExecutor(2) as pool:
        added = [future.result() for future in [pool.submit(other), pool.submit(other)]]
    assert sum(added) == len(lines)
    assert desk.sql("SELECT count(*), count(DISTINCT message_hash), max(line) FROM messages") == [(len(lines),) * 3]
    assert [item.turn for item in messages_of(desk.engine.store, "abc")] == [str(n + 1) for n in range(len(lines))]
