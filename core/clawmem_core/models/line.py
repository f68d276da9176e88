"""The line to a provider: it reads no more than it should, follows nobody elsewhere, and can be hung up.

It is put into the HTTP client of the provider's library as hooks; the library does the rest.
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import httpx2

from clawmem_core.errors import ModelError
from clawmem_core.models.endpoint import Endpoint
from clawmem_core.models.faults import out_of_form

MAX_BODY_BYTES = 1_000_000
"""Most bytes of a reply that are read; what is longer is dropped with the connection."""
HEADERS = {"Accept-Encoding": "identity"}
"""Sent along: a reply that is not compressed cannot unfold to more than was read."""

_KEY_HEADERS = ("authorization", "x-api-key")
_ACCOUNT_HEADERS = ("openai-organization", "openai-project")


class Line:
    """One turn's connections."""

    def __init__(self, endpoint: Endpoint, key: str, left: threading.Event) -> None:
        """Prepare to speak to an endpoint; once `left` is set, nothing is sent any more."""
        self._endpoint, self._key, self._left = endpoint, key, left
        self._sockets: list[socket.socket] = []

    @property
    def hooks(self) -> dict[str, list[Callable[..., Any]]]:
        """The event hooks of the HTTP client."""
        return {"request": [self._request], "response": [self._response]}

    def hang_up(self) -> None:
        """End every connection at once, from any thread."""
        for one in list(self._sockets):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def pause(self, seconds: float) -> bool:
        """Wait, and return whether the line is still open after it."""
        return not self._left.wait(seconds)

    def _request(self, request: httpx2.Request) -> None:
        unwanted = () if self._key else _KEY_HEADERS
        for name in (*unwanted, *(() if self._endpoint.at_home else _ACCOUNT_HEADERS)):
            request.headers.pop(name, None)
        request.extensions["trace"] = self._trace

    def _trace(self, event: str, told: dict[str, Any]) -> None:
        if event.endswith(("connect_tcp.complete", "start_tls.complete")):
            self._sockets.append(told["return_value"].get_extra_info("socket"))
        if self._left.is_set():
            raise ModelError("The turn was left")

    def _response(self, response: httpx2.Response) -> None:
        if 300 <= response.status_code < 400:
            place = urlsplit(response.headers.get("location", "")).netloc or self._endpoint.host
            raise out_of_form(self._endpoint, f"it sends us on to {place[:80]!r}, which is not followed")
        if response.headers.get("content-encoding", "identity") != "identity":
            raise out_of_form(self._endpoint, "the reply is compressed although that was not asked for")
        if int(response.headers.get("content-length", "0")) > MAX_BODY_BYTES:
            raise _too_long(self._endpoint)
        assert isinstance(response.stream, httpx2.SyncByteStream)
        response.stream = _Bounded(response.stream, self._endpoint)


class _Bounded(httpx2.SyncByteStream):
    """A body that ends in an error when it is too long."""

    def __init__(self, stream: httpx2.SyncByteStream, endpoint: Endpoint) -> None:
        self._stream, self._endpoint = stream, endpoint

    def __iter__(self) -> Iterator[bytes]:
        length = 0
        for chunk in self._stream:
            length += len(chunk)
            if length > MAX_BODY_BYTES:
                raise _too_long(self._endpoint)
            yield chunk

    def close(self) -> None:
        self._stream.close()


def _too_long(endpoint: Endpoint) -> ModelError:
    return out_of_form(endpoint, f"the reply is longer than {MAX_BODY_BYTES:,} bytes; the rest was not read")
