"""The command line as a person or a script uses it, in this process, and a workspace that was lived in a little."""

from __future__ import annotations

import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

from clawmem_core.cli.root import run

NOW = datetime(2026, 11, 30, 3, 0, tzinfo=UTC)


@dataclass
class Shell:
    """Runs commands on one workspace with a frozen clock."""

    workspace: Path
    state_dir: Path
    now: datetime = NOW
    err: str = ""
    out: str = ""
    code: int = field(default=0)

    def run(self, *arguments: str) -> int:
        """Run one command; return its exit code and keep what it printed."""
        out, err = StringIO(), StringIO()
        options = [
            "--workspace",
            str(self.workspace),
            "--state-dir",
            str(self.state_dir),
            "--now",
            self.now.isoformat(),
        ]
        with redirect_stdout(out), redirect_stderr(err):
            self.code = run([*options, *arguments])
        self.out, self.err = out.getvalue(), err.getvalue()
        return self.code

    def json(self, *arguments: str, code: int = 0) -> Any:
        """Run one command with --json, check its exit code, and return the one object that it printed."""
        self.run("--json", *arguments)
        assert self.code == code, (self.code, self.out, self.err)
        assert self.out.count("\n") == 1, self.out
        return json.loads(self.out)

    def at(self, when: datetime) -> Shell:
        """Return the same shell at another time."""
        return Shell(self.workspace, self.state_dir, when)


NOTES = {
    "2026-11-21": ["Deploy target: alpha, the old machine", "The kettle in the print room needs descaling"],
    "2026-11-25": [
        "Gateway listens on loopback only, port 18789",
        "La réunion hebdo passe au jeudi à neuf heures",
        "Invoices for wholesale customers are due after thirty days",
    ],
    "2026-11-29": [
        "Staging needs VPN profile B since the move",
        "HEARTBEAT_OK",
        "Prefer short status notes with numbers",
    ],
}
QUESTIONS = {
    "2026-11-25": ["gateway on loopback", "réunion hebdo du jeudi", "wholesale invoices due"],
    "2026-11-26": ["where does the gateway listen", "gateway loopback port", "quand est la réunion hebdo"],
    "2026-11-27": ["is the gateway on loopback only", "réunion hebdo jeudi", "when are wholesale invoices due"],
    "2026-11-28": ["port 18789 of the gateway", "la réunion hebdo à neuf heures", "invoices due after thirty days"],
    "2026-11-29": [
        "which vpn profile does staging need",
        "gateway listens on which port",
        "wholesale customers and invoices",
    ],
}


def lived_in(folder: Path) -> Shell:
    """Return a shell on a workspace with a few notes and real recalls on several days."""
    workspace = folder / "workspace"
    (workspace / "memory").mkdir(parents=True)
    (workspace / "MEMORY.md").write_text(
        "# Long-Term Memory\n\n- The printer is on the second floor.\n", encoding="utf-8"
    )
    for day, lines in NOTES.items():
        text = f"# {day}\n\n" + "".join(f"- {line}\n" for line in lines)
        (workspace / "memory" / f"{day}.md").write_text(text, encoding="utf-8")
    shell = Shell(workspace, folder / "state")
    for day, questions in QUESTIONS.items():
        at = datetime.fromisoformat(f"{day}T10:00:00+00:00")
        for number, question in enumerate(questions):
            shell.at(at + timedelta(minutes=number)).json("search", question)
    return shell
