"""Whole games without a store: the rules, a state, dice from a known secret."""

from collections.abc import Mapping

import msgspec

from events.base import Envelope, Event, Scalar
from events.boards import public_assistance_pins
from events.lobby import GameCreated
from projections import game as fold
from projections.game import AnyState
from service import chance
from service.bots import Bot, menu_of, view_of
from service.chance import SecretDice
from service.rules import actions as a
from service.rules import options as agreed
from service.rules.decide import Command, Decision, decide, parse

GAME = "quick"


def opened(secret: bytes, options: Mapping[str, Scalar], seats: int) -> AnyState:
    """A game in which play has begun."""
    created: Envelope[Event] = Envelope(
        version=1, at=0, turn=0, actor="host", action="0" * 64,
        data=GameCreated(
            game=GAME, rulebook="public_assistance", rules=1, code="0" * 64, pins=public_assistance_pins(),
            options=agreed.agree(options, agreed.defaults()), places=seats, private=False,
            commitment=chance.commitment(GAME, secret), known_secret=True, parent="",
        ),
    )  # fmt: skip
    state = fold.fold([created])
    for _ in range(seats):
        taken = a.TakeSeat(name="", kind="bot", level="", nonce_commitment="", host=False)
        state = done(state, taken, 0, secret).state
    return done(state, a.Start(), 0, secret).state


def done(state: AnyState, action: a.AnyAction, seat: int, secret: bytes) -> Decision:
    return decide(
        state, Command(action, seat, f"seat:{seat}", "0" * 64, 0), SecretDice(secret, GAME, state.inputs), at=0
    )


def played(bots: Mapping[int, Bot], *, secret: bytes = b"s" * 32, **options: Scalar) -> AnyState:
    """Play a game to its end; a choice that the rules refuse is an error."""
    state = opened(secret, options, len(bots))
    while state.status == "playing":
        seat = next(iter(state.prompts.values())).seat
        body = bots[seat].choose(menu_of(state, seat), view_of(state))
        state = done(state, parse(msgspec.json.encode(body)), seat, secret).state
    return state
