"""Little words of English, French, German and Spanish, by what they do to a claim.

Two sentences are compared without their fillers, and with everything that turns a claim round: who does what to
whom (relations), denials, conditions. Words are lower-cased, accents as written. A word that means something else
in another language stands in its own language's list only; `guess` tells which list to read a sentence with.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def _forms(words: str) -> dict[str, str]:
    """Return the first form by each form of a word; words are apart by semicolons, their forms by spaces."""
    return {form: forms.split()[0] for forms in words.split(";") for form in forms.split()}


def _counted(words: str, tens: str) -> dict[str, str]:
    """Return digits by number word: `words` count from 2, `tens` are 20, 30 and so on."""
    ones = {word: str(value) for value, word in enumerate(words.split(), start=2)}
    return ones | {word: str(value) for value, word in zip(range(20, 100, 10), tens.split(), strict=False)}


@dataclass(frozen=True, eq=False)
class Language:
    """The little words of one language."""

    decimal: str
    """What stands before the decimals of a number."""
    fillers: frozenset[str]
    """Words without which a claim is the same."""
    relations: dict[str, str]
    """Words that tie the next word to the rest, by what they mean."""
    joiners: frozenset[str]
    """Words between two things that are said; without them both are said still."""
    reasons: frozenset[str]
    """Words between two things of which one is there for the other; without them both are said still."""
    denials: dict[str, str]
    """Words that deny, by what they mean."""
    conditions: frozenset[str]
    """Words that narrow a claim: what follows is part of what is meant."""
    values: frozenset[str]
    """Words that are values, as numbers are: days, months, directions."""
    numbers: dict[str, str]
    """Number words, by digits."""
    spellings: dict[str, str]
    """Other forms of the same word, and words that end like an inflected one."""
    inflections: tuple[tuple[str, str], ...]
    """Endings and what stands instead of them; the first that fits."""
    shortest: int
    """Letters that an ending leaves at least."""
    known: frozenset[str] = field(init=False)
    """All of them: what a language is recognised by."""

    def __post_init__(self) -> None:
        """Collect what the language is recognised by."""
        groups: tuple[Iterable[str], ...] = (
            self.fillers, self.relations, self.joiners, self.reasons, self.denials, self.conditions, self.values
        )  # fmt: skip
        object.__setattr__(self, "known", frozenset(word for group in groups for word in group))


ENGLISH = Language(
    decimal=".",
    fillers=_set(
        """a an the is are am be being been it that which who do does called named now currently presently actually
        really very quite please also still already again indeed simply basically our"""
    ),
    relations=_forms("of; to; from; for; with; by; than; via; into; onto; as; in; on; at"),
    joiners=_set("and but plus"),
    reasons=_set("because so while whereas though although"),
    denials=_forms("not; no; never; none; nobody; nothing; neither; nor; without; hardly; rarely seldom"),
    conditions=_set("if unless until till when whenever except only before after since provided once whether or"),
    values=_set("up down left right north south east west high low open closed enabled disabled first second third"),
    numbers=_counted("two three four five six seven eight nine ten eleven twelve",
                       "twenty thirty forty fifty sixty seventy eighty ninety"),
    spellings={"were": "was", "news": "news", "goods": "goods", "customs": "customs"},
    inflections=(("sses", "ss"), ("tches", "tch"), ("nches", "nch"), ("shes", "sh"), ("xes", "x"), ("ies", "y"),
                 ("ss", "ss"), ("us", "us"), ("is", "is"), ("s", "")),
    shortest=3,
)  # fmt: skip
"""English."""

FRENCH = Language(
    decimal=",",
    fillers=_set(
        """le la les l un une des est sont être c ce ça y qui que qu actuellement maintenant désormais aussi déjà
        très vraiment nommé nommée nommés nommées appelé appelée appelés appelées svp merci notre nos"""
    ),
    relations=_forms("de d du; à au aux; dans en; sur; par; pour; avec; chez; vers; sous"),
    joiners=_set("et mais"),
    reasons=_set("car parce donc puisque puisqu alors ainsi tandis"),
    denials=_forms("pas; jamais; aucun aucune; rien; sans; ni; guère"),
    conditions=_set(
        "si sauf jusque jusqu quand lorsque lorsqu avant après depuis seulement uniquement dès pendant tant ou hors"
    ),
    values=_set(
        """lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril mai juin juillet août
        septembre octobre novembre décembre nord sud ouest haut bas gauche droite ouvert fermé"""
    ),
    numbers=_counted("deux trois quatre cinq six sept huit neuf dix onze douze",
                       "vingt trente quarante cinquante soixante"),
    spellings={"étaient": "était", "cours": "cours", "fils": "fils"},
    inflections=(("eaux", "eau"), ("aux", "al"), ("ss", "ss"), ("s", ""), ("x", "")),
    shortest=3,
)  # fmt: skip
"""French."""

GERMAN = Language(
    decimal=",",
    fillers=_set(
        """der die das den dem des ein eine einen einem einer eines ist sind dass daß es welche welcher welches
        jetzt nun derzeit aktuell momentan sehr auch schon bereits bitte wirklich eigentlich namens genannt unser
        unsere unserer unseren unserem unseres"""
    ),
    relations=_forms("von vom; zu zum zur; aus; für; mit; durch; als; bei beim; in im; an am; auf; um"),
    joiners=_set("und aber sondern sowie"),
    reasons=_set("weil denn während damit"),
    denials=_forms("nicht; kein keine keinen keinem keiner keines; nie niemals; niemand; nichts; ohne; weder"),
    conditions=_set(
        "wenn falls außer ausser bis bevor nachdem seit sobald nur ob oder vor nach noch solange"
    ),
    values=_set(
        """montag dienstag mittwoch donnerstag freitag samstag sonntag montags dienstags mittwochs donnerstags
        freitags samstags sonntags oben unten links rechts offen geschlossen"""
    ),
    numbers=_counted("zwei drei vier fünf sechs sieben acht neun zehn elf zwölf",
                       "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"),
    spellings={"waren": "war", "wurden": "wurde", "werden": "wird"},
    inflections=(("en", ""), ("ss", "ss"), ("n", ""), ("e", ""), ("s", "")),
    shortest=4,
)  # fmt: skip
"""German."""

SPANISH = Language(
    decimal=",",
    fillers=_set(
        """el la los las un una unos unas es son está están estar ser que cual ahora actualmente muy también ya
        realmente llamado llamada llamados llamadas nuestro nuestra nuestros nuestras hay"""
    ),
    relations=_forms("de del; a al; en; con; por; para; como; sobre; hacia"),
    joiners=_set("y e pero sino"),
    reasons=_set("porque pues mientras así"),
    denials=_forms("no; nunca jamás; ningún ninguna ninguno; nadie; nada; sin; ni; tampoco"),
    conditions=_set(
        "si salvo excepto hasta cuando antes después solo sólo únicamente o u desde"
    ),
    values=_set(
        """lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto
        septiembre octubre noviembre diciembre norte sur este oeste izquierda derecha abierto cerrado"""
    ),
    numbers=_counted("dos tres cuatro cinco seis siete ocho nueve diez once doce",
                       "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa"),
    spellings={"eran": "era", "estaban": "estaba", "fueron": "fue"},
    inflections=(("ces", "z"), ("res", "r"), ("les", "l"), ("nes", "n"), ("des", "d"), ("ss", "ss"), ("s", ""),
                 ("en", "e"), ("an", "a")),
    shortest=3,
)  # fmt: skip
"""Spanish."""

LANGUAGES = (ENGLISH, FRENCH, GERMAN, SPANISH)
"""All of them; the first is meant when nothing tells."""

UNSURE_NUMBERS = frozenset({"neuf"})
"""Number words that mean something else as often; a unit behind them tells."""
WEAK_RELATIONS = _set("in on at à dans sur an auf um en")
"""Relations that may be left out: "Monday" says what "on Monday" says. One in place of another is not the same."""

_LETTERS = {"ß": GERMAN, "ä": GERMAN, "ö": GERMAN, "ü": GERMAN, "ñ": SPANISH, "¿": SPANISH, "¡": SPANISH, "è": FRENCH,
            "ê": FRENCH, "ç": FRENCH, "à": FRENCH, "ù": FRENCH, "œ": FRENCH}  # fmt: skip


def guess(words: Iterable[str]) -> Language:
    """Return the language that most of these lower-cased words belong to; English when nothing tells."""
    said = list(words)
    counts = [sum(1 for word in said if word in language.known) for language in LANGUAGES]
    for word in said:
        if not word.isascii():
            for letter in word:
                if letter in _LETTERS:
                    counts[LANGUAGES.index(_LETTERS[letter])] += 1
    return LANGUAGES[counts.index(max(counts))]
