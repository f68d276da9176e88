"""The demo's content: valid on any day, consistent with itself, and fit for the sweep that it is written for."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from clawmem_core.config import MEMORY_CAP
from clawmem_core.demo.content import DemoTarget, DemoWorkspace, Expected, workspace
from clawmem_core.provenance.classes import PROMOTABLE_KINDS, PROMOTABLE_ORIGINS, Origin, SessionKind
from clawmem_core.recall.analysis import query_tokens, tokens
from clawmem_core.workspace.annotations import Anchor, claim_hash, comparable, sentence
from clawmem_core.workspace.changes import entry_changes
from clawmem_core.workspace.entries import Document, Entry, EntryKind, parse
from clawmem_core.workspace.layout import MEMORY, USER, Tier, note_day, tier_of
from clawmem_core.workspace.text import utf16_units

DAYS = [date(2026, 11, 30), date(2027, 3, 1), date(2028, 2, 29), date(2028, 3, 1), date(2026, 12, 31), date(2027, 1, 1)]
EVERY_DAY = pytest.mark.parametrize("today", DAYS, ids=str)

STOP_WORDS = """
    a after again an and are at before by do does for from how in is it many me much must now of off on or out since
    still the to was when where which while who why with
    à au de des en et la le on par pour quand que quel quelle sur
