"""Every state that a repository can be in: usable or not, said, and never made worse."""

from __future__ import annotations

import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from clawmem_core.errors import HistoryError, NotFoundError
from clawmem_core.history.git import GitTrouble, Repository
from tests.history.repositories import changed, head, made, opened, run, tree, write

pytestmark = pytest.mark.usefixtures("bare_home")


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
    opened(work).close()  # The library asks git for its version once, with whatever it inherits.
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
