"""Near misses: what a message says instead of a keyword's word, so that somebody who expected a fire sees why not.

Matching is exact on purpose; here it is told apart whether another form of the word stood there, a slip of the hand,
an accent, a word grown together with others, or the right words in another order.
"""

from __future__ import annotations

import enum
import re
from collections.abc import Sequence
from dataclasses import dataclass

from clawmem_core.intents.reading import Heard, is_unsegmented, terms_of, without_accents
from clawmem_core.intents.values import Intent

MIN_STEM = 3
"""Letters that two forms of a word have in common at least."""
MIN_TYPO = 4
"""Letters of a word in which one wrong letter is taken for a slip."""
_FORMS = """
    s es e d ed ing er ers or ors ly y ies ied ning ting ment x ee ees ent ement ons ez al aux eur eurs
    euse ant ation
"""
_ENDINGS = frozenset(_FORMS.split()) | {""}
"""What forms of a word may end with, English and French, without accents."""
_JOINTS = re.compile("[-_]+")


class Nearness(enum.StrEnum):
    """How near a word of a message is to one that was wanted; also the order in which it is asked."""

    ACCENT = "accent"
    JOINED = "joined"
    """It is grown together with others by `-` or `_`, or should be."""
    UNSEGMENTED = "unsegmented"
    """It stands inside a run of a script without spaces."""
    STEM = "stem"
    TYPO = "typo"
    ORDER = "order"
    """Every word is there, and in another order: no obstacle, but perhaps not what was meant."""


@dataclass(frozen=True)
class NearMiss:
    """A keyword entry that a message nearly says, or says in another order."""

    nearness: Nearness
    entry: str
    wanted: str
    """The word of the entry that is not there; for another order the whole entry."""
    said: str
    """What the message has in its place."""


def near_miss(intent: Intent, heard: Heard) -> NearMiss | None:
    """Return the nearest entry of an intent that does not match: of those that lack fewest words, the first."""
    best: tuple[int, NearMiss] | None = None
    for entry in intent.keywords:
        missing = [term for term in terms_of(entry, heard.manner) if not heard.has(term)]
        found = [near for term in missing if (near := _nearest(entry, term, heard))]
        if missing and len(found) == len(missing) and (best is None or len(missing) < best[0]):
            best = len(missing), found[0]
    return best[1] if best else None


def another_order(entry: str, heard: Heard) -> NearMiss | None:
    """Return that the words of a matching entry do not follow each other in a message as they do in the entry."""
    terms = terms_of(entry, heard.manner)
    if len(terms) < 2 or any(term not in heard.order for term in terms):
        return None
    width = len(terms)
    if any(heard.order[start : start + width] == terms for start in range(len(heard.order) - width + 1)):
        return None
    said = " ".join(sorted(terms, key=heard.order.index))
    return NearMiss(Nearness.ORDER, entry, entry, said)


def _nearest(entry: str, term: str, heard: Heard) -> NearMiss | None:
    nearest: tuple[int, str] | None = None
    ranks = list(Nearness)
    for said in dict.fromkeys(heard.order):
        nearness = _nearness(term, said, heard.order)
        if nearness and (nearest is None or ranks.index(nearness) < nearest[0]):
            nearest = ranks.index(nearness), said
    return NearMiss(ranks[nearest[0]], entry, term, nearest[1]) if nearest else None


def _nearness(term: str, said: str, order: Sequence[str]) -> Nearness | None:
    if term == said:
        return None
    plain, spoken = without_accents(term), without_accents(said)
    if plain == spoken:
        return Nearness.ACCENT
    if plain in _JOINTS.split(spoken) or _parts_in(plain, spoken, order) or _JOINTS.sub("", plain) == spoken:
        return Nearness.JOINED
    if is_unsegmented(term) and term in said:
        return Nearness.UNSEGMENTED
    if _same_stem(plain, spoken):
        return Nearness.STEM
    return Nearness.TYPO if min(len(plain), len(spoken)) >= MIN_TYPO and one_slip(plain, spoken) else None


def _parts_in(plain: str, spoken: str, order: Sequence[str]) -> bool:
    """Whether a wanted word has joints, and stands in the message in its parts, the first of which is this one."""
    parts = [part for part in _JOINTS.split(plain) if part]
    return len(parts) > 1 and parts[0] == spoken and all(part in order for part in parts)


def _same_stem(one: str, other: str) -> bool:
    shared = 0
    while shared < min(len(one), len(other)) and one[shared] == other[shared]:
        shared += 1
    return any(one[cut:] in _ENDINGS and other[cut:] in _ENDINGS for cut in range(MIN_STEM, shared + 1))


def one_slip(one: str, other: str) -> bool:
    """Whether one letter too many, too few, wrong, or changed with its neighbour is all that tells two words apart."""
    if len(one) > len(other):
        one, other = other, one
    if len(other) - len(one) > 1:
        return False
    at = next((number for number, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), len(one))
    if len(one) < len(other):
        return one[at:] == other[at + 1 :]
    swapped = one[at + 1 : at + 2] + one[at : at + 1] + one[at + 2 :]
    return one != other and (one[at + 1 :] == other[at + 1 :] or swapped == other[at:])
