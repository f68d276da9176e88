"""What may become durable: a line that a person would want remembered, and nothing that a program left behind."""

from __future__ import annotations

import pytest

from clawmem_core.curation.lint.durability import judge, judge_text
from clawmem_core.curation.lint.findings import Finding, Judged, Rule
from clawmem_core.ledger.candidates import LeftOut
from clawmem_core.workspace.entries import parse
from clawmem_core.workspace.managed import managed_blocks
from tests.curation.sentences import JUNK, STATEMENTS


def judged(note: str) -> list[Judged]:
    """What the lint says of each line of a note."""
    document = parse(note.encode())
    managed = managed_blocks(document)
    return [judge(entry, managed) for entry in document.entries if entry.text]


def judged_line(line: str) -> Judged:
    (only,) = judged(f"# Monday\n\n- {line}\n")
    return only


@pytest.mark.parametrize("text", STATEMENTS)
def test_a_statement_passes_as_it_was_typed(text: str) -> None:
    assert judged_line(text) == Judged(text, None)
    assert judge_text(text) is None


@pytest.mark.parametrize(("text", "rule"), JUNK)
def test_junk_is_stopped_by_its_rule(text: str, rule: Rule) -> None:
    finding = judged_line(text).finding
    assert finding is not None
    assert finding.rule is rule
    assert finding.detail.startswith(rule.reason)
    alone = judge_text(text, text)
    assert alone is not None
    assert alone.rule.left_out is rule.left_out


def test_every_rule_has_a_reason_and_is_one_of_two_exclusions() -> None:
    assert all(rule.reason for rule in Rule)
    assert len({rule.reason for rule in Rule}) == len(Rule)
    assert {rule.left_out for rule in Rule} == {LeftOut.ARTIFACT, LeftOut.NOT_DURABLE}
    assert {rule for rule in Rule if rule.left_out is LeftOut.ARTIFACT} == {
        Rule.ARTIFACT,
        Rule.TRANSCRIPT,
        Rule.WRAPPER,
    }


def test_every_rule_of_one_line_is_tried_by_the_table() -> None:
    of_several_lines = {Rule.TABLE_ROW, Rule.NEAR_DUPLICATE}
    assert {rule for _, rule in JUNK} == set(Rule) - of_several_lines


BOILER = "The boiler man comes in January"


@pytest.mark.parametrize(
    ("line", "text"),
    [
        (f"[Telegram Ana id:815 +3m 2026-11-27 09:12 UTC] {BOILER}", BOILER),
        (f"[Fri 2026-11-27 10:05 GMT+1] {BOILER}", BOILER),
        (f"@@ -10,4 @@ (9 before, 0 after) 12: - {BOILER}", BOILER),
        (f"memory/2026-11-20.md:12: {BOILER}", BOILER),
        (f"{BOILER} [message_id: 4471]", BOILER),
        (f"Sender (untrusted metadata): {BOILER}", BOILER),
        (f"<relevant-memories>- tea</relevant-memories> {BOILER}", BOILER),
        (f"- - {BOILER}", BOILER),
        (f"[x] {BOILER}", BOILER),
        (f"> {BOILER}", BOILER),
        (f"{BOILER} <!-- said at lunch -->", BOILER),
        ("Before a deploy:\n  - pull the branch\n  - tell Bo", "Before a deploy: pull the branch; tell Bo"),
        ("Clean the cache so:\n  ```sh\n  make clean\n  ```", "Clean the cache so: `make clean`"),
    ],
)
def test_b07_b09_what_stands_around_a_sentence_is_taken_off_and_the_sentence_is_kept(line: str, text: str) -> None:
    assert judged_line(line) == Judged(text, None)


def test_b07_an_excerpt_of_several_lines_is_no_sentence() -> None:
    excerpt = "@@ -10,4 @@ (9 before, 0 after)\n  12: - The boiler man comes in January\n  13: - The attic is dry"
    (found,) = judged(f"{excerpt}\n")
    assert found.finding == Finding(Rule.WRAPPER, "an excerpt of several lines")


def test_b09_the_head_of_a_mail_goes_and_its_one_sentence_stays() -> None:
    mail = "From: Ana Ruiz <ana@example.org>\nTo: the studio\nSubject: seats\nPlease book window seats on long trains."
    assert judged(f"{mail}\n") == [Judged("Please book window seats on long trains.", None)]


def test_a_sentence_that_still_stands_in_an_envelope_is_not_clean() -> None:
    finding = judge_text("[Telegram Ana id:815 2026-11-27 09:12 UTC] Book window seats on long trains")
    assert finding is not None
    assert finding.rule is Rule.WRAPPER


def test_b01_managed_blocks_are_structure_and_move_no_line() -> None:
    note = parse(
        b"# 2026-04-11\n\n- moved production to beta, alpha is off\n\n## Light Sleep\n"
        b"<!-- openclaw:dreaming:light:start -->\n- staged line that looks like any other one\n"
        b"<!-- openclaw:dreaming:light:end -->\n\n- written after the block by a person\n"
    )
    managed = managed_blocks(note)
    found = {entry.text: judge(entry, managed).finding for entry in note.entries}
    assert found["moved production to beta, alpha is off"] is None
    assert found["written after the block by a person"] is None
    staged = found["staged line that looks like any other one"]
    assert staged is not None
    assert staged.rule is Rule.ARTIFACT
    assert [entry.start for entry in note.entries] == [3, 7, 10]


def test_an_unclosed_managed_block_reaches_to_the_end() -> None:
    found = judged("- before the block as ever\n\n<!-- openclaw:dreaming:rem:start -->\n- after it, and never closed\n")
    assert [item.finding is None for item in found] == [True, False]
    assert "no end" in found[1].finding.detail if found[1].finding else False


def test_b33_an_unclosed_managed_block_ends_where_a_person_opens_a_chapter() -> None:
    found = judged(
        "## REM Sleep\n<!-- openclaw:dreaming:rem:start -->\n### Reflections\n- after it, and never closed\n\n"
        "## Evening\n\n- The boiler man comes in January\n"
    )
    assert [item.finding is None for item in found] == [False, True]


def test_a_mark_in_a_code_fence_is_an_example() -> None:
    found = judged("```md\n<!-- openclaw:dreaming:rem:start -->\n```\n\n- The boiler man comes in January\n")
    assert [item.finding for item in found] == [None]


def test_a_table_row_is_no_entry_of_its_own_in_memory() -> None:
    (found,) = judged("| time | what happened |\n|---|---|\n| 06:14 | last dump of the old database, 11.8 GB |\n")
    assert found.finding == Finding(Rule.TABLE_ROW)


@pytest.mark.parametrize(
    "template",
    [
        "# Montag\n\n## Entscheidungen\n\n-\n\n## Offen\n\n- \n",
        "# Lundi\n\n## Décisions\n\n- \n\n## À voir\n\n- …\n- **Humeur :**\n- Météo : -\n",
        "# 月曜日\n\n## 決定\n\n-\n\n- 気分：\n- 天気：なし\n",
        "# Lunes\n\n- <!-- ¿qué se decidió hoy? -->\n- [ ]\n- {{resumen}}\n- Ánimo: ____\n",
    ],
)
def test_b05_a_template_that_nobody_filled_in_says_nothing(template: str) -> None:
    assert all(item.finding for item in judged(template))
