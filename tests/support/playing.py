"""Whole games by the rules alone: no store, no HTTP, dice from a known secret."""

from collections.abc import Callable, Mapping
from hashlib import sha256

from events.base import Envelope, Event, Scalar
from events.lobby import GameCreated
from events.public_assistance.board import public_assistance_pins
from projections import evolve as fold
from projections.evolve import AnyState
from service.games import chance
from service.rules import actions as a
from service.rules import options as agreed
from service.rules import versions
from service.rules.decide import Command, decide, default_of

Choose = Callable[[AnyState], tuple[int, a.PlayAction]]
"""Return who acts next and what it does."""


def by_default(state: AnyState) -> tuple[int, a.PlayAction]:
    """Answer the first open prompt as its default does."""
    prompt = next(iter(state.prompts.values()))
    return prompt.seat, default_of(state, prompt.prompt)


class Table:
    """A game that has begun; its secret follows from its id."""

    def __init__(self, game: str = "table", seats: int = 2, options: Mapping[str, Scalar] | None = None) -> None:
        self.secret = sha256(game.encode()).digest()
        created = GameCreated(
            game=game, rulebook="public_assistance", rules=versions.NEWEST, code=versions.fingerprint(),
            pins=public_assistance_pins(), options=agreed.agree(options or {}, agreed.defaults()), places=4,
            private=False, commitment=chance.commitment(game, self.secret, known=True), known_secret=True, parent="",
        )  # fmt: skip
        first: Envelope[Event] = Envelope(version=1, at=1000, turn=0, actor="host", action="0" * 64, data=created)
        self.envelopes = [first]
        self.state = fold.fold(self.envelopes)
        self.dice = chance.SecretDice(self.secret, game, [""] * seats)  # nobody brings a nonce
        for number in range(1, seats + 1):
            self.do(a.TakeSeat(name="", kind="person", level="", nonce_commitment="", host=number == 1))
        for number in range(1, seats + 1):
            self.do(a.Ready(edition=1, nonce_hash="", nonce_input=""), seat=number)
        self.do(a.Start())

    def do(self, action: a.AnyAction, seat: int = 0) -> list[Envelope[Event]]:
        """Decide an action; a refusal is raised and changes nothing."""
        command = Command(action, seat, f"seat:{seat}" if seat else "host", f"{len(self.envelopes):064x}", 1000)
        decision = decide(self.state, command, self.dice, at=self.state.at + 1)
        self.envelopes += decision.envelopes
        self.state = decision.state
        return decision.envelopes

    def play(self, choose: Choose = by_default, until: Callable[[AnyState], bool] = lambda _: False) -> "Table":
        """Play on until the game is over, or the test says so."""
        while self.state.status == "playing" and not until(self.state):
            seat, action = choose(self.state)
            self.do(action, seat)
        return self
