"""What a wish is: tied to an event, tied to a time, or an aspiration. By rules, in English and French, with no model.

An event is something that comes up in a conversation: that is a standing intent. A time is the host's: a scheduled
task fires it. An aspiration has neither; it belongs in a file that its owner names, with a day on which it is looked
at again. Whatever is none of the three, such as a preference or a fact, is no promise to act.
"""

from __future__ import annotations

import enum
import re
from dataclasses import dataclass


class Kind(enum.StrEnum):
    """What a wish is tied to."""

    EVENT = "event"
    TIME = "time"
    ASPIRATION = "aspiration"
    NONE = "none"
    """To nothing: it asks for no later act."""


@dataclass(frozen=True)
class Triaged:
    """What a wish is, and by which of its words."""

    kind: Kind
    words: str = ""
    """The words that decided; empty where none did."""


_NUMBER = (
    r"(?:\d+|an?|one|two|three|four|five|six|ten|twelve|half an|a few|a couple of|"
    r"une?|deux|trois|quatre|cinq|six|dix|douze|quelques|une demi)"
)
_UNIT = (
    r"(?:sec(?:ond)?s?|min(?:ute)?s?|hours?|days?|nights?|weeks?|fortnight|months?|"
    r"secondes?|minutes?|heures?|jours?|nuits?|semaines?|mois)"
)
_WEEKDAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|"
    r"(?:lun|mar|mercre|jeu|vendre|same)dis?|dimanches?|week-ends?"
)
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december|"
    r"janvier|février|fevrier|mars|avril|mai|juin|juillet|août|aout|septembre|octobre|novembre|décembre|decembre)"
)
_PART = r"(?:morning|noon|afternoon|evening|night|midnight|matin|midi|après-midi|soir|nuit|minuit)s?"
_CLOCK = r"\d{1,2}(?::\d{2}\s*(?:[ap]\.?m\b\.?)?|\s*[ap]\.?m\b\.?|\s*h(?:eures?)?(?:\s?\d{2})?\b)"
_OWNED = r"(?<!\bthe )(?<!\bour )(?<!\bmy )(?<!\bdu )(?<!\bde )(?<!\bles )(?<!\bla )"
_TIMES = (
    rf"{_OWNED}\b{_CLOCK}",
    rf"\b(?:at|by|around|before|after|until|from) (?:{_CLOCK}|\d{{1,2}}\b(?! \w)|noon\b|midnight\b|half past|quarter)",
    rf"(?:^|\b)(?:à|a|vers|dès|avant|après) (?:{_CLOCK}|midi\b|minuit\b)",
    r"\b\d{4}-\d{2}-\d{2}\b",
    rf"\b(?:on |by |le )?(?:the )?\d{{1,2}}(?:st|nd|rd|th|er)? (?:of )?{_MONTH}\b",
    rf"\b{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?\b",
    r"\b(?:on|by|avant|pour) (?:the|le) \d{1,2}(?:st|nd|rd|th|er)?\b",
    rf"\b(?:on|by|next|this|every|each|before|until|from|chaque|tous les|toutes les|le|les|avant|dès|pour|ce)"
    rf" (?:other )?(?:{_WEEKDAY})\b",
    rf"\b(?:{_WEEKDAY}) (?:{_PART}|prochain|next|at|à)",
    rf"\b(?:in|dans|d'ici) {_NUMBER} {_UNIT}\b",
    rf"\b{_NUMBER} {_UNIT} from now\b",
    rf"\b(?:every|each|chaque|tous les|toutes les) (?:other )?(?:(?:{_NUMBER}) )?(?:single )?(?:{_UNIT}|{_PART})\b",
    rf"\b(?:once|twice|\d+ times) (?:a|an|per|every) (?:{_UNIT})\b|\b(?:une|deux|\d+) fois par {_UNIT}\b",
    r"\b(?:daily|hourly|nightly|weekly|monthly|quotidiennement|hebdomadairement|mensuellement)\b(?! \w+ (?:is|was)\b)",
    r"\b(?:tomorrow|tonight|today|demain|après-demain|aujourd'hui|ce soir|ce matin|cet après-midi|cette nuit)\b",
    rf"\b(?:this|in the|at) {_PART}\b|\b(?:le|au) (?:matin|soir)\b",
    r"\b(?:next|this) (?:week|month)\b|\b(?:la semaine|le mois) prochaine?\b|\bcette semaine\b",
    rf"\bend of (?:the )?(?:{_UNIT}|business)\b|\bfin (?:du|de la|de) (?:{_UNIT})\b",
    r"(?:^|\s)(?:[\d*/,-]+ ){4}[\d*/,-]+(?:\s|$)",
)
_TIME = re.compile("|".join(_TIMES))
_EVENTS = (
    r"\b(?:every|each|any|next) ?time(?: that)?\b",
    r"\b(?:whenever|as soon as|the moment|the day|the minute|in case|should|when|once|if|unless)\b(?! possible)",
    r"\b(?:before|after|upon|on) (?=\w+ing\b|(?:i|we|you|he|she|they)\b|the \w+ (?:is|are|has|goes|comes|ends)\b)",
    r"\b(?:before|after) (?=(?:the|a|any|each|every|our|my) )",
    r"\b(?:chaque|toutes les|à chaque|la prochaine) fois(?: qu[e'])?",
    r"\b(?:lorsqu[e']|quand|dès qu[e']|aussitôt qu[e']|une fois qu[e']|au moment où|le jour où|au cas où|"
    r"en cas de|si\b|s'il|s'ils)(?! possible)",
    r"\b(?:avant|après|lors) (?=de |d'|du |des |qu[e']|la |le |les |l'|chaque |que )",
)
_EVENT = re.compile("|".join(_EVENTS))
_NO_EVENT = re.compile(
    r"\b(?:if|when|whenever) (?:you|u) (?:can|could|like|want|have (?:time|a moment))\b|\b(?:if|when) possible\b|"
    r"\bas soon as (?:possible|you can)\b|\bif not\b|\bif so\b|\bs'il (?:te|vous) pla[iî]t\b|\b(?:si|dès que|quand)"
    r" (?:tu (?:peux|veux|as le temps)|vous (?:pouvez|voulez)|possible)\b|\bshould (?:be|have)\b|"
    r"\b(?:i|we|you|he|she|it|they) should\b|\bonce again\b|\bsi\w+|\bthe day (?:before|after)\b|"
    r"\bonce (?:a|an|per|every|more)\b"
)
_FILLER = re.compile(
    r"\b(?:it's|it|is|comes?|arrives?|hits?|will|be|gets?|turns?|the|clock|strikes?|around|has|come|on|to|at|a|"
    r"il|est|sera|c'est|ce|arrivera?|viendra|vient|l'horloge|sonne|à|le|la|les)\b|[^\w]+"
)
_PAUSE = re.compile(r"[,;!?]|[:.](?!\d)|\b(?:then|please|remind|tell|ask|rappelle|dis|demande)\b")
_NAMED_TIME = re.compile(rf"\b(?:{_WEEKDAY}|{_PART}|{_MONTH}|tomorrow|demain)\b")
_ASPIRATION = re.compile(
    r"\b(?:some ?day|one day|eventually|in the long run|sooner or later|at some point|i(?:'d| would) (?:like|love) to|"
    r"i(?:'d| would) like (?!you\b)|(?:i|we) (?:want|wish|hope|dream|plan|intend|aspire|mean|aim) (?:to|of)\b(?! you)|"
    r"(?:my|our|the) (?:goal|dream|ambition|aim|resolution|aspiration|hope) (?:is|would|for)|it would be (?:nice|great|"
    r"good|lovely)|(?:i|we) should (?:really )?(?:try|learn|start|get|be|read|do|spend|stop|eat|sleep|exercise|write)|"
    r"(?:i|we) (?:ought|need) to (?:get better|become|be more|learn|improve)|bucket list|"
    r"get better at|become (?:a |an )?(?:better|more|fluent))"
    r"|\b(?:un jour|un de ces jours|à terme|à long terme|tôt ou tard|j'aimerais|je voudrais|nous aimerions|on aimerait|"
    r"j'espère|nous espérons|je rêve|mon rêve|mon (?:but|objectif|ambition)|notre (?:but|objectif|rêve)|"
    r"ma résolution|ce serait (?:bien|chouette|super)|il (?:faudrait|serait bien)|je devrais|on devrait|nous devrions|"
    r"j'ai envie d|je veux (?:apprendre|devenir|être|arriver|lire|écrire|voyager|progresser)|devenir (?:meilleur|plus))"
)


