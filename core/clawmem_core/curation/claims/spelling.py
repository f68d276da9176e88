"""One spelling for what can be written in several ways: signs, numbers, amounts, times, dates.

`pieces` cuts a sentence into what a comparison works on. Typography goes first: emphasis, quotes, dashes, joined
and full-width letters, what cannot be seen. A number means what it means in the language of its sentence: `1.500`
is fifteen hundred in German and one and a half in English; `1.000` is a thousand everywhere.
"""

from __future__ import annotations

import enum
import re
import unicodedata
from dataclasses import dataclass

_HIDDEN = [
    0xAD, 0x34F, 0x61C, 0x115F, 0x1160, 0x180E, 0x3164, *range(0x200B, 0x2010), *range(0x202A, 0x202F),
    *range(0x2060, 0x2070), *range(0xFE00, 0xFE10), 0xFEFF, *range(0xE0000, 0xE0100),
]  # fmt: skip
_SIGNS = (
    dict.fromkeys(_HIDDEN)
    | dict.fromkeys(map(ord, "\u2018\u2019\u201b\u02bc\u00b4`\uff07"), "'")
    | dict.fromkeys(map(ord, "\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d"), "-")
    | dict.fromkeys(map(ord, "\u2014\u2015"), " ; ")
    | dict.fromkeys(map(ord, '"\u201c\u201d\u201e\u201f\u00ab\u00bb\u2039\u203a'), " ")
    | dict.fromkeys(map(ord, "\u300a\u300b\u300c\u300d\u300e\u300f"), " ")
    | {ord(raised): f"^{digit}" for raised, digit in zip("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789", strict=True)}
    | {ord(part): f" {words} " for part, words in zip("½¼¾⅓⅔", ("1/2", "1/4", "3/4", "1/3", "2/3"), strict=True)}
    | {ord(sign): plain for sign, plain in zip("→⇒←⇐≥≤≠≈", (">", ">", "<", "<", ">=", "<=", "!=", "~"), strict=True)}
    | {ord("œ"): "oe", ord("Œ"): "OE", ord("æ"): "ae", ord("Æ"): "AE"}
)  # fmt: skip
_EMPHASIS = re.compile(r"(?<!\d)\*+|\*+(?!\d)|~~|(?<!\w)_+(?=\w)|(?<=\w)_+(?!\w)")
_LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
_LEADING_LABEL = re.compile(
    r"^(?:(?:please )?note|nb|n\.b\.|fyi|reminder|update|fact|info|remember|à noter|rappel|hinweis|merke|notiz|nota|"
    r"recordatorio)\s*[:：]\s*",
    re.IGNORECASE,
)

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan janvier janv januar jänner enero ene", "february feb février févr fevrier februar febrero",
            "march mar mars märz maerz marzo", "april apr avril avr abril abr", "may mai mayo",
            "june jun juin juni junio", "july jul juillet juil juli julio", "august aug août aout agosto ago",
            "september sept sep septembre septiembre", "october oct octobre oktober okt octubre",
            "november nov novembre noviembre", "december dec décembre déc decembre dezember dez diciembre dic",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_UNITS = {
    spelled: unit
    for unit, spellings in {
        "ms": "ms millisecond milliseconds milliseconde millisecondes millisekunden milisegundos",
        "s": "s sec secs second seconds seconde secondes sekunde sekunden segundo segundos",
        "min": "min mins minute minutes minuten minuto minutos",
        "h": "h hr hrs hour hours heure heures stunde stunden hora horas",
        "d": "d day days jour jours tag tage tagen día días",
        "wk": "wk week weeks semaine semaines woche wochen semana semanas",
        "mo": "month months mois monat monate monaten meses",
        "yr": "yr year years ans année années jahr jahre jahren año años",
        "%": "% percent pct prozent",
        "€": "€ eur euro euros",
        "$": "$ usd dollar dollars",
        "£": "£ gbp",
        "°c": "°c",
        "°f": "°f",
        **{unit: unit for unit in ("kb", "mb", "gb", "tb", "kib", "mib", "gib", "tib")},
        **{unit: unit for unit in ("mm", "cm", "m", "km", "mg", "g", "kg", "ml", "l")},
        **{unit: unit for unit in ("hz", "khz", "mhz", "ghz", "w", "kw", "mw", "kwh", "px")},
    }.items()
    for spelled in spellings.split()
}
_BITS = re.compile("[KMGT]b")
_MILLI = re.compile("m(?:W|Hz)")

