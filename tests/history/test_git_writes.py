"""Commits of exactly our files in a repository that belongs to someone else."""

from __future__ import annotations

import os
import shutil
from contextlib import closing
from datetime import timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawmem_core.errors import HistoryError, PathRefusedError, UsageError
from clawmem_core.history.git import GitTrouble, Repository
from clawmem_core.history.revision import message_text
from tests.history.repositories import AT, changed, head, made, opened, program, run, tree, write

pytestmark = pytest.mark.usefixtures("bare_home")


# What is committed


def test_exactly_our_files_are_committed_and_the_operators_work_stays(work: Path, repo: Repository) -> None:
    write(work, "staged.md", b"staged, then edited\n")
    write(work, "other.md", b"other staged\n")
    run(work, "add", "staged.md", "other.md")
    write(work, "staged.md", b"unstaged on top\n")
    write(work, "untracked.md", b"untracked\n")
    write(work, "MEMORY.md", b"- two\n")
    others_before = [line for line in run(work, "status", "--porcelain").splitlines() if "MEMORY" not in line]
    index_before = [line for line in run(work, "ls-files", "-s").splitlines() if "MEMORY" not in line]
    parent = head(work)

    made_id = repo.commit(["MEMORY.md"], "Dream", [("Clawmem-Actor", "engine")])

    assert made_id == head(work)
    assert run(work, "rev-parse", "HEAD^").strip() == parent
    assert changed(work) == ["MEMORY.md"]
    assert repo.read(made_id, "MEMORY.md") == b"- two\n"
    assert run(work, "status", "--porcelain").splitlines() == others_before
    assert others_before == ["M  other.md", "AM staged.md", "?? untracked.md"]
    assert [line for line in run(work, "ls-files", "-s").splitlines() if "MEMORY" not in line] == index_before
    assert (work / "staged.md").read_bytes() == b"unstaged on top\n"


def test_a_file_is_committed_as_it_is_on_disk_whatever_was_staged_of_it(work: Path, repo: Repository) -> None:
    write(work, "MEMORY.md", b"- staged\n")
    run(work, "add", "MEMORY.md")
    write(work, "MEMORY.md", b"- on disk\n")
    assert repo.commit(["MEMORY.md"], "x")
    assert repo.read("HEAD", "MEMORY.md") == b"- on disk\n"
    assert run(work, "status", "--porcelain") == ""


def test_new_and_empty_and_removed_files(work: Path, repo: Repository) -> None:
    write(work, "memory/2026-11-30.md", b"- new\n")
    write(work, "memory/empty.md", b"")
    (work / "other.md").unlink()
    paths = ["memory/2026-11-30.md", "memory/empty.md", "other.md"]
    assert repo.dirty([*paths, "MEMORY.md", "never.md"]) == tuple(paths)
    made_id = repo.commit(paths, "x")
    assert made_id is not None
    assert sorted(tree(work)) == ["MEMORY.md", "memory/2026-11-30.md", "memory/empty.md"]
    assert repo.read(made_id, "memory/empty.md") == b""
    assert repo.read(made_id, "other.md") is None
    assert repo.read(made_id + "^", "other.md") == b"other 1\n"
    assert run(work, "status", "--porcelain") == ""


def test_a_file_that_the_operator_has_taken_from_the_index_is_committed_as_removed(
    work: Path, repo: Repository
) -> None:
    run(work, "rm", "-q", "other.md")
    assert repo.commit(["other.md"], "x")
    assert sorted(tree(work)) == ["MEMORY.md"]


def test_a_file_that_is_ignored_is_left_out(work: Path, repo: Repository) -> None:
    write(work, ".gitignore", b"secret*\n")
    write(work, "secret.md", b"s\n")
    before = head(work)
    assert repo.commit(["secret.md"], "x") is None
    assert repo.dirty(["secret.md"]) == ()
    assert head(work) == before
    write(work, "MEMORY.md", b"- two\n")
    assert repo.commit(["secret.md", "MEMORY.md"], "x") == head(work)
    assert changed(work) == ["MEMORY.md"]
    assert (work / "secret.md").read_bytes() == b"s\n"


