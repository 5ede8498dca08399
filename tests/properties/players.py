"""Players who do anything: any legal action with any parameters in bounds, and a share of nonsense."""

import random
from typing import Any

from events.base import Scalar
from projections.evolve import AnyState
from service.rules import actions as a
from service.rules.legal import LegalAction, legal_actions

MAY_STILL_BE_REFUSED = {"bet_not_covered", "empty_offer"}
"""What a schema of single parameters cannot say: the cover of a bookmaker hangs on the stake, an offer names a game."""


def legal(state: AnyState, chance: random.Random) -> tuple[int, dict[str, Any]] | None:
    """Pick a seat and a body from what is offered: as it stands, or with any parameters that the schema allows."""
    seats = state.staying()
    if state.active and chance.random() < 0.8:
        seats = [state.active]
    if state.status == "finished":
        seats = [prompt.seat for prompt in state.prompts.values()]
    seat = chance.choice(seats)
    menu = legal_actions(state, seat).open
    if not menu:
        return None
    offered = chance.choice([*menu, *(o for o in menu if o.default for _ in range(2))])
    if chance.random() < 0.3:
        return seat, dict(offered.body)
    return seat, in_bounds(offered, chance)


def in_bounds(offered: LegalAction, chance: random.Random) -> dict[str, Any]:
    """Fill in a body by its schema."""
    return {name: _value(shape, chance) for name, shape in offered.schema["properties"].items()}


def _value(shape: dict[str, Any], chance: random.Random) -> Scalar:
    if "const" in shape:
        return str(shape["const"])
    if "enum" in shape:
        picked: Scalar = chance.choice(shape["enum"])
        return picked
    if shape["type"] == "boolean":
        return chance.random() < 0.5
    if shape["type"] == "string":
        assert shape["pattern"] == "^[1-6]{3}$", shape
        return "".join(chance.choice("123456") for _ in range(3))
    assert shape["type"] == "integer", shape
    step = shape.get("multipleOf", 1)
    low, high = shape["minimum"], min(shape["maximum"], shape["minimum"] + 100_000 * step)
    edges: list[int] = [low, high - (high - low) % step]
    number: int = chance.choice([*edges, low + step * chance.randint(0, (high - low) // step)])
    return number


def nonsense(state: AnyState, chance: random.Random) -> tuple[int, a.AnyAction]:
    """Make an action that may well be refused: any kind, any seat, any prompt, numbers at and over every edge."""
    right = state.active > 0 and chance.random() < 0.6  # the right seat and prompt: refused for what it asks alone
    prompt = chance.choice([*state.prompts] if right else [*state.prompts, "p1", f"p{state.version + 1}"])
    number = chance.choice([1, 2, 7, 12, 50, 500, 501, 1000, 1500, 10_000, 2**40])
    made: list[a.AnyAction] = [
        a.Roll(prompt=prompt),
        a.CheatMove(prompt=prompt, block=chance.randint(0, 51)),
        a.BetHorses(prompt=prompt, horse=chance.randint(2, 12), stake=number, taker=chance.randint(0, 8)),
        a.BetLottery(prompt=prompt, number="123", stake=number, taker=chance.randint(0, 8)),
        a.Borrow(prompt=prompt, amount=number),
        a.Repay(prompt=prompt, notes=min(number, 100_000)),
        a.UseWaiver(prompt=prompt),
        a.TakeJob(prompt=prompt),
        a.RollPartner(prompt=prompt),
        a.DeclinePartner(prompt=prompt),
        a.OfferBets(horses=chance.random() < 0.5, lottery=chance.random() < 0.5, max_stake=number),
        a.WithdrawBets(),
        a.AttestBooks(),
        a.AttestResult(prompt=prompt),
        a.DeclineResult(prompt=prompt),
        a.Start(),
        a.Ready(edition=chance.randint(0, 3), nonce_hash="", nonce_input=""),
        a.SetOptions(options={"months": chance.randint(0, 61)}),
        a.TakeSeat(name="", kind="person", level="", nonce_commitment="", host=False),
        a.Renew(seat=chance.randint(1, 8)),
        a.Expire(prompt=prompt, deadline=chance.choice([0, state.at])),
    ]
    return state.active if right else chance.choice(sorted(state.seats)), chance.choice(made)
