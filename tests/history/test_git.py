"""Commits of exactly our files in a repository that belongs to someone else, and reading them back."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from clawmem_core.errors import HistoryError, NotFoundError, PathRefusedError, RefusedError, UsageError
from clawmem_core.history.git import GitTrouble, Repository, Revision
from clawmem_core.history.revision import message_text

AT = datetime(2026, 11, 30, 3, 0, 5, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A home without any git configuration, for us and for the git that the tests run themselves."""
    home = tmp_path / "home"
    home.mkdir()
    for name in [name for name in os.environ if name.startswith(("GIT_", "XDG_CONFIG"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / ".gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A repository of an operator, with one commit of MEMORY.md and other.md."""
    root = tmp_path / "work"
    made(root)
    return root


@pytest.fixture
def repo(work: Path) -> Iterator[Repository]:
    with closing(opened(work)) as repository:
        yield repository


def made(root: Path) -> None:
    root.mkdir(parents=True)
    run(root, "init", "-q", "-b", "main")
    run(root, "config", "user.name", "Olga Operator")
    run(root, "config", "user.email", "olga@example.org")
    write(root, "MEMORY.md", b"- one\n")
    write(root, "other.md", b"other 1\n")
    run(root, "add", ".")
    run(root, "commit", "-q", "-m", "first")


def opened(root: Path) -> Repository:
    repository = Repository.open(root)
    assert repository is not None
    return repository


def run(root: Path, *arguments: str, stdin: str | None = None, code: int = 0) -> str:
    done = subprocess.run(["git", *arguments], cwd=root, input=stdin, capture_output=True, text=True)
    assert done.returncode == code, done.stderr
    return done.stdout


def write(root: Path, path: str, data: bytes) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)


def tree(root: Path, revision: str = "HEAD") -> dict[str, str]:
    """Paths and blob hashes of a commit, as git itself tells them."""
    lines = run(root, "ls-tree", "-r", "-z", revision).split("\0")
    return {line.split("\t")[1]: line.split()[2] for line in lines if line}


def head(root: Path) -> str:
    return run(root, "rev-parse", "HEAD").strip()


def changed(root: Path, revision: str = "HEAD") -> list[str]:
    names = run(root, "diff-tree", "--root", "-r", "-z", "--no-commit-id", "--name-only", revision)
    return [name for name in names.split("\0") if name]


def program(path: Path, witness: Path, then: str = "exit 1") -> str:
    """A script that leaves a witness of having run."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\necho ran >> '{witness}'\n{then}\n")
    path.chmod(0o755)
    return str(path)


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


# Where the workspace is


def test_no_repository(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    assert Repository.open(tmp_path / "plain") is None
    assert Repository.open(tmp_path / "absent") is None


def test_the_first_commit_on_an_unborn_branch_leaves_what_is_staged(tmp_path: Path) -> None:
    write(tmp_path, "ws/MEMORY.md", b"- one\n")
    write(tmp_path, "ws/staged.md", b"s\n")
    workspace = tmp_path / "ws"
    with closing(Repository.init(workspace)) as repository:
        run(workspace, "add", "staged.md")
        status = repository.status()
        assert (status.usable, status.trouble, status.head, status.branch) == (True, None, None, "main")
        assert list(repository.log()) == []
        assert repository.dirty(["MEMORY.md"]) == ("MEMORY.md",)
        made_id = repository.commit(["MEMORY.md"], "First", [("Clawmem-Actor", "engine")])
        assert made_id == head(workspace) == repository.status().head
        assert list(tree(workspace)) == ["MEMORY.md"]
        assert run(workspace, "status", "--porcelain") == "A  staged.md\n"


def test_a_workspace_in_a_folder_of_a_repository(work: Path) -> None:
    workspace = work / "agents/my agent"
    write(workspace, "MEMORY.md", b"- inner\n")
    write(work, "MEMORY.md", b"- outer, edited\n")
    with closing(opened(workspace)) as repository:
        assert repository.status().root == str(work)
        assert repository.dirty(["MEMORY.md"]) == ("MEMORY.md",)
        made_id = repository.commit(["MEMORY.md"], "x")
        assert made_id is not None
        assert changed(work) == ["agents/my agent/MEMORY.md"]
        assert repository.read(made_id, "MEMORY.md") == b"- inner\n"
        assert run(work, "status", "--porcelain") == " M MEMORY.md\n"
        run(work, "commit", "-qam", "outside of the workspace")
        write(workspace, "USER.md", b"u\n")
        write(work, "top.md", b"t\n")
        run(work, "add", ".")
        run(work, "commit", "-qm", "both")
        assert [(r.subject, r.paths) for r in repository.log()] == [("both", ("USER.md",)), ("x", ("MEMORY.md",))]
        assert [r.subject for r in repository.log("MEMORY.md")] == ["x"]
        write(work, "agents/my agent/MEMORY.md", b"- 3\n")
        assert repository.commit(["MEMORY.md"], "y") == head(work)


def test_a_folder_whose_name_looks_like_a_variable(tmp_path: Path) -> None:
    made(tmp_path / "$HOME ~x")
    with closing(opened(tmp_path / "$HOME ~x")) as repository:
        assert repository.read("HEAD", "MEMORY.md") == b"- one\n"


def test_inherited_git_variables_are_ignored(work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    decoy = tmp_path / "decoy"
    made(decoy)
    before, index = head(decoy), (decoy / ".git/index").read_bytes()
    monkeypatch.setenv("GIT_DIR", str(decoy / ".git"))
    monkeypatch.setenv("GIT_WORK_TREE", str(decoy))
    monkeypatch.setenv("GIT_INDEX_FILE", str(decoy / ".git/index"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(decoy / ".git/objects"))
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Mallory")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "core.hooksPath")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", str(decoy))
    monkeypatch.setenv("GIT_TRACE", str(tmp_path / "trace"))
    write(work, "MEMORY.md", b"- two\n")
    with closing(opened(work)) as repository:
        made_id = repository.commit(["MEMORY.md"], "x")
        assert made_id is not None
        assert repository.read(made_id, "MEMORY.md") == b"- two\n"
        assert next(repository.log()).author == "Olga Operator"
    monkeypatch.undo()
    assert head(work) == made_id
    assert (head(decoy), (decoy / ".git/index").read_bytes()) == (before, index)
    assert not (tmp_path / "trace").exists()


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


# Troubles


def refused(
    root: Path, repository: Repository, trouble: GitTrouble, says: str, path: str = "MEMORY.md"
) -> HistoryError:
    """Assert that a commit is refused for this trouble, and that neither HEAD, index nor file moved."""
    write(root, path, b"- ours\n")
    before = (run(root, "rev-parse", "HEAD"), run(root, "ls-files", "-s"))
    status = repository.status()
    assert (status.usable, status.trouble) == (False, trouble)
    assert says in status.detail
    with pytest.raises(HistoryError) as caught:
        repository.commit([path], "x")
    assert caught.value.message == status.detail
    assert caught.value.hint == status.hint != ""
    assert (run(root, "rev-parse", "HEAD"), run(root, "ls-files", "-s")) == before
    assert (root / path).read_bytes() == b"- ours\n"
    return caught.value


def test_a_detached_head(work: Path, repo: Repository) -> None:
    run(work, "checkout", "-q", "--detach")
    status = repo.status()
    assert (status.branch, status.head) == (None, head(work))
    error = refused(work, repo, GitTrouble.DETACHED_HEAD, "detached HEAD")
    assert "git switch" in error.hint
    run(work, "switch", "-q", "main")
    assert repo.commit(["MEMORY.md"], "x") == head(work)


@pytest.mark.parametrize(
    ("act", "name"),
    [
        ("rebase side", "rebase"),
        ("merge side", "merge"),
        ("cherry-pick side", "cherry-pick"),
        ("bisect start", "bisect"),
    ],
)
def test_an_unfinished_operation(work: Path, repo: Repository, act: str, name: str) -> None:
    run(work, "checkout", "-q", "-b", "side")
    write(work, "other.md", b"side\n")
    run(work, "commit", "-qam", "side")
    run(work, "checkout", "-q", "main")
    write(work, "other.md", b"main\n")
    run(work, "commit", "-qam", "main")
    run(work, *act.split(), code=0 if name == "bisect" else 1)
    refused(work, repo, GitTrouble.IN_PROGRESS, f"A {name} is in progress")
    run(work, "checkout", "-q", "HEAD", "--", "MEMORY.md")
    run(work, *(["bisect", "reset"] if name == "bisect" else [name, "--abort"]))
    write(work, "MEMORY.md", b"- two\n")
    assert repo.commit(["MEMORY.md"], "x") == head(work)


@pytest.mark.parametrize("lock", ["index.lock", "HEAD.lock"])
def test_a_foreign_lock_is_respected_and_never_removed(work: Path, repo: Repository, lock: str) -> None:
    write(work, f".git/{lock}", b"theirs")
    refused(work, repo, GitTrouble.LOCKED, str(work / ".git" / lock))
    refused(work, repo, GitTrouble.LOCKED, lock, path="memory/new.md")
    assert (work / ".git" / lock).read_bytes() == b"theirs"
    assert repo.dirty(["MEMORY.md", "other.md"]) == ("MEMORY.md",)
    assert repo.read("HEAD", "MEMORY.md") == b"- one\n"
    (work / ".git" / lock).unlink()
    assert repo.commit(["MEMORY.md"], "x") == head(work)


def test_a_refusal_of_git_itself_leaves_a_new_file_untracked(work: Path, repo: Repository) -> None:
    write(work, ".git/refs/heads/main.lock", b"theirs")
    write(work, "new.md", b"n\n")
    index = run(work, "ls-files", "-s")
    with pytest.raises(HistoryError) as caught:
        repo.commit(["new.md"], "x")
    assert "main.lock" in caught.value.message
    assert not caught.value.message.startswith("fatal:")
    assert run(work, "ls-files", "-s") == index
    assert run(work, "status", "--porcelain") == "?? new.md\n"


def test_a_shallow_clone_says_so_and_commits(work: Path, tmp_path: Path) -> None:
    write(work, "MEMORY.md", b"- two\n")
    run(work, "commit", "-qam", "second")
    run(tmp_path, "clone", "-q", "--depth=1", work.as_uri(), "shallow")
    with closing(opened(tmp_path / "shallow")) as repository:
        status = repository.status()
        assert (status.usable, status.trouble, status.branch) == (True, GitTrouble.SHALLOW, "main")
        assert "shallow" in status.detail
        write(tmp_path / "shallow", "MEMORY.md", b"- three\n")
        assert repository.commit(["MEMORY.md"], "third") == head(tmp_path / "shallow")
        assert [revision.subject for revision in repository.log()] == ["third", "second"]
        with pytest.raises(NotFoundError):
            repository.resolve("HEAD~2")


def test_a_submodule_says_so_and_commits(work: Path, tmp_path: Path) -> None:
    above = tmp_path / "above"
    made(above)
    run(above, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", work.as_uri(), "agent")
    with closing(opened(above / "agent")) as repository:
        status = repository.status()
        assert (status.usable, status.trouble, status.root) == (True, GitTrouble.SUBMODULE, str(above / "agent"))
        assert str(above) in status.detail
        write(above / "agent", "MEMORY.md", b"- two\n")
        assert repository.commit(["MEMORY.md"], "x") == head(above / "agent")
        assert repository.read("HEAD", "MEMORY.md") == b"- two\n"
    assert run(above, "diff", "--cached", "--name-only").splitlines() == [".gitmodules", "agent"]


def test_a_bare_repository(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q", "--bare", "-b", "main", "bare")
    repository = opened(tmp_path / "bare")
    status = repository.status()
    assert (status.usable, status.trouble) == (False, GitTrouble.BARE)
    with pytest.raises(HistoryError, match="no working files"):
        repository.commit(["MEMORY.md"], "x")


def test_a_linked_worktree_has_its_own_troubles(work: Path, tmp_path: Path) -> None:
    run(work, "worktree", "add", "-q", "-b", "agent", str(tmp_path / "linked"))
    write(work, ".git/index.lock", b"")
    with closing(opened(tmp_path / "linked")) as repository:
        assert repository.status().trouble is None
        write(tmp_path / "linked", "MEMORY.md", b"- two\n")
        assert repository.commit(["MEMORY.md"], "x") == head(tmp_path / "linked") != head(work)
    with closing(opened(work)) as repository:
        assert repository.status().trouble is GitTrouble.LOCKED


def test_a_repository_of_an_unknown_format_is_told(work: Path) -> None:
    run(work, "config", "core.repositoryFormatVersion", "99")
    status = opened(work).status()
    assert (status.usable, status.trouble) == (False, GitTrouble.UNREADABLE)
    assert "99" in status.detail


def test_a_repository_that_is_gone_is_told(work: Path, repo: Repository) -> None:
    (work / ".git").rename(work / "moved")
    status = repo.status()
    assert (status.usable, status.trouble) == (False, GitTrouble.NO_REPOSITORY)
    with pytest.raises(HistoryError, match="no git repository"):
        repo.commit(["MEMORY.md"], "x")
    with pytest.raises(HistoryError):
        repo.resolve("HEAD")
    with pytest.raises(HistoryError):
        list(repo.log())


def test_without_git_a_repository_says_so(work: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "plain").mkdir()
    monkeypatch.setenv("PATH", str(tmp_path / "plain"))
    status = opened(work).status()
    assert (status.usable, status.trouble) == (False, GitTrouble.NO_GIT)
    assert Repository.open(tmp_path / "plain") is None
    with pytest.raises(HistoryError):
        Repository.init(tmp_path / "plain")
    code = (
        "import sys; from pathlib import Path; from clawmem_core.history.git import Repository;"
        "assert 'git' not in sys.modules; print(Repository.open(Path(sys.argv[1])).status().detail)"
    )
    fresh = subprocess.run([sys.executable, "-c", code, str(work)], capture_output=True, text=True)
    assert fresh.stdout == "Git cannot be run: no git was found.\n", fresh.stderr


# Reading


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
