"""Whether a message asks for the past: OpenClaw's recorded cases, our own in eight languages, and hostile ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

import pytest

from clawmem_core.recall.asking.recall_intent.asking import HEAD_CHARACTERS, TABLES, TAIL_CHARACTERS, recall_intent
from clawmem_core.recall.asking.recall_intent.rules import Language
from tests.data import needed, oracle
from tests.recall.intent_examples import chinese, english, french, german, japanese, korean, portuguese, spanish

EXAMPLES = {
    Language.ENGLISH: (english.POSITIVE, english.NEGATIVE),
    Language.FRENCH: (french.POSITIVE, french.NEGATIVE),
    Language.SPANISH: (spanish.POSITIVE, spanish.NEGATIVE),
    Language.GERMAN: (german.POSITIVE, german.NEGATIVE),
    Language.PORTUGUESE: (portuguese.POSITIVE, portuguese.NEGATIVE),
    Language.CHINESE: (chinese.POSITIVE, chinese.NEGATIVE),
    Language.JAPANESE: (japanese.POSITIVE, japanese.NEGATIVE),
    Language.KOREAN: (korean.POSITIVE, korean.NEGATIVE),
}
FRENCH_ASKS = "7: French counts as well; OpenClaw has no rules for it"
GERMAN_ASKS = "7: German counts as well; the recorded OpenClaw says no to its plainest questions"
DIFFERENCES = {
    "qu'avons-nous décidé": FRENCH_ASKS,
    "hier nous avons parlé": FRENCH_ASKS,
    "la dernière fois": FRENCH_ASKS,
    "précédemment": FRENCH_ASKS,
    "was haben wir gestern entschieden": GERMAN_ASKS,
    "erinnerst du dich": GERMAN_ASKS,
    "letztes Mal": GERMAN_ASKS,
}
"""Recorded messages of which we say the opposite, and the sentence of the specification that asks for it."""


def both() -> Iterator[tuple[Language, str, bool]]:
    for language, (positive, negative) in EXAMPLES.items():
        yield from ((language, message, True) for message in positive)
        yield from ((language, message, False) for message in negative)


def test_every_recorded_case_agrees_or_differs_for_a_reason() -> None:
    wrong = []
    for case in oracle("recall_intent.json")["cases"]:
        said = recall_intent(case["message"]) is not None
        if said == (case["recall_intent"] ^ (case["message"] in DIFFERENCES)):
            continue
        wrong.append((case, recall_intent(case["message"])))
    assert wrong == []


@pytest.mark.parametrize(("language", "message", "asks"), list(both()))
def test_what_people_write(language: Language, message: str, asks: bool) -> None:
    found = recall_intent(message)
    assert (found is not None) is asks, f"{language.value}: {found}"


@pytest.mark.parametrize("language", Language)
def test_each_language_has_examples_enough_and_is_recognised_by_its_own_rules(language: Language) -> None:
    positive, negative = EXAMPLES[language]
    assert min(len(set(positive)), len(set(negative))) >= 30
    own = [message for message in positive if (found := recall_intent(message)) and found.language is language]
    assert len(own) >= 0.75 * len(positive), "the others are recognised by another language's rules"


def test_every_rule_is_needed_by_some_example_or_recorded_case() -> None:
    messages = [message for _, message, asks in both() if asks]
    used = {(found.language, found.rule) for message in messages if (found := recall_intent(message))}
    unused = [(table.language.value, rule.name) for table in TABLES for rule in table.rules
              if (table.language, rule.name) not in used]  # fmt: skip
    assert unused == []


def test_it_says_which_language_and_rule_and_by_which_words() -> None:
    found = recall_intent("Say,  what   did\nwe DECIDE about the router?")
    assert found
    assert (found.language, found.rule, found.words) == (Language.ENGLISH, "what did we", "what did we")
    french_found = recall_intent("tu te souviens du nom ?")
    assert french_found
    assert (french_found.language, french_found.rule) == (Language.FRENCH, "do you remember")


FUTURES = [
    ("do you remember the number", "do you remember the number tomorrow", "tomorrow, what did we decide?"),
    ("tu te souviens du nom", "demain tu te souviens du nom ?", "demain : qu'a-t-on dit hier soir ?"),
    ("¿te acuerdas?", "¿te acuerdas la próxima semana?", "la próxima semana haremos lo que decidimos ayer"),
    ("erinnerst du dich", "erinnerst du dich nächste Woche?", "nächste Woche: was haben wir gestern entschieden?"),
    ("você lembra?", "amanhã você lembra?", "amanhã faço o que combinamos ontem"),
    ("还记得吗", "明天还记得吗", "明天做上次说的那件事"),
    ("覚えてる？", "来週覚えてる？", "来週、前回話した件をやる"),
    ("기억나?", "내일 기억나?", "내일 지난번에 말했던 거 하자"),
]


@pytest.mark.parametrize(("asked", "to_come", "clear"), FUTURES)
def test_a_time_to_come_suppresses_unless_the_past_is_named(asked: str, to_come: str, clear: str) -> None:
    assert recall_intent(asked)
    assert recall_intent(to_come) is None
    assert recall_intent(clear)


def test_code_and_quotations_are_nobodys_question_but_a_message_in_quotes_is() -> None:
    assert recall_intent("what is `what did we decide` in French") is None
    assert recall_intent("review this:\n```py\n# yesterday we decided\n```") is None
    assert recall_intent("```\nprint(1)\n```\nwhat did we decide about this?")
    assert recall_intent("translate «qu'avons-nous décidé» please") is None
    assert recall_intent('"what did we decide?"')
    assert recall_intent("> old mail\n> yesterday\n\nthanks!") is None
    assert recall_intent("> the quote\nwhat did we say about that")


def test_it_is_the_same_however_it_is_typed() -> None:
    for typed in (
        "Qu’avons-nous décidé ?",
        "QU'AVONS-NOUS DÉCIDÉ",
        "qu'avons nous decide",
        "qu\u2019avons-nous d\u00e9cide\u0301",
    ):
        assert recall_intent(typed), typed
    assert recall_intent("what\u200b did we de\u00adcide")
    assert recall_intent("ｗｈａｔ did we decide")


# Long and hostile messages

SEEDS = (
    *("what ", "what did ", "did you ", "on a ", "est-ce qu'on ", "que ", "was haben wir ", "ge", "quando a "),
    *("上次", "我们说", "前回", "いつ", "우리 ", "지난번 ", '"', "「", "`", "```", "> ", "«“", "é", "\u200b"),
    *("what-a'b+c ", "a" * 21 + " ", "\ud800"),
)


@pytest.mark.parametrize("seed", SEEDS, ids=range(len(SEEDS)))
def test_a_hostile_message_is_answered(seed: str) -> None:
    long = seed * (200_000 // len(seed))
    found = recall_intent(long)
    assert found is None or len(found.words) <= HEAD_CHARACTERS + TAIL_CHARACTERS


def test_of_a_long_message_head_and_tail_are_looked_at() -> None:
    paste, question = "log line 17 ok\n" * 100_000, "what did we decide about this?"
    assert recall_intent(question + "\n" + paste)
    assert recall_intent(paste + question)
    assert recall_intent(paste + question + "\n" + paste) is None


def test_no_pattern_repeats_without_a_bound() -> None:
    """Then the work for one place of a message is bounded, and the whole grows with its length only."""
    for table in TABLES:
        patterns = [table.look_alikes, table.future, *(rule.pattern for rule in table.rules)]
        for pattern in patterns:
            bare = re.sub(r"\[[^\]]{1,60}\]", "c", re.sub(r"\\.", "e", pattern))
            assert not re.search(r"[*+]|\{\d*,\}", bare), (table.language, pattern)
            bounds = [int(most) for most in re.findall(r"\{\d+,(\d+)\}", bare)]
            assert max(bounds, default=0) <= 60, (table.language, pattern)


# Against data that nobody wrote for this


def test_temporal_questions_of_recorded_conversations_count() -> None:
    conversations = json.loads(needed("locomo", "locomo_first5.json").read_text(encoding="utf-8"))
    temporal = [item["question"] for talk in conversations for item in talk["qa"] if item["category"] == 2]
    found = [question for question in temporal if recall_intent(question)]
    assert len(found) >= 0.85 * len(temporal), f"{len(found)} of {len(temporal)}"


def test_requests_that_have_nothing_to_do_with_the_past_do_not() -> None:
    data = json.loads(needed("prefeval", "prefeval_10_topics.json").read_text(encoding="utf-8"))
    asked = [item["question"] for topic in data["topics"].values() for item in topic]
    wrong = [question for question in asked if recall_intent(question)]
    assert len(asked) > 400
    assert len(wrong) <= 0.01 * len(asked), wrong
