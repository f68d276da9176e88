"""What every test stands on: a home of its own, a clock that stands, and a real workspace to review.

Nothing here is a stand-in for the engine: a `Desk` is a folder of Markdown files in a git repository, a state folder
with a SQLite database, and an engine opened on both. A test moves the clock; it never waits for it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from clawmem_core.config import Config
from clawmem_core.curation.sweep import Dreamed
from clawmem_core.engine import Engine
from clawmem_core.ledger.hunks import Hunk
from clawmem_core.ledger.lines import LineFacts, record_lines
from clawmem_core.models.embedded import EmbeddedModel
from clawmem_core.models.protocol import ConsolidationModel, Reply, Request, Waiting
from clawmem_core.provenance.classes import Origin, SessionKind

# The usual run is the same every time; `--hypothesis-profile=explore` looks further.
_QUIET = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
settings.register_profile("house", deadline=None, derandomize=True, database=None, suppress_health_check=_QUIET)
settings.register_profile("explore", deadline=None, database=None, max_examples=1_000, suppress_health_check=_QUIET)
settings.load_profile("house")

NIGHT = datetime(2026, 11, 30, 3, 0, tzinfo=UTC)
"""The night of the sweep."""

INVOICES = "Invoices to Brandt leave on the third working day of the month"
OTTER = "The staging server called Otter stands in the cellar in Lyon"
OFFICE = "Office room: 14"
TARGET = "Deploy target: osprey"
BACKUP = "the backup of the garden photos runs at 02:00 every night"
HARBOUR = "Harbour dues are always paid by the shipper"
FACTS = (INVOICES, OTTER, OFFICE, TARGET, BACKUP, HARBOUR)
"""What the notes of the scene say: two new facts, a generated line replaced, a person's line replaced, a line said
again, and one that is nearly another."""

HANDWRITTEN = """\
# Long-Term Memory

## People and places

- Mrs. Adler keeps the keys of the archive
- Deploy target: heron
- The backup of the garden photos runs at 02:00 every night

The archive was flooded in 2019; what is left of it
stands in the two dry rooms.

| Room | Key |
|---|---|
| cellar | brass |
| attic | green |
"""

GENERATED = """
## Consolidated Memory (2026-11-20)

<!-- openclaw-memory-promotion:memory:claim:aaaaaaaaaaaa -->
- Office room: 12 Source: memory/2026-11-18.md#L3-L3 <!-- trigger: office --> <!-- importance: 5 -->
<!-- openclaw-memory-promotion:memory:claim:bbbbbbbbbbbb -->
- Harbour dues are paid by the shipper Source: memory/2026-11-18.md#L4-L4 <!-- importance: 4 -->
"""


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A home, a time zone and a git identity of the test's own; nothing of the machine's settings."""
    home = tmp_path_factory.mktemp("home")
    (home / "gitconfig").write_text("[user]\n\tname = Olga Operator\n\temail = olga@example.org\n")
    for name in list(os.environ):
        if name.startswith(("XDG_", "CLAWMEM_", "GIT_")) and name != "CLAWMEM_DATA":
            monkeypatch.delenv(name)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    with monkeypatch.context() as zone:
        zone.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


@dataclass
class SetClock:
    """A clock that stands until a test moves it."""

    at: datetime

    def __call__(self) -> datetime:
        return self.at

    def move(self, *, days: float = 0, hours: float = 0, minutes: float = 0) -> None:
        self.at += timedelta(days=days, hours=hours, minutes=minutes)


@dataclass
class ListeningModel:
    """The embedded model, with everything that it was ever asked; `meanwhile` runs while it thinks."""

    meanwhile: Callable[[], None] = lambda: None
    requests: list[Request] = field(default_factory=list)
    name: str = "embedded"

    def consolidate(self, request: Request, *, waiting: Waiting) -> Reply:
        self.requests.append(request)
        self.meanwhile()
        return EmbeddedModel().consolidate(request, waiting=waiting)


