"""A model that is down, slow or talks nonsense never costs a sweep: whole sweeps through the real libraries.

Whatever the server does, the sweep appends what is new, replaces nothing, says why, and records what the turn took.
"""

from __future__ import annotations

import json
import re
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from clawmem_core.curation.sweep import Dreamed
from clawmem_core.errors import StoppedError
from clawmem_core.ledger.hunks import HunkKind, HunkState
from clawmem_core.models.embedded import EmbeddedModel
from clawmem_core.models.line import MAX_BODY_BYTES
from clawmem_core.models.remote import RemoteModel
from tests.conftest import BACKUP, HANDWRITTEN, HARBOUR, INVOICES, OFFICE, OTTER, TARGET, Desk
from tests.models.asking import ask, key_and_no_proxy
from tests.models.serving import (
    KEY,
    VARIABLE,
    Act,
    Asked,
    ModelServer,
    Speech,
    breaks_off,
    changed,
    drips,
    failing,
    floods,
    hangs_up,
    judged,
    never_answers,
    reply,
    says,
    sends,
    serving,
)

BOTH: tuple[Speech, ...] = ("openai", "anthropic")
SOON = {"Retry_After": "0"}
"""Headers with which a server asks for the second try at once."""
SHORT = 2.0
"""Deadline of a turn that is to run out, in seconds: enough to send a request on a busy machine."""
OLD_OFFICE = "Office room: 12"


@pytest.fixture(scope="module", autouse=True)
def _with_key_and_libraries() -> Iterator[None]:
    """Have the key of the tests' model, and no short deadline spent on loading the libraries."""
    with key_and_no_proxy():
        for speech in BOTH:
            with serving(says("{}")) as server:
                ask(server, speech, timeout_seconds=600.0)
        yield


def dream(desk: Desk, server: ModelServer, speech: Speech = "openai", **settings: Any) -> Dreamed:
    """Run a sweep that the model behind a server judges, with a short pause before its second try."""
    return desk.dream(RemoteModel("house", server.settings(speech, **settings), pause_seconds=0.01))


def whole(desk: Desk, dreamed: Dreamed) -> None:
    """Check what is so after every sweep whose model failed."""
    memory = desk.read().decode()
    assert all(line in memory for line in HANDWRITTEN.splitlines())
    assert INVOICES in memory
    assert OTTER in memory
    assert f"- {OLD_OFFICE} Source:" in memory, "nothing is replaced without a sound answer"
    assert OFFICE not in memory
    assert TARGET not in memory
    assert dreamed.sweep.outcome == "appended"
    assert desk.hunk(dreamed.sweep.id, OFFICE).state is HunkState.HELD
    assert desk.hunk(dreamed.sweep.id, TARGET).state is HunkState.HELD
    record = desk.reopen().review.sweeps()[0]
    assert record == dreamed.sweep
    assert (record.model, record.fallback_reason, record.record.usage) == (
        "house",
        dreamed.sweep.fallback_reason,
        dreamed.sweep.record.usage,
    )
    assert record.fallback_reason
    assert record.record.usage is not None
    assert record.record.usage.asked == "small-1"
    told = "".join(map(str, desk.files().values())) + str(desk.sql("SELECT * FROM sweeps"))
    assert KEY not in told
    assert "Rewrite skipped" in desk.read("DREAMS.md").decode()


def new_number(made: list[dict[str, Any]], asked: Asked) -> None:
    """Merge with a number that nobody said."""
    _merge(made, asked, lambda text: f"{text} and 7 days later")


def lost_number(made: list[dict[str, Any]], asked: Asked) -> None:
    """Merge and lose a number."""
    _merge(made, asked, lambda text: text.replace("02:00", "night"))


def _merge(made: list[dict[str, Any]], asked: Asked, write: Callable[[str], str]) -> None:
    key = next(one["key"] for one in asked.data["candidates"] if one["text"] == BACKUP)
    line = next(one["line"] for one in asked.data["currentMemory"] if "garden photos" in one["line"])
    operation = next(one for one in made if one["candidateKey"] == key)
    operation.update(action="merged", priorEntries=[line], text=write(line.removeprefix("- ")))


def twice(made: list[dict[str, Any]], asked: Asked) -> None:
    """Answer one candidate twice."""
    made.append(made[0])


