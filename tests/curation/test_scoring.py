"""The score: against recorded rankings of a real OpenClaw, and against formulas written down a second time here."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from clawmem_core.clock import parse_instant
from clawmem_core.config import Gate
from clawmem_core.curation.scoring import collation_key, gate, rank
from clawmem_core.errors import ConfigError
from clawmem_core.ledger.candidates import Candidate, Evidence, LeftOut, Source
from clawmem_core.provenance.classes import Origin, SessionKind
from tests.cli.shell import Shell, lived_in
from tests.data import oracle

EXACT = 1e-9
RUNS = [
    "explain: no thresholds, promoted included",
    "defaults",
    "defaults, limit 10",
    "defaults, promoted included",
    "max age 30 half life 7",
    "dreaming deep defaults (minScore .75 minRecall 3 minUnique 3 halfLife 14 maxAge 30)",
    "bad option values",
    "minRecall 6 minUnique 5",
]


def _time(text: str | None) -> str:
    """Read a recorded time; what is no time counts as none, as it does there."""
    try:
        parse_instant(text or "")
    except ConfigError:
        return ""
    return text or ""


def _candidate(entry: dict[str, Any], phase: dict[str, Any]) -> Candidate:
    evidence = Evidence(
        recalls=entry["recallCount"],
        daily=entry["dailyCount"],
        grounded=entry["groundedCount"],
        total_score=entry["totalScore"],
        unique_queries=len(entry.get("userQueryHashes") or []),
        days=tuple(entry["recallDays"]),
        tags=tuple(entry["conceptTags"]),
        last_recalled_at=_time(entry["lastRecalledAt"]),
        light_hits=phase.get("lightHits", 0),
        rem_hits=phase.get("remHits", 0),
        last_light_at=_time(phase.get("lastLightAt")),
        last_rem_at=_time(phase.get("lastRemAt")),
    )
    source = Source(entry["path"], entry["startLine"], entry["endLine"], "")
    return Candidate(
        entry["key"], entry["snippet"], "", (source,), Origin.AGENT, SessionKind.INTERACTIVE, "", evidence=evidence
    )


@pytest.mark.parametrize("name", RUNS)
def test_recorded_rankings_are_reached_to_the_last_digit(name: str) -> None:
    recorded = oracle("scores.json")
    run = next(run for run in recorded["runs"] if run["name"] == name)
    now = datetime.fromtimestamp(recorded["now_ms"] / 1000, UTC)
    phases = {item["key"]: item["value"] for item in recorded["phase_signals_raw"]}
    entries = {entry["key"]: entry for entry in recorded["store_normalised"]}
    half_life = run["options"].get("recencyHalfLifeDays") or 14
    # The keys come in an order that has nothing to do with the ranking.
    ranked = rank([_candidate(entries[key], phases.get(key, {})) for key in sorted(run["keys"])], now, half_life)
    assert [item.key for item in ranked] == run["keys"]
    assert [item.score for item in ranked] == pytest.approx(run["scores"], abs=EXACT)


def test_recorded_components_are_reached_to_the_last_digit() -> None:
    recorded = oracle("scores.json")
    now = datetime.fromtimestamp(recorded["now_ms"] / 1000, UTC)
    phases = {item["key"]: item["value"] for item in recorded["phase_signals_raw"]}
    entries = {entry["key"]: entry for entry in recorded["store_normalised"]}
    for detail in recorded["details_of_first_run"]:
        found = rank([_candidate(entries[detail["key"]], phases.get(detail["key"], {}))], now)[0].components
        assert found is not None
        for name, value in detail["components"].items():
            assert getattr(found, name) == pytest.approx(value, abs=EXACT), (detail["key"], name)
        assert found.boost == pytest.approx(detail["phase_boost"], abs=EXACT)


def test_the_first_failing_gate_is_the_recorded_one() -> None:
    recorded = oracle("scores.json")
    now = datetime.fromtimestamp(recorded["now_ms"] / 1000, UTC)
    phases = {item["key"]: item["value"] for item in recorded["phase_signals_raw"]}
    entries = {entry["key"]: entry for entry in recorded["store_normalised"]}
    words = {"score": LeftOut.SCORE, "signal": LeftOut.SIGNALS, "query": LeftOut.QUERIES, "age": LeftOut.AGE}
    seen = set()
    for rejection in recorded["apply_rejections_no_limit"]:
        kind, _, rest = rejection["category"].partition(" ")
        if rest != "threshold":
            continue
        candidate = rank([_candidate(entries[rejection["key"]], phases.get(rejection["key"], {}))], now)[0]
        stopped = gate(candidate, Gate(), now)
        assert stopped is not None
        assert stopped[0] is words[kind], rejection
        seen.add(kind)
    assert seen == set(words)


def _recomputed(item: dict[str, Any], now: datetime) -> float:
    """Compute a score from `candidates --json` alone, with the formulas of the format description."""
    signals = item["recalls"] + item["daily"] + item["grounded"]
    assert signals == item["signals"]
    days = sorted(datetime.fromisoformat(day) for day in item["days"])
    if len(days) < 2:
        recurrence = 0.2 * len(days)
    else:
        recurrence = 0.55 * min(1, math.log(len(days)) / math.log(5)) + 0.45 * min(1, (days[-1] - days[0]).days / 7)
    age = max(0.0, (now - parse_instant(item["last_recalled_at"])).total_seconds() / 86400)
    parts = {
        "relevance": min(1, item["total_score"] / signals),
        "frequency": min(1, math.log(1 + signals) / math.log(11)),
        "diversity": min(1, item["unique_queries"] / 5),
        "recency": 2 ** (-age / 14),
        "consolidation": min(1, max(item["grounded"] / 3, recurrence)),
        "conceptual": min(1, len(item["tags"]) / 6),
    }
    boost = 0.0
    for most, name in ((0.06, "light"), (0.09, "rem")):
        hits, last = item["phase_hits"][name], item["phase_hits"][f"last_{name}_at"]
        if hits:
            back = max(0.0, (now - parse_instant(last)).total_seconds() / 86400)
            boost += most * min(1, math.log(1 + hits) / math.log(7)) * 2 ** (-back / 14)
    for name, value in parts.items():
        assert item["components"][name] == pytest.approx(value, abs=EXACT)
    weights = {
        "relevance": 0.30,
        "frequency": 0.24,
        "diversity": 0.15,
        "recency": 0.15,
        "consolidation": 0.10,
        "conceptual": 0.06,
    }
    return float(min(1.0, sum(weights[name] * value for name, value in parts.items()) + boost))


def test_every_score_can_be_recomputed_from_what_the_command_prints(tmp_path: Path) -> None:
    shell = lived_in(tmp_path)
    now = shell.now
    before = shell.json("candidates")["candidates"]
    ranked = [item for item in before if item["score"] is not None]
    assert len(ranked) >= 4
    assert any(item["verdict"] == "promoted" for item in ranked)
    for item in ranked:
        assert item["score"] == pytest.approx(_recomputed(item, now), abs=EXACT)
    dream = shell.json("dream", "--dry-run")
    assert [(item["key"], item["score"]) for item in dream["ranked"]] == [(i["key"], i["score"]) for i in ranked]
    for printed, item in zip(dream["ranked"], ranked, strict=True):
        assert printed["components"] == item["components"]


def test_phase_hits_raise_the_score_from_the_next_night_on(tmp_path: Path) -> None:
    shell = lived_in(tmp_path)
    shell.json("dream")
    again = {item["key"]: item for item in shell.json("candidates")["candidates"] if item["score"] is not None}
    assert all(item["phase_hits"]["light"] == 0 for item in again.values())
    tomorrow = Shell(shell.workspace, shell.state_dir, shell.now + timedelta(days=1))
    later = [item for item in tomorrow.json("candidates")["candidates"] if item["score"] is not None]
    hit = [item for item in later if item["phase_hits"]["light"] == 1]
    assert hit
    for item in later:
        assert item["score"] == pytest.approx(_recomputed(item, tomorrow.now), abs=EXACT)


def test_paths_of_equal_candidates_stand_as_people_order_them() -> None:
    """Letters before accents, accents before case, small letters first; as OpenClaw breaks a tie."""
    ordered = ["note", "Note", "noté", "Noté", "notes"]
    assert sorted(("notes", "Noté", "Note", "noté", "note"), key=collation_key) == ordered
