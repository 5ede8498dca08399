"""States in which a seat is asked something: one for every kind of prompt of a rulebook, out of random games."""

from collections.abc import Iterator, Mapping
from functools import cache
from hashlib import sha256

import msgspec

from events.base import Envelope, Event, OptionValue
from events.lobby import GameCreated
from projections import evolve as fold
from projections.evolve import AnyState
from service.bots.seats import move_of
from service.games import chance
from service.rules import actions as a
from service.rules import options as agreed
from service.rules import versions
from service.rules.decide import Command, decide, default_of, parse
from service.rules.dice import Dice
from service.rules.rulebooks import RULES
from service.rules.typed_text import with_digests
from service.rules.violations import RuleViolation
from tests.support.clocks import BEGIN
from tests.support.planting import plant_seat

MOST_GAMES = 60
MOST_ACTIONS = 1500
ROLES = ["unemployed", "employee", "manager", "owner"]
LIVELY: Mapping[str, Mapping[str, OptionValue]] = {
    "public_assistance": {"months": 3, "attest": True, "bump": True, "player_bets": True},
    "social_justice": {"assignment": "choose", "end.rounds": 25, "jail.bail": 20, "white_house.roles": ROLES},
}
"""Options under which every kind of prompt comes up."""


def opened(rulebook: str, number: int, seats: int = 3) -> tuple[AnyState, Dice]:
    """A game in play with a clock, whose chance follows from its number."""
    rules = RULES[rulebook]
    secret, game = sha256(f"{rulebook} {number}".encode()).digest(), f"asked{number}"
    options = agreed.agree({**LIVELY[rulebook], "turn_seconds": 60}, agreed.defaults(rules.options), rules.options)
    created = GameCreated(
        game=game,
        rulebook=rules.rulebook,
        rules=versions.NEWEST,
        code=versions.fingerprint(),
        pins=rules.pins(),
        options=options,
        places=rules.places,
        private=False,
        commitment=chance.commitment(game, secret, known=True),
        known_secret=True,
        parent="",
    )
    first: Envelope[Event] = Envelope(version=1, at=BEGIN, turn=0, actor="host", action="0" * 64, data=created)
    state, dice = fold.advance(None, first), chance.SecretDice(secret, game, [""] * seats)
    for _ in range(seats):
        sits = a.TakeSeat(name="", kind="person", level="", nonce_commitment="", host=False)
        state = done(state, dice, sits, 0, actor="host")
    for seat in range(1, seats + 1):
        state = done(state, dice, a.Ready(edition=1, nonce_hash="", nonce_input=""), seat)
    return done(state, dice, a.Start(), 0, actor="host"), dice


def done(
    state: AnyState, dice: Dice, action: a.AnyAction, seat: int, *, actor: str = "", at: int | None = None
) -> AnyState:
    """Do something for a seat that is asked."""
    now = state.at + 1 if at is None else at
    return decide(state, Command(action, seat, actor or f"seat:{seat}", "0" * 64, now), dice, at=now).state


def by_chance(state: AnyState, seat: int) -> a.PlayAction:
    """What the bot that plays by chance would do for a person."""
    kept = state.copy()
    plant_seat(kept, seat, keeper="random")
    body = move_of(kept, seat)
    assert body is not None, "a seat is asked"
    return with_digests(parse(msgspec.json.encode(body)), lambda text: sha256(text.encode()).hexdigest())


def _states(rulebook: str) -> Iterator[tuple[AnyState, Dice]]:
    for number in range(MOST_GAMES):
        state, dice = opened(rulebook, number)
        for _ in range(MOST_ACTIONS):
            if state.over():
                break
            yield state, dice
            prompt = next(iter(state.prompts.values()))
            try:
                state = done(state, dice, by_chance(state, prompt.seat), prompt.seat)
            except RuleViolation:
                state = done(state, dice, default_of(state, prompt.prompt), prompt.seat)


@cache
def by_kind(rulebook: str) -> Mapping[str, tuple[AnyState, Dice]]:
    """A state for each kind of prompt, found or not."""
    wanted = set(RULES[rulebook].defaults)
    found: dict[str, tuple[AnyState, Dice]] = {}
    for state, dice in _states(rulebook):
        for prompt in state.prompts.values():
            found.setdefault(prompt.kind, (state, dice))
        if found.keys() >= wanted:
            break
    return found


CELLS = [(rulebook, kind) for rulebook in RULES for kind in sorted(RULES[rulebook].defaults)]
"""Every kind of prompt there is, from the rules' own list."""