def invented_prior(made: list[dict[str, Any]], asked: Asked) -> None:
    """Name an entry that does not exist."""
    made[0].update(action="merged", priorEntries=["- The office is on the moon"], text=None)


@dataclass(frozen=True)
class Fault:
    """What a server does, request by request, and how the sweep must tell it."""

    name: str
    script: tuple[Act, ...]
    reason: str
    answered: bool = False
    """Whether a whole reply came, so that its tokens are known."""


HTML = b"<!doctype html><html><body><h1>502 Bad Gateway</h1></body></html>"


def cut(connection: Any, asked: Asked) -> None:
    """Answer with the first half of the JSON."""
    speech: Speech = "openai" if "chat" in asked.path else "anthropic"
    connection.send(json.dumps(reply(speech, judged(asked))).encode()[:-40])


FAULTS = [
    Fault("prose", (says("I think all of these are fine."),), "Answer out of form", answered=True),
    Fault("prose and JSON", (says(lambda asked: "Sure! " + judged(asked)),), "Answer out of form", answered=True),
    Fault("half an answer", (says(lambda asked: judged(asked)[:-9]),), "Answer out of form", answered=True),
    Fault("two answers in one", (says(lambda asked: judged(asked) * 2),), "Answer out of form", answered=True),
    Fault("an empty answer", (says("{}"),), "Answer out of form", answered=True),
    Fault("a duplicate answer", (says(changed(twice)),), "not answered exactly once", answered=True),
    Fault("an invented prior", (says(changed(invented_prior)),), "does not exist exactly once", answered=True),
    Fault("an invented number", (says(changed(new_number)),), "invents a fact: 7", answered=True),
    Fault("a lost number", (says(changed(lost_number)),), "loses a fact: 02:00", answered=True),
    Fault("a text of nothing", (says(""),), "The model gave no answer", answered=True),
    Fault("a web page", (sends(HTML, "text/html"),), "The reply is out of form: .*a web page"),
    Fault("a web page that says it is JSON", (sends(HTML),), "The reply is out of form: .*a web page"),
    Fault("a truncated reply", (cut,), "The reply is out of form"),
    Fault("no reply at all", (sends(b""),), "The reply is out of form"),
    Fault("a list", (sends(b"[1, 2]"),), "The reply is out of form"),
    Fault(
        "a deep hole", (sends(b'{"choices": [], "content": [], "x": ' + b"[" * 400_000),), "The reply is out of form"
    ),
    Fault("not UTF-8", (sends(b'{"choices": "\xff\xfe"}'),), "The reply is out of form"),
    Fault("compressed", (sends(b"\x1f\x8b\x08", Content_Encoding="gzip"),), "compressed"),
    Fault("50 MB, announced", (floods(50_000_000, announced=True),), f"longer than {MAX_BODY_BYTES:,} bytes"),
    Fault("50 MB, unannounced", (floods(50_000_000, announced=False),), f"longer than {MAX_BODY_BYTES:,} bytes"),
    Fault(
        "the key is wrong",
        (failing(401, f"bad key {KEY}"),),
        f"The model refused the key: .* to the key in {VARIABLE}$",
    ),
    Fault("the key may not", (failing(403),), f"The model refused the key: .* to the key in {VARIABLE}$"),
    Fault("no such model", (failing(404, "model not found"),), "No such model there: no model 'small-1'.*not found"),
    Fault("no money", (failing(429, "You exceeded your quota: insufficient_quota"),), "is used up"),
    Fault("too much", (failing(400, "maximum context length is 8192 tokens"),), "too long for this model"),
    Fault("busy twice", (failing(429, "slow down", **SOON),) * 2, "The model is not available: .*429: slow down"),
    Fault("broken twice", (failing(500, "oops", **SOON), failing(503, "oops")), "not available: .*503"),
    Fault("hangs up twice", (hangs_up, hangs_up), "The connection to the model broke"),
    Fault("breaks off twice", (breaks_off, breaks_off), "The connection to the model broke"),
    Fault("wait an hour", (failing(503, "later", Retry_After="3600"),), "The model is not available: .*later"),
    Fault("never answers", (never_answers,), "The model is too slow: no answer within 2 s"),
    Fault("drips", (drips,), "The model is too slow: no answer within 2 s"),
]


