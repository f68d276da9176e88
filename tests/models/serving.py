"""A model server on loopback that does what a test scripts: real HTTP, one act for each request.

An act gets the open connection and what was asked, and answers as it likes; a request beyond the script is answered
with 599, and the test that leaves the `with` block fails.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal

import msgspec

from clawmem_core.config import Config, ModelSettings
from clawmem_core.models.embedded import EmbeddedModel
from clawmem_core.models.protocol import CandidateIn, PriorIn, Request

Speech = Literal["openai", "anthropic"]
KEY = "sk-test-0123456789abcdefghijklmnop"
"""The key of every test; it may stand nowhere but in one header."""
VARIABLE = "HOUSE_KEY"
PATHS: Mapping[str, Speech] = {"/v1/chat/completions": "openai", "/v1/messages": "anthropic"}
TOKENS = (1_200, 90)
"""What the server says of tokens read and written."""


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    path: str
    headers: Mapping[str, str]
    body: dict[str, Any]

    @property
    def instructions(self) -> str:
        """What came as instructions."""
        if PATHS[self.path] == "anthropic":
            return str(self.body["system"])
        assert self.body["messages"][0]["role"] == "system"
        return str(self.body["messages"][0]["content"])

    @property
    def content(self) -> str:
        """What came as data, as text."""
        assert self.body["messages"][-1]["role"] == "user"
        return str(self.body["messages"][-1]["content"])

    @property
    def data(self) -> dict[str, Any]:
        """What came as data."""
        data: dict[str, Any] = json.loads(self.content)
        return data

    @property
    def question(self) -> dict[str, Any]:
        """The data of the turn's first message."""
        messages = [message for message in self.body["messages"] if message["role"] == "user"]
        question: dict[str, Any] = json.loads(messages[0]["content"])
        return question

    @property
    def tool_results(self) -> list[str]:
        """What the tools answered so far, in order."""
        found: list[str] = []
        for message in self.body["messages"]:
            if message["role"] == "tool":
                found.append(message["content"])
            elif message["role"] == "user" and not isinstance(message["content"], str):
                found += [block["content"] for block in message["content"]]
        return found

    @property
    def tool_names(self) -> list[str]:
        """The tools that are offered."""
        return [tool.get("function", tool)["name"] for tool in self.body.get("tools", [])]

    @property
    def keys(self) -> list[str]:
        """The keys of the candidates."""
        return [candidate["key"] for candidate in self.data["candidates"]]


Act = Callable[["Connection", Asked], None]


