"""What a fork repeats of its parent, compared with that game where it can be read.

The events up to a fork's `game_forked` are its parent's, all but the first, and so are their outcomes: those follow
from the parent's secret. So no other check finds copies that were forged here.
"""

from dataclasses import dataclass

from events import chain
from events.base import Envelope, Event
from events.forks import GameForked
from events.lobby import GameCreated
from events.store import Entry, StreamDamaged
from service.audit.verify.history import History
from service.audit.verify.report import Findings


@dataclass
class Parent:
    """Compares the copies in one game with what they were copied from.

    Attributes:
        game: Id of the game that this one was forked from; empty for none.
        copies: Version up to which the events are copies.
    """

    history: History
    findings: Findings
    game: str = ""
    copies: int = 0
    _link: bytes = b""
    _recorded: str = ""
    _gone: str = ""

    def take(self, version: int, entry: Entry, envelope: Envelope[Event]) -> None:
        """Take the next event."""
        event = envelope.data
        if version == 1 and isinstance(event, GameCreated):
            self._begin(event)
        elif self.game and version <= self.copies:
            self._link = chain.link(self._link, entry.data)
        elif self.game and version == self.copies + 1 and isinstance(event, GameForked):
            self._compare(version, event)

    def _begin(self, event: GameCreated) -> None:
        game, _, copies = event.parent.partition("@")
        if not copies.isdecimal():
            return
        self.game, self.copies = game, int(copies)
        try:
            if self.history.head(game) is None:
                self._gone = "not here"
                return
            first = self.history.read(game, after=0, count=1)
            self._link = chain.link(chain.genesis(game), first[0].data)
        except (StreamDamaged, IndexError):
            self._gone = "damaged"

    def _compare(self, version: int, event: GameForked) -> None:
        """Check that the copies lead to the link that the parent has there."""
        self._recorded = event.head
        if self._gone:
            return
        pairs: list[tuple[str, object, object]] = [
            (f"events 2 to {self.copies} of {self.game}, which lead to link", event.head, self._link.hex())
        ]
        try:
            there = self.history.read(self.game, after=self.copies - 1, upto=self.copies, count=1)
            pairs.append((f"the link of event {self.copies} of {self.game}", there[0].link.hex(), event.head))
        except (StreamDamaged, IndexError):
            self._gone = "damaged"
        self.findings.compare(version, "fork", pairs)

    def end(self, version: int) -> None:
        """Check that a fork records where it begins: nothing else shows that outcomes are another game's."""
        if self.game and not self._recorded:
            self.findings.add(version, "fork", f"game_forked as event {self.copies + 1}", "none")

    def checked(self) -> str:
        """Return the sentence about what was checked; empty for nothing."""
        if not self._recorded or self._gone:
            return ""
        return f"fork: events 2 to {self.copies:,} are those of game {self.game}"

    def unchecked(self) -> str:
        """Return the sentence about what was not checked, and why; empty when all was."""
        if not self._recorded or not self._gone:
            return ""
        return (
            f"fork: that events 2 to {self.copies:,} are those of game {self.game} was not checked, since that game is"
            f" {self._gone}; its link there is to be {self._recorded}"
        )