def test_a_tracked_file_is_committed_though_a_pattern_ignores_it(work: Path, repo: Repository) -> None:
    write(work, ".git/info/exclude", b"MEMORY.md\n")
    write(work, "MEMORY.md", b"- two\n")
    assert repo.commit(["MEMORY.md"], "x") == head(work)
    assert changed(work) == ["MEMORY.md"]


def test_without_a_change_nothing_is_committed(work: Path, repo: Repository) -> None:
    before = head(work)
    os.utime(work / "MEMORY.md", (1, 1))
    assert repo.dirty(["MEMORY.md"]) == ()
    assert repo.commit(["MEMORY.md", "never.md"], "x") is None
    assert repo.commit([], "x") is None
    write(work, "other.md", b"someone else's\n")
    assert repo.commit(["MEMORY.md"], "x") is None
    assert head(work) == before


@pytest.mark.parametrize(
    "case", ["staged, then reverted on disk", "staged as new, then removed", "only removed from the index"]
)
def test_what_is_on_disk_as_in_head_is_no_change_and_the_index_stays(work: Path, repo: Repository, case: str) -> None:
    if case == "staged, then reverted on disk":
        write(work, "MEMORY.md", b"- two\n")
        run(work, "add", "MEMORY.md")
        write(work, "MEMORY.md", b"- one\n")
        path = "MEMORY.md"
    elif case == "staged as new, then removed":
        write(work, "n.md", b"n\n")
        run(work, "add", "n.md")
        (work / "n.md").unlink()
        path = "n.md"
    else:
        run(work, "rm", "-q", "--cached", "MEMORY.md")
        path = "MEMORY.md"
    before, index = head(work), run(work, "ls-files", "-s")
    assert repo.dirty([path]) == (path,)
    assert repo.commit([path], "x") is None
    assert head(work) == before
    assert run(work, "ls-files", "-s") == index


def test_dirty_does_not_write_the_index(work: Path, repo: Repository) -> None:
    write(work, "MEMORY.md", b"- two\n")
    os.utime(work / "other.md", (5, 5))
    before = (work / ".git/index").read_bytes()
    assert repo.dirty(["other.md", "MEMORY.md"]) == ("MEMORY.md",)
    assert (work / ".git/index").read_bytes() == before


@pytest.mark.parametrize(
    "name",
    [
        "-rf.md",
        "a b.md",
        "été 日本.md",
        "q\"uo'te.md",
        "*.md",
        ":(top)x.md",
        "back\\slash.md",
        "line\nbreak.md",
        "$HOME.md",
    ],
)
def test_any_name_works(work: Path, repo: Repository, name: str) -> None:
    for path in (name, f"-dir/{name}"):
        write(work, path, b"1\n")
        write(work, path + ".not-ours", b"1\n")
        assert repo.dirty([path]) == (path,)
        first = repo.commit([path], "x")
        assert first is not None
        assert changed(work) == [path]
        assert next(repo.log(path)).paths == (path,)
        write(work, path, b"2\n")
        second = repo.commit([path], "x")
        assert second is not None
        assert (repo.read(first, path), repo.read(second, path)) == (b"1\n", b"2\n")
        assert [revision.id for revision in repo.log(path)] == [second, first]


def test_a_name_that_is_not_utf8_works(work: Path, repo: Repository) -> None:
    path = os.fsdecode(b"caf\xe9.md")
    write(work, path, b"1\n")
    made_id = repo.commit([path], "x")
    assert made_id is not None
    assert repo.read(made_id, path) == b"1\n"
    assert next(repo.log(path)).paths == (path,)


def test_a_name_that_ends_in_a_carriage_return_is_no_other_name(work: Path, repo: Repository) -> None:
    write(work, "a.md", b"without\n")
    write(work, "a.md\r", b"with\n")
    assert repo.commit(["a.md", "a.md\r"], "x")
    assert (repo.read("HEAD", "a.md"), repo.read("HEAD", "a.md\r")) == (b"without\n", b"with\n")


