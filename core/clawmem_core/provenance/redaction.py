"""Secrets: a table of key shapes, and their removal from text before anything is stored.

A table of our own: the libraries for this flag plain prose or weigh hundreds of megabytes. A pattern must need a
shape that prose does not have (a fixed prefix, a minimum length, a PEM frame, a signature part).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

REDACTED = "[redacted {kind}]"

_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "private key",
        re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|\Z)", re.DOTALL),
    ),
    ("JWT", re.compile(r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}")),
    ("AWS key", re.compile(r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b")),
    ("GitHub token", re.compile(r"\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})\b")),
    ("GitLab token", re.compile(r"\bglpat-[A-Za-z0-9_-]{20,}\b")),
    ("Slack token", re.compile(r"\bxox[abprs]-[A-Za-z0-9-]{10,}\b")),
    ("API key", re.compile(r"\b(?:sk|rk|pk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{20,}\b")),
    ("Google key", re.compile(r"\bAIza[0-9A-Za-z_-]{35}\b")),
    ("npm token", re.compile(r"\bnpm_[A-Za-z0-9]{36}\b")),
    ("password in a URL", re.compile(r"(?<=://)[^\s/:@]{1,64}:[^\s/@]{3,}(?=@)")),
    (
        "password",
        re.compile(
            r"(?i)\b(?:password|passwd|pwd|mot de passe|secret|api[_-]?key|token)\s*[=:]\s*(?P<value>[^\s,;'\"`]{6,})"
        ),
    ),
)
_PLACEHOLDER = re.compile(
    r"^(?:\*+|x+|<.*|\$\{?.*|%.*|redacted.*|\[redacted.*|none|null|true|false|example.*|changeme)$", re.I
)


@dataclass(frozen=True)
class Secret:
    """One secret in a text."""

    kind: str
    """What it looks like."""
    start: int
    """Offset of its first character."""
    end: int
    """Offset behind its last character."""


def find_secrets(text: str) -> list[Secret]:
    """Return the secrets in a text, in order, without overlaps."""
    found: list[Secret] = []
    for secret in sorted(_candidates(text), key=lambda item: (item.start, -item.end)):
        if not found or secret.start >= found[-1].end:
            found.append(secret)
    return found


def redact(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the text with each secret replaced by its kind, and the kinds found."""
    secrets = find_secrets(text)
    parts, behind = [], 0
    for secret in secrets:
        parts += [text[behind : secret.start], REDACTED.format(kind=secret.kind)]
        behind = secret.end
    return "".join([*parts, text[behind:]]), tuple(secret.kind for secret in secrets)


def _candidates(text: str) -> Iterator[Secret]:
    for kind, pattern in _PATTERNS:
        for match in pattern.finditer(text):
            group = "value" if "value" in pattern.groupindex else 0
            if not _PLACEHOLDER.match(match[group]):
                yield Secret(kind, match.start(group), match.end(group))
