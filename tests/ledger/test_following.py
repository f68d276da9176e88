"""What became of each line of a note between two readings, case by case."""

from __future__ import annotations

import pytest

from clawmem_core.ledger.following import Became, Copies, follow, read_said
from clawmem_core.ledger.lines import line_hash
from clawmem_core.ledger.wording import says_enough, words_of

KEYS = "- Mrs. Adler keeps the keys of the archive"
TIDES = "- The harbour office keeps the tide tables"
FORM = "- Mrs. Quist signs the blue form on Mondays"
WIRE = "- Wire the deposit to the account in Riga"

CASES: dict[str, tuple[list[str], list[str], list[tuple[Became, set[str]]]]] = {
    "nothing changed": ([KEYS, TIDES], [KEYS, TIDES], [(Became.SAME, set()), (Became.SAME, set())]),
    "other bullet and space": ([KEYS], [KEYS.replace("- ", "*   ")], [(Became.SAME, set())]),
    "added at the end": ([KEYS], [KEYS, TIDES], [(Became.SAME, set()), (Became.NEW, set())]),
    "added at the top": ([KEYS], [TIDES, KEYS], [(Became.NEW, set()), (Became.SAME, set())]),
    "taken away": ([KEYS, TIDES], [TIDES], [(Became.SAME, set())]),
    "moved in the note": ([KEYS, TIDES, FORM], [FORM, KEYS, TIDES], [(Became.SAME, set())] * 3),
    "reworded": (
        [KEYS, TIDES],
        [KEYS.replace("archive", "cellar"), TIDES],
        [(Became.EDITED, {KEYS}), (Became.SAME, set())],
    ),
    "good line replaced by another": ([KEYS, TIDES], [FORM, TIDES], [(Became.NEW, set()), (Became.SAME, set())]),
    "barred line replaced by another": ([WIRE, TIDES], [KEYS, TIDES], [(Became.EDITED, {WIRE}), (Became.SAME, set())]),
    "cut": (
        [KEYS, TIDES],
        ["- Mrs. Adler keeps", "  the keys of the archive", TIDES],
        [(Became.REFLOWED, {KEYS}), (Became.REFLOWED, {KEYS}), (Became.SAME, set())],
    ),
    "joined": ([KEYS, WIRE], [KEYS + " " + WIRE[2:]], [(Became.REFLOWED, {KEYS, WIRE})]),
    "wrapped anew": (
        [KEYS, WIRE, TIDES],
        ["- Mrs. Adler keeps the keys of the", "  archive wire the deposit to", "  the account in Riga", TIDES],
        [
            (Became.REFLOWED, {KEYS}),
            (Became.REFLOWED, {KEYS, WIRE}),
            (Became.REFLOWED, {WIRE}),
            (Became.SAME, set()),
        ],
    ),
    "a piece elsewhere in the note": (
        [WIRE, TIDES],
        [TIDES, "- Riga"],
        [(Became.SAME, set()), (Became.EDITED, {WIRE})],
    ),
    "two words elsewhere in the note": (
        [WIRE, TIDES],
        [TIDES, "- Nobody has the deposit"],
        [(Became.SAME, set()), (Became.EDITED, {WIRE})],
    ),
    "one word elsewhere in the note": (
        [WIRE, TIDES],
        [TIDES, "- Nobody was in Lyon for the gardener"],
        [(Became.SAME, set()), (Became.NEW, set())],
    ),
    "common word shields nothing": (
        [WIRE, "- done", TIDES],
        ["- done", "- Pay up", TIDES],
        [(Became.SAME, set()), (Became.EDITED, {WIRE}), (Became.SAME, set())],
    ),
}


@pytest.mark.parametrize("case", CASES.values(), ids=CASES.keys())
def test_what_became_of_each_line(case: tuple[list[str], list[str], list[tuple[Became, set[str]]]]) -> None:
    before, after, expected = case
    old, new = read_said(before), read_said(after)
    found = follow(old, new, {line_hash(WIRE)})
    came_from = [{line.digest for line in (*item.parents, *item.place)} for item in found]
    assert [item.became for item in found] == [became for became, _lines in expected]
    assert came_from == [{line_hash(line) for line in lines} for _became, lines in expected]


def test_blank_lines_and_rules_say_nothing() -> None:
    assert [line.number for line in read_said(["", "---", "- done", "| --- |", "```"])] == [3]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("- **Wire** the `deposit`", "> wire THE deposit!"),
        ("Ｗｉｒｅ the deposit", "wire the deposit"),
        ("cafe\u0301 au lait", "café au lait"),
        ("Café au lait", "cafe au lait"),
        ("wi\u200bre the de\u00adposit", "wire the deposit"),
        ("wіrе thе dероsіt", "wire the deposit"),
        ("<!-- wire the deposit -->", "wire the deposit"),
        ("客户合同、周五签署", "客户 合同 周五 签署"),
        ("Straße nach Riga", "STRASSE nach Riga"),
    ],
)
def test_dress_and_spelling_change_no_word(first: str, second: str) -> None:
    assert words_of(first) == words_of(second)


@pytest.mark.parametrize(
    ("line", "enough"),
    [
        ("- done", False),
        ("- [ ] call", False),
        ("## Open questions", False),
        ("2026-11-30", False),
        ("- Deploy target: heron", True),
        ("- https://riga.example.org/deposit", True),
        ("- IBAN LV80BANK0000435195001", True),
        ("- 客户合同周五", True),
        ("- 完成", False),
    ],
)
def test_where_the_line_is_drawn(line: str, enough: bool) -> None:
    assert says_enough(words_of(line)) is enough


def copied(source: str, *lines: str) -> set[int]:
    (said,) = read_said([source])
    return Copies([read_said(lines)]).of(said)


def test_lines_that_share_little_are_no_copies() -> None:
    assert copied(WIRE, KEYS, TIDES, "- The deposit of the archive is in the account books") == set()
    assert copied("- We meet in the morning at the office", "- The gardener comes in the morning") == set()


def test_account_number_is_known_again_in_another_sentence() -> None:
    assert copied("- IBAN LV80BANK0000435195001", "- Please use IBAN LV80BANK0000435195001 from now on") == {0}


def test_chinese_line_is_known_again_in_another_sentence() -> None:
    assert copied("- 请把押金汇到里加的账户", "- 园丁说：请把押金汇到里加的账户，谢谢", "- 园丁周五来") == {0}
