"""Field cases, group B1: what may become a candidate. Real notes, real questions, real sweeps."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from clawmem_core.curation.lint.findings import Rule
from clawmem_core.curation.lint.subjects import LITTLE_WORDS
from clawmem_core.curation.sweep import Dreamed
from clawmem_core.errors import RefusedError
from clawmem_core.ledger.candidates import Candidate, LeftOut
from clawmem_core.provenance.classes import Origin, SessionKind
from clawmem_core.review.values import LinkState
from clawmem_core.workspace.layout import Skipped, walk
from tests.conftest import Desk, said
from tests.field.answering import Answering, Says

NewDesk = Callable[..., Desk]


FERRY = "The ferry to Amrum leaves from pier four at 07:40"
CRATES = "Crates of the museum are opened by two people, never by one"


@pytest.fixture
def quay(new_desk: NewDesk) -> Desk:
    """A workspace with a short MEMORY.md and no notes yet."""
    return new_desk("# Long-Term Memory\n\n- Ana keeps the harbour keys\n")


def why(dreamed: Dreamed, words: str) -> Candidate:
    """The one row of the left-out ledger that says these words."""
    rows = [item for item in dreamed.left_out if words in item.text]
    assert len(rows) == 1, [item.text for item in dreamed.left_out]
    return rows[0]


def proposed(dreamed: Dreamed) -> list[str]:
    """What the sweep's hunks say."""
    return [value.after.sentence for value, _ in dreamed.hunks if value.after]


def test_b01_a_dreams_report_inside_a_note_feeds_no_later_night(quay: Desk) -> None:
    """A note holds a staged report between its marks; three nights running, the candidates stay what they are."""
    staged = "".join(f"- Candidate: staged line number {n} of the quay\n  - status: staged\n" for n in range(40))
    block = f"## Light Sleep\n<!-- openclaw:dreaming:light:start -->\n{staged}<!-- openclaw:dreaming:light:end -->\n"
    quay.write("memory/2026-11-28.md", f"# 2026-11-28\n\n{block}\n- {FERRY}\n")
    quay.ask(FERRY, "staged line number 7 of the quay")
    seen = []
    ranked: tuple[Candidate, ...] = ()
    left_out: tuple[Candidate, ...] = ()
    for _ in range(3):
        quay.dream(mode="gate")
        ranked, left_out = quay.engine.dreams.weigh()
        seen.append(sorted(item.text for item in (*ranked, *left_out)))
        quay.clock.move(days=1)
    assert seen[0] == seen[1] == seen[2]
    assert all("staged line" not in text for text in seen[0])
    (ferry,) = [item for item in (*ranked, *left_out) if item.text == FERRY]
    assert quay.read("memory/2026-11-28.md").decode().splitlines()[ferry.source.start_line - 1] == f"- {FERRY}"


@pytest.mark.parametrize(
    "line",
    [
        "Candidate: User: drinks tea\n  - confidence: 0.62\n  - evidence: memory/2026-11-01.md:3-3\n  - status: staged",
        "[2026-11-28 03:00] Candidate: drinks tea at the quay; confidence: 0.62; evidence: memory/2026-11-01.md:3-3",
        "Ana drinks tea [score=0.912 signals=9 recalls=8 avg=0.810 source=memory/2026-11-01.md:3-3]",
        "Ana drinks tea at the quay Source: memory/2026-11-01.md#L3-L3 <!-- importance: 9 -->",
        "Theme: `tea` kept surfacing across 14 memories.\n  - confidence: 0.98\n  - evidence: memory/2026-11-01.md:3-3",
    ],
)
def test_b02_b03_what_a_pipeline_wrote_is_no_input_wherever_its_marks_stand(quay: Desk, line: str) -> None:
    """Text of an earlier dream stands in a note, much asked for; it is left out and the reason is shown."""
    quay.note("2026-11-28", line)
    quay.ask("tea")
    dreamed = quay.dream()
    assert "tea" not in quay.read().decode()
    row = why(dreamed, "tea")
    assert (row.gate, row.rule) == (LeftOut.ARTIFACT, Rule.ARTIFACT)
    assert row.detail.startswith(Rule.ARTIFACT.reason)


