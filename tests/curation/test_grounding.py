"""A merged sentence holds every fact of its parents and none of its own, in whatever script and dress they come."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from clawmem_core.curation.claims.grounding import invented, lost

NUMBERS = (
    "7",
    "18789",
    "3.5",
    "3,5",
    "1\u202f500",
    "15:30",
    "2026-11-03",
    "-4",
    "+6",
    "42%",
    "٤٢",
    "１２",
    "½",
    "v1.2.3",
)
WORDS_FOR_NUMBERS = ("seven", "douze", "twenty-two", "lundi", "november", "third", "三十")
NAMES = ("Robin", "VPN", "Brandt", "d'Adler", "Žofie", "Иван", "iPhone", "王伟")
PLACES = (
    "/srv/labels/a.csv",
    "~/.config/x.toml",
    "C:\\keys\\b.pem",
    "https://example.org/x?id=7a",
    "otter.example.org",
)
IDS = ("robin@example.org", "deploy_key", "--dry-run", "7c1e", "#release", "@oncall", "`rm`", "VLAN20")
DENIALS = ("not stopped", "never opened", "isn't closed", "isn’t locked", "no guests", "without gloves", "pas fermé",
           "jamais vide", "n'ouvre rien", "nicht leer")  # fmt: skip
FACTS = (*NUMBERS, *WORDS_FOR_NUMBERS, *NAMES, *PLACES, *IDS, *DENIALS)
DRESS = ("{}", "**{}**", "_{}_", '"{}"', "“{}”", "«{}»", "({})", "{},", "{}.")

_filler = st.lists(
    st.sampled_from(("the", "cellar", "key", "hangs", "beside", "old", "door", "and")), min_size=1, max_size=4
)
_fact = st.sampled_from(FACTS)
_dress = st.sampled_from(DRESS)
_dressed = st.tuples(_fact, _dress)


def _sentence(words: list[str], facts: list[tuple[str, str]]) -> str:
    parts = [" ".join(words), *(f"{dress.format(fact)} {words[0]}" for fact, dress in facts)]
    return " ".join(parts)


def _apart(fact: str, others: list[str]) -> bool:
    """Whether none of the others says this fact as well."""
    return all(lost([f"the key {fact} key"], f"the key {other} key") for other in others)


@given(_filler, st.lists(_dressed, max_size=3), _filler, st.lists(_dressed, max_size=3))
def test_parents_said_one_after_the_other_lose_and_invent_nothing(
    words: list[str], facts: list[tuple[str, str]], more: list[str], others: list[tuple[str, str]]
) -> None:
    parents = [_sentence(words, facts), _sentence(more, others)]
    whole = "; ".join(parents)
    assert lost(parents, whole) == ""
    assert invented(parents, whole) == ""


@given(_filler, _dressed, st.lists(_fact, max_size=3))
def test_a_fact_that_is_dropped_is_noticed(words: list[str], fact: tuple[str, str], others: list[str]) -> None:
    others = [other for other in others if other != fact[0]]
    if _apart(fact[0], others):
        kept = [(other, "{}") for other in others]
        assert lost([_sentence(words, [fact, *kept])], _sentence(words, kept))


@given(_filler, _dressed, st.lists(_fact, max_size=3))
def test_a_fact_that_is_made_up_is_noticed(words: list[str], fact: tuple[str, str], others: list[str]) -> None:
    others = [other for other in others if other != fact[0]]
    if _apart(fact[0], others):
        kept = [(other, "{}") for other in others]
        assert invented([_sentence(words, kept)], _sentence(words, [fact, *kept]))


_inside = _dress.filter(lambda dress: not dress.endswith("."))


@given(_filler, _fact, _inside, _inside)
def test_dress_is_no_fact(words: list[str], fact: str, one: str, other: str) -> None:
    parents, text = [_sentence(words, [(fact, one)])], _sentence(words, [(fact, other)])
    assert not lost(parents, text)
    assert not invented(parents, text)


@pytest.mark.parametrize(
    ("parents", "text"),
    [
        (["Disk of gamma is 61% full"], "Disk of gamma is 6% full"),
        (["Gateway listens on port 18789"], "Gateway listens on port 1878"),
        (["It has 4 disks since 2024"], "It has disks since 2024"),
        (["La remise est de 3,5 %"], "La remise est de 3.5 %"),
        (["The lock opens at 5 bar"], "The lock opens at ５5 bar"),
        (["Never restart delta at night", "Restart delta at noon"], "Restart delta at night and at noon"),
        (["Robin keeps the key", "Robin doesn't drive"], "Robin doesn't keep the key and drives"),
        (["Mila keeps the spare key"], "Robin keeps the spare key"),
        (["The spare key is with Tom"], "The spare key is with him"),
        (["See /srv/Labels/a.csv"], "See /srv/labels/a.csv"),
        (["备份在三点运行"], "备份在四点运行"),
        (["钥匙在王伟那里"], "钥匙在李雷那里"),
        (["المفتاح عند سارة"], "المفتاح عند ليلى"),
        (["The seats cost 5 cents"], "The seats cost 100"),
        (["It ran once"], "It ran 11 times"),
        (["Do not paint the gate"], "Do not grease the gate"),
        (["Robin has not the key"], "Robin has not the van"),
        (["The toll is 5 €"], "The toll is 5 $"),
        (["The rack has thirty-odd bays"], "The rack has bays"),
    ],
)
def test_what_must_not_pass(parents: list[str], text: str) -> None:
    assert lost(parents, text) or invented(parents, text)


@pytest.mark.parametrize(
    ("parents", "text"),
    [
        (["Gamma holds 4 TB in four disks", "Gamma holds 4 TB in 4 old disks"], "Gamma holds 4 TB in 4 old disks"),
        (["Robin's van is blue", "The van of Robin is parked at 9"], "The blue van of Robin is parked at 9"),
        (["Do not restart delta", "Don't restart delta at night"], "Do not restart delta, at night least of all"),
        (["Invoices leave on the third day", "Invoices go to Brandt"], "Invoices to Brandt leave on the third day"),
        (["Backups run at 02:00", "The backup goes to gamma"], "The backup to gamma runs at 02:00"),
        (["La clé est chez Mme Adler", "Mme Adler a la clé d'Otter"], "La clé d'Otter est chez Mme Adler"),
        (["备份在三点运行了"], "备份三点运行"),
        (["The barn holds 1\u202f500 crates"], "The barn holds 1500 crates"),
        (["On 3 November the lease ends", "The lease ends in Nov"], "The lease ends on 3 Nov"),
    ],
)
def test_what_may_pass(parents: list[str], text: str) -> None:
    assert lost(parents, text) == ""
    assert invented(parents, text) == ""


NUMBERS_IN_WORDS = {
    "3": ["three", "trois", "drei", "tres"],
    "5": ["five", "cinq", "fünf", "cinco"],
    "12": ["twelve", "douze", "zwölf", "doce"],
    "30": ["thirty", "trente", "dreißig", "treinta"],
    "1000": ["thousand", "mille", "tausend"],
    "1st": ["first", "premier", "première"],
}
"""Of each language some, with the letters that folding changes."""
SAME_DATE = [
    forms.split()
    for forms in (
        "january jan janvier janv",
        "february feb février févr",
        "april apr avril avr",
        "june jun juin",
        "july jul juillet juil",
        "august aug août",
        "september sep septembre",
        "october oct octobre",
        "november nov novembre",
        "december dec décembre déc",
        "monday lundi",
        "tuesday mardi",
        "wednesday mercredi",
        "thursday jeudi",
        "friday vendredi",
        "saturday samedi",
        "sunday dimanche",
    )
]
WORDS_OF_THEIR_OWN = "march mars mai second sept neuf half demie moitié dozen douzaine twice one cent cents million"
DENYING = """
    not cannot no never none neither nor nobody nothing nowhere without
    ne pas non jamais aucun aucune nul nulle rien ni sans
    nicht nie niemals kein keine keinen keinem keiner keines ohne weder
    nunca jamás tampoco sin ningún ninguno ninguna não sem nenhum nenhuma
