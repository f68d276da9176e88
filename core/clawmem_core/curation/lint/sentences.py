"""Is a text a statement that means something by itself, years later? Rules over one sentence, in any language."""

from __future__ import annotations

import re

from clawmem_core.curation.lint.commands import is_command
from clawmem_core.curation.lint.findings import Finding, Rule
from clawmem_core.user_model.directives import is_preference
from clawmem_core.words import _
from clawmem_core.workspace.entries import EntryKind
from clawmem_core.workspace.text import utf16_units

MAX_UNITS = 640
"""Longest line that may become one entry, in UTF-16 units; OpenClaw cuts there, we leave it to a person."""
MIN_WORDS = 3.0
"""Fewest words of a statement, one less of a preference or a label with a value; two unspaced characters are a word."""
CUT_UNITS = 150
"""Length from which an ellipsis at the end means that a program cut the text."""
LONGEST_NOTHING = 40
"""Characters up to which a line can be one of the phrases that say nothing."""

_UNSPACED = re.compile(
    r"[\u0e01-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff]"
)
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_LETTER = re.compile(r"[^\W\d_]")
_EMPHASIS = "*_~ "
_TASK = re.compile(r"^\[[ ~>/-]?\]\s|^\W{0,2}(?:TO-?DO|FIX-?ME)\b\s*[:：(]|^\W{0,2}to-?do\s*[:：]", re.I)
_QUESTION = re.compile(r"[?？؟⁇][!！]*[*_~ ]*$")
_QUOTED_QUESTION = re.compile(r"^[\"'“„«‹「『].*[?？؟][!！]*[\"'”“»›」』]$", re.S)
_ADDRESS = re.compile(r"^<?(?:[a-z][a-z0-9+.-]*://|www\.)\S+>?[.;,]?$|^!\[[^\]]*\]\([^)]*\)$", re.I)
_ENDS_IN_ADDRESS = re.compile(r"[a-z]://\S*$", re.I)
_TITLE = re.compile(r"^#{1,6}\s|^[=~*_-]{3,}")
_BOLD_TITLE = re.compile(r"^(?P<sign>\*\*|__)\w[\w'’&/-]*(?: [\w'’&/-]+){0,3}(?P=sign)$")
_LABELLED = re.compile(r"^[^:：]{1,60}[:：]\s*(?P<value>\S.*)$", re.S)
_PLACEHOLDER = re.compile(r"\{\{[^{}]*\}\}|<%.*?%>|_{3,}|\.{4,}|…{2,}")
_PLACEHOLDER_SIGNS = ("{{", "<%", "___", "....", "……")
_NOTHING = frozenset((
    "-", "–", "—", "--", "?", "x", "n/a", "na", "none", "nothing", "nil", "null", "tbd", "tba", "(optional)", "keine",
    "nichts", "rien", "ras", "aucun", "(optionnel)", "nada", "ninguno", "nenhum", "(opcional)", "无", "無",
    "なし", "없음",
))  # fmt: skip
_JSON = re.compile(r"^\{\s*[\"'}]|^\[\s*[{\"\[]|^\[[-\d\s.,e+]+\]$")
_JSON_BEHIND = re.compile(r"^[^{}\[\]\"]{0,60}(?P<data>(?:\{\s*\"|\[\s*[{\"])(?:.*[}\]]|.*))(?P<rest>[^}\]]*)$", re.S)
_MARKUP = re.compile(
    r"^<\?xml|^<!doctype|^<(?P<tag>[a-z][\w:-]*)\b[^>]*>.*</(?P=tag)>$|^<[a-z][\w:-]*\b[^>]*/>$", re.I | re.S
)
_LEVEL = r"(?:TRACE|DEBUG|INFO|NOTICE|WARN(?:ING)?|ERROR|FATAL|CRITICAL)"
_MACHINE_LINE = re.compile(
    rf"^\[?\d{{4}}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?\S*\s+\W?{_LEVEL}\b"
    rf"|^\W?{_LEVEL}\W{{1,3}}\d{{4}}-\d\d-\d\d"
    r"|^[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \S+ [\w./-]+(?:\[\d+\])?:"
    r"|^at \S+ \(.*:\d+:\d+\)$|^Traceback \(most recent call last\)|^File \"[^\"]+\", line \d+"
    r"|^diff --git |^index [0-9a-f]{7,}|^[-+]{3} [ab]/"
)
_CODES_ONLY = re.compile(r"^(?:[0-9a-f]{16,}|[A-Za-z0-9+/_=-]{40,})$")
_LIFECYCLE = re.compile(
    "^(?:"
    r"no (?:reply|response|answer|changes?|news|updates?)|nothing (?:new|to report)|"
    r"all (?:good|ok|clear|done|quiet|fine)|"
    r"user (?:(?:came|is) back|left|returned|away|idle)|context (?:reset|compacted|restored)|"
    r"(?:new )?session (?:started|ended|reset|resumed|closed|restored)|"
    r"(?:still |now )?(?:ok|okay|done|ack|acknowledged|fine|good|ready|online|offline|idle)|"
    r"n/?a|none|thanks?(?: you)?|thx|yes|no|hi|hello|"
    r"keine (?:antwort|änderung(?:en)?|neuigkeiten)|nichts neues|alles (?:ok|gut|klar|in ordnung)|"
    r"erledigt|fertig|danke|"
    r"pas de (?:réponse|changement|nouvelles)|aucune réponse|rien(?: à signaler| de neuf)?|ras|tout va bien|fait|merci|"
    r"sin (?:respuesta|cambios|novedades?)|nada nuevo|todo (?:bien|ok)|hecho|listo|gracias|"
    r"sem (?:resposta|alterações|novidades)|tudo (?:bem|ok|certo)|feito|pronto|obrigad[oa]|"
    r"没有回复|无回复|无变化|一切正常|完成|已完成|好的|返信なし|変更なし|異常なし|完了|了解|응답 없음|변경 없음|완료"
    ")$",
    re.I,
)
_ANNOUNCEMENT = re.compile(
    r"^(?:(?:ok(?:ay)?|sure|alright|right|great|d'accord|alles klar|vale|certo)\W{1,3})?(?:"
    r"let me (?:first |just |quickly )?(?:check|look|see|have a look|take a look|verify|try|find)|"
    r"i(?:['’]ll| will|['’]m going to| am going to) (?:now |first |just )?"
    r"(?:check|look into|take a look|get back|investigate|proceed|continue|(?:start|begin) (?:by|with))|"
    r"(?:working on it|on it|will do|looking into (?:it|this))\b|"
    r"je (?:vais (?:vérifier|regarder|voir)|regarde ça)|laisse[z-]+moi (?:vérifier|regarder|voir)|"
    r"ich (?:schaue|sehe|prüfe) (?:mir )?(?:das|es|mal|jetzt|gleich)|"
    r"lass mich (?:das )?(?:mal )?(?:prüfen|nachsehen|schauen)|"
    r"(?:voy a|déjame|dejame) (?:revisar|comprobar|mirar|ver)|(?:vou|deixa(?:-me)?) (?:verificar|olhar|ver)\b|"
    r"让我(?:先)?(?:看|查|检查)|我(?:来|去|先)(?:看|查|检查)"
    ")",
    re.I,
)
_CUT_OFF = frozenset(["the", "and", "because", "und", "oder", "weil", "une", "et", "les", "pero"])
_CUT_BEHIND = (",", "、", "，", "(", "（", "[", "{")
_CUT_START = re.compile(r"^(?:\.{3}|…)\s*[^\W\d_]")


