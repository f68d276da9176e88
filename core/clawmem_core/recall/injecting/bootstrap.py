"""Bootstrap: what a session begins with. People's instructions first, then the curated entries, within the budgets.

Entries go in whole or not at all. Each file says whether it loads, and if not, why; each entry that stays out is named
with its reason. A file over its budget stays as it is on disk.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from clawmem_core.config import NEAR_BUDGET, Budgets
from clawmem_core.provenance.wrapping import wrap_memory
from clawmem_core.recall.injecting.eligible import Injectable, Judged, LeftOut, Why, without_room
from clawmem_core.recall.injecting.fitting import fit
from clawmem_core.words import ngettext
from clawmem_core.workspace.text import utf16_units

NOTICE_UNITS = 140
"""Units that are kept free in a file's share for the line that says what is not in it."""

_IN_A_WORD = {
    Why.ROOM: "for lack of room",
    Why.ORIGIN: "from outside",
    Why.PROJECT: "of other projects",
    Why.RETIRED: "outdated",
    Why.SUPERSEDED: "superseded",
}


@dataclass(frozen=True)
class PromptFile:
    """A file that belongs into the prompt, as it was read and judged."""

    path: str
    sha256: str
    """Hash of what was read; nothing for a file that was not."""
    units: int
    """Its length in UTF-16 units."""
    unread: str
    """Why there is nothing to inject of it: it is missing, or cannot be read; else nothing."""
    judged: Judged


@dataclass(frozen=True)
class BootstrapFile:
    """What one file brings into the prompt."""

    path: str
    units: int
    """Its own length in UTF-16 units; 0 for a file that could not be read."""
    loads: bool
    """Whether it reaches the prompt whole, but for entries that have no place in it now."""
    reason: str
    """Why it does not load; where it loads, that it is near its budget, or nothing."""
    text: str
    """What is injected of it, not wrapped; never longer than its share of the budgets."""
    entries: tuple[Injectable, ...]
    """The parts that `text` is made of, headings included, in the order of the file."""
    left_out: tuple[LeftOut, ...]
    """What is not in it, in the order of the file."""


@dataclass(frozen=True)
class Bootstrap:
    """What a session begins with. It stays true as long as its files do; a caller in a hurry may use an older one."""

    files: tuple[BootstrapFile, ...]
    """In the order of the prompt."""

    @property
    def text(self) -> str:
        """All of it, each file between marks of its own."""
        return "\n\n".join(wrap_memory(file.text, file.path) for file in self.files if file.text)

    def file(self, path: str) -> BootstrapFile | None:
        """Return what a file brings, or None when it is no file of the prompt."""
        return next((file for file in self.files if file.path == path), None)


def bootstrap(files: Sequence[PromptFile], budgets: Budgets) -> Bootstrap:
    """Return what the files, in the order of the prompt, bring into it within the budgets."""
    left = budgets.total
    made: list[BootstrapFile] = []
    for file in files:
        brought = _brought(file, budgets.cap(file.path), left)
        left -= utf16_units(brought.text)
        made.append(brought)
    return Bootstrap(tuple(made))


def _brought(file: PromptFile, cap: int, left: int) -> BootstrapFile:
    fitted = fit(file.judged.parts, file.units, min(cap, left), NOTICE_UNITS)
    detail = "no room in its budget" if cap <= left else "no room in the budget of all files"
    out = [*file.judged.left_out, *(without_room(part, detail) for part in fitted.crowded_out)]
    out.sort(key=lambda one: one.start_line)
    loads, reason = loading(file, cap, left, out)
    notice = _notice(out)
    text = "\n\n".join(filter(None, (fitted.text, notice)))
    if utf16_units(text) > min(cap, left):
        text = fitted.text
    return BootstrapFile(file.path, file.units, loads, reason, text, fitted.kept, tuple(out))


def loading(file: PromptFile, cap: int, left: int, left_out: Sequence[LeftOut]) -> tuple[bool, str]:
    """Return whether a file loads, and the reason: what keeps it from loading, or that it is near its budget.

    `cap` is its budget and `left` what other files left of the budget of all, in UTF-16 units.
    """
    why = Counter(one.why for one in left_out)
    if file.unread:
        return False, file.unread
    if file.units > cap:
        return False, ngettext("{n} unit over its budget", "{n} units over its budget", file.units - cap)
    if why[Why.ROOM]:
        entries = ngettext("{n} entry has", "{n} entries have", why[Why.ROOM])
        spent = f"the budget of all files has {left:,} units left" if left < cap else "hidden characters take it up"
        return False, f"{entries} no room: {spent}"
    if why[Why.ORIGIN]:
        return False, ngettext("{n} entry is from outside", "{n} entries are from outside", why[Why.ORIGIN])
    near = cap > 0 and file.units >= NEAR_BUDGET * cap
    return True, f"near its budget: {file.units / cap:.0%} of {cap:,} units" if near else ""


def _notice(left_out: Sequence[LeftOut]) -> str:
    """Return the line that tells a model what is missing, without a word of it."""
    counted = Counter(one.why for one in left_out)
    told = [f"{counted[why]} {words}" for why, words in _IN_A_WORD.items() if counted[why]]
    return f"(Not shown: {', '.join(told)}.)" if told else ""