ENDS: list[tuple[Speech, Act, str]] = [
    ("openai", says(judged, stop="length"), "The model's answer was cut off: .* 8,000 tokens"),
    ("openai", says(judged, stop="content_filter"), "The model declined"),
    ("openai", says(None, refusal="I cannot help with that"), "The model declined: small-1: I cannot help"),
    ("openai", sends(b'{"choices": []}'), "The model gave no answer: .* 0 answers"),
    ("openai", sends(b'{"choices": [{"message": {}}, {"message": {}}]}'), "The model gave no answer: .* 2 answers"),
    ("anthropic", says(judged, stop="max_tokens"), "The model's answer was cut off"),
    ("anthropic", says("No.", stop="refusal"), "The model declined: small-1: No."),
    ("anthropic", sends(b'{"content": []}'), "The model gave no answer"),
]


def in_both(fault: Fault) -> list[Any]:
    """A fault in both protocols; what an answer says is the same in both, so one of them is for the long suites."""
    marks = (pytest.mark.full,) if fault.answered else ()
    return [
        pytest.param(fault, "openai", id=f"{fault.name}-openai"),
        pytest.param(fault, "anthropic", id=f"{fault.name}-anthropic", marks=marks),
    ]


@pytest.mark.parametrize(("fault", "speech"), [case for fault in FAULTS for case in in_both(fault)])
def test_a_fault_leads_to_appending(desk: Desk, fault: Fault, speech: Speech) -> None:
    slow = fault.script[0] in (never_answers, drips)
    with serving(*fault.script) as server:
        dreamed = dream(
            desk, server, speech, timeout_seconds=SHORT if slow else 60.0, input_price=1.0, output_price=2.0
        )
        whole(desk, dreamed)
        if slow or "50 MB" in fault.name:
            assert server.told.wait(20), "the line was not hung up"
    assert re.search(fault.reason, dreamed.sweep.fallback_reason), dreamed.sweep.fallback_reason
    usage = dreamed.sweep.record.usage
    assert usage is not None
    assert usage.attempts == len(server.asked) == len(fault.script)
    assert (usage.input_tokens is not None) is fault.answered
    assert (usage.cost is not None) is fault.answered


@pytest.mark.parametrize(("speech", "act", "reason"), ENDS)
def test_an_answer_that_does_not_end_well_is_none(desk: Desk, speech: Speech, act: Act, reason: str) -> None:
    with serving(act) as server:
        dreamed = dream(desk, server, speech)
    whole(desk, dreamed)
    assert re.search(reason, dreamed.sweep.fallback_reason), dreamed.sweep.fallback_reason


def test_tokens_of_an_answer_that_was_cut_off_are_counted(desk: Desk) -> None:
    with serving(says(judged, stop="length")) as server:
        usage = dream(desk, server, input_price=10.0, output_price=100.0).sweep.record.usage
    assert usage is not None
    assert usage.cost == pytest.approx(0.021)


@pytest.mark.parametrize("speech", BOTH)
def test_where_nothing_listens_the_sweep_appends(desk: Desk, speech: Speech) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        server = ModelServer([], root=f"http://127.0.0.1:{closed.getsockname()[1]}")
        dreamed = dream(desk, server, speech)
    whole(desk, dreamed)
    assert "The model cannot be reached: nothing answers at http://127.0.0.1:" in dreamed.sweep.fallback_reason
    assert "base_url" in dreamed.sweep.record.fallback_hint
    assert dreamed.sweep.record.usage
    assert dreamed.sweep.record.usage.attempts == 2


PASSING: list[Act] = [failing(429, **SOON), failing(500, **SOON), failing(529, **SOON), hangs_up, breaks_off]


@pytest.mark.parametrize("speech", BOTH)
@pytest.mark.parametrize("fault", PASSING, ids=["429", "500", "529", "hangs up", "breaks off"])
def test_a_fault_that_passes_is_asked_once_more(desk: Desk, speech: Speech, fault: Act) -> None:
    with serving(fault, says(judged)) as server:
        dreamed = dream(desk, server, speech)
    assert (dreamed.sweep.outcome, dreamed.sweep.fallback_reason) == ("rewritten", "")
    assert dreamed.sweep.record.usage
    assert dreamed.sweep.record.usage.attempts == 2
    assert server.asked[0].body == server.asked[1].body
    memory = desk.read().decode()
    assert OFFICE in memory
    assert OLD_OFFICE not in memory


