"""Plans of The Social Justice Game, short enough for tests."""

from collections.abc import Mapping
from typing import Any

import msgspec

from events.base import Event, OptionValue
from service.rules import options as agreed
from service.simulation.matches import Plan, play
from service.simulation.social_justice.house_rules import HouseRules, parse

OF = agreed.OF_SOCIAL_JUSTICE
BASIC_INCOME = {
    "op": "add_transfer", "trigger": "round_end", "from": "bank", "to": "all", "amount": {"fixed": 100},
    "label": "basic income",
}  # fmt: skip


def plan(
    *, games: int = 4, players: int = 3, rounds: int = 4, bots: str = "sensible", seed: str = "s",
    options: Mapping[str, OptionValue] | None = None,
) -> Plan:  # fmt: skip
    """Plan short games."""
    chosen = agreed.agree({"end.rounds": rounds, **(options or {})}, agreed.defaults(OF), OF)
    return Plan(games=games, players=players, options=chosen, bots=bots, seed=seed, rulebook="social_justice")


def events_of(number: int, of: Plan) -> list[Event]:
    seen: list[Event] = []
    play(of, number, seen.append)
    return seen


def house_rules(*operations: dict[str, Any]) -> HouseRules:
    return parse(msgspec.json.encode(operations))
