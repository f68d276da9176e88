"""Reading revisions, files and the log, whatever they hold and however git is configured."""

from __future__ import annotations

import subprocess
import threading
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from clawmem_core.errors import NotFoundError, RefusedError
from clawmem_core.history.git import Repository, Revision
from tests.history.repositories import head, opened, run, tree, write

pytestmark = pytest.mark.usefixtures("bare_home")


def test_resolve(work: Path, repo: Repository, tmp_path: Path) -> None:
    full = head(work)
    run(work, "tag", "-a", "-m", "t", "v1")
    assert [repo.resolve(name) for name in (full, full[:8], "main", "HEAD", "v1", "HEAD^{/first}")] == [full] * 6
    for name in (
        "",
        " ",
        "nope",
        "HEAD~9",
        "0" * 40,
        tree(work)["MEMORY.md"],
        "HEAD:MEMORY.md",
        "main..v1",
        "a\0b",
        "a\nb",
    ):
        with pytest.raises(NotFoundError):
            repo.resolve(name)
    for name in ("-h", "--all", f"--output={tmp_path / 'x'}"):
        with pytest.raises(RefusedError):
            repo.resolve(name)
        with pytest.raises(RefusedError):
            repo.read(name, "MEMORY.md")
    assert not (tmp_path / "x").exists()


def test_read(work: Path, repo: Repository) -> None:
    data = bytes(range(256)) * 5000
    write(work, "memory/blob.md", data)
    write(work, "MEMORY.md", b"- two, no line end")
    made_id = repo.commit(["memory/blob.md", "MEMORY.md"], "x")
    assert made_id is not None
    assert repo.read(made_id, "memory/blob.md") == data
    assert repo.read(made_id, "MEMORY.md") == b"- two, no line end"
    assert repo.read("HEAD^", "MEMORY.md") == b"- one\n"
    for absent in ("nope.md", "memory", "memory/blob.md/x", "a b missing", "-p"):
        assert repo.read(made_id, absent) is None
    for unknown in ("nope", "0" * 40):
        with pytest.raises(NotFoundError):
            repo.read(unknown, "MEMORY.md")
    assert repo.read(made_id, "memory/blob.md") == data


def test_reading_survives_a_dead_reader_and_close(work: Path, repo: Repository) -> None:
    assert repo.read("HEAD", "MEMORY.md") == b"- one\n"
    reader = repo._git.cat_file_all
    assert reader is not None
    reader.kill()
    reader.proc.wait()
    assert repo.read("HEAD", "MEMORY.md") == b"- one\n"
    assert repo.read("HEAD", "other.md") == b"other 1\n"
    repo.close()
    assert repo.read("HEAD", "MEMORY.md") == b"- one\n"
    repo.close()
    repo.close()