def test_b03_a_line_that_came_to_stand_in_a_dreams_report_is_left_out(quay: Desk) -> None:
    """A line was asked for; later a program put its marks around it. It is no entry of anybody's any more."""
    quay.note("2026-11-28", FERRY)
    quay.ask(FERRY)
    mark = "<!-- openclaw:dreaming:light:{} -->"
    quay.write("memory/2026-11-28.md", f"# 2026-11-28\n\n{mark.format('start')}\n- {FERRY}\n{mark.format('end')}\n")
    dreamed = quay.dream()
    assert not dreamed.hunks
    assert why(dreamed, FERRY).rule == Rule.ARTIFACT


def test_b03_a_source_that_came_to_stand_in_a_dreams_report_is_looked_at_again_at_apply(quay: Desk) -> None:
    """It waited and was accepted; meanwhile a program put its marks around the note's line. The rest is written."""
    other = "The berth of the Fulmar is number nine on the north quay"
    quay.note("2026-11-27", other)
    quay.note("2026-11-28", FERRY)
    quay.ask(FERRY, other)
    review, sweep, before = quay.engine.review, quay.dream(mode="gate").sweep.id, quay.read()
    numbers = {said(hunk): hunk.number for hunk in quay.hunks(sweep)}
    review.accept(sweep, list(numbers.values()))
    mark = "<!-- openclaw:dreaming:light:{} -->"
    quay.write("memory/2026-11-28.md", f"# 2026-11-28\n\n{mark.format('start')}\n- {FERRY}\n{mark.format('end')}\n")
    assert review.apply(sweep).stale == (numbers[FERRY],)
    assert quay.read() == before
    assert quay.hunk(sweep, FERRY).stale == (
        "memory/2026-11-28.md line 4: output of a memory pipeline: it stands in a dream's report"
    )
    assert review.apply(sweep).written == (numbers[other],)
    assert FERRY not in quay.read().decode()
    with pytest.raises(RefusedError, match="dream's report"):
        review.accept(sweep, [numbers[FERRY]])


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("[2026-11-28 03:00] Candidate: drinks tea at the quay; confidence: 0.62", "output of a memory pipeline"),
        ("Who has the key of the quay at night?", "a question"),
        ("The key of the quay is AKIAIOSFODNN7EXAMPLE", "it holds a secret"),
        ("The ferry \u202eyauq eht\u202c leaves at six", "it holds hidden characters"),
    ],
)
def test_b03_words_that_would_be_left_out_now_are_not_written_and_say_why(quay: Desk, words: str, why: str) -> None:
    """A proposal from a time with weaker rules, or changed in the state since: `A` leaves it, and apply says why."""
    quay.note("2026-11-28", FERRY)
    quay.ask(FERRY)
    review, sweep, before = quay.engine.review, quay.dream(mode="gate").sweep.id, quay.read()
    assert [said(hunk) for hunk in review.safe(sweep)] == [FERRY]
    quay.sql("UPDATE hunks SET value_json = replace(value_json, ?, ?)", FERRY, words)
    assert review.safe(sweep) == ()
    review.accept(sweep, [1])
    assert review.apply(sweep).stale == (1,)
    assert why in quay.hunks(sweep)[0].stale
    assert quay.read() == before


def test_b03_words_that_a_person_wrote_instead_are_not_linted(quay: Desk) -> None:
    """Whoever edits a hunk may say what they like: the lint is for what programs propose."""
    asked = "Who has the key of the quay at night?"
    quay.note("2026-11-28", FERRY)
    quay.ask(FERRY)
    sweep = quay.dream(mode="gate").sweep.id
    quay.engine.review.edit(sweep, 1, asked)
    assert quay.engine.review.apply(sweep).written == (1,)
    assert asked in quay.read().decode()