"""


@pytest.mark.parametrize("number", NUMBERS_IN_WORDS)
def test_a_number_in_words_is_the_number_and_no_other(number: str) -> None:
    for word in NUMBERS_IN_WORDS[number]:
        said, written = f"the lease names {word} keys", f"the lease names {number} keys"
        assert not lost([said], written), word
        assert not invented([said], written), word
        assert lost([said], "the lease names 99 keys"), word


@pytest.mark.parametrize("forms", SAME_DATE, ids=lambda forms: forms[0])
def test_a_month_or_weekday_is_the_same_in_every_form(forms: list[str]) -> None:
    first = f"the lease ends in {forms[0]}"
    for form in forms:
        assert not lost([f"the lease ends in {form}"], first), form
        assert not invented([f"the lease ends in {form}"], first), form
        assert lost([f"the lease ends in {form}"], "the lease ends in spring"), form


@pytest.mark.parametrize("word", WORDS_OF_THEIR_OWN.split())
def test_a_number_or_date_that_also_means_something_else_stands_for_itself(word: str) -> None:
    assert lost([f"the lease names {word} keys"], "the lease names keys")


@pytest.mark.parametrize("word", DENYING.split())
def test_a_denial_that_is_dropped_or_made_up_is_noticed(word: str) -> None:
    """Without the word the sentence says the opposite."""
    assert lost([f"the gate is {word} locked"], "the gate is locked")
    assert invented(["the gate is locked"], f"the gate is {word} locked")
