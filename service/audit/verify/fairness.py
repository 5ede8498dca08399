"""Whether chance is what was committed to: the secret, every die, every card.

The revealed secret is read first, so that one pass checks each outcome where it stands. A coordinate used twice is
found with or without it; of each only 16 bytes are remembered.
"""

from hashlib import sha256

from events.base import Envelope, Event
from events.lobby import NonceOpened
from events.play import CardDrawn, DiceRolled
from projections.evolve import AnyState
from service.audit.verify.history import History
from service.audit.verify.report import Findings
from service.games import chance


class Fairness:
    """Checks outcomes in the order of the stream.

    Args:
        game: Id of the game.
        secret: As the last event reveals it; None before.
        findings: Where findings go.
    """

    def __init__(self, game: str, secret: bytes | None, findings: Findings) -> None:
        self.rolls = self.cards = self.copied = self.copied_rolls = 0
        self.parent = ""
        self.secret = secret
        self.refused = self.unsaid = False
        self._game = game
        self._findings = findings
        self._used: set[bytes] = set()

    def commit(self, commitment: str, *, known: bool) -> None:
        """Check that the revealed secret is the one committed to, known or not; those of another are not used."""
        if self.secret is None:
            return
        computed = chance.commitment(self._game, self.secret, known=known)
        self.unsaid = commitment == chance.earlier_commitment(self._game, self.secret)
        if commitment != computed and not self.unsaid:
            self._findings.add(1, "commitment", f"the commitment of the revealed secret, {computed}", commitment)
            self.refused = True

    def check(self, state: AnyState, envelope: Envelope[Event]) -> None:
        """Check an event's outcome, with the state right before it."""
        event = envelope.data
        if isinstance(event, DiceRolled | CardDrawn) and event.coordinate and state.version < state.copied():
            self.copied += 1
            self.copied_rolls += isinstance(event, DiceRolled)
            self.parent = state.parent
        if isinstance(event, DiceRolled):
            self.rolls += 1
            self._once(envelope.version, event.coordinate)
            if (dice := self._dice(state)) is not None:
                faces = dice.roll(event.coordinate, count=len(event.faces), sides=event.sides)
                self._findings.compare(envelope.version, "chance", [("the faces", faces, event.faces)])
        elif isinstance(event, CardDrawn) and event.coordinate:
            self.cards += 1
            self._once(envelope.version, event.coordinate)
            if (dice := self._dice(state)) is not None:
                self._card(state, envelope.version, event, dice)

    def _card(self, state: AnyState, version: int, event: CardDrawn, dice: chance.SecretDice) -> None:
        """Check that the card is the one that chance picks among the unseen copies, ordered by card id."""
        unseen = state.decks[event.deck].unseen
        copies = [card for card in sorted(unseen) for _ in range(unseen[card])]
        card = copies[dice.pick(event.coordinate, among=len(copies))] if copies else "no card, as none is unseen"
        self._findings.compare(version, "chance", [("the card", card, event.card)])

    def _dice(self, state: AnyState) -> chance.SecretDice | None:
        if self.secret is None or self.refused or state.version < state.copied():
            return None
        return chance.SecretDice(self.secret, state.chance_of or self._game, state.inputs)

    def _once(self, version: int, coordinate: str) -> None:
        mark = sha256(coordinate.encode()).digest()[:16]
        if mark in self._used:
            self._findings.add(version, "coordinate", "a coordinate that was not used before", coordinate)
        self._used.add(mark)

    def checked(self) -> str:
        """Return the sentence about what was checked."""
        if self.secret is None or self.refused:
            what = f"{self.rolls:,} throws and {self.cards:,} cards"
            return f"chance: {what} have coordinates that are used once"
        copied_cards = self.copied - self.copied_rolls
        what = f"{self.rolls - self.copied_rolls:,} throws and {self.cards - copied_cards:,} cards"
        return f"chance: the secret is the one committed to, and {what} were compared with what follows from it"

    def unchecked(self) -> str:
        """Return the sentence about what was not checked, and why; empty when all was."""
        if self.secret is None:
            return "chance: outcomes were not checked, since the secret is not revealed yet"
        if self.refused:
            return "chance: outcomes were not checked, since the revealed secret is not the one committed to"
        return ""

    def unbound(self) -> str:
        """Return the sentence about what the commitment does not say; empty if it has the form of today."""
        if not self.unsaid:
            return ""
        return "commitment: of an earlier form, which does not bind whether the secret was known"

    def elsewhere(self) -> str:
        """Return the sentence about outcomes that follow from the secret of another game; empty for none."""
        if not self.copied:
            return ""
        game, _, version = self.parent.partition("@")
        return (
            f"chance: {self.copied:,} outcomes up to event {version} were not checked, since they follow from the"
            f" secret of game {game}, which this one was forked from; an audit of that game checks them"
        )


def check_nonce(history: History, state: AnyState, envelope: Envelope[NonceOpened], findings: Findings) -> None:
    """Check that an opened nonce, while it is kept, is the one committed to and gives the seat's share in chance."""
    event = envelope.data
    nonce = history.texts(state.game, [event.input]).get(event.input)
    if nonce is not None:
        mine = state.seats[event.seat]
        pairs = [
            ("the nonce's commitment", chance.nonce_commitment(nonce), mine.nonce_commitment),
            ("the nonce's share", chance.nonce_input(event.seat, nonce), event.input),
        ]
        findings.compare(envelope.version, "nonce", pairs)