@dataclass
class Desk:
    """A workspace, its state, a clock, and the engine that is open on them."""

    root: Path
    state: Path
    clock: SetClock
    config: Config = field(default_factory=Config)
    _engine: Engine | None = None

    @property
    def engine(self) -> Engine:
        if self._engine is None:
            self._engine = Engine.open(self.root, self.state, self.clock, self.config)
        return self._engine

    def close(self) -> None:
        if self._engine is not None:
            self._engine.close()
            self._engine = None

    def reopen(self) -> Engine:
        """Close everything and open it again, as after a restart."""
        self.close()
        return self.engine

    # Files

    def read(self, path: str = "MEMORY.md") -> bytes:
        return (self.root / path).read_bytes()

    def write(self, path: str, text: str | bytes) -> None:
        """Write a file as somebody with an editor does."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)

    def type_over(self, old: str, new: str, path: str = "MEMORY.md") -> None:
        """Change words in a file as somebody with an editor does."""
        data = self.read(path)
        assert data.count(old.encode()) == 1, f"{old!r} stands {data.count(old.encode())} times"
        self.write(path, data.replace(old.encode(), new.encode()))

    def files(self) -> dict[str, bytes]:
        """Every file of the workspace, hidden ones too, without git's own."""
        found = (file for file in sorted(self.root.rglob("*")) if ".git" not in file.parts)
        return {str(file.relative_to(self.root)): file.read_bytes() for file in found if file.is_file()}

    # Git

    def git(self, *arguments: str) -> str:
        """Run git as the operator does, at the desk's time."""
        at = self.clock.at.isoformat()
        who = {"AUTHOR_NAME": "Olga Operator", "AUTHOR_EMAIL": "olga@example.org", "AUTHOR_DATE": at}
        variables = who | {name.replace("AUTHOR", "COMMITTER"): value for name, value in who.items()}
        environment = os.environ | {f"GIT_{name}": value for name, value in variables.items()}
        done = subprocess.run(["git", *arguments], cwd=self.root, capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def init_git(self) -> None:
        """Make the workspace a repository, with everything committed the day before."""
        self.clock.move(days=-1)
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "first")
        self.clock.move(days=1)

    def head(self) -> str:
        return self.git("rev-parse", "HEAD").strip()

    def commits(self, *since: str) -> list[str]:
        """The commits on this branch, newest first, or those that are not in `since`."""
        return self.git("rev-list", "HEAD", *(f"^{rev}" for rev in since)).split()

    def changed_in(self, commit: str) -> set[str]:
        """The files that a commit changed."""
        return set(self.git("diff-tree", "--root", "-r", "--no-commit-id", "--name-only", commit).split())

    def trailers(self, commit: str) -> dict[str, str]:
        out = self.git("log", "-1", "--format=%(trailers:only,unfold)", commit)
        pairs = (line.partition(": ") for line in out.splitlines() if line)
        return {key: value for key, _, value in pairs}

    # A life

    def note(self, day: str, *lines: str) -> None:
        """Add lines to a daily note as somebody with an editor does."""
        path = self.root / "memory" / f"{day}.md"
        path.parent.mkdir(exist_ok=True)
        old = path.read_text() if path.exists() else f"# {day}\n\n"
        path.write_text(old + "".join(f"- {line}\n" for line in lines))

    def written_by(
        self,
        day: str,
        line: str,
        origin: Origin,
        kind: SessionKind = SessionKind.INTERACTIVE,
        *,
        key: str | None = None,
        at: datetime | None = None,
    ) -> None:
        """Add a line to a daily note as a host does, with its provenance recorded first."""
        when = at or datetime.fromisoformat(f"{day}T08:00:00+00:00")
        facts = LineFacts(origin, kind, when, "agent:main", key, "session-1", "turn-1")
        record_lines(self.engine.store, self.clock, f"memory/{day}.md", [line], facts)
        self.note(day, line)

    def ask(self, *facts: str, days: Sequence[int] = (4, 3, 2, 1)) -> None:
        """Ask for facts in an interactive session, in other words on each of some days before now."""
        now = self.clock.at
        for number, before in enumerate(days):
            self.clock.at = now - timedelta(days=before) + timedelta(hours=6)
            for fact in facts:
                self.engine.recall.search(f"{fact}{' once more' * number}")
        self.clock.at = now

    def dream(self, model: ConsolidationModel | None = None, **options: str) -> Dreamed:
        """Run one sweep."""
        return self.engine.dreams.run(model=model, mode=options.get("mode"))

    def hunks(self, sweep: str) -> tuple[Hunk, ...]:
        return self.engine.review.open(sweep).hunks

    def hunk(self, sweep: str, words: str) -> Hunk:
        """The one hunk of a sweep that says, or takes away, these words."""
        found = [hunk for hunk in self.hunks(sweep) if words in said(hunk)]
        assert len(found) == 1, f"{len(found)} hunks say {words!r}: {[said(hunk) for hunk in self.hunks(sweep)]}"
        return found[0]

    def sql(self, query: str, *parameters: object) -> list[tuple[object, ...]]:
        """Ask the state database itself."""
        return [tuple(row) for row in self.engine.store.connection.execute(query, parameters)]


