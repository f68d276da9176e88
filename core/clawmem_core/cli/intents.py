"""`intent`: standing intents, seen, tried out and cancelled. None is made here: a shell proves no sender."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clawmem_core.cli.context import Session, pass_session, styled
from clawmem_core.clock import iso
from clawmem_core.words import _, ngettext

if TYPE_CHECKING:
    from clawmem_core.intents.backtest import Backtested
    from clawmem_core.intents.simulator import Verdict
    from clawmem_core.intents.values import Event, Intent

_STATES = ["pending", "armed", "fired", "done", "cancelled", "expired"]
_LOOKS = {"armed": "green", "fired": "yellow", "fires": "green", "no": "yellow", "never": "red"}
_EXIT_FINDINGS = 4
_MANNER = click.option("--openclaw", is_flag=True, help=_("Match as OpenClaw does, not as we do."))


@click.group()
def intent() -> None:
    """See standing intents, try out what would fire them, and cancel them. Agents make them, for their owner."""


@intent.command("list")
@click.option("--state", type=click.Choice(_STATES), help=_("Only those in this state."))
@pass_session
def list_(session: Session, state: str | None) -> None:
    """List the intents, oldest first."""
    from clawmem_core.intents.access import OPERATOR
    from clawmem_core.intents.values import State

    with session.opened() as engine:
        found = engine.intents.listing(OPERATOR, [State(state)] if state else ())

    def people() -> Sequence[str]:
        return [_line(item) for item in found] or [_("No intents. Ask the agent to make one.")]

    session.result({"intents": [_intent_json(item) for item in found]}, people)


@intent.command()
@click.argument("name", metavar="ID")
@pass_session
def show(session: Session, name: str) -> None:
    """Show an intent with everything that happened to it. ID may be its beginning."""
    from clawmem_core.intents.access import OPERATOR

    with session.opened() as engine:
        found, events = engine.intents.show(name, OPERATOR)
    data = {"intents": [_intent_json(found)], "events": [_event_json(event) for event in events]}
    session.result(data, lambda: [_line(found), *_details(found), *(_event_line(event) for event in events)])


@intent.command()
@click.argument("name", metavar="ID")
@pass_session
def cancel(session: Session, name: str) -> None:
    """Cancel an intent for good. Nothing brings it back."""
    from clawmem_core.intents.access import OPERATOR

    with session.opened() as engine:
        found = engine.intents.cancel(name, OPERATOR)
    session.result({"intents": [_intent_json(found)]}, lambda: [_line(found)])


@intent.command()
@click.argument("message")
@click.option("--channel", required=True, metavar="C", help=_("Where it would be said, as the host names it."))
@click.option("--sender", required=True, metavar="S", help=_("Who would say it, as the host names people."))
@click.option("--conversation", default="", metavar="V", help=_("The conversation on that channel."))
@_MANNER
@pass_session
def test(session: Session, message: str, channel: str, sender: str, conversation: str, openclaw: bool) -> None:
    """Show what a message would fire, and of every other intent the first rule that stops it. Writes nothing."""
    from clawmem_core.intents.access import OPERATOR
    from clawmem_core.intents.reading import Manner
    from clawmem_core.intents.scope import Place

    manner = Manner.OPENCLAW if openclaw else Manner.OWN
    with session.opened() as engine:
        place = Place.of(channel, None, conversation, sender)
        verdicts = engine.intents.test(message, place, OPERATOR, manner=manner)
    session.result({"verdicts": [_verdict_json(item) for item in verdicts]}, lambda: _verdict_lines(verdicts))


@intent.command()
@click.argument("messages", required=False, metavar="[MESSAGES.jsonl]")
@_MANNER
@pass_session
def backtest(session: Session, messages: str | None, openclaw: bool) -> None:
    """Show what messages of the past would have fired, had the open intents stood there fresh. Writes nothing.

    MESSAGES.jsonl has one object a line: message, and if known channel, sender, conversation and at. Without it, the
    messages of the sessions that were ingested in the last 30 days are taken; of those no channel is known, so that
    scopes are not tested.
    """
    from clawmem_core.intents.backtest import read_messages
    from clawmem_core.intents.reading import Manner

    with session.opened() as engine:
        said = read_messages(Path(messages), engine.clock()) if messages else None
        found = engine.intents.backtest(said, manner=Manner.OPENCLAW if openclaw else Manner.OWN)
    data = {
        "messages": found.messages,
        "intents": [
            {
                "id": tally.intent.id,
                "matched": tally.matched,
                "fires": len(tally.fired_at),
                "fired_at": [iso(at) for at in tally.fired_at],
            }
            for tally in found.tallies
        ],
    }
    session.result(data, lambda: _backtest_lines(found))


@intent.command()
@pass_session
def lint(session: Session) -> None:
    """Show what is wrong with the open intents. Exits with 4 when something is."""
    with session.opened() as engine:
        found = engine.intents.lint()
    session.exit_code = _EXIT_FINDINGS if found else 0
    data = {"findings": [{"id": item.intent.id, "fault": item.fault, "detail": item.detail} for item in found]}

    def people() -> Sequence[str]:
        return [
            styled(("! ", "yellow"), (f"{item.intent.id[:8]} ", "bold"), f"{item.fault}: {item.detail}")
            for item in found
        ] or [_("Nothing is wrong with the open intents.")]

    session.result(data, people)


def _intent_json(intent: Intent) -> Mapping[str, object]:
    from clawmem_core.intents.values import State, instant

    waits = intent.state is State.FIRED and intent.fires_left and intent.cool_at_ms is not None
    return {
        "id": intent.id,
        "state": intent.state,
        "description": intent.description,
        "keywords": intent.keywords,
        "channel_scope": intent.channel_scope,
        "sender_scope": intent.sender_scope,
        "creator": intent.creator,
        "fires": intent.fire_count,
        "max_fires": intent.max_fires,
        "cooldown_s": intent.cooldown_seconds,
        "created_at": iso(instant(intent.created_at_ms)),
        "expires_at": iso(instant(intent.expires_at_ms)),
        "last_fired_at": None if intent.last_fired_at_ms is None else iso(instant(intent.last_fired_at_ms)),
        "next_armed_at": iso(instant(intent.cool_at_ms)) if waits and intent.cool_at_ms is not None else None,
    }


def _event_json(event: Event) -> Mapping[str, object]:
    return {
        "from": event.from_state,
        "to": event.to_state,
        "at": iso(event.at),
        "recorded_at": iso(event.recorded_at),
        "actor": event.actor,
        "why": event.why,
        "message_hash": event.message_hash,
    }


def _verdict_json(verdict: Verdict) -> Mapping[str, object]:
    near = verdict.near_miss
    return {
        "id": verdict.intent.id,
        "verdict": verdict.outcome,
        "rule": verdict.rule,
        "detail": verdict.detail,
        "near_miss": None
        if near is None
        else {"kind": near.nearness, "keyword": near.entry, "wanted": near.wanted, "said": near.said},
    }


def _line(intent: Intent) -> str:
    fires = f"{intent.fire_count}/{intent.max_fires}"
    return styled(
        (f"{intent.id[:8]}  ", "bold"),
        (f"{intent.state:<9} ", _LOOKS.get(intent.state, "dim")),
        f"{fires:>5}  {intent.description}",
        (f"  {', '.join(intent.keywords)}", "dim"),
    )


def _details(intent: Intent) -> Sequence[str]:
    data = _intent_json(intent)
    named = ("id", "channel_scope", "sender_scope", "creator", "cooldown_s", "created_at", "expires_at")
    return [styled((f"  {name:<14} ", "dim"), str(data[name] if data[name] is not None else "-")) for name in named]


def _event_line(event: Event) -> str:
    passed = f"{event.from_state} -> {event.to_state}" if event.from_state else event.to_state
    return styled((f"  {iso(event.at)}  ", "dim"), f"{passed}  {event.why}", (f"  {event.actor}", "dim"))


def _verdict_lines(verdicts: Sequence[Verdict]) -> Sequence[str]:
    fires = sum(verdict.rule is None for verdict in verdicts)
    lines = [
        styled(
            (f"{verdict.outcome:<6} ", _LOOKS[verdict.outcome]),
            (f"{verdict.intent.id[:8]}  ", "bold"),
            f"{', '.join(verdict.intent.keywords)}  ",
            (verdict.detail, "dim"),
        )
        for verdict in verdicts
    ]
    return [*lines, _("{n} of at most 3 in one turn. Dry run: nothing was written.").format(n=fires)]


def _backtest_lines(found: Backtested) -> Sequence[str]:
    lines = [
        styled(
            (f"{tally.intent.id[:8]}  ", "bold"),
            f"{ngettext('{n} message', '{n} messages', tally.matched)}, ",
            f"{ngettext('{n} fire', '{n} fires', len(tally.fired_at))}  {', '.join(tally.intent.keywords)}",
        )
        for tally in found.tallies
    ]
    said = ngettext(
        "{n} message tried. Nothing was written.", "{n} messages tried. Nothing was written.", found.messages
    )
    return [*lines, said]