def triage(text: str) -> Triaged:
    """Return what a wish in English or French is tied to.

    An event decides before a time, because what waits for an event may well speak of a time; but an event that only
    says what time it is, is one.
    """
    said = " ".join(text.replace("\u2019", "'").lower().split())
    masked = _NO_EVENT.sub(lambda found: " " * len(found[0]), said)
    for found in _EVENT.finditer(masked):
        clause = _clause(said, found.end())
        if not _only_tells_the_time(clause):
            return Triaged(Kind.EVENT, found[0].strip())
        return Triaged(Kind.TIME, clause or found[0].strip())
    if timed := _TIME.search(said):
        return Triaged(Kind.TIME, timed[0].strip())
    if hoped := _ASPIRATION.search(said):
        return Triaged(Kind.ASPIRATION, hoped[0].strip())
    return Triaged(Kind.NONE)


def _clause(said: str, start: int) -> str:
    """Return what an event's conjunction says, up to the next pause; a full stop or colon of a clock is none."""
    end = next((pause.start() for pause in _PAUSE.finditer(said, start)), len(said))
    return said[start:end].strip()


def _only_tells_the_time(clause: str) -> bool:
    """Whether a clause says what time it is and nothing else."""
    untimed = _NAMED_TIME.sub(" ", _TIME.sub(" ", f"at {clause}"))
    return untimed != f"at {clause}" and not _FILLER.sub("", untimed)
