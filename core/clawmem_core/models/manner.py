"""How a request is put: with every option at first, and plainer where a server does not know one.

Endpoints that call themselves compatible differ in the options that they take. An option that is refused is dropped
and the request made again; the answer is checked all the same.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

from clawmem_core.errors import ModelError
from clawmem_core.models.line import Line
from clawmem_core.models.prompt import Prompt
from clawmem_core.models.tools import ToolCall


class Form(enum.Enum):
    """How an endpoint is held to the form of the answer."""

    SCHEMA = enum.auto()
    """By the JSON schema."""
    JSON = enum.auto()
    """By being asked for JSON of any shape."""
    PLAIN = enum.auto()
    """By the instructions alone."""


_WORDS_FOR_FORM = ("response_format", "json_schema", "json_object", "schema", "output_config", "grammar")
_WORDS_FOR_BOUND = ("max_tokens", "max_completion_tokens")


@dataclass(frozen=True)
class Manner:
    """The options of one request."""

    forms: tuple[Form, ...]
    """The form that is asked for, then the plainer ones that are left."""
    cold: bool
    """Whether temperature 0 is asked for."""
    bound: str = "max_tokens"
    """The name under which the endpoint takes the bound of the answer."""

    @property
    def form(self) -> Form:
        """The form that is asked for."""
        return self.forms[0]

    def plainer(self, complaint: str) -> Manner | None:
        """Return the request without the option that a server complains of, None when nothing is left to drop."""
        said = complaint.lower()
        if self.cold and "temperature" in said:
            return replace(self, cold=False)
        if self.bound in said and any(word in said for word in _WORDS_FOR_BOUND if word != self.bound):
            return replace(self, bound=next(word for word in _WORDS_FOR_BOUND if word != self.bound))
        if len(self.forms) > 1 and any(word in said for word in _WORDS_FOR_FORM):
            return replace(self, forms=self.forms[1:])
        plainest = replace(self, forms=self.forms[-1:], cold=False)
        return None if self == plainest else plainest


@dataclass(frozen=True)
class Call:
    """One request as it is made."""

    prompt: Prompt
    manner: Manner
    key: str
    """Empty for an endpoint that wants none."""
    line: Line
    seconds: float
    """Time that is left for it."""


@dataclass(frozen=True)
class Said:
    """What came back."""

    text: str
    """The answer."""
    tokens: tuple[int | None, int | None]
    """Read and written; None where the provider does not say."""
    fault: ModelError | None = None
    """Why the text is not an answer; the tokens were used all the same."""
    calls: tuple[ToolCall, ...] = ()
    """Tools that the model calls before it answers."""
