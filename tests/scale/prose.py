"""Invented sentences for worlds of any size: the same seed says the same, in English, French, Chinese and Japanese."""

from __future__ import annotations

from random import Random

_SYLLABLES = (
    "ba",
    "ber",
    "cor",
    "dal",
    "den",
    "fal",
    "gor",
    "hal",
    "jun",
    "kes",
    "lor",
    "mar",
    "nel",
    "pas",
    "quen",
    "ri",
    "sol",
)
_ENGLISH = (
    "The {thing} in {place} is serviced by {name} every {n} weeks",
    "{name} keeps the spare {thing} in cabinet {n} at {place}",
    "Invoices for {place} leave on working day {n} and name {name} as the buyer",
    "The {thing} listens on port {port} and answers only to {name}",
    "Backups of the {thing} run at {n}:30 and are kept in {place} for {port} hours",
    "Deliveries to {place} need the blue form {port} signed by {name}",
    "{place} closes at {n} on Fridays unless {name} says otherwise",
    "The password hint of the {thing} was moved to the safe of {place} by {name}",
)
_FRENCH = (
    "La réunion de {place} est déplacée au {n} du mois, à la demande de {name}",
    "{name} préfère que le {thing} soit vérifié à {n} heures précises",
    "Les factures de {place} partent le {n} et portent le numéro {port}",
    "L'entrepôt de {place} n'accepte pas plus de {n} caisses par jour",
)
_CHINESE = (
    "{place}的{thing}每{n}周由{name}检查一次",
    "{name}把{place}的备用钥匙放在{n}号柜子里",
    "{place}の{thing}は毎週{n}回、{name}が確認する",
)
_THINGS = ("pump", "gateway", "printer", "freezer", "boiler", "forklift", "router", "kiln", "scanner", "press")
_LEFT_BEHIND = (
    "HEARTBEAT_OK",
    "user: can you look at the {thing} again",
    "Where does {name} keep the {thing}?",
    "git push --force origin {place}",
    "ok",
    "[cron:nightly] the {thing} of {place} was polled",
    "Candidate: {name} of {place} [score=0.81 recalls=3 avg=0.7 source=memory/x.md:1-2]",
)


class Prose:
    """Says things; each sentence once."""

    def __init__(self, seed: int) -> None:
        """Begin with a seed."""
        self.random = Random(seed)
        self._said: set[str] = set()

    def name(self) -> str:
        """Return an invented name of two or three syllables."""
        return "".join(self.random.choices(_SYLLABLES, k=self.random.randint(2, 3))).capitalize()

    def fact(self) -> str:
        """Return a sentence worth remembering that was not said before; three of four are English."""
        while True:
            kind = self.random.random()
            templates = _ENGLISH if kind < 0.75 else _FRENCH if kind < 0.9 else _CHINESE
            said = self._fill(self.random.choice(templates))
            if said not in self._said:
                self._said.add(said)
                return said

    def rest(self) -> str:
        """Return a line that no memory should keep."""
        return self._fill(self.random.choice(_LEFT_BEHIND))

    def _fill(self, template: str) -> str:
        return template.format(
            thing=self.random.choice(_THINGS),
            place=self.name(),
            name=self.name(),
            n=self.random.randint(2, 28),
            port=self.random.randint(1000, 65000),
        )
