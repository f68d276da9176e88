"""From process start to first paint, against an empty Textual app in the same run.

Run it with `python -m tests.benchmarks.start [RUNS]`. Both are real processes in a pseudo terminal; the clock stops
when the first frame's words are on its screen. Figures are printed as medians and as ratios of pairs.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from tests.terminal import Terminal, app_in_terminal

EMPTY = """
from textual.app import App
from textual.widgets import Static
class Empty(App):
    def compose(self):
        yield Static("painted")
Empty().run()
"""


def _empty() -> float:
    began = time.perf_counter()
    with Terminal([sys.executable, "-c", EMPTY]) as terminal:
        terminal.wait_for("painted")
        return time.perf_counter() - began


def _ours(workspace: Path, state: Path, words: str) -> float:
    began = time.perf_counter()
    with app_in_terminal(workspace, state) as terminal:
        terminal.wait_for(words)
        return time.perf_counter() - began


def main() -> None:
    """Print both medians and the median of the ratios."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    with tempfile.TemporaryDirectory() as folder:
        from clawmem_core.clock import system_clock
        from clawmem_core.config import Config
        from clawmem_core.demo.build import build

        demo = build(Path(folder) / "demo", system_clock(), Config(), None, lambda step, done, total: None)
        rows = []
        for _ in range(runs + 1):
            empty = _empty()
            paint = _ours(demo.workspace, demo.state_dir, "clawmem")
            inbox = _ours(demo.workspace, demo.state_dir, "Inbox:")
            rows.append((empty, paint, inbox))
    rows = rows[1:]
    print(f"empty Textual app, first paint   {median(row[0] for row in rows):.2f} s")
    print(f"clawmem, first paint             {median(row[1] for row in rows):.2f} s")
    print(f"clawmem, inbox filled            {median(row[2] for row in rows):.2f} s")
    print(f"first paint, ratio of pairs      {median(row[1] / row[0] for row in rows):.2f}")
    print(f"inbox filled, ratio of pairs     {median(row[2] / row[0] for row in rows):.2f}")


if __name__ == "__main__":
    main()
