"""One model as it is configured, with what its provider is known for."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlsplit

from clawmem_core.config import ModelSettings
from clawmem_core.ledger.usage import Usage


@dataclass(frozen=True)
class _Provider:
    address: str
    key_env: str
    package: str
    extra: str


_PROVIDERS = {
    "openai": _Provider("https://api.openai.com/v1", "OPENAI_API_KEY", "openai", "llm"),
    "anthropic": _Provider("https://api.anthropic.com", "ANTHROPIC_API_KEY", "anthropic", "anthropic"),
}


@dataclass(frozen=True)
class Endpoint:
    """A named model behind an address."""

    name: str
    """Its name in the settings; a sweep says it."""
    settings: ModelSettings

    @property
    def address(self) -> str:
        """Where it is. Always said to the library, so that no variable of the environment sends it elsewhere."""
        return self.settings.base_url or _PROVIDERS[self.settings.provider].address

    @property
    def at_home(self) -> bool:
        """Whether it is at its provider's own address."""
        return not self.settings.base_url

    @property
    def host(self) -> str:
        """The address without scheme and path, for people."""
        return urlsplit(self.address).netloc

    @property
    def in_the_open(self) -> bool:
        """Whether what is sent there can be read on the way."""
        address = urlsplit(self.address)
        host = address.hostname or ""
        return address.scheme == "http" and not (host in ("localhost", "::1") or host.startswith("127."))

    @property
    def usual_key_env(self) -> str:
        """The environment variable that holds the key of the provider's own address."""
        return _PROVIDERS[self.settings.provider].key_env

    @property
    def package(self) -> str:
        """The library that speaks its protocol."""
        return _PROVIDERS[self.settings.provider].package

    @property
    def extra(self) -> str:
        """The extra of ClawMem that installs this library."""
        return _PROVIDERS[self.settings.provider].extra

    def usage(self, attempts: int, seconds: float, tokens: tuple[int | None, int | None]) -> Usage:
        """Return what a turn took; its cost only when prices and tokens are both known."""
        read, written = tokens
        prices = (self.settings.input_price, self.settings.output_price)
        cost = None
        if read is not None and written is not None and prices[0] is not None and prices[1] is not None:
            cost = (read * prices[0] + written * prices[1]) / 1_000_000
        return Usage(self.settings.model, attempts, round(seconds, 3), read, written, cost)
