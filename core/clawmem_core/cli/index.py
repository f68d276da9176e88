"""`index`."""

from __future__ import annotations

import time
from collections.abc import Sequence

import click

from clawmem_core.cli.context import Session, pass_session, reporting
from clawmem_core.words import _, ngettext


@click.command()
@click.option("--rebuild", is_flag=True, help=_("Throw the index away and build it anew; vectors are kept."))
@click.option("--verify", is_flag=True, help=_("Compare it with every file; exit code 4 when it holds something else."))
@pass_session
def index(session: Session, rebuild: bool, verify: bool) -> None:
    """Bring the index of search up to date, and make the vectors by which it finds by meaning.

    A search does the first by itself. Vectors are made here alone: they take about 20 ms for each entry, once.
    """
    from clawmem_core.recall.meaning.embedding import EXTRA_HINT
    from clawmem_core.recall.meaning.meaning import missing_extra

    began = time.monotonic()
    with session.opened() as engine, reporting(session) as report:
        done = engine.recall.refresh(rebuild=rebuild)
        learned = engine.recall.learn(progress=lambda made, of: report(_("vectors"), made, of))
        documents = engine.recall.state().documents
        differing = engine.recall.verify() if verify else ()
        words_alone = missing_extra(engine.config.recall.embedder)
    seconds = round(time.monotonic() - began, 3)

    if differing:
        session.exit_code = 4

    def people() -> Sequence[str]:
        lines = [
            ngettext("{n} entry is indexed", "{n} entries are indexed", documents)
            + ", "
            + ngettext("{n} file was read", "{n} files were read", len(done.added))
            + "."
        ]
        if learned.made:
            lines.append(ngettext("{n} vector was made.", "{n} vectors were made.", learned.made))
        lines += [_("Left out: {path}: {reason}").format(path=item.path, reason=item.reason) for item in done.failed]
        for path, lacking, beyond in differing:
            said = _("{path}: {lacking} parts are missing, {beyond} are too many; `clawmem index --rebuild` mends it.")
            lines.append(said.format(path=path, lacking=lacking, beyond=beyond))
        if verify and not differing:
            lines.append(_("It holds what the files say."))
        if done.stale:
            session.say(_("The index is behind the files: {why}.").format(why=done.stale))
        if words_alone:
            said = _("Search goes by words alone; {extra} lets it find by meaning as well.")
            session.say(said.format(extra=EXTRA_HINT))
        return lines

    data = {
        "documents": documents,
        "added": list(done.added),
        "removed": list(done.removed),
        "failed": [{"path": item.path, "reason": item.reason} for item in done.failed],
        "rebuilt": done.rebuilt,
        "stale": done.stale or None,
        "vectors": {"made": learned.made, "left": learned.left},
        "differing": [{"path": path, "lacking": lacking, "beyond": beyond} for path, lacking, beyond in differing],
        "seconds": seconds,
    }
    session.result(data, people)
