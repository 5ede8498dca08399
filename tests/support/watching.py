"""Many who watch one game, each over a socket of its own, read by one loop."""

import selectors
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from tests.support.sse import Wire

LONG = 60.0


@dataclass
class Crowd:
    """Watchers of one game.

    Attributes:
        versions: What each has got, in order.
    """

    wires: list[Wire]
    versions: list[list[int]] = field(default_factory=list)

    @classmethod
    def gather(cls, base: str, game: str, count: int) -> "Crowd":
        """Open that many watchers, each with the state already."""
        crowd = cls([Wire(base, f"/v1/games/{game}/events") for _ in range(count)])
        crowd.versions = [[] for _ in crowd.wires]
        for wire in crowd.wires:
            while not wire.reader.last_id:
                wire.receive()
                assert wire.status in (0, 200), wire.status
        return crowd

    def follow(self, done: Callable[["Crowd"], bool]) -> None:
        """Read whatever comes to whomever, until it is enough."""
        with selectors.DefaultSelector() as selector:
            for number, wire in enumerate(self.wires):
                selector.register(wire.socket, selectors.EVENT_READ, number)
            end = time.monotonic() + LONG
            while not done(self):
                assert time.monotonic() < end, "some were told nothing for long"
                for key, _ in selector.select(1):
                    if self._read(key.data):
                        end = time.monotonic() + LONG
                    if self.wires[key.data].ended:
                        selector.unregister(key.fileobj)

    def _read(self, number: int) -> bool:
        told = self.wires[number].receive()
        self.versions[number] += [sent.version for sent in told]
        return bool(told)

    def ended(self) -> bool:
        """Return whether every stream was closed by the server."""
        return all(wire.ended for wire in self.wires)

    def close(self) -> None:
        for wire in self.wires:
            wire.close()
