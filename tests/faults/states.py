"""Every awkward state that a workspace's repository can be in, made with git itself as people get there."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

import pytest

from tests.conftest import Desk


@dataclass(frozen=True)
class State:
    """What is to be seen of a state."""

    make: Callable[[Desk], None]
    why: str = ""
    """Words of the note that says why there is no commit; empty when there is one."""
    finding: str = ""
    """Words of the doctor's finding; empty when all is well."""
    partly: bool = False
    """Whether other files of the same write are in a commit all the same."""

    @property
    def name(self) -> str:
        return self.make.__name__


def git(desk: Desk, *arguments: str, code: int = 0, stdin: str | None = None) -> str:
    """Run git in the workspace as the operator did the day before."""
    at = (desk.clock.at - timedelta(days=1)).isoformat()
    dates = {"GIT_AUTHOR_DATE": at, "GIT_COMMITTER_DATE": at}
    command = ["git", *arguments]
    done = subprocess.run(command, cwd=desk.root, input=stdin, capture_output=True, text=True, env=os.environ | dates)
    assert done.returncode == code, done.stderr
    return done.stdout


def moved_to(desk: Desk, place: Path) -> None:
    """Let the workspace be another folder, as if it had always been there."""
    desk.close()
    shutil.rmtree(desk.root)
    desk.root = place


def program(desk: Desk, name: str, script: str) -> Path:
    """Put a program first on the path that says that it ran; return what it then writes to."""
    folder = desk.root.parent / "bin"
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(f"#!/bin/sh\necho \"$@\" >> '{folder}/ran'\n{script}\n")
    (folder / name).chmod(0o755)
    return folder / "ran"


# Where the repository is


def no_repository(desk: Desk) -> None:
    shutil.rmtree(desk.root / ".git")


def above_the_workspace(desk: Desk) -> None:
    shutil.rmtree(desk.root / ".git")
    git(desk, "init", "-q", "-b", "main", "..")
    git(desk, "add", ".")
    git(desk, "commit", "-q", "-m", "all of it")


def above_and_ignoring_it(desk: Desk) -> None:
    shutil.rmtree(desk.root / ".git")
    git(desk, "init", "-q", "-b", "main", "..")
    (desk.root.parent / ".gitignore").write_text("workspace/\n")
    git(desk, "add", "../.gitignore")
    git(desk, "commit", "-q", "-m", "without the workspace")


def ignoring_the_curated_file(desk: Desk) -> None:
    desk.write(".gitignore", "MEMORY.md\n")
    git(desk, "rm", "-q", "--cached", "MEMORY.md")
    git(desk, "add", ".gitignore")
    git(desk, "commit", "-q", "-m", "memory is private")


def without_commits(desk: Desk) -> None:
    shutil.rmtree(desk.root / ".git")
    git(desk, "init", "-q", "-b", "main")


def bare(desk: Desk) -> None:
    git(desk, "config", "core.bare", "true")


def shallow_clone(desk: Desk) -> None:
    desk.write("other.md", "more\n")
    git(desk, "add", ".")
    git(desk, "commit", "-q", "-m", "second")
    git(desk, "clone", "-q", "--depth=1", desk.root.as_uri(), "../shallow")
    moved_to(desk, desk.root.parent / "shallow")


def partial_clone(desk: Desk) -> None:
    git(desk, "config", "uploadpack.allowFilter", "true")
    desk.write("MEMORY.md", desk.read() + b"\nThe newest line.\n")
    git(desk, "commit", "-qam", "second")
    git(desk, "clone", "-q", "--filter=blob:none", desk.root.as_uri(), "../partial")
    moved_to(desk, desk.root.parent / "partial")


def submodule(desk: Desk) -> None:
    above = desk.root.parent / "above"
    git(desk, "init", "-q", "-b", "main", str(above))
    add = ("-c", "protocol.file.allow=always", "submodule", "--quiet", "add")
    git(desk, "-C", str(above), *add, desk.root.as_uri(), "agent")
    moved_to(desk, above / "agent")


def notes_are_another_repository(desk: Desk) -> None:
    git(desk, "rm", "-rq", "--cached", "memory")
    git(desk, "commit", "-q", "-m", "without the notes")
    git(desk, "init", "-q", "-b", "main", "memory")
    git(desk, "-C", "memory", "add", ".")
    git(desk, "-C", "memory", "commit", "-q", "-m", "notes")