"""
LIVED_IN = {"Suppliers", "Who to call", "Field trips", "Règles de la maison"}
"""Sections of MEMORY.md that no question is about."""
UNFILLED = re.compile(r"\{(?:iso|short|fr|day|text|ref|entry|@|ESC|BEL|RLO|PDF|\d|-\d)")


def texts(demo: DemoWorkspace) -> dict[str, str]:
    return {file.path: file.text for file in demo.files}


def document(demo: DemoWorkspace, path: str) -> Document:
    return parse(texts(demo)[path].encode())


def content_words(text: str) -> set[str]:
    plain = "".join(c for c in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(c))
    words = re.findall(r"\w+", plain)
    return {re.sub(r"(?:ing|es|ed|s|e)$", "", word) for word in words if word not in STOP_WORDS.split()}


def questions_about(demo: DemoWorkspace, target: DemoTarget) -> set[tuple[str, date]]:
    """The questions asked since the line stands there that share at least 60% of their content words with it."""
    line = content_words(target.text)
    written = next(line.at for line in demo.written if (line.path, line.line) == (target.path, target.line))
    return {
        (recall.query, recall.at.date())
        for recall in demo.recalls
        if recall.at > written and (words := content_words(recall.query)) and len(words & line) >= 0.6 * len(words)
    }


def target(demo: DemoWorkspace, expected: Expected) -> DemoTarget:
    return next(item for item in demo.targets if item.expected is expected)


def targets(demo: DemoWorkspace, expected: Expected) -> list[DemoTarget]:
    return [item for item in demo.targets if item.expected is expected]


def units_of_entry(item: DemoTarget) -> int:
    """How many units the entry of a target takes at least: marker, sentence and anchor, no annotations yet."""
    marker = f"<!-- openclaw-memory-promotion:memory:claim:{claim_hash(item.text)} -->"
    return utf16_units(f"{marker}\n- {item.text} {Anchor(item.path, item.line, item.line)}\n")


def generated(demo: DemoWorkspace) -> dict[date, list[Entry]]:
    """The entries that earlier dreams wrote, by the day in their heading, in the order of the file."""
    by_day: dict[date, list[Entry]] = {}
    for entry in document(demo, MEMORY).entries:
        if entry.markers:
            by_day.setdefault(date.fromisoformat(entry.section[-1][-11:-1]), []).append(entry)
    return by_day


def entries_saying(demo: DemoWorkspace, text: str) -> list[Entry]:
    return [entry for entry in document(demo, MEMORY).entries if comparable(entry.raw) == comparable(text)]


def with_label(demo: DemoWorkspace, label: str) -> list[Entry]:
    return [entry for entry in document(demo, MEMORY).entries if entry.text.partition(":")[0] == label]


@EVERY_DAY
def test_two_calls_give_the_same_workspace(today: date) -> None:
    assert workspace(today) == workspace(today)


@EVERY_DAY
def test_notes_are_of_the_last_thirty_days(today: date) -> None:
    demo = workspace(today)
    days = [day for file in demo.files if (day := note_day(file.path))]
    assert min(days) == today - timedelta(days=30)
    assert max(days) == today
    assert 20 < len(set(days)) < 31
    assert len(days) > len(set(days)), "some days have a second note with a slug"
    for path, text in texts(demo).items():
        assert tier_of(path) in {Tier.INSTRUCTIONS, Tier.CURATED, Tier.EPISODIC}
        if day := note_day(path):
            assert day.isoformat() in text.splitlines()[0] or "Session" in text.splitlines()[0]


@EVERY_DAY
def test_no_template_shows_through(today: date) -> None:
    for path, text in texts(workspace(today)).items():
        assert not UNFILLED.search(text), path
        assert text.endswith("\n")
        assert not text.endswith("\n\n")
        assert "\n\n\n" not in text, path


@EVERY_DAY
def test_every_file_parses_and_holds_entries(today: date) -> None:
    demo = workspace(today)
    for file in demo.files:
        parsed = parse(file.text.encode())
        assert parsed.source.problem == "", file.path
        assert parsed.headings, file.path
        assert parsed.entries, file.path


@EVERY_DAY
def test_curated_files_fit_their_budgets(today: date) -> None:
    demo = workspace(today)
    assert 8_700 < document(demo, MEMORY).units < 9_000 < MEMORY_CAP
    assert document(demo, USER).units < 1_000


@EVERY_DAY
def test_the_last_target_does_not_fit_the_budget(today: date) -> None:
    demo = workspace(today)
    (retired,) = with_label(demo, "Deploy target")
    (merged,) = targets(demo, Expected.MERGED)
    (successor,) = targets(demo, Expected.SUPERSEDES_GENERATED)
    added = [*targets(demo, Expected.ADDED), successor]
    bare = document(demo, MEMORY).units - utf16_units(retired.block)
    bare += sum(units_of_entry(item) for item in added) + units_of_entry(merged) - utf16_units(merged.text)
    # The section's heading, the lineage, triggers and importances take 80 to 110 units an entry.
    least, most = bare + 80 * len(added), bare + 110 * len(added)
    assert 9_800 < least < most < MEMORY_CAP
    (last,) = targets(demo, Expected.LEFT_OUT_BUDGET)
    assert least + units_of_entry(last) > MEMORY_CAP
    oldest = min(generated(demo).items())[1][0]
    assert 0 < utf16_units(last.text) + 200 - (MEMORY_CAP - most) <= utf16_units(oldest.block), "one entry must go"


@EVERY_DAY
def test_memory_is_lived_in(today: date) -> None:
    demo = workspace(today)
    entries = document(demo, MEMORY).entries
    hand = [entry for entry in entries if not entry.markers]
    assert [len(group) for group in generated(demo).values()] == [5, 6]
    assert len(hand) >= 50
    assert len({entry.section for entry in hand}) >= 10
    assert len({entry.section for entry in hand if entry.kind is EntryKind.ROW}) == 2
    assert any("\n    - " in entry.raw for entry in hand), "a nested list"
    assert sum(bool(re.match(r"- \d{4}-\d\d-\d\d: ", entry.raw)) for entry in hand) >= 4
    assert {section for entry in hand for section in entry.section} >= LIVED_IN


@EVERY_DAY
def test_the_earlier_dreams_stand_in_order(today: date) -> None:
    demo = workspace(today)
    first, second = generated(demo)
    assert first < second < today
    for day, entries in generated(demo).items():
        for entry in entries:
            assert all((note_day(anchor.path) or today) < day for anchor in entry.anchors)


@EVERY_DAY
def test_the_lived_in_sections_answer_no_question(today: date) -> None:
    demo = workspace(today)
    first = min(generated(demo).items())[1]
    apart = [entry for entry in document(demo, MEMORY).entries if entry.section[-1] in LIVED_IN] + first
    for entry in apart:
        said = set(tokens(entry.text))
        for recall in demo.recalls:
            asked = set(query_tokens(recall.query))
            assert len(asked & said) < 0.5 * len(asked), (recall.query, entry.text)


@EVERY_DAY
def test_markers_are_unique_and_name_their_claims(today: date) -> None:
    memory = document(workspace(today), MEMORY)
    markers = [marker for entry in memory.entries for marker in entry.markers]
    assert len(markers) == len(set(markers)) == 12
    for entry in memory.entries:
        assert len(entry.markers) == len(entry.anchors)
        assert not entry.markers or entry.section[-1].startswith("Consolidated Memory (")


@EVERY_DAY
def test_anchors_lead_to_the_lines_that_they_quote(today: date) -> None:
    demo = workspace(today)
    notes = texts(demo)
    for entry in document(demo, MEMORY).entries:
        for marker, anchor in zip(entry.markers, entry.anchors, strict=True):
            line = notes[anchor.path].splitlines()[anchor.start - 1]
            assert anchor.start == anchor.end
            assert marker == f"memory:claim:{claim_hash(line)}"
            assert comparable(line) == comparable(entry.raw)


@EVERY_DAY
def test_written_lines_stand_once_in_their_notes(today: date) -> None:
    demo = workspace(today)
    notes = texts(demo)
    assert list(demo.written) == sorted(demo.written, key=lambda line: line.at)
    for line in demo.written:
        lines = notes[line.path].splitlines()
        assert lines.count(line.text) == 1
        assert lines[line.line - 1] == line.text
        assert line.at.date() == note_day(line.path)
    assert {line.origin for line in demo.written} == {Origin.OWNER, Origin.AGENT, Origin.UNTRUSTED}
    assert {line.session_kind for line in demo.written} == {
        SessionKind.INTERACTIVE,
        SessionKind.CRON,
        SessionKind.HEARTBEAT,
    }


@EVERY_DAY
def test_a_written_line_is_one_entry_of_its_note(today: date) -> None:
    demo = workspace(today)
    for line in demo.written:
        entry = document(demo, line.path).at(line.line)
        assert entry is not None
        assert (entry.start, entry.end, entry.raw.rstrip("\n")) == (line.line, line.line, line.text)


@EVERY_DAY
def test_the_page_is_untrusted_and_tries_everything(today: date) -> None:
    page = "\n".join(line.text for line in workspace(today).written if line.origin is Origin.UNTRUSTED)
    assert len(page.splitlines()) == 6
    for trick in ("\x1b]0;", "\a", "\x1b[32m", "\u202e", "<!-- openclaw-memory-promotion:", "ignore previous"):
        assert trick in page


@EVERY_DAY
def test_questions_were_asked_in_the_last_twelve_days(today: date) -> None:
    demo = workspace(today)
    assert 30 <= len(demo.recalls) <= 70
    assert list(demo.recalls) == sorted(demo.recalls, key=lambda recall: recall.at)
    for recall in demo.recalls:
        assert timedelta(days=1) <= today - recall.at.date() <= timedelta(days=12)


@EVERY_DAY
def test_targets_collect_the_questions_that_they_need(today: date) -> None:
    demo = workspace(today)
    durable = 0
    for item in demo.targets:
        asked = questions_about(demo, item)
        queries, days = {query for query, _ in asked}, {day for _, day in asked}
        if item.expected is Expected.LEFT_OUT_QUERIES:
            assert len(queries) == 2, (item.name, queries)
        else:
            assert len(queries) >= 3, (item.name, queries)
            assert len(days) >= 2, (item.name, days)
            durable += not item.expected.startswith("left_out") or item.expected is Expected.LEFT_OUT_BUDGET
    assert durable == 10, "as many as one sweep promotes"


@EVERY_DAY
def test_questions_name_the_repeated_lines_by_their_own_words(today: date) -> None:
    """A line that says what stands in MEMORY.md falls behind other hits, so its questions must leave room for it."""
    demo = workspace(today)
    for item in (target(demo, Expected.MERGED), target(demo, Expected.NEAR_DUPLICATE)):
        own = set(tokens(item.text))
        clear = {
            (recall.query, recall.at.date())
            for recall in demo.recalls
            if recall.at.date() >= (note_day(item.path) or today)
            and len(own & set(query_tokens(recall.query))) >= 0.6 * len(query_tokens(recall.query))
        }
        assert len({query for query, _ in clear}) >= 4, item.name
        assert len({day for _, day in clear}) >= 3, item.name


@EVERY_DAY
def test_two_questions_asked_often_are_still_two(today: date) -> None:
    demo = workspace(today)
    for item in targets(demo, Expected.LEFT_OUT_QUERIES):
        asked = questions_about(demo, item)
        assert len({query for query, _ in asked}) == 2
        assert len({day for _, day in asked}) == 5, "often enough for the score, so that only the questions are too few"


@EVERY_DAY
def test_the_label_questions_find_one_note_line_of_the_earlier_night(today: date) -> None:
    demo = workspace(today)
    night = today - timedelta(days=demo.rejected_before.days_ago)
    asked = {token for recall in demo.recalls if "label" in recall.query for token in query_tokens(recall.query)}
    found = [
        entry.text
        for path in texts(demo)
        if (day := note_day(path)) and day < night
        for entry in document(demo, path).entries
        if len(asked & set(tokens(entry.text))) >= 2
    ]
    assert demo.rejected_before.text in found
    promoted = {comparable(entry.raw) for entries in generated(demo).values() for entry in entries}
    assert [text for text in found if comparable(text) not in promoted] == [demo.rejected_before.text]


@EVERY_DAY
def test_targets_are_note_lines_of_the_class_that_decides_them(today: date) -> None:
    demo = workspace(today)
    classes = {(line.path, line.line): (line.origin, line.session_kind) for line in demo.written}
    for item in demo.targets:
        assert sentence(texts(demo)[item.path].splitlines()[item.line - 1]) == item.text
        origin, kind = classes[item.path, item.line]
        promotable = origin in PROMOTABLE_ORIGINS and kind in PROMOTABLE_KINDS
        assert promotable != (item.expected in (Expected.LEFT_OUT_UNTRUSTED, Expected.LEFT_OUT_SESSION_KIND))


@EVERY_DAY
def test_memory_holds_what_the_targets_meet(today: date) -> None:
    demo = workspace(today)
    deploy = with_label(demo, "Deploy target")
    assert [entry.lineage for entry in deploy] == ["deploy-target"]
    assert target(demo, Expected.SUPERSEDES_GENERATED).text.startswith("Deploy target: beta")
    weekly = with_label(demo, "Weekly report")
    assert [entry.markers for entry in weekly] == [()]
    assert target(demo, Expected.SUPERSEDES_HANDWRITTEN).text.startswith("Weekly report: ")
    (merged,) = entries_saying(demo, target(demo, Expected.MERGED).text)
    assert merged.markers
    assert merged.claim != claim_hash(target(demo, Expected.MERGED).text)
    (promoted,) = entries_saying(demo, target(demo, Expected.LEFT_OUT_PROMOTED).text)
    assert promoted.claim == claim_hash(target(demo, Expected.LEFT_OUT_PROMOTED).text)
    for item in demo.targets:
        if item.expected in (
            Expected.ADDED,
            Expected.DIRECTIVE,
            Expected.NEAR_DUPLICATE,
            Expected.REPEAT,
            Expected.LEFT_OUT_BUDGET,
        ):
            assert not entries_saying(demo, item.text)


@EVERY_DAY
def test_the_rejected_claim_comes_back_with_a_newer_line(today: date) -> None:
    demo = workspace(today)
    rejected = today - timedelta(days=demo.rejected_before.days_ago)
    sources = [
        day
        for path, text in texts(demo).items()
        if (day := note_day(path)) and any(sentence(line) == demo.rejected_before.text for line in text.splitlines())
    ]
    assert len(sources) == 2
    assert min(sources) < rejected < max(sources)
    assert target(demo, Expected.REPEAT).text == demo.rejected_before.text
    assert demo.rejected_before.reason


@EVERY_DAY
def test_history_ends_in_the_files(today: date) -> None:
    demo = workspace(today)
    state: dict[str, str] = {}
    versions: dict[str, list[str]] = {MEMORY: [], USER: []}
    for commit in demo.earlier:
        for file in commit.files:
            assert state.get(file.path) != file.text, "a commit holds only what it changed"
            day = note_day(file.path)
            assert day is None or day <= commit.at.date()
            state[file.path] = file.text
            versions.get(file.path, []).append(file.text)
        assert re.fullmatch(r"\w+ <[\w.]+@[\w.]+>", commit.author)
        assert not UNFILLED.search(commit.message)
    assert state == texts(demo)
    assert [commit.at for commit in demo.earlier] == sorted(commit.at for commit in demo.earlier)
    assert len(versions[MEMORY]) == 5
    assert len(versions[USER]) == 2
    assert [text.count("## Consolidated Memory") for text in versions[MEMORY]] == [0, 1, 2, 2, 2]
    for text in (*versions[MEMORY], *versions[USER]):
        assert "\n\n\n" not in text


@EVERY_DAY
def test_the_last_edit_by_hand_adds_removes_and_replaces(today: date) -> None:
    demo = workspace(today)
    commits = [commit for commit in demo.earlier if any(file.path == MEMORY for file in commit.files)]
    before, after = (
        parse(next(file.text for file in commit.files if file.path == MEMORY).encode()) for commit in commits[-2:]
    )
    assert commits[-1].author.startswith("Robin ")
    assert (today - commits[-1].at.date()).days == 5
    changes = [(change.before, change.after) for change in entry_changes(before, after)]
    (gone,) = [old for old, new in changes if old and not new]
    assert not gone.markers
    assert len([new for old, new in changes if new and not old]) == 1
    assert len([new for old, new in changes if new and old]) == 2


@EVERY_DAY
def test_user_md_keeps_its_contract(today: date) -> None:
    text = texts(workspace(today))[USER]
    found = re.findall(r"<!-- observed: (\S+) \| status: (active|superseded) -->\n\n- (\S+)", text)
    assert len(found) == len(document(workspace(today), USER).entries) == 8
    assert all(date.fromisoformat(day) <= today for day, _, _ in found)
    assert {word for _, _, word in found} <= {"Prefer", "Préfère", "Always", "Never"}
    states = [state for _, state, _ in found]
    assert states.count("superseded") == 1
    assert states[states.index("superseded") + 1] == "active"
    assert "Préfère" in {word for _, _, word in found}


@EVERY_DAY
def test_nothing_lies_in_the_future(today: date) -> None:
    demo = workspace(today)
    latest = datetime(today.year, today.month, today.day, 0, 10, tzinfo=UTC)
    instants = [line.at for line in demo.written] + [recall.at for recall in demo.recalls]
    assert max([*instants, *(commit.at for commit in demo.earlier)]) == latest


def test_local_times_are_read_in_the_zone() -> None:
    here, there = workspace(DAYS[0]), workspace(DAYS[0], ZoneInfo("Asia/Tokyo"))
    assert here.files == there.files
    assert all(a.at - b.at == timedelta(hours=9) for a, b in zip(here.recalls, there.recalls, strict=True))
    assert workspace(DAYS[0], None).recalls[0].at.tzinfo is UTC


def test_french_dates_are_written_as_in_french() -> None:
    note = texts(workspace(date(2027, 2, 24)))["memory/2027-02-23.md"]
    assert "livraison le 1er mars." in note


def test_notes_hold_what_life_holds() -> None:
    demo = workspace(DAYS[0])
    notes = "\n".join(text for path, text in texts(demo).items() if note_day(path))
    assert 300 < len(notes.splitlines()) < 600
    assert notes.count("HEARTBEAT_OK") > 10
    assert notes.count("[cron:nightly] disk") > 20
    assert notes.count("<!-- openclaw:dreaming:light:start -->") == 1
    for piece in ("\n-\n", "\n- sudo ", "\nuser: ", "\nassistant: ", "\n|---|", "?\n", "🎂", "« atlas-2 »"):
        assert piece in notes
    assert "- Deploy target: alpha\n" in notes
