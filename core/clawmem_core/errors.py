"""Every failure that a person or a host can meet, as one tree.

An error says what happened (`title`, `message`) and what to do next (`hint`). `code` is stable and
machine readable; `exit_code` is what the command line ends with. Front ends render these three texts
and never parse them.
"""

from __future__ import annotations


class ClawmemError(Exception):
    """A failure with a title, what happened, and the next step."""

    code = "error"
    """Stable identifier, as in the JSON error object."""
    exit_code = 1
    """1 refused or failed, 2 wrong usage, 3 the target moved, 4 findings."""

    def __init__(self, title: str, message: str = "", hint: str = "") -> None:
        super().__init__(": ".join(part for part in (title, message) if part))
        self.title = title
        """One short sentence without a full stop."""
        self.message = message
        """What happened, with the path, line or value concerned."""
        self.hint = hint
        """What to do next."""


class ConfigError(ClawmemError):
    """A setting is unknown, of the wrong type or out of range."""

    code = "config"
    exit_code = 2


class UsageError(ClawmemError):
    """The caller asked for something that cannot be expressed, such as an unknown option value."""

    code = "usage"
    exit_code = 2


class WorkspaceError(ClawmemError):
    """The workspace as a whole cannot be used."""

    code = "workspace"


class PathRefusedError(ClawmemError):
    """A path leaves the workspace, is a symbolic link out of it, or is not a regular file."""

    code = "path_refused"


class UnreadableFileError(ClawmemError):
    """A file of the workspace cannot be read, or must not be rewritten (not UTF-8, NUL, too large)."""

    code = "unreadable"


class TargetMovedError(ClawmemError):
    """A file changed between the moment it was read and the moment it was to be written."""

    code = "target_moved"
    exit_code = 3


class FileInUseError(TargetMovedError):
    """Another program has a file open for writing and may write at any moment."""

    code = "file_in_use"


class StoreError(ClawmemError):
    """The state database cannot be used."""

    code = "store"


class StoreNewerError(StoreError):
    """The state was written by a newer release; nothing was changed."""

    code = "store_newer"


class StoreBusyError(StoreError):
    """Another process holds the state database."""

    code = "store_busy"


class LockHeldError(ClawmemError):
    """Another process is doing this already."""

    code = "locked"


class BudgetError(ClawmemError):
    """A write would push a file over its budget."""

    code = "budget"


class SecretError(ClawmemError):
    """A write would store a secret."""

    code = "secret"


class NotFoundError(ClawmemError):
    """A sweep, hunk, revision, entry or file that was named does not exist."""

    code = "not_found"


class RefusedError(ClawmemError):
    """The act is understood and not allowed here; the message says why."""

    code = "refused"


class StoppedError(ClawmemError):
    """A person stopped long work; nothing of it was written."""

    code = "stopped"


class HistoryError(ClawmemError):
    """Git or the stored versions could not do what was asked."""

    code = "history"


class ModelError(ClawmemError):
    """A model turn failed, was too slow, or answered out of form."""

    code = "model"
