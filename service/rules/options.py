"""Options of a game: what the seats agree on before the start (PA-3, PA-4, and section 5.5 of the catalogue).

Options are versioned in the lobby: a change makes a new edition and clears every ready mark. They are frozen at the
start, where what was left to the number of seats gets its value.
"""

from collections.abc import Mapping

from events.base import Scalar
from service.rules.bounds import Bound, OneOf, Range
from service.rules.violations import refuse

FLAG = OneOf((False, True))
MONEY = Range(0, 10_000)
TURN_SECONDS_MOST = 7 * 24 * 3600

PUBLIC_ASSISTANCE: Mapping[str, tuple[Scalar, Bound]] = {
    "months": (0, Range(0, 60)),
    "custodian": (0, Range(0, 4)),
    "attest": (False, FLAG),
    "turn_seconds": (0, Range(0, TURN_SECONDS_MOST)),
    "bump": (False, FLAG),
    "player_bets": (False, FLAG),
    "lottery_match": ("any_order", OneOf(("any_order", "exact_order"))),
    "stake_returned": (True, FLAG),
    "finish_turn": (False, FLAG),
    "max_stake": (500, Range(1, 10_000)),
    "horse_multiplier": (5, Range(1, 100)),
    "lottery_multiplier": (10, Range(1, 1_000)),
    "grant": (500, MONEY),
    "child_first": (200, MONEY),
    "child_more": (100, MONEY),
    "child_levy": (50, MONEY),
    "child_levy_to": ("player", OneOf(("player", "custodian"))),
    "pay_day": (150, MONEY),
    "emergency": (250, Range(1, 10_000)),
    "loan_unit": (1000, Range(100, 10_000, 100)),
    "loan_pct": (50, Range(0, 200)),
    "dice": (3, Range(2, 3)),
    "start_cash": (500, Range(1, 10_000)),
    "end_on": ("first_to_finish", OneOf(("first_to_finish", "first_seat"))),
}
"""Name → (default, bound). `months` 0: by the number of seats (PA-3); `custodian` 0: the host, else the first seat."""

MONTHS_BY_SEATS = {2: 12, 3: 9, 4: 6}
"""Rule: PA-3, with the midpoint for three."""

PRESETS: Mapping[str, Mapping[str, Scalar]] = {
    "pa_standard": {},
    "pa_reissue": {
        "months": 12,
        "dice": 2,
        "start_cash": 1000,
        "grant": 1000,
        "child_first": 300,
        "child_more": 300,
        "child_levy": 100,
        "child_levy_to": "custodian",
        "horse_multiplier": 7,
        "lottery_multiplier": 50,
        "end_on": "first_seat",
        "lottery_match": "exact_order",
        "stake_returned": False,
    },
}
"""Sets of options by name; `pa_reissue` follows the later printing's rules."""


def defaults() -> dict[str, Scalar]:
    """Give every option with its default, in the order of the wire."""
    return {name: default for name, (default, _) in sorted(PUBLIC_ASSISTANCE.items())}


def agree(chosen: Mapping[str, Scalar], base: Mapping[str, Scalar]) -> dict[str, Scalar]:
    """Put chosen options over a base.

    Raises:
        RuleViolation: An option is unknown or out of bounds; it names which, and what is possible.
    """
    options = dict(base)
    for name, value in chosen.items():
        if name not in PUBLIC_ASSISTANCE:
            raise refuse("unknown_option", f"There is no option called {name[:40]!r}.", f"options.{name[:40]}")
        _, bound = PUBLIC_ASSISTANCE[name]
        if not bound.allows(value):
            raise refuse("option_out_of_bounds", f"The option {name} must be {bound.words()}.", f"options.{name}")
        options[name] = value
    return options


def preset(name: str) -> dict[str, Scalar]:
    """Give the options of a preset.

    Raises:
        RuleViolation: There is none of that name.
    """
    if name not in PRESETS:
        raise refuse("unknown_preset", f"The preset must be one of {', '.join(PRESETS)}.", "preset")
    return agree(PRESETS[name], defaults())


def settle(options: Mapping[str, Scalar], seats: int) -> dict[str, Scalar]:
    """Give what was left to the number of seats its value (PA-3); from here on options are frozen."""
    return {**options, "months": options["months"] or MONTHS_BY_SEATS[seats]}
