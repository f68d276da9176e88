"""Whether there is a git, how long it may keep silent, and how one that does is stopped.

A git hangs when a network folder does, when a filter waits for a password, or when a disk dies. It is stopped with
everything that it started: first so that it can take its locks away, then for good.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from clawmem_core.errors import HistoryError
from clawmem_core.history.quiet import environment
from clawmem_core.history.trouble import INSTALL

SECONDS = 30.0
"""How long one run of git may keep silent."""
GRACE_SECONDS = 2.0
"""How long a git that is stopped may take its locks away before it is killed."""
OWN_GROUP: dict[str, Any] = {"process_group": 0} if os.name == "posix" else {}
"""Options of a process that can be stopped with all that it starts, and that outlives the Ctrl-C that stops us."""


def version() -> tuple[int, ...]:
    """Return the version of the git that will be run. Raises HistoryError."""
    try:
        process = subprocess.Popen(
            [_program(), "version"], env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, **OWN_GROUP
        )
    except OSError as error:
        raise not_started(error) from error
    with process:
        try:
            out, _ = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired as error:
            stop(process)
            raise silent("version") from error
    return tuple(int(number) for number in re.findall(r"\d+", out.decode(errors="replace"))[:3])


def not_started(error: OSError) -> HistoryError:
    """Return the error about a git that could not be started."""
    if not shutil.which(_program()):
        return HistoryError("Git is not there", "no git was found", INSTALL)
    return HistoryError("Git did not start", error.strerror or str(error), "Check that git runs in the workspace.")


def _program() -> str:
    return os.environ.get("GIT_PYTHON_GIT_EXECUTABLE", "git")


def silent(command: str) -> HistoryError:
    """Return the error about a command of git that kept silent."""
    return HistoryError(
        "Git does not answer",
        f"`git {command}` kept silent for {SECONDS:g} s and was stopped",
        "Run `git status` in the workspace and see what holds it up.",
    )


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process that was started with `OWN_GROUP`, and all that it started."""
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        with suppress(ProcessLookupError):
            if os.name == "posix":
                os.killpg(process.pid, number)
            else:
                process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(GRACE_SECONDS)
            return


@contextmanager
def within(end: Callable[[], object]) -> Iterator[None]:
    """Call `end` if the block takes longer than `SECONDS`."""
    timer = threading.Timer(SECONDS, end)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
