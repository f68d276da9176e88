"""What a file hides becomes visible, and what a terminal or a markup language would act on is only shown."""

from __future__ import annotations

import string
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from wcwidth import wcwidth

from clawmem_core.visible import MARKS_PER_BASE
from clawmem_tui.safe import content, safe, safe_lines, short, without_hidden

NASTY = st.text(
    st.one_of(
        st.characters(),
        st.sampled_from(
            "\x1b\x07\x9b\u202e\u2066\u200b\u200d\ufe0f\ufe0e\u00ad\u2028\u2029\u00a0\u0301\u0338\U000e0041"
        ),
        st.sampled_from("👩👧❤🔥🏽🏳🌈a1 #\u20e3é中"),
        st.characters(categories=["Cs", "Cf", "Mn", "Me"]),
    ),
    max_size=40,
)


@given(NASTY)
def test_safe_text_stays_as_it_is(text: str) -> None:
    assert safe(safe(text)) == safe(text)


@given(NASTY)
def test_nothing_hidden_or_obeyed_is_left(text: str) -> None:
    shown = safe(text)
    assert not [c for c in shown if unicodedata.category(c) in {"Cc", "Cf", "Cs", "Zl", "Zp", "Co"}]
    assert all(c == " " for c in shown if unicodedata.category(c) == "Zs")
    assert not set(shown) & {"\ufe0e", "\ufe0f"}


@given(NASTY)
def test_marks_never_pile_up(text: str) -> None:
    run = 0
    for character in safe(text):
        run = run + 1 if unicodedata.category(character).startswith("M") else 0
        assert run <= MARKS_PER_BASE


@given(st.text(string.printable[:95], max_size=80))
def test_printable_ascii_is_unchanged(text: str) -> None:
    assert safe(text) == text


@given(NASTY)
def test_a_draft_loses_only_what_was_hidden(text: str) -> None:
    draft, removed = without_hidden(text)
    assert without_hidden(draft) == (draft, 0)
    assert removed <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "Le café est prêt, déjà.",
        "ゲートウェイは18789番ポートで待ち受ける",
        "Резервные копии в 02:00",
        "שָׁלוֹם",
        "สวัสดีครับ",
        "ཨོཾ་མ་ཎི",
        "👩 and 🌈 and 👍",
        "e\u0301 is é",
        "[bold red]not markup[/] $accent [/]",
    ],
)
def test_people_write_in_every_script(text: str) -> None:
    assert safe(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b]0;owned\x07", "␛]0;owned␇"),
        ("a\x9b31mb", "a‹U+009B›31mb"),
        ("a\nb\r\tc\x7f", "a␊b␍␉c␡"),
        ("user\u202etxt.exe", "user‹U+202E›txt.exe"),
        ("pass\u200bword", "pass‹U+200B›word"),
        ("co\u00adop", "co‹U+00AD›op"),
        ("a\u2028b", "a‹U+2028›b"),
        ("prix\u00a0: 3\u202f€", "prix⍽: 3⍽€"),
        ("a\u2003b", "a‹U+2003›b"),
        ("byte \udcff", "byte ‹byte FF›"),
        ("half \ud800", "half ‹U+D800›"),
        ("I ❤\ufe0f it", "I ❤ it"),
        ("1\ufe0f\u20e3", "1\u20e3"),
        ("x\ufe0f", "x‹U+FE0F›"),
        ("a\u200db", "a‹U+200D›b"),
        ("\u200b" * 40, "‹U+200B›×40"),
        ("Z" + "\u0335" * 30, "Z" + "\u0335" * 4 + "‹mark›×26"),
        ("\u0301x", "◌\u0301x"),
        ("ok" + "".join(chr(0xE0000 + ord(c)) for c in "rm -rf"), "ok‹tags rm -rf›"),
        ("\u3164", "‹U+3164›"),
        ("\u2800", "‹U+2800›"),
        ("👩" + "\u200d👩" * 5, "👩👩👩👩‹U+200D›👩👩"),
    ],
)
def test_hidden_things_are_named(text: str, shown: str) -> None:
    assert safe(text) == shown


def test_a_long_run_of_different_hidden_characters_is_counted() -> None:
    assert safe("".join(chr(0xE0100 + n) for n in range(40))).endswith("‹+34›")


def test_b119_brackets_are_brackets() -> None:
    drawn = content("[/] [bold]x[/bold] [@click=app.quit]y[/]", "bold")
    assert drawn.plain == "[/] [bold]x[/bold] [@click=app.quit]y[/]"
    assert len(drawn.spans) == 1


@pytest.mark.parametrize(
    ("text", "shown", "cells"),
    [
        ("❤\ufe0f", "❤", 1),
        ("👩\u200d👩\u200d👧", "👩👩👧", 6),
        ("🏳\ufe0f\u200d🌈", "🏳🌈", 3),
        ("👍🏽", "👍", 2),
        ("🇫🇷🇩🇪", "⚑FR⚑DE", 6),
        ("中文", "中文", 4),
        ("a🏽", "a‹U+1F3FD›", 10),
    ],
)
def test_b121_a_picture_is_as_wide_as_every_terminal_thinks(text: str, shown: str, cells: int) -> None:
    assert safe(text) == shown
    assert cell_len(shown) == cells
    assert sum(max(0, wcwidth(character)) for character in shown) == cells


def test_lines_end_only_where_files_end_them() -> None:
    assert safe_lines("a\r\nb\rc\nd\u2028e\x0bf") == ["a", "b", "c", "d‹U+2028›e␋f"]


def test_a_huge_line_is_cut_with_a_sign() -> None:
    assert short("x" * 5_000_000, 10) == "x" * 9 + "…"
    assert short("x" * 10, 10) == "x" * 10
