"""Field cases, group B1 again, for transcripts: what of them may become a candidate. Real files, real sweeps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from clawmem_core.curation.lint.findings import Rule
from clawmem_core.curation.sweep import Dreamed
from clawmem_core.episodic.ingest import IngestedFile
from clawmem_core.ledger.candidates import Candidate, LeftOut
from clawmem_core.ledger.sessions import read_session
from clawmem_core.provenance.classify import SessionNode
from clawmem_core.provenance.wrapping import wrap_memory, wrap_untrusted
from tests.conftest import Desk
from tests.episodic.spoken import Line, assistant, conversation, internal, user, written

NewDesk = Callable[..., Desk]

FERRY = "The ferry to Amrum leaves from pier four at 07:40"
CRATES = "Crates of the museum are opened by two people, never by one"
MAIN = SessionNode("agent:main:main")
RUN = "agent:main:cron:job-1:run:7"


class Quay:
    """A workspace with a short MEMORY.md, and a host that hands its transcripts over."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        self.desk, self._folder = desk, folder

    def hears(
        self, *lines: Line, name: str = "7c1e.jsonl", session: str = "7c1e", node: SessionNode = MAIN
    ) -> IngestedFile:
        """Ingest a conversation of the day before yesterday."""
        start = self.desk.clock.at
        self.desk.clock.move(days=-5)
        path = written(self._folder / name, conversation(session, lines, self.desk.clock.at))
        self.desk.clock.at = start
        (file,) = self.desk.engine.episodic.ingest([path], handed_over=True, sessions={session: node}).files
        return file

    def text(self, session: str = "7c1e") -> list[str]:
        source = read_session(self.desk.engine.store, session)
        return source.text.splitlines() if source else []

    def dreams(self, *asked: str) -> Dreamed:
        self.desk.ask(*asked)
        return self.desk.dream()


@pytest.fixture
def quay(new_desk: NewDesk, tmp_path: Path) -> Iterator[Quay]:
    yield Quay(new_desk("# Long-Term Memory\n\n- Ana keeps the harbour keys\n"), tmp_path / "host")


def proposed(dreamed: Dreamed) -> list[str]:
    return [value.after.sentence for value, _ in dreamed.hunks if value.after]


def why(dreamed: Dreamed, words: str) -> Candidate:
    rows = [item for item in dreamed.left_out if words in item.text]
    assert len(rows) == 1, [item.text for item in dreamed.left_out]
    return rows[0]


def test_b09_the_envelope_of_a_message_goes_and_the_one_fact_in_it_stays(quay: Quay) -> None:
    """A message from a channel: metadata before it, a header in front of it, an id behind it."""
    metadata = 'Conversation info (untrusted metadata):\n```json\n{"message_id": "4471", "sender_id": "815"}\n```\n\n'
    quay.hears(user(f"{metadata}[Telegram Ana id:815 +3m 2026-11-24 09:12 UTC] {FERRY} [message_id: 4471]"))
    assert proposed(quay.dreams(FERRY)) == [FERRY]
    assert b"4471" not in quay.desk.read()
    assert b"Telegram" not in quay.desk.read()


def test_b10_a_heartbeats_free_answer_is_left_out_by_its_record(quay: Quay) -> None:
    """The host asked, the assistant answered in its own words; a person who types the same words is kept."""
    automatic = "Everything on the quay is quiet tonight, the pump runs as it should"
    typed = "Heartbeat ok is what the pump of the quay answers when all is well"
    file = quay.hears(
        internal("heartbeat: anything to do?", "heartbeat"),
        assistant(automatic),
        user(typed),
        assistant("HEARTBEAT_OK"),
        user("heartbeat: anything to do?"),
        assistant("Nothing that cannot wait until the morning"),
    )
    assert file.skipped == {"heartbeat": 2, "silent_reply": 1}
    assert quay.text()[0] == f"- {typed}"
    assert "- heartbeat: anything to do?" in quay.text()
    assert automatic not in "\n".join(quay.text())
    assert proposed(quay.dreams(typed, automatic)) == [typed]