def test_threads_read_their_own_file(work: Path, repo: Repository) -> None:
    paths = [f"memory/{number}.md" for number in range(8)]
    for path in paths:
        write(work, path, path.encode() * 20_000)
    made_id = repo.commit(paths, "x")
    assert made_id is not None
    wrong: list[str] = []

    def read(path: str) -> None:
        wrong.extend(path for _ in range(20) if repo.read(made_id, path) != path.encode() * 20_000)

    threads = [threading.Thread(target=read, args=(path,)) for path in paths]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_sha256_repository(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q", "-b", "main", "--object-format=sha256", "long")
    # Read as an answer of `cat-file`, the file's text would announce another one.
    text = b"0" * 40 + b" blob 3\nabc\n"
    write(tmp_path / "long", "MEMORY.md", text)
    with closing(opened(tmp_path / "long")) as repository:
        made_id = repository.commit(["MEMORY.md"], "x")
        assert made_id is not None
        assert len(made_id) == 64
        assert [repository.read(made_id, "MEMORY.md") for _ in range(3)] == [text] * 3
        assert repository.read(made_id, "nope") is None
        assert next(repository.log()).id == made_id


def imported(root: Path, count: int) -> None:
    """Add `count` commits at once; every third changes MEMORY.md, the others note.md."""
    lines = []
    for number in range(count):
        path = "MEMORY.md" if number % 3 == 0 else "note.md"
        text, subject = f"{number}\n", f"commit {number}"
        lines += [
            "commit refs/heads/main",
            f"committer B <b@x> {1_700_000_000 + number} +0200",
            f"data {len(subject)}",
            subject,
        ]
        lines += ["from refs/heads/main^0"] if number == 0 else []
        lines += [f"M 100644 inline {path}", f"data {len(text)}", text]
    run(root, "fast-import", "--quiet", "--force", stdin="\n".join(lines) + "\n")


def test_log_streams_many_commits(work: Path, repo: Repository) -> None:
    imported(work, 3000)
    everything = list(repo.log())
    assert [r.subject for r in everything] == [f"commit {number}" for number in reversed(range(3000))] + ["first"]
    assert everything[0].id == head(work)
    assert everything[0].at == datetime.fromtimestamp(1_700_002_999, UTC)
    assert everything[0].at.utcoffset() == timedelta(0)
    assert (everything[0].author, everything[0].email) == ("B", "b@x")
    assert everything[-1].paths == ("MEMORY.md", "other.md")
    assert {r.paths for r in everything[:-1]} == {("MEMORY.md",), ("note.md",)}
    of_memory = list(repo.log("MEMORY.md"))
    assert [r.subject for r in of_memory] == [f"commit {number}" for number in range(2997, -1, -3)] + ["first"]
    assert of_memory[-1].paths == ("MEMORY.md", "other.md")
    assert [r.id for r in repo.log(limit=5, skip=7)] == [r.id for r in everything[7:12]]
    assert [r.id for r in repo.log("MEMORY.md", limit=2, skip=1)] == [r.id for r in of_memory[1:3]]
    assert list(repo.log(limit=0)) == []
    assert list(repo.log("nope.md")) == []


def test_log_starts_one_process_and_ends_it_when_reading_stops(
    work: Path, repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    imported(work, 3000)
    assert repo.status().usable
    started = []
    execute = repo._git.execute

    def watched(*arguments: object, **options: object) -> object:
        started.append(execute(*arguments, **options))  # type: ignore[call-overload]  # passed on as it came
        return started[-1]

    monkeypatch.setattr(repo._git, "execute", watched, raising=False)
    revisions = repo.log()
    assert next(revisions).subject == "commit 2999"
    (process,) = started
    running = process.proc
    assert running.poll() is None  # 3,000 commits do not fit into the pipe: git waits for us.
    del started[:], process
    revisions.close()  # type: ignore[attr-defined]  # a generator, said to be an iterator
    del revisions
    assert running.poll() is not None


def test_log_reads_what_no_delimiter_can_survive(work: Path, repo: Repository) -> None:
    raw = "//subject\n\n//body\n\nA: 1\n  folded\nB:2\nnot a trailer\n"
    write(work, "MEMORY.md", b"- two\n")
    run(work, "commit", "-qa", "-F", "-", "--cleanup=verbatim", "--author=// <//>", stdin=raw)
    run(work, "commit", "-q", "--allow-empty", "-m", "empty")
    run(work, "commit", "-q", "--allow-empty", "-m", "mixed\n\nbody\n\nSigned-off-by: a\n  b\nnot a trailer\n")
    mixed, newest, second, first = repo.log()
    assert (mixed.body, mixed.trailers) == ("body", (("Signed-off-by", "a b"),))
    assert (newest.subject, newest.paths, newest.body, newest.trailers) == ("empty", (), "", ())
    assert second == Revision(
        id=run(work, "rev-parse", "HEAD^^").strip(),
        at=second.at,
        author="//",
        email="//",
        subject="//subject",
        body="//body\n\nA: 1\n  folded\nB:2\nnot a trailer",
        trailers=(),
        paths=("MEMORY.md",),
    )
    assert first.subject == "first"


def test_log_of_a_merge_names_what_only_the_merge_made(work: Path, repo: Repository) -> None:
    run(work, "checkout", "-q", "-b", "side")
    write(work, "MEMORY.md", b"side\n")
    write(work, "clean.md", b"c\n")
    run(work, "add", ".")
    run(work, "commit", "-qm", "side")
    run(work, "checkout", "-q", "main")
    write(work, "MEMORY.md", b"main\n")
    run(work, "commit", "-qam", "main")
    run(work, "merge", "-q", "side", code=1)
    write(work, "MEMORY.md", b"both\n")
    run(work, "commit", "-qam", "merge")
    run(work, "checkout", "-q", "-b", "third", "HEAD^")
    write(work, "third.md", b"t\n")
    run(work, "add", ".")
    run(work, "commit", "-qm", "third")
    run(work, "checkout", "-q", "main")
    run(work, "merge", "-q", "--no-edit", "third")
    paths = {r.subject: r.paths for r in repo.log()}
    assert paths == {
        "Merge branch 'third'": (),
        "third": ("third.md",),
        "merge": ("MEMORY.md",),
        "main": ("MEMORY.md",),
        "side": ("MEMORY.md", "clean.md"),
        "first": ("MEMORY.md", "other.md"),
    }
    assert next(repo.log("MEMORY.md")).subject == "merge"


def test_the_configuration_bends_nothing(work: Path) -> None:
    run(work, "mv", "other.md", "renamed.md")
    write(work, "ws/MEMORY.md", b"- one\n")
    run(work, "add", ".")
    run(work, "commit", "-qm", "rename\n\nKey: 1")
    with closing(opened(work)) as repo, closing(opened(work / "ws")) as inner:
        expected = list(repo.log()), list(inner.log())
        assert [revision.paths for revision in expected[0]] == [
            ("other.md", "renamed.md", "ws/MEMORY.md"),
            ("MEMORY.md", "other.md"),
        ]
        assert [(r.paths, r.trailers) for r in expected[1]] == [(("MEMORY.md",), (("Key", "1"),))]
        for key, value in {
            "log.follow": "true", "diff.renames": "copies", "color.ui": "always", "diff.noprefix": "true",
            "log.date": "relative", "log.showRoot": "false", "core.quotePath": "true", "log.decorate": "full",
            "i18n.logOutputEncoding": "UTF-16", "i18n.commitEncoding": "ISO-8859-1", "trailer.separators": "=",
            "diff.relative": "true", "format.pretty": "raw", "log.diffMerges": "off", "commit.cleanup": "strip",
            "status.showUntrackedFiles": "no", "status.branch": "true", "core.abbrev": "5", "commit.verbose": "true",
        }.items():  # fmt: skip
            run(work, "config", key, value)
        assert (list(repo.log()), list(inner.log())) == expected
        assert [revision.subject for revision in repo.log("renamed.md")] == ["rename"]
        write(work, "ws/memory/é.md", b"1\n")
        assert inner.dirty(["memory/é.md"]) == ("memory/é.md",)
        made_id = inner.commit(["memory/é.md"], "Körper ✓\n\n# kept\n", [("Clawmem-Actor", "é")])
        assert made_id == head(work)
        raw = subprocess.run(["git", "cat-file", "commit", "HEAD"], cwd=work, capture_output=True).stdout
        assert raw.endswith("\n\nKörper ✓\n\n# kept\n\nClawmem-Actor: é\n".encode())
        revision = next(inner.log())
        assert (revision.subject, revision.paths) == ("Körper ✓", ("memory/é.md",))


def test_the_hash_is_of_our_commit_though_another_follows_at_once(
    work: Path, repo: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Repository, "resolve", lambda *_: pytest.fail("HEAD may be another by now"))
    for path in ("MEMORY.md", "new] 0123456789.md"):
        write(work, path, b"- two\n")
        assert repo.commit([path], f"[x {'0' * 40}] y") == head(work)


def test_a_date_beyond_all_bounds(work: Path, repo: Repository) -> None:
    tree_id = run(work, "write-tree").strip()
    raw = f"tree {tree_id}\nauthor A <a@x> 99999999999999 +0000\ncommitter A <a@x> 1 +0000\n\nfar\n"
    made_id = run(work, "hash-object", "-t", "commit", "-w", "--stdin", stdin=raw).strip()
    run(work, "update-ref", "refs/heads/main", made_id)
    (revision,) = repo.log()
    assert revision.at == datetime(9999, 12, 31, tzinfo=UTC)