def test_both_tries_share_one_deadline(desk: Desk) -> None:
    with serving(failing(503, **SOON), never_answers) as server:
        dreamed = dream(desk, server, timeout_seconds=SHORT)
    whole(desk, dreamed)
    assert "no answer within 2 s" in dreamed.sweep.fallback_reason


@pytest.mark.parametrize("speech", BOTH)
def test_a_sound_answer_is_used_and_recorded(lived_in: Callable[..., Desk], speech: Speech) -> None:
    with serving(says(lambda asked: f"```json\n{judged(asked)}\n```")) as server:
        desk = lived_in(server.config(speech, input_price=1.0, output_price=10.0))
        dreamed = desk.dream()
        again = desk.dream()
    assert len(server.asked) == 1, "a sweep without candidates asks nobody"
    assert (again.sweep.model, again.sweep.record.usage, again.sweep.fallback_reason) == ("house", None, "")
    assert (dreamed.sweep.outcome, dreamed.sweep.model) == ("rewritten", "house")
    record = desk.reopen().review.open(dreamed.sweep.id).sweep.record
    assert record.usage
    assert (record.usage.asked, record.usage.attempts) == ("small-1", 1)
    assert (record.usage.input_tokens, record.usage.output_tokens) == (1_200, 90)
    assert record.usage.cost == pytest.approx(0.0021)
    kinds = {text: desk.hunk(dreamed.sweep.id, text).kind for text in (INVOICES, OFFICE, HARBOUR)}
    assert kinds == {INVOICES: HunkKind.ADDED, OFFICE: HunkKind.SUPERSEDED, HARBOUR: HunkKind.ADDED}
    assert desk.hunk(dreamed.sweep.id, "garden photos").kind is HunkKind.MERGED


@pytest.mark.parametrize(
    ("speech", "status"), [("openai", 301), ("anthropic", 302), ("openai", 307), ("anthropic", 307), ("anthropic", 308)]
)
def test_a_redirect_is_not_followed_with_memory_or_key(desk: Desk, speech: Speech, status: int) -> None:
    with serving() as elsewhere, serving(sends(b"", status=status, Location=elsewhere.root + "/v1/messages")) as server:
        dreamed = dream(desk, server, speech)
    whole(desk, dreamed)
    assert elsewhere.asked == []
    assert elsewhere.root.removeprefix("http://") in dreamed.sweep.fallback_reason
    assert "not followed" in dreamed.sweep.fallback_reason


# Stopped


@pytest.mark.parametrize(
    ("speech", "waits", "stop"),
    [
        ("openai", never_answers, StoppedError("Stopped")),
        ("anthropic", never_answers, KeyboardInterrupt()),
        ("openai", drips, KeyboardInterrupt()),
        ("anthropic", drips, StoppedError("Stopped")),
    ],
)
def test_a_sweep_that_is_stopped_leaves_the_model_at_once_and_writes_nothing(
    lived_in: Callable[..., Desk], speech: Speech, waits: Act, stop: BaseException
) -> None:
    with serving(waits) as server:
        desk = lived_in(server.config(speech, timeout_seconds=600.0))
        desk.engine.review.look_for_edits()
        files, sweeps = desk.files(), desk.engine.review.sweeps()

        def report(step: str, done: int, total: int) -> None:
            if step == "judge" and server.arrived.is_set():
                raise stop

        with pytest.raises(type(stop)):
            desk.engine.dreams.run(progress=report)
        assert server.told.wait(20), "the line was not hung up"
    assert desk.files() == files
    assert desk.engine.review.sweeps() == sweeps
    assert desk.dream(EmbeddedModel()).sweep.outcome == "rewritten"


def test_waiting_is_told_in_seconds(lived_in: Callable[..., Desk]) -> None:
    told: list[tuple[str, int, int]] = []
    with serving(says(judged)) as server:
        lived_in(server.config(timeout_seconds=45.0)).engine.dreams.run(
            progress=lambda step, done, total: told.append((step, done, total))
        )
    assert ("judge", 0, 45) in told


def test_the_thread_of_a_turn_does_not_outlive_it(lived_in: Callable[..., Desk]) -> None:
    with serving(drips) as server:
        lived_in(server.config(timeout_seconds=SHORT)).dream()
        assert server.told.wait(20)
    for thread in threading.enumerate():
        if thread.name == "clawmem-model":
            thread.join(20)
            assert not thread.is_alive()
