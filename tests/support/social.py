"""Whole games of The Social Justice Game on a store, by players who take any offer as it stands."""

import random

import msgspec

from events.store import Client
from service.games.chance import nonce_commitment
from service.games.clock import Clock
from service.games.records import NewGame, NewSeat, RequestContext
from service.rules.actions import Leave
from service.rules.decide import parse
from service.rules.legal import legal_actions
from service.rules.violations import RuleViolation
from tests.support.played import NAMES, Table, games_on, start


def seated(client: Client, *, seats: int, key: str, clock: Clock | None = None, **options: object) -> Table:
    """Open a game with a known secret and take its seats; seat 1 brings a nonce."""
    games = games_on(client, clock=clock)
    new = NewGame("social_justice", options=options, secret=b"s" * 32)  # type: ignore[arg-type] # the test's own
    created = games.opening.create(new, RequestContext(key=key))
    table = Table(games, created.answer.game, created.host_token, {})
    for seat, name in enumerate(NAMES[:seats], start=1):
        nonce = nonce_commitment(b"my nonce") if seat == 1 else ""
        seated = games.seats.sit(
            table.game, NewSeat(name=name, nonce_commitment=nonce), RequestContext(created.join_code, key=name)
        )
        table.tokens[seat] = seated.token
    return table


def lively(
    client: Client, *, seats: int = 3, seed: int = 1, events: int = 300, clock: Clock | None = None, **options: object
) -> Table:
    """Play anything that is offered, for about so many events; then everybody leaves, which ends the game."""
    table = start(seated(client, seats=seats, key=f"lively {seed}", clock=clock, **options))
    chance = random.Random(seed)
    while (state := table.state).status == "playing" and state.version < events:
        seat = next(iter(state.prompts.values())).seat if chance.random() < 0.7 else chance.choice(state.alive())
        menu = legal_actions(state, seat).open
        if not menu:
            continue
        action = chance.choice([*menu, *(one for one in menu if one.default for _ in range(3))])
        try:
            ask = RequestContext(table.tokens[seat], key=f"{state.version} {chance.random()}")
            table.games.actions.perform(table.game, parse(msgspec.json.encode(action.body)), ask)
        except RuleViolation:
            continue
    while (state := table.state).status == "playing":
        seat = state.alive()[0]
        table.games.actions.perform(
            table.game, Leave(), RequestContext(table.tokens[seat], key=f"leave {seat}"), seat=seat
        )
    return table