class Connection(BaseHTTPRequestHandler):
    """One connection to the scripted server."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        """Keep what was asked and do what the script says."""
        raw = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        asked = Asked(self.path, {name.lower(): value for name, value in self.headers.items()}, json.loads(raw))
        self.server.desk.take(asked)(self, asked)

    def send(self, body: bytes, status: int = 200, kind: str = "application/json", **headers: str) -> None:
        """Answer with a whole body."""
        self.start(status, kind, **{"Content-Length": str(len(body)), **headers})
        self.wfile.write(body)

    def start(self, status: int, kind: str, **headers: str) -> None:
        """Send status and headers, and nothing of the body."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()

    def hang_up(self) -> None:
        """End the connection without another word."""
        self.close_connection = True
        self.connection.shutdown(2)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - its name in http.server
        """Say nothing on standard error."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    desk: ModelServer


@dataclass
class ModelServer:
    """The server, its script, and what it was asked."""

    script: list[Act]
    asked: list[Asked] = field(default_factory=list)
    over: threading.Event = field(default_factory=threading.Event)
    """Set when the test is over: an act that waits for ever waits for this."""
    told: threading.Event = field(default_factory=threading.Event)
    """Set by acts that have seen what they waited for."""
    arrived: threading.Event = field(default_factory=threading.Event)
    """Set when the first request is here."""
    root: str = ""
    unexpected: int = 0

    def take(self, asked: Asked) -> Act:
        """Return the next act."""
        self.asked.append(asked)
        self.arrived.set()
        if len(self.asked) <= len(self.script):
            return self.script[len(self.asked) - 1]
        self.unexpected += 1
        return failing(599, "not in the script")

    def settings(self, speech: Speech = "openai", **more: Any) -> ModelSettings:
        """Settings that lead here."""
        address = self.root + ("/v1" if speech == "openai" else "")
        usual: dict[str, Any] = {"model": "small-1", "base_url": address, "key_env": VARIABLE, "timeout_seconds": 60.0}
        return ModelSettings(speech, **(usual | more))

    def config(self, speech: Speech = "openai", **more: Any) -> Config:
        """A configuration in which the model here, called `house`, judges."""
        return Config(timezone="UTC", model="house", models={"house": self.settings(speech, **more)})


@contextmanager
def serving(*script: Act) -> Iterator[ModelServer]:
    """Serve a script until the block ends."""
    desk = ModelServer(list(script))
    server = _Server(("127.0.0.1", 0), Connection)
    server.desk = desk
    desk.root = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield desk
    finally:
        desk.over.set()
        server.shutdown()
        thread.join()
        server.server_close()
    assert desk.unexpected == 0, f"{desk.unexpected} requests beyond the script"


# What a server says


def reply(speech: Speech, text: str | None, **more: Any) -> dict[str, Any]:
    """A whole reply of a protocol with this answer in it."""
    if speech == "openai":
        message = {"role": "assistant", "content": text, "refusal": more.get("refusal")}
        reason = more.get("stop", "stop")
        choice = {"index": 0, "message": message, "finish_reason": reason}
        usage = {"prompt_tokens": TOKENS[0], "completion_tokens": TOKENS[1], "total_tokens": sum(TOKENS)}
        return {"id": "c1", "object": "chat.completion", "model": "small-1", "choices": [choice], "usage": usage}
    block = [{"type": "text", "text": text}] if text is not None else []
    return {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": "small-1",
        "content": block,
        "stop_reason": more.get("stop", "end_turn"),
        "usage": {"input_tokens": TOKENS[0], "output_tokens": TOKENS[1]},
    }


def says(answer: Callable[[Asked], str] | str | None, **more: Any) -> Act:
    """Answer in the protocol that was asked in, with a text or with what a function makes of the question."""

    def act(connection: Connection, asked: Asked) -> None:
        text = answer(asked) if callable(answer) else answer
        connection.send(json.dumps(reply(PATHS[asked.path], text, **more)).encode())

    return act


def calls(*made: tuple[str, Any], text: str | None = None) -> Act:
    """Call tools, each by name and arguments; arguments that are text are sent as they are."""

    def act(connection: Connection, asked: Asked) -> None:
        connection.send(json.dumps(calling(PATHS[asked.path], made, text)).encode())

    return act


def calling(speech: Speech, made: Sequence[tuple[str, Any]], text: str | None = None) -> dict[str, Any]:
    """A whole reply of a protocol that calls tools."""
    whole = reply(speech, text, stop="tool_calls" if speech == "openai" else "tool_use")
    for number, (name, arguments) in enumerate(made, start=1):
        if speech == "anthropic":
            whole["content"].append({"type": "tool_use", "id": f"t{number}", "name": name, "input": arguments})
            continue
        said = arguments if isinstance(arguments, str) else json.dumps(arguments)
        call = {"id": f"t{number}", "type": "function", "function": {"name": name, "arguments": said}}
        whole["choices"][0]["message"].setdefault("tool_calls", []).append(call)
    return whole


def operations(made: Sequence[Mapping[str, Any]]) -> str:
    """The text of an answer."""
    return json.dumps({"operations": list(made)})


def judged(asked: Asked) -> str:
    """A sound answer: what the embedded model decides of the same question."""
    data = asked.data
    priors = msgspec.convert(data["currentMemory"], tuple[PriorIn, ...])
    candidates = msgspec.convert(data["candidates"], tuple[CandidateIn, ...])
    return EmbeddedModel().consolidate(Request("", priors, candidates)).text


def changed(change: Callable[[list[dict[str, Any]], Asked], None]) -> Callable[[Asked], str]:
    """A sound answer with something done to its operations."""

    def answer(asked: Asked) -> str:
        made: list[dict[str, Any]] = json.loads(judged(asked))["operations"]
        change(made, asked)
        return operations(made)

    return answer


def sends(body: bytes, kind: str = "application/json", status: int = 200, **headers: str) -> Act:
    """Answer with these bytes, whatever was asked."""
    return lambda connection, asked: connection.send(body, status, kind, **headers)


def failing(status: int, words: str = "no", **headers: str) -> Act:
    """Answer with a status and the usual shape of an error."""
    return sends(json.dumps({"error": {"message": words, "type": "error"}}).encode(), status=status, **headers)


def hangs_up(connection: Connection, asked: Asked) -> None:
    """End the connection instead of answering."""
    connection.hang_up()


def breaks_off(connection: Connection, asked: Asked) -> None:
    """Send half of the body that was announced."""
    body = json.dumps(reply(PATHS[asked.path], judged(asked))).encode()
    connection.start(200, "application/json", **{"Content-Length": str(len(body))})
    connection.wfile.write(body[: len(body) // 2])
    connection.hang_up()


def never_answers(connection: Connection, asked: Asked) -> None:
    """Wait until the other side is gone, and tell that it is."""
    connection.connection.settimeout(30)
    if connection.connection.recv(1) == b"":
        connection.server.desk.told.set()
    connection.close_connection = True


def drips(connection: Connection, asked: Asked) -> None:
    """Send a byte now and then, and never the end."""
    connection.start(200, "application/json", **{"Content-Length": "500000"})
    try:
        while not connection.server.desk.over.wait(0.02):
            connection.wfile.write(b" ")
            connection.wfile.flush()
    except OSError:
        connection.server.desk.told.set()
    connection.close_connection = True


def floods(size: int, *, announced: bool) -> Act:
    """Send a body of this size; tell when the other side would not take it all."""

    def act(connection: Connection, asked: Asked) -> None:
        length = {"Content-Length": str(size)} if announced else {"Connection": "close"}
        connection.start(200, "application/json", **length)
        try:
            for _ in range(size // 1_000_000):
                connection.wfile.write(b" " * 1_000_000)
        except OSError:
            connection.server.desk.told.set()
        connection.close_connection = True

    return act