def said(hunk: Hunk) -> str:
    """What a hunk is about: the sentence it leaves, else the one that it takes away."""
    block = hunk.value.after or hunk.value.before[0]
    return block.sentence


def day(number: int) -> date:
    """A day of the scene's month."""
    return date(2026, 11, number)


@pytest.fixture
def new_desk(tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """Makes workspaces: `new_desk(memory="…", config=…, git=False)`."""
    made: list[Desk] = []

    def make(memory: str | bytes | None = HANDWRITTEN, *, config: Config | None = None, git: bool = True) -> Desk:
        folder = tmp_path / f"desk{len(made)}"
        desk = Desk(folder / "workspace", folder / "state", SetClock(NIGHT), config or Config(timezone="UTC"))
        (desk.root / "memory").mkdir(parents=True)
        (desk.root / "memory" / ".keep").touch()
        if memory is not None:
            desk.write("MEMORY.md", memory)
        if git:
            desk.init_git()
        made.append(desk)
        return desk

    yield make
    for desk in made:
        desk.close()


def live_in(folder: Path, config: Config | None = None) -> Desk:
    """Make the scene: a curated file, a week of notes, and questions that brought them up; before the sweep."""
    desk = Desk(folder / "workspace", folder / "state", SetClock(NIGHT), config or Config(timezone="UTC"))
    desk.write("MEMORY.md", HANDWRITTEN + GENERATED)
    desk.write("AGENTS.md", "# Instructions\n\n- Write the day's facts into the daily note.\n")
    desk.write("memory/2026-11-18.md", "# 2026-11-18\n\n- Office room: 12\n- Harbour dues are paid by the shipper\n")
    for number, fact in enumerate(FACTS, start=21):
        desk.note(f"2026-11-{number}", fact, f"Rain fell for {number} minutes over the quay")
    desk.ask(*FACTS)
    return desk


@pytest.fixture(scope="session")
def _lived_in_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scene, made once: every test gets a copy of it."""
    folder = tmp_path_factory.mktemp("scene")
    desk = live_in(folder)
    desk.close()
    desk.init_git()
    return folder


@pytest.fixture
def lived_in(_lived_in_once: Path, tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    """Makes copies of a lived-in workspace with notes and recalls, on the evening before its sweep."""
    made: list[Desk] = []

    def make(config: Config | None = None) -> Desk:
        folder = tmp_path / f"lived{len(made)}"
        shutil.copytree(_lived_in_once, folder)
        desk = Desk(folder / "workspace", folder / "state", SetClock(NIGHT), config or Config(timezone="UTC"))
        made.append(desk)
        return desk

    yield make
    for desk in made:
        desk.close()


@pytest.fixture
def desk(lived_in: Callable[..., Desk]) -> Desk:
    """One lived-in workspace, on the evening before its sweep."""
    return lived_in()
