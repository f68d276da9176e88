"""What a refresh has to do: the files as they are against the files as they were indexed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from clawmem_core.errors import PathRefusedError, UnreadableFileError
from clawmem_core.recall.current import Sessions, settled
from clawmem_core.recall.index import Exact, Part, parts
from clawmem_core.recall.manifest import FileState
from clawmem_core.workspace.entries import Document, parse_source
from clawmem_core.workspace.files import read_source
from clawmem_core.workspace.layout import FileRef, Skipped, is_session
from clawmem_core.workspace.text import SourceText


@dataclass(frozen=True)
class Changed:
    """A file whose entries are to be indexed."""

    file: FileRef
    document: Document

    def parts(self) -> Iterator[Part]:
        """Yield what is indexed of it."""
        return parts(self.file, self.document)


@dataclass(frozen=True)
class Plan:
    """The difference between the workspace and the index."""

    changed: tuple[Changed, ...]
    """Files to index, new or again."""
    states: Mapping[str, FileState]
    """New states of files, of the changed ones and of those that were only touched."""
    known: frozenset[str]
    """Files that the index holds."""
    removed: tuple[str, ...]
    """Files of the index that are gone."""
    failed: tuple[Skipped, ...]
    """Files that cannot be read, whether the index holds them or not."""
    unchanged: int
    """Files that stay as they are."""

    @property
    def stripped(self) -> frozenset[str]:
        """Files whose entries leave the index, some to come again."""
        leaving = {*self.removed, *(item.path for item in self.failed), *(item.file.path for item in self.changed)}
        return self.known & leaving

    @property
    def concerned(self) -> frozenset[str]:
        """Files that an index write would concern; none when there is nothing to write."""
        return self.stripped | {item.file.path for item in self.changed}

    @property
    def idle(self) -> bool:
        """Whether everything is as it was recorded."""
        return not (self.concerned or self.states)

    def files(self, before: Mapping[str, FileState]) -> dict[str, FileState]:
        """Return what the index holds once this is done."""
        stripped = self.stripped
        return {path: state for path, state in before.items() if path not in stripped} | dict(self.states)


def plan_refresh(
    root: Path, sessions: Sessions | None, wanted: Mapping[str, FileRef], indexed: Mapping[str, FileState]
) -> Plan:
    """Compare files and sessions, by size and modification time and, where these differ, by content."""
    changed: list[Changed] = []
    states: dict[str, FileState] = {}
    failed: list[Skipped] = []
    gone = set(indexed.keys() - wanted.keys())
    unchanged = 0
    for path, file in wanted.items():
        known = indexed.get(path)
        if known and known.mtime_ns and (known.size, known.mtime_ns) == (file.size, file.mtime_ns):
            unchanged += 1
            continue
        try:
            path.encode()
            source = _read(root, sessions, path)
        except UnicodeEncodeError:
            failed.append(Skipped(path, "its name is not UTF-8"))
            continue
        except (PathRefusedError, UnreadableFileError) as error:
            failed.append(Skipped(path, error.message))
            continue
        if source is None:
            gone.update({path} & indexed.keys())
            continue
        mtime_ns = file.mtime_ns if settled(file.mtime_ns) else 0
        if known and known.sha256 == source.sha256:
            unchanged += 1
            state = FileState(file.size, mtime_ns, source.sha256, known.entries)
        else:
            document = parse_source(source)
            changed.append(Changed(file, document))
            state = FileState(file.size, mtime_ns, source.sha256, sum(1 for entry in document.entries if entry.text))
        if state != known:
            states[path] = state
    return Plan(tuple(changed), states, frozenset(indexed), tuple(sorted(gone)), tuple(failed), unchanged)


def _read(root: Path, sessions: Sessions | None, path: str) -> SourceText | None:
    if is_session(path):
        return sessions.read(path) if sessions else None
    return read_source(root, path)


class Names:
    """What the indexed files can be named by: path, file name, file name without its ending; case aside."""

    def __init__(self, paths: Iterable[str]) -> None:
        """Take the paths of the indexed files."""
        self.paths = frozenset(paths)
        """The files."""
        self._names: dict[str, list[tuple[Exact, str]]] = {}
        for path in self.paths:
            name = path.rsplit("/", 1)[-1]
            for kind, text in ((Exact.PATH, path), (Exact.NAME, name), (Exact.STEM, name.rsplit(".", 1)[0])):
                self._names.setdefault(text.casefold(), []).append((kind, path))

    def named(self, query: str) -> dict[str, Exact]:
        """Return the files that a query is the name of, quotes and surrounding white space aside."""
        found: dict[str, Exact] = {}
        for kind, path in self._names.get(query.strip().strip("\"'`“”«» ").casefold(), ()):
            found[path] = min(kind, found.get(path, kind))
        return found
