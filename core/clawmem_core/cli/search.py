"""`search` and `get`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from clawmem_core.cli.completion import memory_files
from clawmem_core.cli.context import Session, pass_session, styled
from clawmem_core.clock import iso
from clawmem_core.errors import ModelError, UsageError
from clawmem_core.words import _

if TYPE_CHECKING:
    from clawmem_core.recall.search import Hit, LineProvenance


@click.command()
@click.argument("query")
@click.option("--limit", type=click.IntRange(1, 100), default=6, show_default=True, help=_("How many entries."))
@click.option("--tier", type=click.Choice(["curated", "episodic"]), help=_("One tier only."))
@click.option("--min-score", type=float, default=0.35, show_default=True, help=_("Cut-off of the score."))
@click.option("--no-recency", is_flag=True, help=_("Leave age out, for questions about the past."))
@click.option("--explain", is_flag=True, help=_("Show the factors of each score."))
@click.option("--no-record", is_flag=True, help=_("Leave no recall signal."))
@pass_session
def search(
    session: Session,
    query: str,
    limit: int,
    tier: str | None,
    min_score: float,
    no_recency: bool,
    explain: bool,
    no_record: bool,
) -> None:
    """Search curated entries and notes. A search counts as a recall, as evidence for the next dream."""
    from clawmem_core.recall.meaning.embedding import EXTRA_HINT
    from clawmem_core.recall.meaning.meaning import missing_extra
    from clawmem_core.workspace.layout import Tier

    with session.opened() as engine:
        words_alone = missing_extra(engine.config.recall.embedder)
        ask = partial(
            engine.recall.search,
            query,
            limit=limit,
            tier=Tier(tier) if tier else None,
            min_score=min_score,
            recency=not no_recency,
            record=not no_record,
        )
        try:
            answer = ask(ask=True)
        except ModelError as error:
            session.say(f"{error} {error.hint}")
            answer = ask()

    def people() -> Sequence[str]:
        lines: list[str] = [] if answer.hits else [_("Nothing found.")]
        for number, hit in enumerate(answer.hits, start=1):
            place = f"{hit.path}:{hit.start_line}"
            lines.append(styled(f"{number:>2} ", (f"{hit.score:.3f} ", "bold"), hit.text))
            factors = hit.factors
            meaning = "" if factors.vector is None else f", meaning {factors.vector:.3f}"
            product = (
                f"  = relevance {factors.relevance:.3f} x recency {factors.recency:.3f} x importance "
                f"{factors.importance:.2f} x project {factors.project:.2f}; words {factors.lexical:.3f}{meaning}"
            )
            lines.append(styled((f"         {place}  {hit.provenance.origin}{product if explain else ''}", "dim")))
        scores = [hit.score for hit in answer.hits]
        if scores != sorted(scores, reverse=True):
            session.say(_("By score, but exact names come first and what repeats an entry above it comes later."))
        if answer.stale:
            session.say(_("The index is behind the files."))
        if words_alone and (explain or not answer.hits):
            said = _("Search goes by words alone; {extra} lets it find by meaning as well.")
            session.say(said.format(extra=EXTRA_HINT))
        return lines

    session.result({"results": [_hit(hit) for hit in answer.hits], "stale": answer.stale}, people)


@click.command()
@click.argument("place", metavar="PATH[:A-B]", shell_complete=memory_files)
@pass_session
def get(session: Session, place: str) -> None:
    """Show a file of the workspace or a session (`session:ID`), or its lines A to B, with their provenance."""
    match = re.fullmatch(r"(?P<path>session:.+?|.+?)(?::(?P<start>\d+)(?:-(?P<end>\d+))?)?", place)
    if match is None:
        raise UsageError("Not a place", place, "Write it as memory/2026-11-27.md:3-5.")
    start = int(match["start"] or 1)
    end = int(match["end"]) if match["end"] else (start if match["start"] else None)
    with session.opened() as engine:
        got = engine.recall.get(match["path"], start, end)
    data = {
        "path": got.path,
        "start_line": got.start_line,
        "end_line": got.end_line,
        "text": got.text,
        "provenance": _provenance(got.provenance),
    }

    def people() -> Sequence[str]:
        head = styled((f"{got.path}:{got.start_line}-{got.end_line}  {got.provenance.origin}", "dim"))
        return [head, *got.text.splitlines()]

    session.result(data, people)


def _hit(hit: Hit) -> dict[str, object]:
    factors = hit.factors
    return {
        "path": hit.path,
        "start_line": hit.start_line,
        "end_line": hit.end_line,
        "tier": hit.tier,
        "text": hit.text,
        "score": hit.score,
        "factors": {
            "relevance": factors.relevance,
            "lexical": factors.lexical,
            "vector": factors.vector,
            "recency": factors.recency,
            "importance": factors.importance,
            "project": factors.project,
        },
        "provenance": _provenance(hit.provenance),
    }


def _provenance(who: LineProvenance) -> dict[str, object]:
    return {
        "origin": who.origin,
        "session_kind": who.session_kind,
        "observed_at": iso(who.observed_at) if who.observed_at else None,
        "supersedes_key": who.supersedes_key,
    }
