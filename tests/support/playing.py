"""Whole games for tests and benchmarks: in process by the rules alone, or through `Games` on any store."""

from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any

import msgspec

from events.base import Envelope, Event, Scalar
from events.boards import public_assistance_pins
from events.lobby import GameCreated
from events.store import EventStore, Keyframes
from projections import game as fold
from projections.game import AnyState
from service import chance
from service.clock import Clock
from service.credentials import ServerKey
from service.games import Ask, Games, NewGame, NewSeat
from service.games.acting import inputs_of
from service.games.loading import Loader
from service.rules import actions as a
from service.rules import options as agreed
from service.rules import versions
from service.rules.decide import Command, decide, default_of, parse
from service.rules.legal import legal_actions

SERVER_KEY = b"a server key for tests, 32 bytes"
Choose = Callable[[AnyState], tuple[int, a.PlayAction]]
"""Gives who acts next and what it does."""


def by_default(state: AnyState) -> tuple[int, a.PlayAction]:
    """Answer the first open prompt as its default does."""
    prompt = next(iter(state.prompts.values()))
    return prompt.seat, default_of(state, prompt.prompt)


class Table:
    """A game played by the rules alone: no store, no HTTP, a fixed secret."""

    def __init__(self, game: str = "table", seats: int = 2, options: Mapping[str, Scalar] | None = None) -> None:
        self.secret = sha256(game.encode()).digest()
        created = GameCreated(
            game=game, rulebook="public_assistance", rules=versions.NEWEST, code=versions.fingerprint(),
            pins=public_assistance_pins(), options=agreed.agree(options or {}, agreed.defaults()), places=4,
            private=False, commitment=chance.commitment(game, self.secret), known_secret=True, parent="",
        )  # fmt: skip
        first: Envelope[Event] = Envelope(version=1, at=1000, turn=0, actor="host", action="0" * 64, data=created)
        self.envelopes = [first]
        self.state = fold.fold(self.envelopes)
        for number in range(1, seats + 1):
            self.do(a.TakeSeat(name="", kind="person", level="", nonce_commitment="", host=number == 1))
        for number in range(1, seats + 1):
            self.do(a.Ready(edition=1, nonce_hash="", nonce_input=""), seat=number)
        self.do(a.Start())

    def do(self, action: a.AnyAction, seat: int = 0) -> list[Envelope[Event]]:
        """Decide an action; a refusal is raised and changes nothing."""
        command = Command(action, seat, f"seat:{seat}" if seat else "host", f"{len(self.envelopes):064x}", 1000)
        dice = chance.SecretDice(self.secret, self.state.game, inputs_of(self.state))
        decision = decide(self.state, command, dice, at=self.state.at + 1)
        self.envelopes += decision.envelopes
        self.state = decision.state
        return decision.envelopes

    def play(self, choose: Choose = by_default, until: Callable[[AnyState], bool] = lambda _: False) -> "Table":
        """Play on until the game is over, or the test says so."""
        while self.state.status == "playing" and not until(self.state):
            seat, action = choose(self.state)
            self.do(action, seat)
        return self


def games_on(client: Any, **options: Any) -> Games:
    """Put `Games` on a store."""
    store = EventStore(client)
    loader = Loader(store, Keyframes(client))
    return Games(loader, key=ServerKey(SERVER_KEY), clock=Clock(store.now), **options)


class Club:
    """A game through `Games`: created, seated, started, and played by default actions."""

    def __init__(self, games: Games, key: str, seats: int = 2, options: Mapping[str, Scalar] | None = None) -> None:
        self.games = games
        self.created = games.create(NewGame("public_assistance", options=options or {}), Ask(key=key))
        self.game = self.created.answer.game
        self.tokens = {}
        for name in ["Ann", "Bob", "Cid", "Dee"][:seats]:
            seated = games.sit(self.game, NewSeat(name=name), Ask(token=self.created.join_code, key=f"{key}{name}"))
            self.tokens[seated.seat] = seated.token
        for token in self.tokens.values():
            games.ready(self.game, 1, None, Ask(token=token, key=f"{key}ready"))
        games.start(self.game, Ask(token=self.created.host_token, key=f"{key}start"))

    @property
    def state(self) -> AnyState:
        """The game as the store has it."""
        return self.games.loader.load(self.game).state

    def step(self, key: str | None = None) -> None:
        """Let the default of the first open prompt happen, as an action of its seat."""
        state = self.state
        seat, action = by_default(state)
        self.games.act(self.game, action, Ask(token=self.tokens[seat], key=key))

    def play(self) -> "Club":
        """Play to the end."""
        while self.state.status == "playing":
            self.step()
        return self


def bodies(state: AnyState, seat: int) -> list[a.PlayAction]:
    """List the open actions of a seat as they would be sent."""
    return [parse(msgspec.json.encode(choice.body)) for choice in legal_actions(state, seat).open]
