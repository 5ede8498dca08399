"""Playing one game after another in process: no store, chance from a seed, bots at every seat."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import TypeAlias

import msgspec

from events.base import Envelope, Event, OptionValue
from events.boards import public_assistance_pins
from events.lobby import GameCreated
from projections import game as folding
from projections.game import AnyState
from service import chance
from service.bots import LEVELS, Bot, menu_of, view_of
from service.rules import actions as a
from service.rules import versions
from service.rules.decide import Command, carry_out, default_of, parse
from service.rules.play import Play
from service.simulation.tally import GameCount, Tally

DOMAIN = b"rollbook/simulation/v1"
NO_BOTS = "default"
LEVELS_OF_PLAY = (*LEVELS, NO_BOTS)
Choose: TypeAlias = Callable[[AnyState], tuple[int, a.PlayAction]]


@dataclass(frozen=True)
class Plan:
    """What is to be played.

    Attributes:
        games: How many games; they are numbered from 0.
        players: Seats at each table.
        options: Every option of the game with its value.
        bots: Who plays: a level of `service.bots`, or `default` for what an absent player does.
        seed: All chance follows from it, the bots' too.
    """

    games: int
    players: int
    options: Mapping[str, OptionValue]
    bots: str
    seed: str


def play_some(plan: Plan, numbers: Iterable[int]) -> Tally:
    """Play the games of these numbers to their ends, and count."""
    tally = Tally()
    for number in numbers:
        play(plan, number, GameCount(tally).see)
    return tally


def play(plan: Plan, number: int, see: Callable[[Event], None]) -> AnyState:
    """Play one game and show each of its events; gives the state that it ended in."""
    secret = _digest(plan.seed, number, "secret")
    created = _created(plan, number, secret)
    see(created)
    envelope: Envelope[Event] = Envelope(version=1, at=0, turn=0, actor="host", action="0" * 64, data=created)
    state = folding.advance(None, envelope)
    dice = chance.SecretDice(secret, state.game, [""] * plan.players)  # nobody brings a nonce
    choose = _choosing(plan, number)

    def do(seat: int, action: a.AnyAction) -> None:
        move = Play(state, dice, at=0)
        carry_out(move, Command(action, seat, f"bot:{seat}", envelope.action, 0))
        for _, event in move.events:
            see(event)

    for _ in range(plan.players):
        do(0, a.TakeSeat(name="", kind="bot", level=plan.bots, nonce_commitment="", host=False))
    do(0, a.Start())
    while state.status == "playing":
        do(*choose(state))
    return state


def _digest(seed: str, number: int, what: str) -> bytes:
    return sha256(b"\x00".join((DOMAIN, seed.encode(), b"%d" % number, what.encode()))).digest()


def _created(plan: Plan, number: int, secret: bytes) -> GameCreated:
    game = f"simulated-{number}"
    return GameCreated(
        game=game,
        rulebook="public_assistance",
        rules=versions.NEWEST,
        code=versions.fingerprint(),
        pins=public_assistance_pins(),
        options=dict(plan.options),
        places=plan.players,
        private=False,
        commitment=chance.commitment(game, secret),
        known_secret=True,
        parent="",
    )


def _choosing(plan: Plan, number: int) -> Choose:
    """Seat the players; each bot has a chance of its own."""
    if plan.bots == NO_BOTS:
        return _by_default
    seats = range(1, plan.players + 1)
    bots: dict[int, Bot] = {
        seat: LEVELS[plan.bots](int.from_bytes(_digest(plan.seed, number, f"bot {seat}"))) for seat in seats
    }

    def choose(state: AnyState) -> tuple[int, a.PlayAction]:
        seat = next(iter(state.prompts.values())).seat
        body = bots[seat].choose(menu_of(state, seat), view_of(state))
        return seat, parse(msgspec.json.encode(body))

    return choose


def _by_default(state: AnyState) -> tuple[int, a.PlayAction]:
    prompt = next(iter(state.prompts.values()))
    return prompt.seat, default_of(state, prompt.prompt)
