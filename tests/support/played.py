"""Games played through `Games`, for tests that need a real history."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import msgspec

from events.store import Client, Store
from projections.evolve import AnyState
from service.games.chance import nonce_commitment
from service.games.clock import Clock
from service.games.credentials import ServerKey
from service.games.games import Games
from service.games.records import NewGame, NewSeat, RequestContext
from service.rules.actions import Start
from service.rules.decide import parse
from service.rules.legal import LegalAction, legal_actions
from tests.support.databases import DATABASES

Chooses = Callable[[list[LegalAction], AnyState], dict[str, Any]]
NAMES = ("Ann", "Bob", "Cy", "Dee")


@dataclass
class Table:
    """A game and everybody's tokens."""

    games: Games
    game: str
    host: str
    tokens: dict[int, str]

    @property
    def store(self) -> Store:
        return self.games.store

    @property
    def state(self) -> AnyState:
        return self.games.loader.load(self.game).state

    @property
    def version(self) -> int:
        return self.state.version

    def step(self) -> None:
        """Take the default of the first open prompt, as an action of its seat."""
        play(self, most=1)


def empty() -> Client:
    """Return a client of a store in which nothing is."""
    return DATABASES.connected()


def games_on(client: Client, *, clock: Clock | None = None, **options: Any) -> Games:
    store = Store(client, cache_key=b"k" * 32)
    return Games(store, key=ServerKey(b"k" * 32), clock=clock or Clock(store.now), **options)


def sit_down(games: Games, *, key: str = "one", seats: int = 3, secret: bytes = b"s" * 32, **options: Any) -> Table:
    """Open a game with a known secret and take its seats; seat 1 brings a nonce."""
    created = games.opening.create(
        NewGame("public_assistance", options={"months": 3, **options}, secret=secret), RequestContext(key=key)
    )
    table = Table(games, created.answer.game, created.host_token, {})
    for seat, name in enumerate(NAMES[:seats], start=1):
        nonce = nonce_commitment(b"my nonce") if seat == 1 else ""
        seated = games.seats.sit(
            table.game, NewSeat(name=name, nonce_commitment=nonce), RequestContext(created.join_code, key=name)
        )
        table.tokens[seat] = seated.token
    return table


def start(table: Table) -> Table:
    edition = table.state.edition
    for seat, token in table.tokens.items():
        table.games.actions.ready(table.game, edition, b"my nonce" if seat == 1 else None, RequestContext(token))
    table.games.actions.perform(table.game, Start(), RequestContext(table.host))
    return table


def begun(games: Games, key: str, seats: int = 2, **options: Any) -> Table:
    """A game in which play has begun; each has a key of its own."""
    return start(sit_down(games, key=key, seats=seats, **options))


def default(menu: list[LegalAction], _state: AnyState) -> dict[str, Any]:
    """What the clock would do for a seat."""
    return next(action.body for action in menu if action.default)


def play(table: Table, chooses: Chooses = default, *, most: int = 100_000) -> Table:
    """Play to the end, or for so many actions."""
    for _ in range(most):
        state = table.games.loader.load(table.game).state
        if state.status != "playing":
            break
        seat = next(iter(state.prompts.values())).seat
        body = chooses(legal_actions(state, seat).open, state)
        table.games.actions.perform(
            table.game, parse(msgspec.json.encode(body)), RequestContext(table.tokens[seat], key=f"k{state.version}")
        )
    return table


def finished(**options: Any) -> Table:
    return play(start(sit_down(games_on(empty()), **options)))
