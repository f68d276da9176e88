"""Where our consolidation differs from OpenClaw's on purpose: the one table, each difference with its reason.

`test_oracle_consolidation.py` runs every recorded case through the engine. A case that stands here must differ in
exactly these ways; a case that does not must agree.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import MappingProxyType


class Difference(enum.Enum):
    """What differs, and which sentence asks for it; numbers are sections of the specification."""

    IMPORTANCE = (
        "importance says the rank among the promotions of one sweep, not the score",
        "5: importance 3-9 fixed at promotion by rank within the sweep",
    )
    TRIGGER = (
        "a line without a rare word has no trigger, and no empty trigger comment either",
        "5: concept tags are up to 8 terms of the line that are rare in the workspace",
    )
    MERGE_IN_PLACE = (
        "a merged line stays where it stands and keeps its words, its annotations and every anchor",
        "5: a merge leaves a person's line where it stands and adds anchors to it; every source anchor of a merge's "
        "parents is in the merged entry; importance is fixed at promotion",
    )
    SUPERSEDED_IN_PLACE = (
        "the new line stands where the one stood that it replaces",
        "screens, dream review: the replacement of entry 22 stands between the neighbours of entry 22",
    )
    ASKED = (
        "a supersession that no key bears out waits for a person instead of failing the rewrite",
        "5: `superseded` of named prior entries, and the list of what makes a rewrite fail names no key; "
        "6: retiring a line that a person wrote is always HELD",
    )
    LOSS = (
        "the share that a rewrite may remove is no setting, and a merge that only adds an anchor removes nothing",
        "5: it removes (merges away or supersedes) at most max(1, 25%) of the prior entries",
    )
    WHOLE_TEXT = (
        "the text of a candidate is never cut",
        "5: candidates are entries, not index chunks (what is too long for one entry fails the lint before)",
    )
    NO_PROJECT = (
        "a candidate has no project: one turn judges all, and only lines that had a project keep it",
        "3: every indexed entry has origin, session kind, observed_at, supersedes_key and its source; "
        "1: annotations count only in curated files",
    )
    LINE_ENDS = (
        "the line ends of a file stay as they are",
        "1: whatever the engine does not understand it keeps byte for byte (CRLF included)",
    )
    HANDWRITING = (
        "a line that nobody recorded was typed by a person and may be promoted",
        "3: lines found in a workspace file without a ledger row are inside the operator's boundary: agent, kind "
        "none, eligible for promotion",
    )
    UNATTENDED = (
        "a note that a scheduled session wrote is no candidate",
        "3: cron, heartbeat and subagent sessions produce no durable candidate",
    )
    FOREIGN_TRANSCRIPT = (
        "a transcript that lies in the workspace is no candidate, whoever it says wrote it",
        "4: a transcript file that the host did not hand over itself (one inside the workspace) is always untrusted",
    )

    @property
    def what(self) -> str:
        """What differs, in a sentence."""
        return self.value[0]

    @property
    def because(self) -> str:
        """The sentence that asks for it."""
        return self.value[1]


_D = Difference

DIFFERENCES: Mapping[str, frozenset[Difference]] = MappingProxyType(
    {
        "valid add": frozenset({_D.IMPORTANCE}),
        "valid add two": frozenset({_D.IMPORTANCE}),
        "valid merge": frozenset({_D.MERGE_IN_PLACE}),
        "valid merge of promoted line": frozenset({_D.MERGE_IN_PLACE}),
        "valid merge keeps lineage": frozenset({_D.MERGE_IN_PLACE}),
        "valid supersede": frozenset({_D.IMPORTANCE, _D.SUPERSEDED_IN_PLACE}),
        "valid project merge": frozenset({_D.MERGE_IN_PLACE}),
        "project group add plus global add": frozenset({_D.IMPORTANCE, _D.NO_PROJECT}),
        "extra fields ignored": frozenset({_D.IMPORTANCE}),
        "long snippet cut": frozenset({_D.IMPORTANCE, _D.WHOLE_TEXT}),
        "snippet tokens 5": frozenset({_D.IMPORTANCE, _D.WHOLE_TEXT}),
        "empty memory": frozenset({_D.IMPORTANCE}),
        "crlf memory": frozenset({_D.MERGE_IN_PLACE, _D.LINE_ENDS}),
        "supersede without key": frozenset({_D.ASKED}),
        "loss fraction zero": frozenset({_D.LOSS}),
        "no provenance filtered": frozenset({_D.HANDWRITING}),
        "eligibility 2": frozenset({_D.UNATTENDED}),
        "eligibility 4": frozenset({_D.FOREIGN_TRANSCRIPT}),
        "eligibility 8": frozenset({_D.HANDWRITING}),
        "annotations 1": frozenset({_D.IMPORTANCE}),
        "annotations 2": frozenset({_D.IMPORTANCE, _D.TRIGGER}),
        "annotations 4": frozenset({_D.IMPORTANCE}),
        "annotations 5": frozenset({_D.IMPORTANCE}),
        "annotations 6": frozenset({_D.IMPORTANCE, _D.NO_PROJECT}),
        "annotations 7": frozenset({_D.IMPORTANCE}),
    }
)
"""The differences of each recorded case, by its name; what has no name is counted from 1."""