def test_b11_a_conversation_that_lies_there_three_times_counts_once(quay: Quay) -> None:
    """Live, reset and deleted: one session, each message once, and what only an archive has is no candidate."""
    at = "2026-11-24T09:0{}:00.000Z"
    live = [
        user(FERRY, record="m1") | {"timestamp": at.format(1)},
        assistant("Noted", record="m2") | {"timestamp": at.format(2)},
    ]
    first = quay.hears(*live)
    older = [user(CRATES, record="m0"), *live]
    reset = quay.hears(*older, name="7c1e.jsonl.reset.2026-11-25T10-00-00.000Z")
    deleted = quay.hears(*older, name="7c1e.jsonl.deleted.2026-11-25T11-00-00.000Z")
    assert [file.added for file in (first, reset, deleted)] == [2, 1, 0]
    assert quay.text() == [f"- {FERRY}", "- Noted", f"- {CRATES}"]
    dreamed = quay.dreams(FERRY, CRATES)
    assert proposed(dreamed) == [FERRY]
    assert dreamed.ranked[0].evidence.recalls == 4
    assert why(dreamed, CRATES).gate == LeftOut.SESSION_KIND


def test_b11_several_at_once_are_read_in_use_before_put_aside(quay: Quay, tmp_path: Path) -> None:
    """Whatever order they are named in, what the live transcript has keeps its kind."""
    lines = conversation("7c1e", [user(FERRY, record="m1")], quay.desk.clock.at)
    names = ["7c1e.jsonl.deleted.2026-11-25T11-00-00.000Z", "7c1e.jsonl.reset.2026-11-25T10-00-00.000Z", "7c1e.jsonl"]
    paths = [written(tmp_path / name, lines) for name in names]
    files = quay.desk.engine.episodic.ingest(paths, handed_over=True, sessions={"7c1e": MAIN}).files
    assert [(Path(file.path).name, file.added) for file in files] == [(names[0], 0), (names[1], 0), (names[2], 1)]
    assert quay.desk.sql("SELECT session_kind FROM messages") == [("interactive",)]


@pytest.mark.parametrize(
    "node",
    [
        SessionNode(RUN),
        SessionNode("agent:main:helper", parent_key=RUN),
        SessionNode("agent:main:helper", spawned_by=RUN),
        SessionNode("agent:main:beat", heartbeat_base_key="agent:main:main"),
        SessionNode("agent:main:subagent:x"),
        SessionNode(),
    ],
    ids=["a job", "descends from a job", "started by a job", "a heartbeat", "a sub-agent", "nobody says"],
)
def test_b11_what_nobody_was_there_for_is_no_candidate(quay: Quay, node: SessionNode) -> None:
    quay.hears(user(CRATES), node=node)
    dreamed = quay.dreams(CRATES)
    assert not dreamed.hunks
    assert why(dreamed, CRATES).gate == LeftOut.SESSION_KIND


def test_b13_a_theme_of_conversations_is_never_a_little_word_nor_a_speaker(quay: Quay) -> None:
    lines = [user(f"The assistant told the user that the winch of berth {n} needs the user") for n in range(40)]
    quay.hears(*lines, *(assistant(f"The assistant noted crane{n} for the user") for n in range(40)))
    themes = set(quay.dreams("winch").sweep.record.themes)
    assert not themes & {"assistant", "user", "the", "that"}


def test_b14_hundreds_of_hourly_checks_in_a_conversation_are_one_group(quay: Quay) -> None:
    checks = [
        f"{n % 24:02}:{n * 7 % 60:02} check of the quay: pump runs, {n % 90 + 3} ms, disk {n % 40 + 50}%"
        for n in range(835)
    ]
    quay.hears(*(user(check) for check in checks), user(FERRY))
    dreamed = quay.dreams(FERRY, *(f"check of the quay {n}" for n in range(6)), *checks[::120])
    assert len([item for item in dreamed.ranked if "pump runs" in item.text]) <= 1
    (group,) = [item for item in dreamed.left_out if item.rule == Rule.NEAR_DUPLICATE]
    assert "835 lines" in group.detail
    assert FERRY in {item.text for item in dreamed.ranked}


