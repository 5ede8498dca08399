"""One pass over the events of a game: each action is executed again, then folded and compared with books and chance.

Events are collected until their action is complete; it is executed again on the state before it, then folded. After an
event that does not fit, nothing is checked that needs the game's state.
"""

from dataclasses import dataclass, field

from events.base import Envelope, Event, Opaque
from events.forks import GameForked
from events.lobby import NonceOpened
from events.play import ActionTaken
from events.store import StoreError
from projections import evolve as fold
from projections.evolve import AnyState
from projections.ledger import check as ledger_check
from projections.ledger.books import Books
from projections.ledger.debts import debts_of
from service.audit.verify.consistency import claims
from service.audit.verify.fairness import Fairness, check_nonce
from service.audit.verify.history import History
from service.audit.verify.reexecution import Reexecution
from service.audit.verify.report import Findings, name_of
from service.rules.play import Play

MOST_EVENTS = Play.most_events + 1
"""Most events of one action, the revealed secret included: an action without an end must not fill the memory."""


@dataclass
class ReplayPass:
    """The game as far as it was read."""

    history: History
    findings: Findings
    fairness: Fairness
    reexecution: Reexecution
    state: AnyState | None = None
    books: Books = field(default_factory=Books)
    wrong: frozenset[str] = frozenset()
    lost: str = ""
    unknown: str = ""
    _waiting: list[Envelope[Event]] = field(default_factory=list)

    def take(self, envelope: Envelope[Event]) -> None:
        """Take the next event; when it begins an action, the action before it is complete."""
        if self.lost:
            return
        if isinstance(envelope.data, ActionTaken | GameForked):
            self.complete_action()
        if isinstance(envelope.data, Opaque):
            self._take_unknown(envelope.version, envelope.data)
            return
        self._waiting.append(envelope)
        if len(self._waiting) > MOST_EVENTS:
            self.findings.add(envelope.version, "action", f"at most {MOST_EVENTS:,} events of one action", "more")
            self.lose(envelope.version, "an action has no end")

    def _take_unknown(self, version: int, event: Opaque) -> None:
        """Take an event that a later release may know; where this one holds the rules, nothing leads to it."""
        if self.state is None or self.reexecution.holds(self.state):
            self.findings.add(version, "known", "an event type of this release", event.name)
        else:
            self.unknown = f"events: from {version} on not compared with the game, since {event.name} is not known here"
        self.lose(version, "its type is not known")

    def complete_action(self) -> None:
        """Execute an action that is complete on the state before it, and then fold its events."""
        if self.state is not None and self._waiting:
            self.reexecution.check(self.state, self._waiting)
        self._fold_waiting()

    def lose(self, version: int, why: str) -> None:
        """Stop at an event; those of its action that came before it are folded, and not executed."""
        self.lost = self.lost or f"up to event {version}, where {why}"
        self._fold_waiting()

    def _fold_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for envelope in waiting:
            if not self._fold(envelope):
                break

    def _fold(self, envelope: Envelope[Event]) -> bool:
        """Check an event against the game before it, fold it into game and books, and check those after it."""
        try:
            if self.state is not None:
                self._before(self.state, envelope)
            self.state = fold.advance(self.state, envelope)
            self.books.fold(envelope)
        except StoreError:
            raise
        except Exception:  # bad data may raise anything in code that folds good data
            found = f"a {name_of(envelope.data)} that names what the game before it does not have"
            self.findings.add(envelope.version, "fold", "an event that fits the game", found)
            self.lost = self.lost or f"up to event {envelope.version}, where it does not fit the game"
            return False
        self._after(self.state, envelope)
        return True

    def _before(self, state: AnyState, envelope: Envelope[Event]) -> None:
        if isinstance(envelope.data, NonceOpened):
            check_nonce(self.history, state, envelope, self.findings)  # type: ignore[arg-type] # its data was looked at
        self.findings.compare(envelope.version, "facts", claims(state, self.books, envelope))
        self.fairness.check(state, envelope)

    def _after(self, state: AnyState, envelope: Envelope[Event]) -> None:
        if envelope.turn != state.turn:
            self.findings.add(envelope.version, "facts", f"turn {state.turn} in the envelope", envelope.turn)
        wrong = frozenset(ledger_check.check(self.books, state.cash, debts_of(state)))
        for sentence in sorted(wrong - self.wrong):
            self.findings.add(envelope.version, "books", "balanced books that agree with the game", sentence)
        self.wrong = wrong
