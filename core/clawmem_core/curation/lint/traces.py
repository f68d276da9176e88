"""Traces of programs: what a memory pipeline, a chat host or a scheduler leaves in a text. Never an input again.

Each trace is a literal that its program writes, whatever language people write in. Framing that stands in a code
span is talked about and not used.
"""

from __future__ import annotations

import re

from clawmem_core.curation.lint.findings import Finding, Rule
from clawmem_core.provenance.framing import FRAMING, spoken
from clawmem_core.words import _

_SUSPECT = re.compile(r"[:：<\[]|HEARTBEAT_OK|NO_REPLY|candidate\(s\)|surfac")
"""What every trace has at least one of; most lines have none."""
_BOLD = r"\*{0,2}"
_PIPELINE = (
    (re.compile(r"<!--\s*/?(?:openclaw|clawmem)[-:]"), _("it carries a marker")),
    (re.compile(r"\[score=[\d.]+ [^\]]*recalls=\d+"), _("it carries a promotion's score")),
    (re.compile(r"\bSource:\s+\S+#L\d+-L\d+"), _("a copy of a curated line, with its anchor")),
    (re.compile(r"^\W*(?:\[[^\]]*\]\s*)*Candidate:\s"), _("a staged candidate")),
    (re.compile(r"\bCandidate:\s.*\b(?:confidence|evidence|recalls|status)\s*[:=]", re.S), _("a staged candidate")),
    (re.compile(r"\bstatus:\s*staged\b", re.I), _("a staged candidate")),
    (re.compile(r"\bconfidence[:=]\s*[\d.]+.*\bevidence[:=]", re.I | re.S), _("a line of a phase report")),
    (
        re.compile(
            r"^(?:confidence:\s*[01]\.\d+|recalls:\s*\d+|evidence:\s*\S+\.(?:md|txt):\d.*|note:\s*reflection|"
            r"Theme:\s.*\bkept surfacing\b.*|(?:Ranked|Promoted)\s\d+\scandidate\(s\).*|"
            r"No strong \w+(?: \w+)? surfaced\.?|Rewrite skipped:.*)$"
        ),
        _("a line of a phase report"),
    ),
    (
        re.compile(r"^\W{0,2}(?:NO_REPLY|HEARTBEAT_OK)\b(?!\s+(?:is|means|was|ist|heißt|est|signifie)\b)"),
        _("the answer to a heartbeat"),
    ),
    (re.compile(r"^\[(?:cron|heartbeat|system)[:\]]|^System:\s*\[\d{4}-", re.I), _("a line of a scheduled job")),
)
_SPEAKERS = r"user|assistant|human|tool_?result|utilisat(?:eur|rice)|assistante"
_SPEAKER_INSIDE = re.compile(r"(?:^|[\s>])(?:User|Assistant|Human|System|Tool|USER|ASSISTANT|HUMAN|SYSTEM)\s?:\s")
_CHAT = (
    (re.compile(rf"^{_BOLD}(?:{_SPEAKERS}){_BOLD}\s*[:：]{_BOLD}\s", re.I), ""),
    (re.compile(rf"^{_BOLD}(?:system|tool|agent|model|ai){_BOLD}\s*:{_BOLD}\s"), ""),
    (re.compile(r"^(?:用户|用戶|助手|ユーザー|アシスタント|사용자|어시스턴트)\s*[:：]"), ""),
    (re.compile(rf"^{_BOLD}(?:Session (?:Key|ID)|Conversation Summary){_BOLD}\s*:"), _("the head of a session")),
    (FRAMING, _("framing of a chat or a tool")),
)


def trace_in(text: str) -> Finding | None:
    """Return which program's trace a text carries, or None."""
    if not _SUSPECT.search(text):
        return None
    for pattern, particular in _PIPELINE:
        if pattern.search(text):
            return Finding(Rule.ARTIFACT, particular)
    said = spoken(text)
    for pattern, particular in _CHAT:
        if pattern.search(said):
            return Finding(Rule.TRANSCRIPT, particular)
    if said.count(":") > 1 and len(_SPEAKER_INSIDE.findall(said)) > 1:
        return Finding(Rule.TRANSCRIPT, _("speakers stand in it"))
    return None