@pytest.mark.parametrize(
    ("headings", "empty"),
    [
        (("Entscheidungen", "Offene Punkte", "Stimmung"), ("-", "- ", "- Wetter: -")),
        (("Décisions", "À voir", "Humeur"), ("-", "- …", "- **Météo :**")),
        (("決定事項", "未解決", "気分"), ("-", "- 天気：", "- なし")),
    ],
)
def test_b05_a_daily_template_that_nobody_filled_in_gives_no_candidate(
    quay: Desk, headings: tuple[str, ...], empty: tuple[str, ...]
) -> None:
    """Every morning a template is laid out; headings and empty bullets are structure in any language."""
    for day in (27, 28, 29):
        body = "\n".join(f"## {heading}\n\n{bullet}\n" for heading, bullet in zip(headings, empty, strict=True))
        quay.write(f"memory/2026-11-{day}.md", f"# 2026-11-{day}\n\n{body}")
    quay.ask(*headings, *empty)
    dreamed = quay.dream()
    assert dreamed.ranked == ()
    assert dreamed.sweep.record.light_staged == 0


@pytest.mark.parametrize(
    ("line", "rule"),
    [
        ("docker compose -f quay.yml up -d", Rule.COMMAND_ONLY),
        ("`make quay && make deploy`", Rule.COMMAND_ONLY),
        ("What to look at on the quay this week:", Rule.HEADING_ONLY),
        ("Who has the key of the quay at night?", Rule.QUESTION),
        ("and then the quay because", Rule.FRAGMENT),
        ('{"quay": {"error": "timeout", "code": 504}}', Rule.DATA),
        ("[ ] paint the bollards of the quay", Rule.OPEN_TASK),
    ],
)
def test_b06_what_is_no_statement_is_left_out_with_its_rule_however_often_it_was_asked_for(
    quay: Desk, line: str, rule: Rule
) -> None:
    """Commands, headings and half sentences clear every score; the lint stops them and says which rule did."""
    quay.note("2026-11-28", line, FERRY)
    quay.ask(line, FERRY)
    dreamed = quay.dream()
    assert proposed(dreamed) == [FERRY]
    row = why(dreamed, line)
    assert (row.gate, row.rule, row.detail) == (LeftOut.NOT_DURABLE, rule, rule.reason)


def test_b07_an_excerpt_of_the_search_is_cleaned_and_leads_to_its_line(quay: Desk) -> None:
    """A note quotes a search result with its header and line number; the entry is the sentence, its source the line."""
    quay.note("2026-11-28", f"@@ -10,4 @@ (9 before, 0 after) 12: - {FERRY}")
    quay.ask(FERRY)
    sweep = quay.dream().sweep.id
    hunk = quay.hunk(sweep, "ferry")
    assert hunk.value.after is not None
    assert hunk.value.after.sentence == FERRY
    (source,) = quay.engine.review.evidence(hunk).sources
    assert source.state is LinkState.MATCHES
    assert (source.source.path, source.source.start_line) == ("memory/2026-11-28.md", 3)
    assert FERRY in source.lines[0]


def test_b07_the_same_sentence_with_and_without_its_wrapping_is_one_candidate(quay: Desk) -> None:
    """The agent quoted what it had found: one fact, two sources, and the recalls of both."""
    quay.note("2026-11-27", FERRY)
    quay.note("2026-11-28", f"@@ -3,1 @@ 3: - {FERRY}")
    quay.ask(FERRY)
    dreamed = quay.dream()
    (candidate,) = [item for item in dreamed.ranked if "ferry" in item.text]
    assert {source.path for source in candidate.sources} == {"memory/2026-11-27.md", "memory/2026-11-28.md"}
    assert len(proposed(dreamed)) == 1


def test_b09_an_envelope_goes_and_the_one_preference_in_it_stays(quay: Desk) -> None:
    """A forwarded message begins with its channel's header; the wish in it is kept, and nothing of the header."""
    wish = "Prefer window seats on long train journeys"
    quay.note("2026-11-28", f"[Telegram Ana id:815 +3m 2026-11-28 09:12 UTC] {wish} [message_id: 4471]")
    quay.ask(wish)
    assert proposed(quay.dream()) == [wish]
    assert b"Telegram" not in quay.read("USER.md")
    assert b"4471" not in quay.read("USER.md")


