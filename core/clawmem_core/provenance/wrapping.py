"""How stored text is shown to a model: between marks that say what it is and that it cannot close.

Every line between the marks begins with a bar, so no line of the content can be an end mark, whatever letters it
uses. Each pair of marks carries a number made from what is between them, which the content cannot name. Text that is
wrapped already is left as it is, so wrapping twice is wrapping once.
"""

from __future__ import annotations

import hashlib
import json
import re

UNTRUSTED, MEMORY = "CLAWMEM_UNTRUSTED_CONTENT", "CLAWMEM_MEMORY"
"""Names of the two frames: what must not be obeyed, and what was remembered."""
BAR = "| "
"""How each line between the marks begins."""
MAX_SOURCE = 200
"""Characters of a source that are named."""

_FRAME = re.compile(
    r"<<<BEGIN_(?P<name>[A-Z_]+) id=(?P<id>[0-9a-f]{16}) source=(?P<source>\"[^\n]*\")>>>\n"
    r"(?P<inside>.*)\n<<<END_(?P=name) id=(?P=id)>>>",
    re.DOTALL,
)


def wrap_untrusted(text: str, source: str) -> str:
    """Return untrusted text as a model may see it; `source` says where it came from and is no more trusted."""
    return _wrapped(UNTRUSTED, text, source)


def wrap_memory(text: str, source: str) -> str:
    """Return remembered text with the mark of everything that is injected: it is removed before extraction."""
    return _wrapped(MEMORY, text, source)


def _wrapped(name: str, text: str, source: str) -> str:
    label = _label(source)
    if (found := _FRAME.fullmatch(text)) and found["name"] == name and found["source"] == label:
        inside = found["inside"]
        if _is_barred(inside) and found["id"] == _number(name, inside, label):
            return text
    inside = _barred(text)
    number = _number(name, inside, label)
    return f"<<<BEGIN_{name} id={number} source={label}>>>\n{inside}\n<<<END_{name} id={number}>>>"


def _barred(text: str) -> str:
    """Return a text with a bar before each line, whatever its lines end with."""
    return "\n".join(BAR + line for line in _sayable(text).splitlines() or [""])


def _is_barred(inside: str) -> bool:
    return all(line.startswith(BAR) and len(line.splitlines()) == 1 for line in inside.split("\n"))


def _sayable(text: str) -> str:
    """Return a text as UTF-8 can say it."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _label(source: str) -> str:
    """Return a source as one quoted word in which nothing can end the mark."""
    plain = " ".join(_sayable(source).split())[:MAX_SOURCE]
    return json.dumps(plain.replace("<", "(").replace(">", ")"), ensure_ascii=True)


def _number(name: str, inside: str, label: str) -> str:
    return hashlib.sha256("\n".join((name, label, inside)).encode()).hexdigest()[:16]