_LETTER = "A-Za-z0-9_\u00c0-\u024f"
_UNSPACED = "\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_NUMBER = r"(?:\d{1,3}(?:\ \d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,']\d+)*)"
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_UNIT = "|".join(sorted(map(re.escape, _UNITS), key=len, reverse=True))
_WORD = rf"[^\W\d_{_UNSPACED}]+(?:'[^\W\d_{_UNSPACED}]+)*'?"
_PIECE = re.compile(
    rf"""
      (?P<plain>{_WORD})(?=[\s,;!?)]|[.:](?:\s|$)|$)(?!\.?\s+\d)
    | (?P<url>\b[a-z][a-z0-9+.-]*://[^\s<>{_UNSPACED}]+)
    | (?P<mail>[\w.+-]+@[\w-]+(?:\.[\w-]+)+)
    | (?P<iso>(?<![{_LETTER}])(?P<iy>\d{{4}})(?:(?P<isep>[-/.])|\s?年\s?)(?P<im>\d{{1,2}})(?:(?P=isep)|\s?月\s?)(?P<id>\d{{1,2}})(?:\s?[日号號])?(?![{_LETTER}]))
    | (?P<dotted>(?<![{_LETTER}])(?P<dd>\d{{1,2}})(?P<dsep>[./])(?P<dm>\d{{1,2}})(?P=dsep)(?P<dy>\d{{4}})(?![{_LETTER}]))
    | (?P<written>(?<![{_LETTER}])(?P<wd>\d{{1,2}})(?:st|nd|rd|th|er|\.)?\s+(?:(?:de|of)\s+)?(?P<wm>{_MONTH})(?![{_LETTER}])\.?(?:,?\s+(?:del?\s+)?(?P<wy>\d{{4}})(?!\d))?)
    | (?P<american>(?<![{_LETTER}])(?P<am>{_MONTH})\.?\s+(?P<ad>\d{{1,2}})(?:st|nd|rd|th)?(?![{_LETTER}])(?:,?\s+(?P<ay>\d{{4}})(?!\d))?)
    | (?P<clock>(?<![{_LETTER}.,])(?P<ch>\d{{1,2}})(?:
          :(?P<cm>\d{{2}})(?::\d{{2}})?(?!\d)(?:\s*(?:(?P<half>[ap])\.?m\b\.?|uhr\b))?
        | [.](?P<gm>\d{{2}})\s*uhr\b | \s*uhr\b | \s*(?P<half2>[ap])\.?m\b\.? | \s?h\s?(?P<fm>\d{{2}})(?!\d)))
    | (?P<money>[€$£]\s?(?P<mn>{_NUMBER}))
    | (?P<amount>(?:(?<![\w.,)])-)?(?<![{_LETTER}])(?P<an>{_NUMBER})(?:\s?(?P<unit>{_UNIT})(?![{_LETTER}]))?(?![{_LETTER}]))
    | (?P<path>(?:~|\.{{1,2}})?/?(?:[{_LETTER}.@~+-]+/)+[{_LETTER}.@~+-]*)
    | (?P<code>[{_LETTER}]*\d[{_LETTER}]*(?:[-._:^][{_LETTER}]+)*|[{_LETTER}]+(?:[._][{_LETTER}]+)+)
    | (?P<mark>[<>]=?|!=|±|×|÷|~(?=\s?\d)|(?<=\d)\s?-\s?(?=\d)|(?<=[{_LETTER}])[+\#*]+)
    | (?P<picture>[\u2600-\u27bf\u2b00-\u2bff\U0001f300-\U0001faff])
    | (?P<word>{_WORD})
    | (?P<sign>[{_UNSPACED}])
    | (?P<pause>[;,.!?()&、。・]|(?<=\s)-(?=\s))
    """,  # noqa: E501  # one alternative a line reads better than any folding of it
    re.VERBOSE | re.IGNORECASE,
)
_PLAIN_PIECE = re.compile(r"(?P<word>[a-z]+(?:'[a-z]+)*'?)|(?P<pause>[;,.!?()]|(?<=\s)-(?=\s))", re.IGNORECASE)
_PLAIN = re.compile(r"[A-Za-z ,;:!?()'-]*(?:\.(?=\s|$)[A-Za-z ,;:!?()'-]*)*")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}(?:([.,'])\d{3})(?:\1\d{3})*")


class Kind(enum.Enum):
    """What a piece is."""

    WORD = enum.auto()
    """A word of a script with spaces, in the case in which it was typed."""
    SIGN = enum.auto()
    """A character of a script without spaces."""
    AMOUNT = enum.auto()
    """A number as it was typed, with or without a unit."""
    VALUE = enum.auto()
    """A time, date, path, address, id or comparison, in its one spelling."""
    PICTURE = enum.auto()
    """A sign that may mean something, or stand there for its looks."""
    PAUSE = enum.auto()
    """A mark between two parts of a sentence."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of a sentence."""

    kind: Kind
    text: str
    unit: str = ""
    """The unit of an amount in its one spelling."""


def pieces(sentence: str) -> list[Piece]:
    """Cut a sentence into pieces."""
    plain = _typed(sentence)
    pattern = _PLAIN_PIECE if _PLAIN.fullmatch(plain) else _PIECE
    return [_piece(match) for match in pattern.finditer(plain)]


def amount(piece: Piece, decimal: str) -> str:
    """Return an amount in its one spelling, in a language that has this mark before decimals."""
    sign, number = ("-", piece.text[1:]) if piece.text.startswith("-") else ("", piece.text)
    return sign + _digits(number.replace(" ", ""), decimal) + piece.unit


def _digits(number: str, decimal: str) -> str:
    marks = [mark for mark in number if mark in ".,'"]
    if grouped := _THOUSANDS.fullmatch(number):
        separator = grouped[1]
        if len(marks) > 1 or separator == "'" or separator != decimal or number.endswith("000"):
            return number.replace(separator, "")
    if len(set(marks)) == 2:
        last = max(number.rfind("."), number.rfind(","))
        whole, part = number[:last], number[last + 1 :]
        return re.sub("[.,']", "", whole) + "." + part
    return number.replace(",", ".") if len(marks) == 1 else number


def _typed(sentence: str) -> str:
    """Return a sentence without typography: what is left is letters, digits and plain marks."""
    if "](" in sentence:
        sentence = _LINK.sub(r"\1 \2 ", sentence)
    plain = sentence.translate(_SIGNS)
    if not plain.isascii():
        plain = unicodedata.normalize("NFKC", plain).translate(_SIGNS)
    return _LEADING_LABEL.sub("", _EMPHASIS.sub("", plain.strip()))


def _piece(match: re.Match[str]) -> Piece:
    text = match[0]
    match match.lastgroup:
        case "plain" | "word":
            return Piece(Kind.WORD, text.rstrip("'"))
        case "sign":
            return Piece(Kind.SIGN, text)
        case "pause":
            return Piece(Kind.PAUSE, text)
        case "picture":
            return Piece(Kind.PICTURE, text)
        case "amount":
            return Piece(Kind.AMOUNT, ("-" if text.startswith("-") else "") + match["an"], _unit(match["unit"] or ""))
        case "money":
            return Piece(Kind.AMOUNT, match["mn"], text[0])
    return Piece(Kind.VALUE, _value(match))


def _value(match: re.Match[str]) -> str:
    text = match[0]
    match match.lastgroup:
        case "iso":
            return _date(match["iy"], match["im"], match["id"])
        case "dotted":
            return _dotted(match["dd"], match["dm"], match["dy"], match["dsep"])
        case "written":
            return _date(match["wy"], str(_MONTHS[match["wm"].lower()]), match["wd"])
        case "american":
            return _date(match["ay"], str(_MONTHS[match["am"].lower()]), match["ad"])
        case "clock":
            minute = match["cm"] or match["gm"] or match["fm"] or "00"
            return _time(match["ch"], minute, match["half"] or match["half2"])
        case "mail":
            return text.lower()
        case "code":
            return text if re.search("[._^]", text) else text.lower()
        case "mark":
            return text.strip()
    return text.rstrip(".,;:!?)'")


def _time(hour: str, minute: str, half: str | None) -> str:
    """Return a time of day on 24 hours; `half` is the a or p of am and pm."""
    if half is None:
        return f"{int(hour):02d}:{minute}"
    return f"{int(hour) % 12 + (12 if half.lower() == 'p' else 0):02d}:{minute}"


def unit(word: str) -> str:
    """Return the one spelling of a unit, nothing for a word that is none."""
    return _UNITS.get(word.lower(), "")


def _unit(typed: str) -> str:
    if typed in ("M", "G"):
        return typed
    if _BITS.fullmatch(typed):
        return typed.lower() + "it"
    return "milli" + typed.lower() if _MILLI.fullmatch(typed) else unit(typed)


def _date(year: str | None, month: str, day: str) -> str:
    return f"{year or '-'}-{int(month):02d}-{int(day):02d}"


def _dotted(first: str, second: str, year: str, separator: str) -> str:
    """Read a date whose order is not said: a dot puts the day first; a slash tells when one number is no month."""
    if separator == "." or int(first) > 12 or first == second:
        return _date(year, second, first)
    return _date(year, first, second) if int(second) > 12 else f"{first}/{second}/{year}"
