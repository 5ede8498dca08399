"""Options of a game: what the seats agree on before the start (PA-3, PA-4).

Options are versioned in the lobby: a change makes a new edition and clears every ready mark. They are frozen at the
start, where what was left to the number of seats gets its value.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from events.base import OptionValue
from service.rules.bounds import Bound, OneOf, Range
from service.rules.social_justice.catalogue import PARAMETERS
from service.rules.violations import refuse, unknown

FLAG = OneOf((False, True))
MONEY = Range(0, 10_000)
MONTHS = Range(0, 60)
TURN_SECONDS_MOST = 7 * 24 * 3600

BOT_LEVELS = ("random", "sensible")
"""How a bot may play; `service.bots` has one for each."""

CLOCKS: Mapping[str, tuple[OptionValue, Bound]] = {
    "grace_ms": (1000, Range(0, 60_000)),
    "absent_after": (3, Range(0, 20)),
    "absent_play": ("sensible", OneOf(("default", *BOT_LEVELS))),
}
"""What both games have besides `turn_seconds`: how long after a deadline a move still counts; after how many missed
turns and votes in a row a person counts as absent, 0 for never; and who plays then. Games that began before have none
of them."""

PUBLIC_ASSISTANCE: Mapping[str, tuple[OptionValue, Bound]] = {
    "months": (0, MONTHS),
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

PRESETS: Mapping[str, Mapping[str, OptionValue]] = {
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

STARTING_VALUES: Mapping[str, tuple[OptionValue, Bound]] = {
    name: (parameter.default, parameter.bound) for name, parameter in PARAMETERS.items()
}
"""A game may start with any value of what can be voted on; what is not chosen stays out of the options."""

SOCIAL_JUSTICE: Mapping[str, tuple[OptionValue, Bound]] = {
    "assignment": ("random_bag", OneOf(("random_bag", "choose"))),
    "bank": ("auto", OneOf(("auto", "player"))),
    "banker": (0, Range(0, 8)),
    "turn_seconds": (0, Range(0, TURN_SECONDS_MOST)),
    **CLOCKS,
    **STARTING_VALUES,
}
"""Name → (default, bound). `banker` 0: the host, else the first seat. `end.rounds` null: until one is left (SJG-3)."""

RATE_MAX_OF_TWO = 500
"""Between two the Owner alone can block every vote, so that a holder's rates have a limit unless set otherwise."""


@dataclass(frozen=True)
class OptionSet:
    """The options of a rulebook.

    Attributes:
        known: Every option there is: name → (default, bound).
        always: Options that every game has; the others only where they were chosen.
        presets: Sets of options by name.
    """

    known: Mapping[str, tuple[OptionValue, Bound]]
    always: frozenset[str]
    presets: Mapping[str, Mapping[str, OptionValue]]


OF_PUBLIC_ASSISTANCE = OptionSet({**PUBLIC_ASSISTANCE, **CLOCKS}, frozenset({**PUBLIC_ASSISTANCE, **CLOCKS}), PRESETS)
OF_SOCIAL_JUSTICE = OptionSet(
    SOCIAL_JUSTICE,
    frozenset(SOCIAL_JUSTICE.keys() - STARTING_VALUES.keys()),
    {"sjg_standard": {}, "sjg_last_standing": {"end.rounds": None}},
)


def defaults(of: OptionSet = OF_PUBLIC_ASSISTANCE) -> dict[str, OptionValue]:
    """Return every option that a game always has, with its default, in the order of the wire."""
    return {name: default for name, (default, _) in sorted(of.known.items()) if name in of.always}


def agree(
    chosen: Mapping[str, OptionValue], base: Mapping[str, OptionValue], of: OptionSet = OF_PUBLIC_ASSISTANCE
) -> dict[str, OptionValue]:
    """Put chosen options over a base, in the order of the wire.

    Raises:
        RuleViolation: An option is unknown or out of bounds; it names which, and what is possible.
    """
    options = dict(base)
    for name, value in chosen.items():
        if name not in of.known:
            raise refuse("unknown_option", unknown("option", name, of.known), f"options.{name[:40]}")
        _, bound = of.known[name]
        if not bound.allows(value):
            raise refuse("option_out_of_bounds", f"The option {name} must be {bound.words()}.", f"options.{name}")
        options[name] = value
    return dict(sorted(options.items()))


def preset(name: str, of: OptionSet = OF_PUBLIC_ASSISTANCE) -> dict[str, OptionValue]:
    """Return the options of a preset.

    Raises:
        RuleViolation: There is none of that name.
    """
    if name not in of.presets:
        raise refuse("unknown_preset", f"The preset must be one of {', '.join(of.presets)}.", "preset")
    return agree(of.presets[name], defaults(of), of)


def settle_months(options: Mapping[str, OptionValue], seats: int) -> dict[str, OptionValue]:
    """Return options with the months that go by the number of seats (PA-3); from here on they are frozen."""
    return {**options, "months": options["months"] or MONTHS_BY_SEATS[seats]}


def settle_rate_limit(options: Mapping[str, OptionValue], seats: int) -> dict[str, OptionValue]:
    """Return options with the limit of rates that holds between two (SJG-66); from here on they are frozen."""
    limit = {"utility.rate_max": RATE_MAX_OF_TWO} if seats == 2 else {}
    return dict(sorted({**limit, **options}.items()))