def test_b10_what_ran_by_itself_is_known_by_its_record_and_not_by_its_words(quay: Desk) -> None:
    """A heartbeat's free answer is left out, a person who talks about the heartbeat is not."""
    automatic = "Everything on the quay is quiet tonight, the pump runs as it should"
    typed = "heartbeat ok is what the pump of the quay answers when all is well"
    means = "HEARTBEAT_OK means that the pump of the quay needs nobody"
    nightly = "The nightly job found eleven old crates on the quay"
    quay.written_by("2026-11-28", automatic, Origin.AGENT, SessionKind.HEARTBEAT)
    quay.written_by("2026-11-28", nightly, Origin.AGENT, SessionKind.CRON)
    quay.written_by("2026-11-28", typed, Origin.OWNER, SessionKind.INTERACTIVE)
    quay.written_by("2026-11-28", means, Origin.OWNER, SessionKind.INTERACTIVE)
    quay.ask(automatic, typed, means, nightly)
    dreamed = quay.dream()
    assert sorted(proposed(dreamed)) == sorted([means, typed])
    assert why(dreamed, automatic).gate == why(dreamed, nightly).gate == LeftOut.SESSION_KIND


def test_b11_transcripts_and_their_archives_in_the_workspace_are_no_notes(quay: Desk) -> None:
    """One conversation lies there live, reset and deleted; none of it is read, found or counted."""
    line = '{"type": "message", "message": {"role": "user", "content": "' + CRATES + '"}}\n'
    for name in (
        "memory/2026-11-28.jsonl",
        "memory/2026-11-28.jsonl.reset.2026-11-28T10-00-00.000Z",
        "memory/2026-11-28.jsonl.deleted.2026-11-28T11-00-00.000Z",
        "sessions/7c1e.jsonl",
    ):
        quay.write(name, line)
    quay.write("memory/.dreams/session-corpus/2026-11-28.md", f"[main/sessions/7c1e#L1] User: {CRATES}\n")
    quay.written_by("2026-11-28", CRATES, Origin.AGENT, SessionKind.SUBAGENT)
    assert [hit.path for hit in quay.engine.recall.search(CRATES).hits] == ["memory/2026-11-28.md"]
    quay.ask(CRATES)
    dreamed = quay.dream()
    assert not dreamed.hunks
    assert dreamed.sweep.record.notes_read == 1
    assert why(dreamed, CRATES).gate == LeftOut.SESSION_KIND


LANGUAGES = {
    "English": ("The assistant said that the user wants the {} to be there for {}", "lighthouse", "Ana Bo Carl"),
    "French": ("L'assistant a dit que l'utilisateur veut que le {} soit là pour {}", "phare", "Ana Bo Carl"),
    "German": (
        "Der Assistent sagt, dass der Benutzer den {} für {} noch einmal sehen will",
        "Leuchtturm",
        "Ana Bo Carl",
    ),
    "Spanish": ("El asistente dijo que el usuario quiere que el {} esté ahí para {}", "faro", "Ana Bo Carl"),
    "Portuguese": ("O assistente disse que o usuário quer que o {} esteja aí para {}", "farol", "Ana Bo Carl"),
    "Chinese": ("助手说用户要{}在那里等{}", "灯塔", "安娜 阿波 卡尔"),
    "Japanese": ("アシスタントはユーザーが{}を{}に見せると言いました", "灯台", "安奈 坊 薫"),
}