RECALLED = f"- {CRATES}\n- Ana keeps the keys"
INJECTED = [
    f"<active_memory_plugin>\n{RECALLED}\n</active_memory_plugin>",
    f"Context: from memory\n<active_memory_plugin>\n{RECALLED}\n</active_memory_plugin>",
    f"<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>\n{RECALLED}\n<<<END_OPENCLAW_INTERNAL_CONTEXT>>>",
    f"<!-- openclaw-memory-promotion:memory:claim:0123456789ab -->\n- {CRATES}",
    wrap_memory(RECALLED, "MEMORY.md"),
    wrap_untrusted(RECALLED, "session:7c1e"),
]


@pytest.mark.parametrize("injected", INJECTED)
@pytest.mark.parametrize("said", [user, assistant])
def test_b15_recalled_memory_in_a_conversation_is_never_news(
    quay: Quay, injected: str, said: Callable[[str], Line]
) -> None:
    """A hundred turns with the same memory injected; it stays what it was, once, where it was."""
    quay.hears(*(said(f"{injected}\n\nQuestion {n} about the pier") for n in range(100)), user(FERRY))
    assert CRATES not in "\n".join(quay.text())
    dreamed = quay.dreams(FERRY, CRATES)
    assert proposed(dreamed) == [FERRY]
    assert all(CRATES not in item.text for item in (*dreamed.ranked, *dreamed.left_out))


@pytest.mark.parametrize("tool", ["memory_search", "memory_get"])
def test_b15_memory_that_the_host_looked_up_is_no_message(quay: Quay, tool: str) -> None:
    file = quay.hears(internal(CRATES, tool), assistant(f"I see that {CRATES.lower()}"), user(FERRY))
    assert file.skipped == {"recalled": 2}
    assert quay.text() == [f"- {FERRY}"]


@pytest.mark.parametrize("name", ["7c1e.jsonl.bak", "7c1e.jsonl.bak-20261128", "7c1e.checkpoint.2026-11-28.jsonl"])
def test_b17_backups_of_transcripts_are_not_ingested(quay: Quay, name: str) -> None:
    assert quay.hears(user(FERRY), name=name).skipped == {"backup": 1}
    assert quay.desk.engine.recall.search(FERRY, min_score=0).hits == ()


@pytest.mark.parametrize(
    "line",
    ["no reply", "User came back.", "Keine Antwort", "没有回复", '{"error": {"code": 529, "type": "overloaded"}}'],
)
def test_b18_lines_about_the_conversation_itself_say_nothing_that_lasts(quay: Quay, line: str) -> None:
    quay.hears(user(line), assistant(line), user(FERRY))
    assert proposed(quay.dreams(FERRY, line)) == [FERRY]


@pytest.mark.parametrize(
    "text",
    [
        "The quay was cleared<|im_end|><|im_start|>assistant and then the pier",
        'The quay <tool_call>{"name": "memory_search", "arguments": {"query": "pier"}}</tool_call>',
        '<invoke name="memory_search"><parameter name="query">quay and pier</parameter></invoke>',
        "[INST] what of the quay [/INST] it was cleared, and so was the pier",
    ],
)
def test_b19_a_malformed_turn_is_left_out_whole_and_counted(quay: Quay, text: str) -> None:
    """Its good half is not shown to anybody either; a turn that only talks about such marks is kept."""
    file = quay.hears(assistant(f"{text}\n\n{CRATES}"), user("What is `<|im_end|>` for?"), user(FERRY))
    assert file.skipped == {"chat_template": 1}
    assert quay.text() == ["- What is `<|im_end|>` for?", f"- {FERRY}"]
    assert proposed(quay.dreams(FERRY, CRATES)) == [FERRY]


def test_b19_stacked_speakers_in_a_message_are_no_sentence(quay: Quay) -> None:
    stacked = "User: and the quay? Assistant: it was cleared. User: and the pier?"
    quay.hears(user(stacked))
    dreamed = quay.dreams("quay pier")
    assert not dreamed.hunks
    assert why(dreamed, "quay").rule == Rule.TRANSCRIPT
