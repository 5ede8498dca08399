"""A bot that plays as a careful person would; The Social Justice Game as `citizen` does, Public Assistance as here.

It pays back notes when it is rich, keeps out of the rut with a waiver, names the block that is worth most, rolls for
the partner when the mean is good, and bets only where the odds are not against it.
"""

import random
from collections.abc import Callable

from service.bots import values
from service.bots.base import Json, prompt_of
from service.bots.citizen import IGNORED, SensibleCitizen

CUSHION = 2000
"""Cash that is kept when notes are paid back: in the rut every shortfall makes a new one."""

FUN_STAKE = 10
FUN_CASH = 500
FUN_CHANCE = 1 / 12
"""A fair bet gains nothing, and is made now and then for fun."""


class SensibleBot:
    """Plays with sense.

    Args:
        seed: Of its own chance, which decides about bets for fun.
    """

    ignored = IGNORED

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)
        self._citizen = SensibleCitizen(seed)

    def choose(self, actions: list[Json], state: Json) -> Json | None:
        """Choose as the rulebook wants it; see `Bot`."""
        if state["rulebook"] == "social_justice":
            return self._citizen.choose(actions, state)
        return self._choose(actions, state)

    def answer(self, actions: list[Json], state: Json) -> Json | None:
        """Answer an offer; there are none in Public Assistance; see `Bot`."""
        return self._citizen.answer(actions, state) if state["rulebook"] == "social_justice" else None

    def _choose(self, actions: list[Json], state: Json) -> Json:
        """Choose the first that its habits speak for, else what happens by default."""
        player = state["players"][str(prompt_of(actions, state)["seat"])]
        cash = state["cash"][f"seat:{prompt_of(actions, state)['seat']}"]
        by_name = {action["name"]: action for action in actions}
        for name, habit in self._habits().items():
            if name in by_name:
                wish = habit(state, player, cash, by_name[name])
                if wish is not None:
                    return {**by_name[name]["body"], **wish}
        default: Json = next(action["body"] for action in actions if action["default"])
        return default

    def _habits(self) -> dict[str, Callable[[Json, Json, int, Json], Json | None]]:
        """List habits in the order of their weight: action → parameters that it is done with, None for not now."""
        return {
            "use_waiver": lambda *_: {},
            "roll_partner": lambda state, player, *_: {} if values.partner_value(state, player) > 0 else None,
            "cheat_move": _best_block,
            "repay": _repay,
            "bet_horses": self._bet_horses,
            "bet_lottery": _bet_lottery,
        }

    def _bet_horses(self, state: Json, _player: Json, cash: int, action: Json) -> Json | None:
        worth = values.horse_value(state["options"])
        if worth > 0:
            return _stake(cash // 10, action, horse=7)
        for_fun = worth == 0 and cash >= FUN_CASH and self._random.random() < FUN_CHANCE
        return _stake(FUN_STAKE, action, horse=7) if for_fun else None


def _best_block(state: Json, player: Json, _cash: int, action: Json) -> Json:
    blocks = action["schema"]["properties"]["block"]["enum"]
    return {"block": max(blocks, key=lambda block: values.target_value(state, player, block))}


def _repay(state: Json, _player: Json, cash: int, action: Json) -> Json | None:
    notes = min(
        (cash - CUSHION) // values.note_price(state["options"]), action["schema"]["properties"]["notes"]["maximum"]
    )
    return {"notes": notes} if notes >= 1 else None


def _bet_lottery(state: Json, _player: Json, cash: int, action: Json) -> Json | None:
    if values.lottery_value(state["options"]) <= 0:
        return None
    return _stake(cash // 50, action, number="123")


def _stake(wanted: int, action: Json, **pick: int | str) -> Json | None:
    """Bet with the custodian, within what is allowed, and never all that one has."""
    stake = min(wanted, action["schema"]["properties"]["stake"]["maximum"] // 2)
    return {**pick, "stake": stake, "taker": 0} if stake >= 1 else None