@pytest.mark.parametrize("others", [0, 48])
@pytest.mark.parametrize("language", LANGUAGES)
def test_b13_a_theme_is_never_a_little_word_nor_the_name_of_a_speaker(quay: Desk, language: str, others: int) -> None:
    """`the` and `assistant` are the commonest words of the week; the theme is what the lines are about."""
    sentence, subject, names = LANGUAGES[language]
    for day in range(23, 30):
        who = names.split()[day % 3]
        quay.note(f"2026-11-{day}", sentence.format(subject, who), *(f"berth{day}{n} crane{day}{n}" for n in range(9)))
        if others:
            lines = "".join(f"- {sentence.format(f'winch{day}{n}', who)}\n" for n in range(others // 4))
            for part in ("a", "b", "c", "d"):
                quay.write(f"memory/2026-11-{day}-{part}.md", f"# {part}\n\n{lines}")
    record = quay.dream().sweep.record
    assert subject.lower() in record.themes
    spoken = {"assistant", "user", "benutzer", "assistent", "usuario", "usuário", "utilisateur", "助手", "用户"}
    assert not set(record.themes) & (LITTLE_WORDS | spoken)
    assert not any(theme in "アシスタントユーザー" for theme in record.themes)
    report = quay.read("memory/dreaming/rem/2026-11-30.md").decode()
    assert f"Theme: `{subject.lower()}`" in report


def test_b14_hundreds_of_hourly_checks_are_one_group_with_a_count(quay: Desk) -> None:
    """One note holds 835 check lines that differ in their time and their readings; the person sees one of them."""
    checks = [
        f"{n % 24:02}:{n * 7 % 60:02} check of the quay: pump runs, {n % 90 + 3} ms, disk {n % 40 + 50}%"
        for n in range(835)
    ]
    odd = "14:07 check of the quay: pump stands still, Carl was called"
    quay.note("2026-11-28", *checks[:600], odd, *checks[600:], FERRY)
    quay.ask(FERRY, odd, *(f"check of the quay {n}" for n in range(6)), *checks[::120])
    dreamed = quay.dream()
    routine = [item for item in dreamed.ranked if "pump runs" in item.text]
    assert len(routine) <= 1
    assert odd in {item.text for item in dreamed.ranked}
    group = [item for item in dreamed.left_out if item.rule == Rule.NEAR_DUPLICATE]
    assert len(group) == 1
    assert "835 lines" in group[0].detail
    assert len(group[0].sources) <= 20
    assert dreamed.sweep.record.light_staged == 3
    assert "(834 more like it)" in quay.read("memory/dreaming/light/2026-11-30.md").decode()


def test_b14_the_same_words_over_and_over_are_one_source_of_a_note(quay: Desk) -> None:
    """A line that stands twenty times in one note is anchored there once, and a question brought it up once."""
    quay.note("2026-11-28", *([FERRY] * 20))
    quay.note("2026-11-27", *(f"Crane {n} turns towards berth {n + 3} in a westerly wind" for n in range(60)))
    quay.ask(FERRY)
    dreamed = quay.dream()
    assert proposed(dreamed) == [FERRY]
    assert dreamed.ranked[0].evidence.recalls == 4
    assert quay.read().decode().count("Source: memory/2026-11-28.md") == 1


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("<active_memory_plugin>", "</active_memory_plugin>"),
        ("<<<BEGIN_OPENCLAW_INTERNAL_CONTEXT>>>", "<<<END_OPENCLAW_INTERNAL_CONTEXT>>>"),
        ("- <relevant-memories>", "- </relevant-memories>"),
    ],
)
def test_b15_memory_that_was_injected_is_never_taken_for_news(quay: Desk, before: str, after: str) -> None:
    """A turn with recalled memory in it was written down; what the marks enclose is left out, the rest is not."""
    quay.write(
        "memory/2026-11-28.md",
        f"# 2026-11-28\n\n{before}\n\n- {CRATES}\n\n- Ana keeps the keys\n\n{after}\n\n- {FERRY}\n",
    )
    quay.ask(CRATES, FERRY)
    dreamed = quay.dream()
    assert proposed(dreamed) == [FERRY]
    assert CRATES not in {item.text for item in dreamed.ranked}


@pytest.mark.parametrize(
    "name",
    [
        "MEMORY.backup-20261128T0300.md",
        "memory/MEMORY.backup-20261128T0300.md",
        "memory/2026-11-28.bak.md",
        "memory/2026-11-28.md.orig",
        "memory/2026-11-28.md~",
        "memory/.2026-11-28.md.swp",
        "memory/.#2026-11-28.md",
        "memory/canonical-preimage-0f3c.md",
        "memory/2026-11-28 (1).md",
        "memory/2026-11-28 - Kopie.md",
        "memory/2026-11-28.sync-conflict-20261129-101112-ABCDEFG.md",
    ],
)
def test_b17_backups_and_second_copies_are_neither_found_nor_read(quay: Desk, name: str) -> None:
    """Copies beside the notes would count each fact twice and bring back what was deleted."""
    quay.write(name, f"# Copy\n\n- {FERRY}\n")
    quay.note("2026-11-29", CRATES)
    assert quay.engine.recall.search(FERRY, min_score=0).hits == ()
    quay.ask(FERRY, CRATES)
    dreamed = quay.dream()
    assert proposed(dreamed) == [CRATES]
    assert dreamed.sweep.record.notes_read == 1