def lacking(text: str, kind: EntryKind) -> Finding | None:
    """Return why a sentence makes no lasting memory, or None when it may be one; `kind` is where it stands."""
    bare = text.strip(_EMPHASIS)
    if len(text) * 2 > MAX_UNITS and utf16_units(text) > MAX_UNITS:
        return Finding(Rule.TOO_LONG, _("more than {units} units").format(units=MAX_UNITS))
    if _TASK.match(text):
        return Finding(Rule.OPEN_TASK)
    if _is_data(bare):
        return Finding(Rule.DATA)
    if is_command(text):
        return Finding(Rule.COMMAND_ONLY)
    if (_QUESTION.search(text) or _QUOTED_QUESTION.match(bare)) and not _ENDS_IN_ADDRESS.search(bare):
        return Finding(Rule.QUESTION)
    if _is_title(text, bare) or (kind is EntryKind.PARAGRAPH and _BOLD_TITLE.match(text)):
        return Finding(Rule.HEADING_ONLY)
    if len(bare) <= LONGEST_NOTHING and _LIFECYCLE.match(bare.rstrip(".!。！ ")):
        return Finding(Rule.LIFECYCLE)
    if _ANNOUNCEMENT.match(bare):
        return Finding(Rule.NOT_DURABLE)
    return Finding(Rule.FRAGMENT) if _is_fragment(bare) else None


def _is_data(text: str) -> bool:
    if _JSON.match(text) or _MARKUP.match(text) or _MACHINE_LINE.match(text) or _ADDRESS.match(text):
        return True
    if _CODES_ONLY.match(text):
        return True
    behind = _JSON_BEHIND.match(text) if "{" in text or "[" in text else None
    return behind is not None and len(behind["data"]) * 2 > len(text) and len(behind["rest"].split()) < MIN_WORDS


def _is_title(text: str, bare: str) -> bool:
    if bare.endswith((":", "：")) or _TITLE.match(text):
        return True
    labelled = _labelled(bare)
    if labelled is not None and labelled.strip(_EMPHASIS).lower() in _NOTHING:
        return True
    return any(sign in bare for sign in _PLACEHOLDER_SIGNS) and _is_template(bare)


def _is_template(text: str) -> bool:
    """Whether hardly anything is left without the places that were to be filled in."""
    without = _PLACEHOLDER.sub(" ", text)
    value = _labelled(without)
    return without != text and not (value and _LETTER.search(value)) and _weight(without) < MIN_WORDS


def _labelled(text: str) -> str | None:
    """Return the value of a `Label: value` line."""
    match = _LABELLED.match(text) if ":" in text or "：" in text else None
    return match["value"] if match else None


def _is_fragment(text: str) -> bool:
    if not _LETTER.search(text) or text.endswith(_CUT_BEHIND) or _CUT_START.match(text):
        return True
    if text.rsplit(None, 1)[-1] in _CUT_OFF:
        return True
    if text.endswith(("…", "...")) and utf16_units(text) >= CUT_UNITS:
        return True
    weight = _weight(text)
    if weight >= MIN_WORDS:
        return False
    complete = is_preference(text) or bool(_WORD.search(_labelled(text) or ""))
    return weight < (MIN_WORDS - 1 if complete else MIN_WORDS)


def _weight(text: str) -> float:
    """Return how many words a text has, two characters of a script without spaces for one."""
    unspaced = [] if text.isascii() else _UNSPACED.findall(text)
    spaced = _UNSPACED.sub(" ", text) if unspaced else text
    return len(_WORD.findall(spaced)) + len(unspaced) / 2
