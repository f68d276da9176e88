"""`index` at the shell, and what `search` says of meaning."""

from __future__ import annotations

from pathlib import Path

import pytest

from clawmem_core.recall.meaning import embedding
from tests.cli.shell import Shell

FLIGHTS = "I avoid flights longer than five hours"
QUESTION = "Where should we go on holiday by plane?"


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    root = tmp_path / "workspace"
    (root / "memory").mkdir(parents=True)
    (root / "MEMORY.md").write_text(f"# Memory\n\n- {FLIGHTS}\n- The staging server is called Otter\n")
    (root / "memory" / "2026-11-28.md").write_text("- The kettle needs descaling\n")
    return Shell(root, tmp_path / "state")


def settings(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, text: str) -> None:
    file = tmp_path / "settings" / "clawmem" / "config.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))


def test_index_reads_the_files_and_makes_their_vectors_once(shell: Shell) -> None:
    done = shell.json("index")
    assert done["added"] == ["MEMORY.md", "memory/2026-11-28.md"]
    assert (done["documents"], done["rebuilt"], done["stale"]) == (3, True, None)
    assert done["vectors"] == {"made": 3, "left": 0}
    again = shell.json("index", "--rebuild", "--verify")
    assert again["rebuilt"]
    assert again["added"] == done["added"]
    assert again["vectors"] == {"made": 0, "left": 0}, "vectors outlive the index"
    assert again["differing"] == []
    assert shell.run("index", "--verify") == 0
    assert shell.out.splitlines() == ["3 entries are indexed, 0 files were read.", "It holds what the files say."]


def test_search_finds_by_meaning_once_the_memory_was_read(shell: Shell) -> None:
    assert shell.json("search", QUESTION, "--min-score", "0")["results"] == []
    shell.json("index")
    first = shell.json("search", QUESTION, "--min-score", "0")["results"][0]
    assert first["text"] == FLIGHTS
    assert first["factors"]["lexical"] == 0
    assert 0 < first["factors"]["vector"] <= 1
    factors = [first["factors"][name] for name in ("relevance", "recency", "importance", "project")]
    product = 1.0
    for factor in factors:
        product *= factor
    assert first["score"] == pytest.approx(product, abs=1e-9)
    shell.run("search", QUESTION, "--min-score", "0", "--explain")
    assert "; words 0.000, meaning 0." in shell.out


def test_doctor_says_what_search_goes_by(shell: Shell) -> None:
    def said() -> dict[str, str]:
        checks = {check["check"]: check for check in shell.json("doctor", code=4)["checks"]}
        found: dict[str, str] = checks["meaning"]
        return found

    shell.json("search", "kettle")
    assert said()["state"] == "ok"
    assert "`clawmem index`" in said()["detail"]
    shell.json("index")
    assert said()["detail"] == "search goes by words and by meaning"


def test_without_the_extra_one_line_says_what_it_would_add(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "_LIBRARIES", ("a_library_that_nobody_has",))
    line = "Search goes by words alone; pip install 'clawmem-tui[embeddings]' lets it find by meaning as well.\n"
    assert shell.run("search", "kettle") == 0
    assert shell.err == ""
    shell.run("search", "kettle", "--explain")
    assert shell.err == line
    shell.run("search", QUESTION)
    assert shell.err == line
    assert shell.json("index")["vectors"] == {"made": 0, "left": 0}


def test_an_embedder_that_is_no_model_is_refused(shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings(monkeypatch, tmp_path, '[recall]\nembedder = "house"\n')
    assert shell.run("search", "kettle") != 0
    assert "recall.embedder is 'house'" in shell.err


def test_an_endpoint_that_does_not_answer_leaves_search_by_words(
    shell: Shell, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell.json("index")
    address = 'provider = "openai"\nmodel = "small-1"\nbase_url = "http://127.0.0.1:9/v1"\n'
    settings(monkeypatch, tmp_path, f'[recall]\nembedder = "house"\n[models.house]\n{address}')
    with_vectors = shell.json("search", "kettle")["results"]
    assert [hit["text"] for hit in with_vectors] == ["The kettle needs descaling"]
    assert with_vectors[0]["factors"]["vector"] is None
    assert shell.run("index") != 0
    assert "127.0.0.1:9" in shell.err