def test_b17_a_note_about_backups_is_a_note(quay: Desk) -> None:
    """A topic in a note's name is no copy's mark."""
    for name in ("2026-11-28-backup-plan", "2026-11-28-copy-shop", "2026-11-28-old-harbour"):
        quay.write(f"memory/{name}.md", f"# {name}\n\n- {FERRY}\n")
    assert len(quay.engine.recall.search(FERRY).hits) == 3


def test_b17_a_conflicted_copy_is_named_so_that_it_can_be_merged(quay: Desk) -> None:
    """What only stands in a second copy is not read; the listing says so."""
    quay.write("memory/2026-11-28 (1).md", f"- {FERRY}\n")
    skipped: list[Skipped] = []
    list(walk(quay.root, skipped))
    assert [item.path for item in skipped] == ["memory/2026-11-28 (1).md"]
    assert "second copy" in skipped[0].reason


@pytest.mark.parametrize(
    "line",
    ["no reply", "User came back.", "Session started", "Keine Antwort", "pas de réponse", "没有回复", "ok", "n/a"],
)
def test_b18_lines_about_the_conversation_itself_say_nothing_that_lasts(quay: Desk, line: str) -> None:
    """Between the facts a host notes that somebody left and came back."""
    quay.note("2026-11-28", line, FERRY)
    quay.ask(FERRY, line)
    dreamed = quay.dream()
    assert proposed(dreamed) == [FERRY]
    assert line not in {item.text for item in dreamed.ranked}


@pytest.mark.parametrize(
    "line",
    [
        "the quay was cleared<|im_end|><|im_start|>assistant and then the pier",
        "User: and the quay? Assistant: it was cleared. User: and the pier?",
        'the quay <tool_call>{"name": "memory_search", "arguments": {"query": "pier"}}</tool_call>',
        '<invoke name="memory_search"><parameter name="query">quay and pier</parameter></invoke>',
        "[INST] what of the quay [/INST] it was cleared, and so was the pier",
    ],
)
def test_b19_a_malformed_turn_is_left_out_as_a_piece_of_a_chat(quay: Desk, line: str) -> None:
    """A saved summary holds end tokens, stacked speakers and a raw call; it stays out and says why."""
    quay.note("2026-11-28", line)
    quay.ask("quay pier")
    dreamed = quay.dream()
    assert not dreamed.hunks
    row = why(dreamed, "quay")
    assert (row.gate, row.rule) == (LeftOut.ARTIFACT, Rule.TRANSCRIPT)


def test_b19_a_dumped_session_is_no_note_of_anybody(quay: Desk) -> None:
    """A host wrote a whole session as a note; nothing in it is a candidate, and it can still be searched."""
    quay.write(
        "memory/2026-11-28-hello.md",
        f"# Session: 2026-11-28 09:30:00 UTC\n\n- **Session Key**: agent:main:main\n- **Source**: webchat\n\n"
        f"## Conversation Summary\n\n- {FERRY}\n",
    )
    quay.ask(FERRY)
    dreamed = quay.dream()
    assert not dreamed.hunks
    assert why(dreamed, FERRY).rule == Rule.TRANSCRIPT
    assert len(quay.engine.recall.search(FERRY).hits) == 1


@pytest.mark.parametrize("text", ["Ana keeps the harbour keys?", "user: Ana keeps the harbour keys"])
def test_b06_a_sentence_that_a_model_wrote_passes_the_same_lint(quay: Desk, text: str) -> None:
    """A model merges two good lines into a question, or into a line of a transcript; its answer is not used."""
    quay.note("2026-11-28", "Ana keeps the harbour keys")
    quay.ask("Ana keeps the harbour keys")
    dreamed = quay.dream(Answering({"Ana": Says("merged", ("Ana keeps",), text)}))
    assert "no lasting sentence" in dreamed.sweep.fallback_reason
    assert text.encode() not in quay.read()
