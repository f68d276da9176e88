"""Lint of a note line: is it something a person would want remembered, or something a program left behind?

Two verdicts: an artifact is output of this or another pipeline (never an input again); a line that is not durable
is honest text that makes no sense as a lasting memory. Both are said with the reason and kept in the ledger.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from clawmem_core.ledger.candidates import LeftOut
from clawmem_core.workspace.entries import Entry, EntryKind
from clawmem_core.workspace.managed import is_managed
from clawmem_core.workspace.text import utf16_units

MAX_UNITS = 640
"""Longest line that may become one entry, in UTF-16 units; OpenClaw cuts there, we leave it to a person."""
MIN_WORDS = 3
"""Fewest words of a statement in a script that puts spaces between words."""
MIN_CJK = 6
"""Fewest characters of a statement in a script that does not."""

Verdict = tuple[LeftOut, str]

_PIPELINE = (
    (re.compile(r"<!--\s*/?openclaw[-:]"), "carries a marker of a memory pipeline"),
    (re.compile(r"\[score=[\d.]+ .*?recalls=\d+"), "carries a promotion's score"),
    (re.compile(r"(?:^|[\]\s>])Candidate:\s", re.I), "is a staged candidate"),
    (re.compile(r"\bconfidence[:=]\s*[\d.]+.*\bevidence[:=]", re.I | re.S), "is a phase report line"),
    (re.compile(r"^@@ -\d+(?:,\d+)? \+?\d*.*@@"), "is a search tool's excerpt"),
    (re.compile(r"\bstatus:\s*staged\b", re.I), "is a staged candidate"),
    (
        re.compile(r"<\|(?:im_start|im_end|endoftext|eot_id)\|>|</?(?:tool_call|function_call|invoke)\b", re.I),
        "holds chat or tool framing",
    ),
    (re.compile(r"^(?:NO_REPLY|HEARTBEAT_OK)\b"), "is a heartbeat acknowledgement"),
    (re.compile(r"^\[(?:cron|heartbeat|system)[:\]]", re.I), "is a scheduled job's line"),
    (re.compile(r"^(?:Conversation Summary|Session (?:Key|ID)|Source)\b.*:", re.I), "is a session header"),
    (
        re.compile(
            r"^\*{0,2}(?:user|assistant|system|tool|toolresult|human|agent|utilisateur)\*{0,2}\s*:\*{0,2}\s", re.I
        ),
        "is a line of a transcript",
    ),
)
_COMMAND = re.compile(
    r"^(?:\$|#|>)\s+\S|^(?:sudo|apt-get|npx|pnpm|pip3?|systemctl|kubectl|chmod|chown|rsync|scp)\s|^(?:apt(?:-get)?|brew|npm|npx|pnpm|yarn|pip3?|uv|cargo|git|docker|kubectl|systemctl|cd|ls|"
    r"cat|grep|rm|cp|mv|chmod|chown|curl|wget|ssh|scp|rsync|make|python3?|node|export|source|echo)"
    r"\s+(?:-|\S+[/.=]|\S+ -|\S+$)"
)
_CODE_ONLY = re.compile(r"^`[^`]+`[.;]?$")
_BLOB = re.compile(r"^[{\[].*[}\]]$", re.S)
_LIFECYCLE = re.compile(
    r"^(?:no reply|user came back|session (?:started|ended|reset)|ok|done|ack|n/?a|none|rien|ras)[.!]?$", re.I
)
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")


def judge(entry: Entry, managed: Sequence[range]) -> Verdict | None:
    """Return why an entry of a note must not become durable, or None when it may.

    `managed` are the line ranges of managed dreaming blocks in its file.
    """
    if is_managed(entry, managed):
        return LeftOut.ARTIFACT, "stands in a managed dreaming block"
    if entry.kind is EntryKind.ROW:
        return LeftOut.NOT_DURABLE, "a row of a table"
    return judge_text(entry.text, entry.raw)


def judge_text(text: str, raw: str = "") -> Verdict | None:
    """Return why a sentence must not become durable, or None when it may; `raw` is its source if there is one."""
    for pattern, reason in _PIPELINE:
        if pattern.search(raw) or pattern.search(text):
            return LeftOut.ARTIFACT, reason
    if reason := _not_durable(text):
        return LeftOut.NOT_DURABLE, reason
    return None


def _not_durable(text: str) -> str:
    words = _WORD.findall(text)
    characters = len(_CJK.findall(text))
    if utf16_units(text) > MAX_UNITS:
        return f"longer than {MAX_UNITS} units"
    if _BLOB.match(text) and ('"' in text or ":" in text):
        return "data, not a statement"
    if _CODE_ONLY.match(text) or _is_command(text.strip("`")):
        return "a command, not a statement"
    if text.rstrip("*_ ").endswith(("?", "？")):
        return "a question"
    if text.rstrip("*_ ").endswith((":", "：")):
        return "a heading without a body"
    if _LIFECYCLE.match(text):
        return "says nothing that lasts"
    if len(words) < MIN_WORDS and characters < MIN_CJK:
        return "a fragment"
    if re.match(r"^\[ ?\]\s", text):
        return "an open task"
    return ""


def _is_command(text: str) -> bool:
    """Whether a line is what one types at a shell: a known program, or a lower-case word with options."""
    first, *rest = text.split() or [""]
    options = any(re.match(r"--?[A-Za-z]", word) for word in rest)
    return bool(_COMMAND.match(text)) or bool(options and re.fullmatch(r"[a-z0-9_./-]+", first))