def linked_worktree(desk: Desk) -> None:
    git(desk, "worktree", "add", "-q", "-b", "agent", "../linked")
    kept = desk.root.parent / "main"
    desk.close()
    desk.root.rename(kept)
    desk.root = desk.root.parent / "linked"
    git(desk, "-C", str(kept), "worktree", "repair", str(desk.root))


def moved_worktree(desk: Desk) -> None:
    git(desk, "worktree", "add", "-q", "-b", "agent", "../linked")
    moved_to(desk, desk.root.parent / "linked")


def outside_the_sparse_cone(desk: Desk) -> None:
    """The workspace is a folder of a repository of which only another folder is checked out."""
    shutil.rmtree(desk.root / ".git")
    git(desk, "init", "-q", "-b", "main", "..")
    (desk.root.parent / "wanted").mkdir()
    (desk.root.parent / "wanted" / "file.txt").write_text("wanted\n")
    git(desk, "add", "../wanted", "MEMORY.md")
    git(desk, "commit", "-q", "-m", "all of it")
    git(desk, "-C", "..", "sparse-checkout", "set", "--cone", "wanted")
    assert not (desk.root / "MEMORY.md").exists()


def belonging_to_somebody_else(desk: Desk) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a repository to somebody else")
    for path in (desk.root, *desk.root.rglob("*")):
        os.chown(path, 65534, 65534)


# What it is in the middle of


def detached(desk: Desk) -> None:
    git(desk, "checkout", "-q", "--detach")


def conflict(desk: Desk, *act: str) -> None:
    """Begin something that stops at a conflict in a file of the operator's own."""
    desk.write("other.md", "base\n")
    git(desk, "add", "other.md")
    git(desk, "commit", "-q", "-m", "base")
    git(desk, "checkout", "-q", "-b", "side")
    desk.write("other.md", "side\n")
    git(desk, "commit", "-qam", "side")
    git(desk, "checkout", "-q", "main")
    desk.write("other.md", "main\n")
    git(desk, "commit", "-qam", "main")
    git(desk, *act, code=1)


def torn(desk: Desk, path: str) -> None:
    """Leave a file in a conflict without anything that goes on, as `git stash pop` does."""
    blob = git(desk, "hash-object", "-w", path).strip()
    git(desk, "update-index", "--force-remove", path)
    git(desk, "update-index", "--index-info", stdin="".join(f"100644 {blob} {stage}\t{path}\n" for stage in (1, 2, 3)))


def rebasing(desk: Desk) -> None:
    conflict(desk, "rebase", "side")


def merging(desk: Desk) -> None:
    conflict(desk, "merge", "side")


def cherry_picking(desk: Desk) -> None:
    conflict(desk, "cherry-pick", "side")


def bisecting(desk: Desk) -> None:
    git(desk, "bisect", "start")


def conflict_of_another_file(desk: Desk) -> None:
    desk.write("other.md", "theirs\n")
    torn(desk, "other.md")


def conflict_of_the_curated_file(desk: Desk) -> None:
    torn(desk, "MEMORY.md")


def locked(desk: Desk) -> None:
    (desk.root / ".git" / "index.lock").write_text("somebody else's")


def locked_for_hours(desk: Desk) -> None:
    locked(desk)
    lock = desk.root / ".git" / "index.lock"
    made = lock.stat().st_mtime - 5.5 * 3600
    os.utime(lock, (made, made))


# What is wrong with it


def broken(desk: Desk) -> None:
    (desk.root / ".git" / "HEAD").write_text("nonsense\n")


def pointing_nowhere(desk: Desk) -> None:
    shutil.rmtree(desk.root / ".git")
    (desk.root / ".git").write_text("gitdir: /nowhere/at/all\n")


def with_a_broken_index(desk: Desk) -> None:
    (desk.root / ".git" / "index").write_bytes(b"no index")


def of_the_future(desk: Desk) -> None:
    git(desk, "config", "core.repositoryFormatVersion", "99")


# What is configured


def large_files(desk: Desk) -> None:
    program(desk, "git-lfs", "cat > /dev/null; echo pointer")
    for key in ("clean", "smudge"):
        git(desk, "config", f"filter.lfs.{key}", f"git-lfs {key} -- %f")
    desk.write(".gitattributes", "*.md filter=lfs\n")


