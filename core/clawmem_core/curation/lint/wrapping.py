"""What stands around a sentence because of how it came: message envelopes, search excerpts, quotes, comments, bullets.

An envelope is no part of what was said, so it is taken off and the sentence kept. What is taken off is known by its
structure (brackets with a date and a channel, hunk headers, line numbers behind such a header), never by a heading
of some language. The words that remain stay as they were typed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from clawmem_core.provenance.marks import without_injected
from clawmem_core.workspace.annotations import split_entry

_COMMENT = re.compile(r"<!--.*?(?:-->|$)", re.DOTALL)
_BULLET = re.compile(r"^\s*[-*+•‣◦]\s+(?=\S)")
_DONE = re.compile(r"^\[[xX]\]\s+")
_QUOTE = re.compile(r"^(?:>\s?)+(?=[^\s\d])")
_HUNK = re.compile(
    r"^@@ -\d+(?:,\d+)?(?: \+\d+(?:,\d+)?)? @@(?: ?\(\d+ before, \d+ after\))?(?:\s+|$)"
    r"|^(?:[\w-]+://)?(?:[\w.@-]+/)*[\w.@-]+\.md(?::\d+(?:-\d+)?|#L\d+(?:-L?\d+)?)\s*(?::\s+|$)"
)
_NUMBERED = re.compile(r"^\s*L?\d{1,6}(?:[:|→]\s+|\t|\s+(?=[-*+]\s))")
_NUMBERED_INSIDE = re.compile(r"(?:^|\s)L?\d{1,6}[:|→]\s+(?=[-*+]\s)")
_DRESSED = re.compile(
    r"\n\s*\S|[<\[]|```|~~~|@@|\.md[:#]|\(untrusted|^\ufeff?\s*(?:[>•‣◦]|(?:[-*+]|\d{1,9}[.)])\s+(?:[-*+•‣◦]\s|>))",
    re.IGNORECASE,
)
_INSTANT = r"\d{4}-\d{2}-\d{2}[T ,]+\d{1,2}:\d{2}"
_CHANNEL = (
    r"telegram|whats ?app|discord|slack|signal|imessage|matrix|sms|mms|e-?mail|web ?chat|teams|mattermost|irc|line|"
    r"wechat|feishu|lark|zalo|google ?chat|nostr|twitch|mon|tue|wed|thu|fri|sat|sun"
)
_ENVELOPE = re.compile(rf"^\[(?:{_CHANNEL})\b[^\[\]]*?{_INSTANT}[^\[\]]*\]\s*", re.IGNORECASE)
_TAG = re.compile(
    r"\s*\[(?:message[_ ]id|msg[_ ]id|thread[_ ]id|reply[_ ]to|replying to|forwarded from|media attached)\b"
    r"[^\[\]]*\]\s*",
    re.IGNORECASE,
)
_METADATA = re.compile(r"^[\w ,/-]{3,60} \(untrusted[^()]*\)\s*:\s*", re.IGNORECASE)
_MAIL = re.compile(
    r"^(?:from|to|cc|bcc|subject|date|sent|reply-to|message-id|return-path|received|"
    r"von|an|betreff|datum|gesendet|de|à|objet|envoyé|asunto|para|enviado|assunto)\s?:\s+\S",
    re.IGNORECASE,
)
_MAIL_PROOF = re.compile(r"[\w.+-]+@[\w-]+\.\w|\d{4}.*\d{1,2}:\d{2}|\d{1,2}:\d{2}.*\d{4}")
_FENCE = re.compile(r"^\s*(`{3,}|~{3,})[\w+.-]*\s*$")
_ENDS = (".", ":", ";", ",", "!", "?", "。", "：", "；", "，", "、")


@dataclass(frozen=True)
class Unwrapped:
    """A sentence without what stood around it."""

    text: str
    """What is left; empty when there was nothing else."""
    wrapped: bool = False
    """Whether an envelope, an excerpt's header or injected context was taken off."""
    passages: int = 0
    """Lines of the excerpt that are left: more than one is no sentence."""
    code_lines: int = 0
    """Lines of code blocks in it."""


def is_dressed(raw: str) -> bool:
    """Whether anything may stand around an entry's words; when not, `unwrap` would give them back as they are."""
    return bool(_DRESSED.search(raw))


def unwrap(raw: str) -> Unwrapped:
    """Take off what stands around an entry's words; without any of that they come back as `sentence` has them.

    Items below the entry are joined to it by `; `, because it has to fit one line.
    """
    body = split_entry(raw.removeprefix("\ufeff")).body
    plain = _COMMENT.sub(" ", body)
    without = without_injected(plain)
    lines, code_lines = _without_fences(without.splitlines())
    behind = _behind_mail_headers(lines)
    kept, wrapped, passages = _unwrapped_lines(lines[behind:])
    text = " ".join(_joined(kept).split())
    return Unwrapped(text, wrapped or without != plain or behind > 0, passages, code_lines)


def _unwrapped_lines(lines: list[str]) -> tuple[list[str], bool, int]:
    """Return the lines that say something, each with `- ` in front if it is an item below; what was found around."""
    kept: list[str] = []
    wrapped, excerpt, passages = False, False, 0
    for line in lines:
        words, below = line.strip(), bool(kept) and bool(_BULLET.match(line))
        words = _without_dressing(words)
        if header := _HUNK.match(words):
            wrapped = excerpt = True
            words = words[header.end() :]
        if excerpt and words:
            numbered = _NUMBERED.match(words)
            passages += max(1 if numbered or below else 0, len(_NUMBERED_INSIDE.findall(words)))
            words = words[numbered.end() :] if numbered else words
        words, enveloped = _without_envelope(_without_dressing(words))
        wrapped = wrapped or enveloped
        if words:
            kept.append(f"- {words}" if below else words)
    return kept, wrapped, passages


def _without_envelope(line: str) -> tuple[str, bool]:
    bare = line
    while match := _ENVELOPE.match(bare) or _METADATA.match(bare):
        bare = bare[match.end() :]
    bare = _TAG.sub(" ", bare).strip()
    return bare, bare != line


def _without_dressing(line: str) -> str:
    """Return a line without quote signs, bullets and the box of a task that is done."""
    before = ""
    while before != line:
        before = line
        line = _DONE.sub("", _BULLET.sub("", _QUOTE.sub("", line), count=1), count=1)
    return line


def _behind_mail_headers(lines: list[str]) -> int:
    """Return where the head of a mail ends: two header lines or more, an address or a time in them; else 0."""
    last = 0
    while last < len(lines) and (not lines[last].strip() or _MAIL.match(_without_dressing(lines[last].strip()))):
        last += 1
    head = [line for line in lines[:last] if line.strip()]
    return last if len(head) > 1 and any(_MAIL_PROOF.search(line) for line in head) else 0


def _without_fences(lines: list[str]) -> tuple[list[str], int]:
    """Return the lines with each code block as a code span of its only line, and how many lines of code there were."""
    kept: list[str] = []
    code: list[str] | None = None
    count = 0
    for line in lines:
        if not _FENCE.match(line):
            (kept if code is None else code).append(line)
        elif code is None:
            code = []
        else:
            count += len(code)
            kept += [f"`{line.strip()}`" for line in code]
            code = None
    return kept + (code or []), count + len(code or [])


def _joined(lines: list[str]) -> str:
    text = ""
    for line in lines:
        words = line.removeprefix("- ") if text else line
        if not text:
            text = words
        elif words == line or text.endswith(_ENDS):
            text = f"{text} {words}"
        else:
            text = f"{text}; {words}"
    return text
