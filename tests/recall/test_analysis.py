from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.recall.analysis import MAX_WORD, STOP_WORDS, characters, fold, query_tokens, signature, terms, tokens
from clawmem_core.recall.stemming import stem


@pytest.mark.parametrize(
    ("written", "asked"),
    [
        ("café fermé", "cafe ferme"),
        ("l'hôte de préproduction", "HOTE preproduction"),
        ("L’ŒUVRE", "oeuvre"),
        ("Straße", "strasse"),
        ("İstanbul", "istanbul"),
        ("cafe\u0301", "café"),
        ("ＡＢＣ", "abc"),
        ("ﾃｽﾄ", "テスト"),
        ("pay\u200bpal soft\u00adhyphen", "paypal softhyphen"),
        ("Z͙͑a͎l̛g̠o", "zalgo"),
        ("caf\udce9", "café"),
        ("Anna's printer", "anna printer"),
        ("aujourd’hui", "aujourd'hui"),
        ("snake_case", "snake case"),
    ],
)
def test_what_is_asked_meets_what_is_written(written: str, asked: str) -> None:
    assert set(query_tokens(asked)) <= set(tokens(written))


@pytest.mark.parametrize(
    "family",
    [
        "invoice invoices",
        "deploy deploys deployed deploying deployment deployments",
        "prefer prefers preferred",
        "run runs running runner",
        "stop stopped stopping",
        "city cities",
        "focus focused focuses",
        "process processes processed",
        "sauvegarde sauvegardes sauvegarder sauvegardé",
        "demande demander demandée demandées demandent demandait",
        "cheval chevaux",
        "bateau bateaux",
        "mensuel mensuelle mensuels",
        "heureux heureuse",
        "réunion réunions",
        "national nationale nationaux",
        "déploiement déployer",
    ],
)
def test_forms_of_one_word_share_a_stem(family: str) -> None:
    assert len({stem(fold(word)) for word in family.split()}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("printer", "paper"), ("alpha", "alps"), ("class", "close"), ("need", "net")]
)
def test_different_words_keep_different_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


@given(st.from_regex(r"[a-z]{1,20}", fullmatch=True))
def test_a_stem_is_its_own_stem_and_never_empty(word: str) -> None:
    assert stem(stem(word)) == stem(word)
    assert stem(word)


def test_runs_without_spaces_give_pairs_and_a_lone_character_itself() -> None:
    assert tokens("部署目标") == ["部署", "署目", "目标"]
    assert tokens("猫") == ["猫"]
    assert tokens("한국어") == ["한국", "국어"]
    assert characters("黑猫 beta 狗") == ["黑", "猫", "狗"]


def test_latin_and_unspaced_scripts_mix_in_one_word() -> None:
    assert tokens("beta版をdeployする") == ["beta", "版を", "deploi", "する"]


def test_stop_words_leave_queries_in_both_languages_but_never_all_of_a_query() -> None:
    assert query_tokens("What is the deploy target of the host?") == tuple(tokens("deploy target host"))
    assert query_tokens("Quelle est la réunion du mardi ?") == tuple(tokens("réunion mardi"))
    assert query_tokens("to be or not to be") == ("to", "be", "or", "not")
    assert "the" in tokens("the host")


def test_an_accent_tells_tea_from_the() -> None:
    assert query_tokens("thé vert") == ("the", "vert")


def test_an_elided_letter_is_no_word_and_a_written_one_is() -> None:
    assert tokens("c'est l'hôte") == ["est", "hot"]
    assert query_tokens("plan C") == ("plan", "c")


def test_terms_are_content_words_as_written() -> None:
    assert terms("The café of the café, a 部署 in Reims") == ("café", "部署", "reims")
    assert terms("user: the deployed hosts") == ("user", "deployed", "hosts")


def test_stop_words_are_lower_case_words() -> None:
    assert all(word == word.lower() and word.isalpha() for word in STOP_WORDS)


@given(st.text(max_size=200))
def test_any_text_gives_short_encodable_tokens(text: str) -> None:
    for token in (*tokens(text), *query_tokens(text), *characters(text), *terms(text), *signature(text)):
        assert token
        assert len(token) <= 2 * MAX_WORD
        token.encode()


@given(st.text(max_size=200))
def test_a_query_is_made_of_tokens_that_its_own_text_has(text: str) -> None:
    assert set(query_tokens(text)) <= set(tokens(text))


@given(st.text(max_size=80))
def test_letter_case_and_accents_do_not_matter_for_ascii_letters(text: str) -> None:
    plain = "".join(character for character in text if character.isascii())
    assert tokens(plain.upper()) == tokens(plain.lower())
