"""Directives: the metadata comment and the imperative sentence, as the contract of USER.md has them.

A sentence is a preference when it begins as an instruction does, in English or in French; everything else is a fact
and belongs elsewhere.
"""

from __future__ import annotations

import re
from datetime import date

_THIRD_PERSON = {
    "prefers": "Prefer",
    "préfère": "Préfère",
    "avoids": "Avoid",
    "likes": "Prefer",
}
_PREFERENCE = re.compile(
    r"^(?:always|never|prefers?|avoids?|do not|don['’]t|please|toujours|jamais|ne (?:jamais|pas)|préfère[sr]?|préférer|"
    r"évite[rz]?|merci de)\b",
    re.IGNORECASE,
)
_SUBJECT = re.compile(
    r"^(?:the (?:user|owner|operator)|user|he|she|they|l['’]utilisat(?:eur|rice)|il|elle)\s+"
    r"(?=prefers\b|préfère\b|avoids\b)",
    re.IGNORECASE,
)


def is_preference(text: str) -> bool:
    """Whether a sentence is a standing preference, which belongs in USER.md."""
    return bool(_PREFERENCE.match(_SUBJECT.sub("", text.strip())))


def as_directive(text: str) -> str:
    """Return a preference as the imperative that the contract asks for; other words stay as they are."""
    plain = _SUBJECT.sub("", text.strip())
    first, space, rest = plain.partition(" ")
    verb = _THIRD_PERSON.get(first.lower())
    if verb is None:
        return plain[:1].upper() + plain[1:]
    return verb + space + rest


def directive_block(text: str, observed: date) -> str:
    """Return the exact lines of an active directive, without the last line end."""
    return f"<!-- observed: {observed.isoformat()} | status: active -->\n\n- {as_directive(text)}"
