"""What a merged sentence must keep of its parents and must not bring of its own.

Both are taken apart in the same way into facts: numbers, dates, names, paths, addresses, ids, negations. A negation
counts with the word that it denies. Where writing does not show what a name is (scripts without capitals, the first
word of a sentence), the words themselves count: a merge that cannot be shown to be sound stays two entries.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile

from clawmem_core.recall.analysis import STOP_WORDS, characters, fold, is_character
from clawmem_core.recall.stemming import stem

_URL = re.compile(r"\b[a-z][a-z0-9+.-]*://[^\s<>\"'`«»“”]+", re.IGNORECASE)
_CODE = re.compile(r"`+([^`]+)`+")
_GROUPED = re.compile(r"(?<=\d)[\u00a0\u2009\u202f'’](?=\d{3}(?!\d))")
_CJK_NUMBER = re.compile("[〇零一二三四五六七八九十百千万萬亿億两兩]+")
_PARTICLES = frozenset(
    "的了是在和与與及也就都而有个個这這那は が を に の で と も へ や です ます した する".replace(" ", "")
)
_ELISION = re.compile(r"^(?:[cdjlmnst]|qu|jusqu|lorsqu|puisqu)['’](?=\w)", re.IGNORECASE)
_POSSESSIVE = re.compile(r"['’]s?$")
_CONTRACTED_NOT = re.compile(r"n['’]t$", re.IGNORECASE)
_EDGES = "()[]{}\"'«»“”„‘’‹›*_`.,;:!?…|。、，；：！？「」『』（）"
_CLOSING = "\"'»”’*_`)]}」』）"
_SENTENCE_ENDS = (".", "!", "?", "…", ":", ";", "。", "！", "？", "：", "；")
_EXACT = frozenset("/\\@_#=")
_SYMBOLS = frozenset("%‰°≤≥<>≈~±=+")

_NEGATIONS = {
    word: canonical
    for canonical, words in {
        "not": "not cannot",
        "no": "no",
        "never": "never",
        "none": "none neither nor nobody nothing nowhere",
        "without": "without",
        "ne": "ne",
        "pas": "pas non",
        "jamais": "jamais",
        "aucun": "aucun aucune nul nulle rien ni",
        "sans": "sans",
        "nicht": "nicht nie niemals kein keine keinen keinem keiner keines ohne weder",
        "nunca": "nunca jamás tampoco sin ningún ninguno ninguna não sem nenhum nenhuma",
    }.items()
    for word in words.casefold().split()
}
# Numbers and dates that are words, in one form, so that "four disks" may become "4 disks"; those that also mean
# something else stand for themselves.
_SAME_WORD = {
    word: canonical
    for canonical, words in {
        "2": "two deux zwei dos",
        "3": "three trois drei tres",
        "4": "four quatre vier cuatro",
        "5": "five cinq fünf cinco",
        "6": "six sechs seis",
        "7": "seven sieben siete",
        "8": "eight huit acht ocho",
        "9": "nine neun nueve",
        "10": "ten dix zehn diez",
        "11": "eleven onze",
        "12": "twelve douze zwölf doce",
        "13": "thirteen treize dreizehn",
        "14": "fourteen quatorze vierzehn",
        "15": "fifteen quinze fünfzehn",
        "16": "sixteen seize sechzehn",
        "17": "seventeen siebzehn",
        "18": "eighteen achtzehn",
        "19": "nineteen neunzehn",
        "20": "twenty vingt zwanzig veinte",
        "30": "thirty trente dreißig treinta",
        "40": "forty quarante vierzig cuarenta",
        "50": "fifty cinquante fünfzig cincuenta",
        "60": "sixty soixante sechzig",
        "70": "seventy siebzig",
        "80": "eighty achtzig",
        "90": "ninety neunzig",
        "100": "hundred hundert cien",
        "1000": "thousand mille tausend",
        "1000000": "million millions",
        "half": "half demi demie moitié",
        "dozen": "dozen douzaine",
        "twice": "twice",
        "one": "one",
        "sept": "sept",
        "neuf": "neuf",
        "cent": "cent cents",
        "second": "second",
        "mars": "mars",
        "1st": "first premier première",
        "2nd": "deuxième",
        "3rd": "third troisième",
        "4th": "fourth quatrième",
        "5th": "fifth cinquième",
        "jan": "january jan janvier janv",
        "feb": "february feb février févr",
        "mar": "march",
        "apr": "april apr avril avr",
        "may": "mai",
        "jun": "june jun juin",
        "jul": "july jul juillet juil",
        "aug": "august aug août",
        "sep": "september sep septembre",
        "oct": "october oct octobre",
        "nov": "november nov novembre",
        "dec": "december dec décembre déc",
        "monday": "monday lundi",
        "tuesday": "tuesday mardi",
        "wednesday": "wednesday mercredi",
        "thursday": "thursday jeudi",
        "friday": "friday vendredi",
        "saturday": "saturday samedi",
        "sunday": "sunday dimanche",
    }.items()
    for word in words.casefold().split()
}


@dataclass(frozen=True)
class _Grounds:
    """A sentence taken apart."""

    facts: frozenset[str]
    """What must be kept and must not be invented; in back quotes what counts letter by letter."""
    openings: frozenset[str]
    """Stems of first words that may be names."""
    said: frozenset[str]
    """Everything that it says, in every form in which a fact may be looked for."""
    stems: frozenset[str]
    """The stems of its words."""


def lost(parents: Sequence[str], text: str) -> str:
    """Return a fact of a parent that the text does not hold, or nothing."""
    merged = _grounds(text)
    for parent in map(_grounds, parents):
        if missing := sorted(parent.facts - merged.said) + sorted(parent.openings - merged.stems):
            return missing[0]
    return ""


def invented(parents: Sequence[str], text: str) -> str:
    """Return a fact of the text that no parent holds, or nothing."""
    merged, known = _grounds(text), [_grounds(parent) for parent in parents]
    said: frozenset[str] = frozenset().union(*(parent.said for parent in known))
    stems: frozenset[str] = frozenset().union(*(parent.stems for parent in known))
    new = sorted(merged.facts - said) + sorted(merged.openings - stems)
    return new[0] if new else ""


@dataclass(frozen=True)
class _Word:
    text: str
    """As it is written, without the marks around it."""
    exact: bool
    """Whether it counts letter by letter."""
    opening: bool
    """Whether it begins a sentence."""
    negation: str = ""


def _grounds(text: str) -> _Grounds:
    words = list(_words(text))
    facts: set[str] = set()
    said: set[str] = set()
    openings: set[str] = set()
    stems: set[str] = set()
    for position, word in enumerate(words):
        if word.negation:
            clause = takewhile(lambda later: not later.opening, words[position + 1 :])
            denied = next((_stem(later.text) for later in clause if _has_content(later)), "")
            facts.add(f"{word.negation} {denied}".strip())
            continue
        plain = _plain(word.text)
        said |= {plain, f"`{word.text}`"}
        stems.add(_stem(word.text))
        if word.exact:
            facts.add(f"`{word.text}`")
        elif _is_fact(word):
            facts.add(plain)
        elif word.opening and word.text[:1].isupper() and plain not in STOP_WORDS:
            openings.add(_stem(word.text))
    marks = frozenset(characters(text)) - _PARTICLES | frozenset(_CJK_NUMBER.findall(text))
    return _Grounds(frozenset(facts | marks), frozenset(openings), frozenset(said | facts | marks), frozenset(stems))


def _words(text: str) -> Iterator[_Word]:
    text = _GROUPED.sub("", "".join(map(_digit, unicodedata.normalize("NFC", text))))
    for url in _URL.findall(text):
        yield _Word(url.rstrip(_EDGES), exact=True, opening=False)
    text = _URL.sub(lambda url: " " + url[0][len(url[0].rstrip(_EDGES)) :], text)
    for code in _CODE.findall(text):
        yield from (_Word(part, exact=True, opening=False) for part in code.split())
    opening = True
    for raw in _CODE.sub(" ` ", text).replace("—", " ").split():
        for piece in _spaced(raw):
            yield from _taken_apart(piece.strip(_EDGES), opening)
        opening = (opening and not raw.strip(_EDGES + "-–")) or raw.rstrip(_CLOSING).endswith(_SENTENCE_ENDS)


def _spaced(raw: str) -> list[str]:
    """Return the parts of a token that belong to scripts with spaces."""
    return [raw] if raw.isascii() else "".join(" " if is_character(mark) else mark for mark in raw).split()


def _taken_apart(token: str, opening: bool) -> Iterator[_Word]:
    if elided := _ELISION.match(token):
        if elided[0][0] in "nN":
            yield _Word(elided[0], exact=False, opening=opening, negation="ne")
        token = token[elided.end() :]
    if _CONTRACTED_NOT.search(token):
        yield _Word(token, exact=False, opening=opening, negation="not")
        return
    token = _POSSESSIVE.sub("", token)
    if negation := _NEGATIONS.get(token.casefold()):
        yield _Word(token, exact=False, opening=opening, negation=negation)
    elif any(mark.isalnum() or mark in _SYMBOLS or unicodedata.category(mark) == "Sc" for mark in token):
        yield _Word(token, exact=bool(_EXACT & set(token)) and token not in _SYMBOLS, opening=opening)


def _is_fact(word: _Word) -> bool:
    """Whether a word is a fact of itself: a number, a date, a name, an id, or a word of a script without capitals."""
    text = word.text
    # A number may be a little word of another language: Spanish "tres".
    if any(part in _SAME_WORD for part in text.casefold().split("-")):
        return True
    if text.casefold() in STOP_WORDS:
        return False
    if any(mark.isnumeric() or mark in _SYMBOLS or unicodedata.category(mark) in ("Sc", "Lo") for mark in text):
        return True
    if re.search(r"\w[.:]\w", text) or re.match(r"--?\w", text):
        return True
    return any(mark.isupper() for mark in (text[1:] if word.opening else text))


def _has_content(word: _Word) -> bool:
    return not word.negation and _plain(word.text) not in STOP_WORDS


def _plain(word: str) -> str:
    return _SAME_WORD.get(word.casefold(), word.casefold())


def _stem(word: str) -> str:
    return stem(fold(word.casefold()))


def _digit(mark: str) -> str:
    """Return a decimal digit of any script as an ASCII one, every other character as it is."""
    return str(unicodedata.decimal(mark)) if mark.isdecimal() else mark
