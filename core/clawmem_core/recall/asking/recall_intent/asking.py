"""Whether a message asks for what was said or done before; pure, without a model.

What somebody quotes, and code, is not theirs to ask: it is left out before the rules look, unless the whole message
is a quotation. All languages are tried on every message, because people mix them.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from clawmem_core.recall.asking.recall_intent.chinese import CHINESE
from clawmem_core.recall.asking.recall_intent.english import ENGLISH
from clawmem_core.recall.asking.recall_intent.french import FRENCH
from clawmem_core.recall.asking.recall_intent.german import GERMAN
from clawmem_core.recall.asking.recall_intent.japanese import JAPANESE
from clawmem_core.recall.asking.recall_intent.korean import KOREAN
from clawmem_core.recall.asking.recall_intent.portuguese import PORTUGUESE
from clawmem_core.recall.asking.recall_intent.rules import Ground, Language, Strength, Table
from clawmem_core.recall.asking.recall_intent.spanish import SPANISH

HEAD_CHARACTERS, TAIL_CHARACTERS = 1_500, 500
"""How much of a long message is looked at: people ask before what they paste, or behind it."""
TABLES: tuple[Table, ...] = (ENGLISH, FRENCH, SPANISH, GERMAN, PORTUGUESE, CHINESE, JAPANESE, KOREAN)
"""The rules, in the order in which they are tried."""

_QUOTATIONS = re.compile(
    r'"[^"\n]{1,200}"|\u201c[^\u201d\n]{1,200}\u201d|\u201e[^\u201c\u201d\n]{1,200}[\u201c\u201d]'
    r"|\u00ab[^\u00bb\n]{1,200}\u00bb|\u300c[^\u300d\n]{1,200}\u300d|\u300e[^\u300f\n]{1,200}\u300f"
)
_CODE_SPANS = re.compile(r"`[^`\n]{1,200}`")
_LETTER = re.compile(r"[^\W_]")
_MARKS = re.compile("[\u0300-\u036f]")
_INVISIBLE = dict.fromkeys([0xAD, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2070), 0xFEFF])
_APOSTROPHES = dict.fromkeys(map(ord, "\u2018\u2019\u02bc\u00b4"), "'")
_TAKEN_OUT = " | "


@dataclass(frozen=True)
class Intent:
    """Why a message counts as asking for the past."""

    language: Language
    rule: str
    """Name of the rule that matched."""
    words: str
    """What it matched, lower-cased, as it was compared."""


def recall_intent(message: str) -> Intent | None:
    """Return how a message asks for the past, None when it does not; time grows with its length and no faster."""
    written = _prepared(message)
    unaccented = _without_accents(written)
    for table in TABLES:
        text = unaccented if table.ground is Ground.UNACCENTED else written
        if not table.compiled_letters.search(text):
            continue
        text = table.compiled_look_alikes.sub(_TAKEN_OUT, text)
        to_come = table.compiled_future.search(text) is not None
        for rule in table.rules:
            if to_come and rule.strength is Strength.ASKING:
                continue
            pattern = rule.ascii if table.ground is Ground.AS_WRITTEN else rule.compiled
            if found := pattern.search(text):
                return Intent(table.language, rule.name, found[0])
    return None


def _prepared(message: str) -> str:
    """Return what a person asks in their own words, lower-cased and on one line."""
    if len(message) > HEAD_CHARACTERS + TAIL_CHARACTERS:
        message = message[:HEAD_CHARACTERS] + "\n" + message[-TAIL_CHARACTERS:]
    text = unicodedata.normalize("NFKC", message.translate(_INVISIBLE | _APOSTROPHES)).casefold()
    prose = _CODE_SPANS.sub(" ", "\n".join(text.split("```")[::2]))
    own = "\n".join(line for line in prose.split("\n") if not line.lstrip().startswith(">"))
    unquoted = _QUOTATIONS.sub(" ", own)
    return " ".join((unquoted if _LETTER.search(unquoted) else own).split())


def _without_accents(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", text)))
