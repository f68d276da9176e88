"""One turn with a model behind a network endpoint: its requests, its time and how it is left.

The library of the provider is loaded when a turn begins, in the thread of the turn.
"""

from __future__ import annotations

import threading
from dataclasses import replace
from typing import TYPE_CHECKING, Protocol

from clawmem_core.errors import ModelError
from clawmem_core.ledger.usage import Usage
from clawmem_core.models.endpoint import Endpoint
from clawmem_core.models.faults import OptionError, PassingError, library_missing
from clawmem_core.models.keys import read_key
from clawmem_core.models.prompt import Prompt
from clawmem_core.models.waiting import Deadline

if TYPE_CHECKING:
    from clawmem_core.models.line import Line
    from clawmem_core.models.manner import Call, Manner, Said

PAUSE_SECONDS = 1.0
"""Wait before the second try when the server does not say how long."""
GRACE_SECONDS = 1.0
"""The library waits so much longer than we do: who waits for a turn ends it, and says why."""
MAX_REQUESTS = 6
"""Most requests for one answer: what is asked plainer counts too."""


class _Api(Protocol):
    """What the module of a protocol offers."""

    def manner_of(self, endpoint: Endpoint) -> Manner: ...
    def post(self, endpoint: Endpoint, call: Call) -> bytes: ...
    def read(self, endpoint: Endpoint, body: bytes) -> Said: ...


class Turn:
    """What a turn asked so far, and how it is left. `ask` runs in a thread of its own, once at a time."""

    def __init__(self, endpoint: Endpoint, deadline: Deadline, pause_seconds: float = PAUSE_SECONDS) -> None:
        """Begin a turn; nothing is loaded, read or sent."""
        self._endpoint, self._deadline, self._pause_seconds = endpoint, deadline, pause_seconds
        self._left = threading.Event()
        self._line: Line | None = None
        self._manner: Manner | None = None
        self._requests = 0
        self._tokens: tuple[int | None, int | None] | None = None

    def leave(self) -> None:
        """Send nothing more, and end what is on the line."""
        self._left.set()
        if self._line is not None:
            self._line.hang_up()

    def took(self) -> Usage:
        """Return what the turn took so far; tokens are the sum of its answers, None once one did not say."""
        return self._endpoint.usage(self._requests, self._deadline.passed, self._tokens or (None, None))

    def ask(self, prompt: Prompt) -> Said:
        """Return what the model says. Raises ModelError, whatever goes wrong."""
        try:
            return self._ask(prompt)
        except ModelError:
            raise
        except Exception as error:
            # Never its words: a library may quote a header, and the key with it.
            kind = type(error).__name__
            raise ModelError("The model's library failed", kind, "Another version of it may help.") from error

    def _ask(self, prompt: Prompt) -> Said:
        api = _api_of(self._endpoint)
        from clawmem_core.models.line import Line

        key = read_key(self._endpoint)
        self._line = Line(self._endpoint, key, self._left)
        said = api.read(self._endpoint, self._body(api, prompt, key, self._line))
        self._tokens = said.tokens if self._tokens is None else _sum(self._tokens, said.tokens)
        if said.fault is not None:
            raise said.fault
        return said

    def _body(self, api: _Api, prompt: Prompt, key: str, line: Line) -> bytes:
        """Return the body of the reply, asked for more plainly or a second time where that may help.

        An option that a server does not know is not sent to it again in the same turn.
        """
        from clawmem_core.models.manner import Call, Form

        manner, second_try, most = self._manner or api.manner_of(self._endpoint), False, self._requests + MAX_REQUESTS
        if prompt.tools:
            manner = replace(manner, forms=(Form.PLAIN,))
        while True:
            self._requests += 1
            try:
                seconds = self._deadline.left() + GRACE_SECONDS
                body = api.post(self._endpoint, Call(prompt, manner, key, line, seconds))
            except OptionError as error:
                plainer = manner.plainer(error.complaint)
                if plainer is None or self._requests == most:
                    raise
                manner = plainer
            except PassingError as error:
                pause = self._pause_seconds if error.retry_after is None else error.retry_after
                if second_try or pause >= self._deadline.left() or not line.pause(pause):
                    raise
                second_try = True
            else:
                self._manner = manner
                return body


def _sum(one: tuple[int | None, int | None], other: tuple[int | None, int | None]) -> tuple[int | None, int | None]:
    read, written = (None if None in pair else sum(filter(None, pair)) for pair in zip(one, other, strict=True))
    return read, written


def _api_of(endpoint: Endpoint) -> _Api:
    try:
        match endpoint.settings.provider:
            case "openai":
                from clawmem_core.models import openai_api

                return openai_api
            case "anthropic":
                from clawmem_core.models import anthropic_api

                return anthropic_api
    except ImportError as error:
        raise library_missing(endpoint) from error