def encrypting(desk: Desk) -> None:
    ran = program(desk, "crypt", "tr a-z n-za-m")
    git(desk, "config", "filter.crypt.clean", str(ran.with_name("crypt")))
    git(desk, "config", "filter.crypt.smudge", str(ran.with_name("crypt")))
    desk.write(".gitattributes", "MEMORY.md filter=crypt\n")


def windows_line_ends(desk: Desk) -> None:
    git(desk, "config", "core.autocrlf", "true")
    desk.write("MEMORY.md", desk.read().replace(b"\n", b"\r\n"))


def line_ends_by_attribute(desk: Desk) -> None:
    desk.write(".gitattributes", "*.md text eol=crlf\n")
    git(desk, "add", ".gitattributes")
    git(desk, "commit", "-q", "-m", "attributes")
    desk.write("MEMORY.md", desk.read().replace(b"\n", b"\r\n"))


def signing_without_a_key(desk: Desk) -> None:
    git(desk, "config", "commit.gpgSign", "true")
    git(desk, "config", "user.signingKey", "NOBODY")


def with_failing_hooks(desk: Desk) -> None:
    ran = program(desk, "hook", "exit 1")
    for name in ("pre-commit", "commit-msg", "prepare-commit-msg", "post-commit", "reference-transaction"):
        shutil.copy(ran.with_name("hook"), desk.root / ".git" / "hooks" / name)


def without_an_identity(desk: Desk) -> None:
    git(desk, "config", "user.useConfigOnly", "true")
    git(desk, "config", "user.name", "")
    git(desk, "config", "user.email", "")


def on_a_branch_of_any_script(desk: Desk) -> None:
    git(desk, "checkout", "-q", "-b", "mémoire/日本語-ветка")


def with_included_settings(desk: Desk) -> None:
    ran = program(desk, "monitor", "exit 1")
    extra = desk.root.parent / "extra.gitconfig"
    extra.write_text(f"[user]\n\tname = Included\n[core]\n\tfsmonitor = {ran.with_name('monitor')}\n")
    git(desk, "config", f"includeIf.gitdir:{desk.root}/.git.path", str(extra))


STATES = (
    State(no_repository, "no git repository", "no git repository"),
    State(above_the_workspace),
    State(above_and_ignoring_it, "git does not keep MEMORY.md, which `workspace/` in .gitignore", "`workspace/`"),
    State(
        ignoring_the_curated_file,
        "which `MEMORY.md` in .gitignore excludes",
        "Git does not keep MEMORY.md",
        partly=True,
    ),
    State(without_commits),
    State(bare, "no working files here", "no working files here"),
    State(shallow_clone, "", "shallow clone"),
    State(partial_clone, "", "partial clone"),
    State(submodule, "", "submodule of"),
    State(notes_are_another_repository, "", "memory, which is a repository of its own"),
    State(linked_worktree),
    State(moved_worktree, "none that git can use", "none that git can use"),
    State(outside_the_sparse_cone, "MEMORY.md, which it was told to leave alone", "told to leave alone"),
    State(belonging_to_somebody_else, "dubious ownership", "dubious ownership"),
    State(detached, "detached HEAD", "detached HEAD"),
    State(rebasing, "A rebase is in progress", "A rebase is in progress"),
    State(merging, "A merge is in progress", "A merge is in progress"),
    State(cherry_picking, "A cherry-pick is in progress", "A cherry-pick is in progress"),
    State(bisecting, "A bisect is in progress", "A bisect is in progress"),
    State(conflict_of_another_file),
    State(conflict_of_the_curated_file, "MEMORY.md is in a conflict", "MEMORY.md is in a conflict"),
    State(locked, "index.lock is there", "index.lock is there"),
    State(locked_for_hours, "index.lock is there since 5 h", "index.lock is there since 5 h"),
    State(broken, "none that git can use", "none that git can use"),
    State(pointing_nowhere, "none that git can use", "none that git can use"),
    State(with_a_broken_index, "index file", "index file"),
    State(of_the_future, "99", "99"),
    State(large_files, "", "Git LFS"),
    State(encrypting, "MEMORY.md passes through a filter program", "MEMORY.md passes through a filter program"),
    State(windows_line_ends),
    State(line_ends_by_attribute),
    State(signing_without_a_key),
    State(with_failing_hooks),
    State(without_an_identity),
    State(on_a_branch_of_any_script),
    State(with_included_settings),
)