def test_a_rename_is_a_removal_and_a_new_file(work: Path, repo: Repository) -> None:
    run(work, "mv", "other.md", "renamed.md")
    assert repo.dirty(["renamed.md", "other.md"]) == ("renamed.md", "other.md")
    assert repo.commit(["renamed.md"], "x") == head(work)
    assert sorted(tree(work)) == ["MEMORY.md", "other.md", "renamed.md"]
    assert run(work, "status", "--porcelain") == "D  other.md\n"


@pytest.mark.parametrize("path", ["/etc/passwd", "../x", "a/../../x", "", "a//b", ".", "a\0b"])
def test_a_path_out_of_the_workspace_is_refused(work: Path, repo: Repository, path: str) -> None:
    for act in (
        lambda: repo.commit([path], "x"),
        lambda: repo.dirty([path]),
        lambda: repo.read("HEAD", path),
        lambda: repo.log(path),
    ):
        with pytest.raises(PathRefusedError):
            act()


def test_a_folder_is_not_committed_with_what_it_holds(work: Path, repo: Repository) -> None:
    write(work, "memory/a.md", b"a\n")
    assert repo.commit(["memory"], "x") is None
    assert run(work, "status", "--porcelain") == "?? memory/\n"


# Programs that must not run


@pytest.mark.parametrize("name", ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit", "post-index-change"])
def test_hooks_are_not_run(work: Path, repo: Repository, tmp_path: Path, name: str) -> None:
    program(work / ".git/hooks" / name, tmp_path / "witness")
    program(tmp_path / "own-hooks" / name, tmp_path / "witness")
    for path in (None, tmp_path / "own-hooks"):
        if path:
            run(work, "config", "core.hooksPath", str(path))
        write(work, "MEMORY.md", f"- {path}\n".encode())
        assert repo.commit(["MEMORY.md"], "x") == head(work)
    assert not (tmp_path / "witness").exists()


def test_no_configured_program_is_run(work: Path, repo: Repository, tmp_path: Path) -> None:
    script = program(tmp_path / "bad", tmp_path / "witness")
    for key in (
        "gpg.program", "core.fsmonitor", "core.editor", "sequence.editor", "diff.external", "diff.x.textconv",
        "core.pager", "core.sshCommand", "trailer.actor.command", "filter.x.clean", "filter.x.smudge",
        "filter.x.process",
    ):  # fmt: skip
        run(work, "config", key, script)
    for key in ("commit.gpgSign", "log.showSignature", "filter.x.required"):
        run(work, "config", key, "true")
    run(work, "config", "user.signingKey", "ABCDEF")
    run(work, "config", "trailer.actor.key", "Clawmem-Actor")
    write(work, ".git/info/attributes", b"MEMORY.md diff=x\nother.md filter=x\n")
    write(work, "MEMORY.md", b"- two\n")
    write(work, "other.md", b"other 2\n")  # As long as before: git has to compare, through the filter.
    signed = run(work, "cat-file", "commit", "HEAD").replace("\n\n", "\ngpgsig -----BEGIN PGP SIGNATURE-----\n\n", 1)
    run(work, "reset", "-q", "--soft", run(work, "hash-object", "-t", "commit", "-w", "--stdin", stdin=signed).strip())
    (tmp_path / "witness").unlink(missing_ok=True)
    assert repo.dirty(["MEMORY.md", "other.md"]) == ("MEMORY.md", "other.md")
    assert repo.status().usable
    made_id = repo.commit(["MEMORY.md"], "x", [("Clawmem-Actor", "engine")])
    assert made_id == head(work)
    assert [revision.trailers for revision in repo.log()] == [(("Clawmem-Actor", "engine"),), ()]
    assert repo.read(made_id, "MEMORY.md") == b"- two\n"
    assert "gpgsig" not in run(work, "cat-file", "commit", made_id)
    assert not (tmp_path / "witness").exists()


def test_a_submodule_of_the_person_runs_none_either(work: Path, repo: Repository, tmp_path: Path) -> None:
    made(tmp_path / "lib")
    run(work, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", (tmp_path / "lib").as_uri(), "lib")
    run(work, "commit", "-qm", "lib")
    run(work / "lib", "config", "filter.x.clean", program(tmp_path / "bad", tmp_path / "witness", "cat"))
    run(work / "lib", "config", "core.attributesFile", str(tmp_path / "attributes"))
    write(tmp_path, "attributes", b"* filter=x\n")
    write(work, "lib/other.md", b"other 2\n")
    run(work, "rm", "-q", "--cached", "MEMORY.md")
    assert repo.commit(["MEMORY.md"], "nothing: git looks at everything to say so") is None
    write(work, "MEMORY.md", b"- two\n")
    assert repo.commit(["MEMORY.md"], "x") == head(work)
    assert not (tmp_path / "witness").exists()


def test_a_commit_starts_no_housekeeping(work: Path, repo: Repository) -> None:
    for number in range(3):
        write(work, "other.md", f"{number}\n".encode())
        run(work, "commit", "-qam", "x")
        run(work, "repack", "-q")
    run(work, "config", "gc.autoPackLimit", "1")
    run(work, "config", "gc.autoDetach", "false")
    packs = sorted((work / ".git/objects/pack").iterdir())
    write(work, "MEMORY.md", b"- two\n")
    assert repo.commit(["MEMORY.md"], "x") == head(work)
    assert sorted((work / ".git/objects/pack").iterdir()) == packs
    run(work, "maintenance", "run", "--auto", "--quiet")
    assert sorted((work / ".git/objects/pack").iterdir()) != packs, "there was something to do"


def test_a_file_behind_a_filter_program_is_refused(work: Path, repo: Repository, tmp_path: Path) -> None:
    run(work, "config", "filter.a.b=c.clean", program(tmp_path / "crypt", tmp_path / "witness", "cat"))
    write(work, ".gitattributes", b"MEMORY.md filter=a.b=c\n")
    write(work, "MEMORY.md", b"- must not get into history as it is\n")
    before = head(work)
    with pytest.raises(HistoryError) as caught:
        repo.commit(["MEMORY.md"], "x")
    assert "MEMORY.md passes through a filter" in caught.value.message
    assert ".gitattributes" in caught.value.hint
    assert head(work) == before
    assert not (tmp_path / "witness").exists()


def test_a_filter_that_only_calls_itself_lfs_is_refused(work: Path, repo: Repository, tmp_path: Path) -> None:
    run(work, "config", "filter.lfs.clean", program(tmp_path / "evil", tmp_path / "witness", "cat"))
    write(work, ".gitattributes", b"*.md filter=lfs\n")
    write(work, "MEMORY.md", b"- two\n")
    with pytest.raises(HistoryError, match="filter program"):
        repo.commit(["MEMORY.md"], "x")
    assert not (tmp_path / "witness").exists()


def test_lfs_is_said_and_runs(work: Path, repo: Repository, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program(tmp_path / "bin/git-lfs", tmp_path / "witness", "cat > /dev/null; echo pointer")
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    run(work, "config", "filter.lfs.clean", "git-lfs clean -- %f")
    run(work, "config", "filter.lfs.required", "true")
    write(work, ".gitattributes", b"*.bin filter=lfs\n")
    assert repo.status().trouble is None
    write(work, ".gitattributes", b"*.md filter=lfs\n")
    write(work, "MEMORY.md", b"- two\n")
    status = repo.status()
    assert (status.usable, status.trouble) == (True, GitTrouble.LFS)
    assert "pointers" in status.detail
    assert repo.commit(["MEMORY.md"], "x") == head(work)
    assert repo.read("HEAD", "MEMORY.md") == b"pointer\n"
    assert (tmp_path / "witness").exists()


def test_no_remote_is_asked_for_a_missing_object(work: Path, tmp_path: Path) -> None:
    run(work, "config", "uploadpack.allowFilter", "true")
    run(tmp_path, "clone", "-q", "--no-checkout", "--filter=blob:none", work.as_uri(), "partial")
    partial = tmp_path / "partial"
    run(partial, "config", "protocol.file.allow", "always")
    with closing(opened(partial)) as repository:
        with pytest.raises(HistoryError):
            repository.read("HEAD", "MEMORY.md")
        assert [revision.paths for revision in repository.log()] == [("MEMORY.md", "other.md")]
    assert "?" + tree(work)["MEMORY.md"] in run(partial, "rev-list", "--objects", "--all", "--missing=print")


# Who, when, and what the message says


def test_configured_identity_and_dates(work: Path, repo: Repository) -> None:
    write(work, "MEMORY.md", b"- two\n")
    made_id = repo.commit(["MEMORY.md"], "x", at=AT.astimezone(timezone(timedelta(hours=9))))
    assert made_id is not None
    lines = run(work, "cat-file", "commit", made_id).splitlines()
    who = f"Olga Operator <olga@example.org> {int(AT.timestamp())} +0000"
    assert lines[2:4] == [f"author {who}", f"committer {who}"]
    assert next(repo.log()).at == AT


def test_the_same_commit_has_the_same_hash(work: Path, repo: Repository) -> None:
    hashes = []
    for _ in range(2):
        write(work, "MEMORY.md", b"- two\n")
        hashes.append(repo.commit(["MEMORY.md"], "x", [("Clawmem-Actor", "engine")], at=AT))
        run(work, "reset", "-q", "--hard", "HEAD^")
    assert hashes[0] == hashes[1] is not None


def test_an_author_other_than_the_committer(work: Path, repo: Repository) -> None:
    write(work, "MEMORY.md", b"- two\n")
    repo.commit(["MEMORY.md"], "x", author=("Zoë", "zoe@example.org"))
    assert (
        run(work, "log", "-1", "--format=%an|%ae|%cn|%ce").strip()
        == "Zoë|zoe@example.org|Olga Operator|olga@example.org"
    )
    revision = next(repo.log())
    assert (revision.author, revision.email) == ("Zoë", "zoe@example.org")


@pytest.mark.parametrize("configured", ["nothing", "only a name"])
def test_without_an_identity_clawmem_is_named(work: Path, repo: Repository, configured: str) -> None:
    run(work, "config", "--unset", "user.email")
    if configured == "nothing":
        run(work, "config", "--unset", "user.name")
    write(work, "MEMORY.md", b"- two\n")
    assert repo.commit(["MEMORY.md"], "x")
    named = "ClawMem <clawmem@localhost>"
    assert run(work, "log", "-1", "--format=%an <%ae>|%cn <%ce>").strip() == f"{named}|{named}"


def test_an_identity_from_the_home_folder_is_used(work: Path, repo: Repository) -> None:
    run(work, "config", "--remove-section", "user")
    (Path(os.environ["HOME"]) / ".gitconfig").write_text(
        "[user]\n\tname = Home\n\temail = h@example.org\n[author]\n\tname = Pen\n"
    )
    write(work, "MEMORY.md", b"- two\n")
    assert repo.commit(["MEMORY.md"], "x")
    assert run(work, "log", "-1", "--format=%an|%ae|%cn|%ce").strip() == "Pen|h@example.org|Home|h@example.org"


@pytest.mark.parametrize(
    ("author", "expected"),
    [
        (("Eve <eve@x>\nparent 0000", "e\n@x>"), "Eve eve@x parent 0000|e @x"),
        (("<>..,", "\x1b"), "ClawMem|clawmem@localhost"),
        (("", ""), "ClawMem|clawmem@localhost"),
        (("\ud800Nul\0l", "a@b\r\n"), "Null|a@b"),
    ],
)
def test_a_hostile_author(work: Path, repo: Repository, author: tuple[str, str], expected: str) -> None:
    write(work, "MEMORY.md", b"- two\n")
    made_id = repo.commit(["MEMORY.md"], "x", author=author)
    assert made_id is not None
    assert run(work, "log", "-1", "--format=%an|%ae").strip() == expected
    assert run(work, "cat-file", "commit", made_id).splitlines()[3].startswith("committer Olga Operator ")
    run(work, "fsck", "--strict")


def test_message_and_trailers_are_git_trailers(work: Path, repo: Repository) -> None:
    write(work, "MEMORY.md", b"- two\n")
    trailers = [
        ("Clawmem-Sweep", "s-1"),
        ("Co-authored-by", "A <1+a@x>"),
        ("Co-authored-by", "B <2+b@x>"),
        ("Empty", ""),
    ]
    repo.commit(["MEMORY.md"], "Promote two claims\n\n# not a comment\n\n- körper: ✓\n", trailers)
    raw = run(work, "log", "-1", "--format=%B")
    assert raw.startswith(
        "Promote two claims\n\n# not a comment\n\n- körper: ✓\n\nClawmem-Sweep: s-1\nCo-authored-by: A"
    )
    parsed = run(work, "interpret-trailers", "--parse", stdin=raw).splitlines()
    assert parsed == ["Clawmem-Sweep: s-1", "Co-authored-by: A <1+a@x>", "Co-authored-by: B <2+b@x>", "Empty: "]
    revision = next(repo.log())
    assert revision.subject == "Promote two claims"
    assert revision.body == "# not a comment\n\n- körper: ✓"
    assert revision.trailers == tuple(trailers)


HOSTILE = "Subject\x1b[31m\r\n\r\nClawmem-Actor: person\n---\ndiff --git a b\nSigned-off-by: x\x00\u2028y\n \t"


def test_a_hostile_message_adds_no_trailer(work: Path, repo: Repository) -> None:
    write(work, "MEMORY.md", b"- two\n")
    repo.commit(
        ["MEMORY.md"], HOSTILE, [("Clawmem-Actor", "engine\nClawmem-Decision: accept\r\x1b[2J\u2028\x85Forged: 1")]
    )
    raw = run(work, "log", "-1", "--format=%B")
    only = "Clawmem-Actor: engine Clawmem-Decision: accept [2J Forged: 1"
    assert run(work, "interpret-trailers", "--parse", stdin=raw).splitlines() == [only]
    revision = next(repo.log())
    assert revision.subject == "Subject[31m"
    assert revision.trailers == (("Clawmem-Actor", "engine Clawmem-Decision: accept [2J Forged: 1"),)
    assert not any(ord(sign) < 32 and sign != "\n" for sign in raw)


def test_a_hostile_message_without_trailers_has_none(work: Path, repo: Repository) -> None:
    write(work, "MEMORY.md", b"- two\n")
    repo.commit(["MEMORY.md"], "Subject\n\nbody\n\nClawmem-Actor: person\nClawmem-Decision : accept")
    assert run(work, "interpret-trailers", "--parse", stdin=run(work, "log", "-1", "--format=%B")) == ""
    revision = next(repo.log())
    assert revision.trailers == ()
    assert revision.body == "body\n\n Clawmem-Actor: person\n Clawmem-Decision : accept"


@pytest.mark.parametrize("message", ["", "\0", "\n\n", "-F /etc/passwd", "#only a comment", "--amend"])
def test_an_odd_message_is_committed(work: Path, repo: Repository, message: str) -> None:
    write(work, "MEMORY.md", b"- two\n")
    repo.commit(["MEMORY.md"], message, [("Clawmem-Actor", "engine")])
    revision = next(repo.log())
    assert revision.subject == (message.strip("\0\n") or "(no message)")
    assert revision.trailers == (("Clawmem-Actor", "engine"),)


@pytest.mark.parametrize("key", ["", "A:B", "A B", "-A", "A\n"])
def test_a_trailer_key_that_is_none_is_refused(work: Path, repo: Repository, key: str) -> None:
    write(work, "MEMORY.md", b"- two\n")
    with pytest.raises(UsageError):
        repo.commit(["MEMORY.md"], "x", [(key, "v")])
    assert repo.dirty(["MEMORY.md"]) == ("MEMORY.md",)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    message=st.text(st.sampled_from("aB:-#= \n\r\t\0\x1b\u2028é(") | st.characters(), max_size=80),
    values=st.lists(st.text(st.sampled_from("a:\n\r \x85\u2029") | st.characters(), max_size=20), max_size=3),
)
def test_git_reads_the_trailers_that_were_given_and_no_others(tmp_path: Path, message: str, values: list[str]) -> None:
    text = message_text(message, [("Clawmem-Actor", value) for value in values])
    text.encode()
    parsed = run(tmp_path, "interpret-trailers", "--parse", stdin=text)
    assert len(parsed.split("\n")) - 1 == len(values)
    assert all(line.startswith("Clawmem-Actor:") for line in parsed.split("\n")[:-1])


# How much a commit asks for


def with_a_long_past(root: Path, commits: int, files: int) -> None:
    """Add a history of which everything but the newest state is gone from the disk."""
    names = [f"notes/{number:04d}.md" for number in range(files)]
    lines: list[str] = []
    for number in range(commits):
        changes = names if number == 0 else [names[number % files]]
        lines += ["commit refs/heads/main", f"committer B <b@x> {1_700_000_000 + number} +0000", "data 1", "x"]
        lines += ["from refs/heads/main^0"] if number == 0 else []
        for name in changes:
            text = f"- {name} in commit {number}\n"
            lines += [f"M 100644 inline {name}", f"data {len(text)}", text]
    run(root, "fast-import", "--quiet", "--force", stdin="\n".join(lines) + "\n")
    run(root, "reset", "-q", "--hard")
    wanted = run(root, "rev-list", "--objects", "--no-walk", "HEAD").splitlines()
    pack = run(
        root, "pack-objects", "--quiet", ".git/newest", stdin="\n".join(line.split()[0] for line in wanted) + "\n"
    )
    objects = root / ".git" / "objects"
    shutil.rmtree(objects)
    (objects / "pack").mkdir(parents=True)
    for end in ("pack", "idx"):
        (root / ".git" / f"newest-{pack.strip()}.{end}").rename(objects / "pack" / f"pack-{pack.strip()}.{end}")


@pytest.mark.parametrize(("commits", "files"), [(300, 40), pytest.param(5_000, 2_000, marks=pytest.mark.full)])
def test_a_commit_reads_nothing_of_the_past(work: Path, commits: int, files: int) -> None:
    """With 5,000 commits behind it a commit does the same work as with one: of those it could not read any."""
    with_a_long_past(work, commits, files)
    run(work, "cat-file", "-e", "HEAD^", code=1)
    write(work, "MEMORY.md", b"- two\n")
    write(work, "memory/dreaming/deep/2026-11-30.md", b"- report\n")
    paths = ["MEMORY.md", "memory/dreaming/deep/2026-11-30.md"]
    with closing(opened(work)) as repository:
        made_id = repository.commit(paths, "Dream", [("Clawmem-Actor", "dream")])
        assert made_id == head(work)
        assert repository.commit(paths, "nothing new") is None
        assert repository.read(made_id, "MEMORY.md") == b"- two\n"
        assert repository.left_out(paths) == {}
    assert run(work, "status", "--porcelain") == ""


def test_a_commit_says_which_files_it_holds(work: Path, repo: Repository) -> None:
    write(work, ".gitignore", b"secret.md\n")
    write(work, "secret.md", b"s\n")
    write(work, "MEMORY.md", b"- two\n")
    made_id = repo.commit(["secret.md", "MEMORY.md"], "x")
    assert made_id is not None
    assert repo.changed_in(made_id) == {"MEMORY.md"}
    assert repo.left_out(["secret.md", "MEMORY.md"]) == {
        "secret.md": "secret.md, which `secret.md` in .gitignore excludes"
    }


def test_a_conflict_is_resolved_by_nobody_but_a_person(work: Path, repo: Repository) -> None:
    """A commit of a file would pass for the resolution of its conflict; one of another file leaves it open."""
    blob = run(work, "hash-object", "-w", "other.md").strip()
    run(work, "update-index", "--force-remove", "other.md")
    run(work, "update-index", "--index-info", stdin="".join(f"100644 {blob} {n}\tother.md\n" for n in (1, 2, 3)))
    write(work, "other.md", b"<<<<<<< ours\n")
    index, before = run(work, "ls-files", "-s"), head(work)
    with pytest.raises(HistoryError, match=r"other\.md is in a conflict"):
        repo.commit(["other.md"], "x")
    assert (run(work, "ls-files", "-s"), head(work)) == (index, before)
    write(work, "MEMORY.md", b"- two\n")
    assert repo.commit(["MEMORY.md"], "x") == head(work)
    assert run(work, "ls-files", "-u").count("other.md") == 3
