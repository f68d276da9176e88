"""Every Markdown file of the data folder, and what a real OpenClaw says of annotations and of equal facts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from clawmem_core.workspace.annotations import comparable, parse_annotations
from clawmem_core.workspace.entries import Splice, apply_splices, parse
from clawmem_core.workspace.text import utf16_units
from tests.data import DATA
from tests.properties.test_bytes import check_pieces

needs_data = pytest.mark.skipif(not DATA.is_dir(), reason=f"no data folder at {DATA} (set CLAWMEM_DATA)")
ORACLE = DATA / "openclaw" / "oracle" / "entries.json"
FILES = sorted(DATA.rglob("*.md")) if DATA.is_dir() else []

STRIPPED_BY_US_TOO = {
    "- a fact [score=0.9 recalls=6 avg=0.905 source=x]": "a fact",
    "- a fact <!-- importance: x -->": "a fact",
}
"""Deliberate differences: a score suffix of an older release (without `signals=`) and an importance that is no
number are a program's writing too, and no part of what the line says."""


def oracle(name: str) -> list[Any]:
    if not ORACLE.is_file():
        return []
    found = json.loads(ORACLE.read_text(encoding="utf-8"))[name]
    assert isinstance(found, list)
    return found


@needs_data
def test_the_data_folder_holds_files_of_many_shapes() -> None:
    assert len(FILES) > 30
    assert {"MEMORY-crlf-bom.md", "MEMORY-latin1.md", "MEMORY-nul.md"} <= {file.name for file in FILES}


@needs_data
@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(DATA)))
def test_every_shared_file_comes_back_byte_for_byte(file: Path) -> None:
    data = file.read_bytes()
    document = parse(data)
    check_pieces(data, document)
    assert apply_splices(document.source, []) == data
    ends = {line[len(line.rstrip("\r\n")) :] for line in document.source.lines} - {""}
    if len(ends) <= 1:
        again = [Splice(entry.block_start, entry.end, entry.block) for entry in document.entries]
        assert apply_splices(document.source, again) == data


@needs_data
@pytest.mark.parametrize("case", oracle("single_texts"), ids=lambda case: repr(case["text"])[:60])
def test_annotations_are_read_as_openclaw_reads_them(case: dict[str, Any]) -> None:
    found = parse_annotations(case["text"])
    assert {
        "importance": found.importance,
        "triggers": "; ".join(found.triggers) or None,
        "projectKey": "; ".join(found.projects) or None,
    } == case["memory_md"]


@needs_data
@pytest.mark.parametrize("case", oracle("comparable_fact"), ids=lambda case: repr(case["text"])[:60])
def test_facts_are_compared_as_openclaw_compares_them(case: dict[str, Any]) -> None:
    assert comparable(case["text"]) == STRIPPED_BY_US_TOO.get(case["text"], case["comparable"])


@needs_data
@pytest.mark.parametrize(
    "case", [case for case in oracle("project_key_normalisation") if case["output"]], ids=lambda case: case["input"]
)
def test_project_keys_are_written_as_openclaw_writes_them(case: dict[str, Any]) -> None:
    assert parse_annotations(f"- a <!-- project: {case['input']} -->").projects == (case["output"],)


@needs_data
@pytest.mark.parametrize("case", oracle("files"), ids=lambda case: case["file"])
def test_shape_files_have_the_size_that_openclaw_counts(case: dict[str, Any]) -> None:
    data = (DATA / "shapes" / case["file"]).read_bytes()
    assert utf16_units(data.decode("utf-8", "replace")) == case["utf16_length"]
