"""How the golden games are played: a script for each, chosen so that together they show everything."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from events.base import OptionValue, Rulebook
from tests.golden import deeds


@dataclass(frozen=True)
class Script:
    """How a golden game is played.

    Attributes:
        seats: How many play.
        seed: Chosen so that together the games show every event and every action.
        rulebook: Which of the two games.
        options: Options chosen over the preset's.
        preset: Set of options to begin with.
        nonces: Seats that bring a nonce; the first of them opens it.
        leaving: Turn from which on a seat leaves → the seat.
        absent: The seat that lets every second deadline pass; 0 for none.
        calm: Every seat does what the clock would do.
        wild: Of The Social Justice Game: how often a seat does anything at all; else all play with sense.
        eager: Of The Social Justice Game too: what a seat that is asked mostly does as soon as it can be done.
        proposals: What is proposed, one after another.
        salt: Of the secret: chosen like the seed, for what calm players do depends on the dice alone.
        lobby: What happens before the start besides sitting down and agreeing.
        bots: How many of the seats are bots: the last ones.
        around: Turn from which on something happens that no rule gives → what.
    """

    seats: int
    seed: int
    rulebook: Rulebook = "public_assistance"
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    preset: str = ""
    nonces: tuple[int, ...] = ()
    leaving: Mapping[int, int] = field(default_factory=dict)
    absent: int = 0
    calm: bool = False
    wild: float = 0.3
    eager: frozenset[str] = frozenset()
    proposals: tuple[tuple[dict[str, Any], ...], ...] = ()
    salt: str = ""
    lobby: Callable[[deeds.Around], None] = lambda _recorder: None
    bots: int = 0
    around: Mapping[int, Callable[[deeds.Around], None]] = field(default_factory=dict)


AROUND = {
    4: deeds.rest, 8: deeds.hand_over, 14: deeds.hand_back, 16: deeds.outage, 20: deeds.give_up_third,
    24: deeds.replace_third,
}  # fmt: skip
"""The table rests, seats change hands, and the service is away."""

OF_PUBLIC_ASSISTANCE: Mapping[str, Script] = {
    "two_standard": Script(seats=2, seed=1, options={"months": 6}),
    "two_reissue": Script(seats=2, seed=1, preset="pa_reissue", options={"months": 6}),
    "three_bump_and_bets": Script(
        seats=3,
        seed=10,
        options={"months": 3, "bump": True, "player_bets": True, "finish_turn": True, "attest": True, "custodian": 2},
        nonces=(1, 3),
    ),
    "three_lively_lobby": Script(seats=3, seed=1, nonces=(3,), lobby=deeds.lively_lobby),
    "four_leaving": Script(
        seats=4, seed=1, options={"months": 4, "attest": True, "player_bets": True}, leaving={12: 1, 30: 3, 44: 4}
    ),
    "four_clock": Script(
        seats=4, seed=78, absent=2, leaving={16: 4},
        options={"months": 2, "turn_seconds": 60, "bump": True, "attest": True, "custodian": 2},
    ),
    "four_calm": Script(seats=4, seed=1, calm=True, salt="10"),
    "four_other_amounts": Script(
        seats=4,
        seed=2,
        options={
            "months": 3, "dice": 2, "start_cash": 300, "grant": 400, "child_first": 150, "child_more": 75,
            "child_levy": 80, "child_levy_to": "custodian", "pay_day": 120, "emergency": 100, "loan_unit": 500,
            "loan_pct": 20, "max_stake": 250, "horse_multiplier": 6, "lottery_multiplier": 20, "player_bets": True,
            "lottery_match": "exact_order", "stake_returned": False, "end_on": "first_seat",
        },
    ),
    "four_presence": Script(
        seats=4, seed=3, absent=2, bots=1, around=AROUND,
        options={"months": 6, "turn_seconds": 60, "absent_after": 2, "absent_play": "random"},
    ),
    "three_forked": Script(seats=3, seed=3, options={"months": 8}, around={6: deeds.fork}),
}  # fmt: skip

SJ: Rulebook = "social_justice"
AT_THE_BANK = {"request_loan", "counter_loan", "counter_sale", "bid_for_title", "sell_title"}

PROPOSALS: tuple[tuple[dict[str, Any], ...], ...] = (
    (
        {"op": "set", "param": "utility.{u}.payday_cap.{r}", "value": 20,
         "for": {"u": ["enron", "flint"], "r": ["unemployed", "employee", "manager"]}},
        {"op": "add_text", "text": "Be kind."},
    ),
    (
        {"op": "add_transfer", "trigger": "round_end", "from": "bank", "to": "all", "amount": {"fixed": 100},
         "split": "each"},
    ),
    ({"op": "repeal", "rule_id": "r1"},),
    ({"op": "set", "param": "property.rent_pct", "value": 150},),
)  # fmt: skip
"""Relief and a word; a basic income; the relief repealed; higher rents."""

OF_SOCIAL_JUSTICE: Mapping[str, Script] = {
    "sj_two": Script(seats=2, seed=1, salt="1", rulebook=SJ, wild=0.3, options={"end.rounds": 12}),
    "sj_three_banker": Script(
        seats=3, seed=2, salt="2", rulebook=SJ, wild=0.2, eager=frozenset(AT_THE_BANK),
        options={"end.rounds": 6, "bank": "player", "banker": 2},
    ),
    "sj_four_votes": Script(
        seats=4, seed=8, salt="8", rulebook=SJ, wild=0.3, eager=frozenset({"cast_ballot"}), proposals=PROPOSALS,
        options={"end.rounds": 10},
    ),
    "sj_four_combat": Script(
        seats=4, seed=21, salt="21", rulebook=SJ, wild=0.15, eager=frozenset({"stop", "enlist"}),
        options={
            "end.rounds": 12, "military.move_penalty": 7, "college.enabled": False,
            "move.die.unemployed": 10, "move.die.employee": 10, "move.die.manager": 10,
        },
    ),
    "sj_five_presidency": Script(
        seats=5, seed=20, salt="20", rulebook=SJ, wild=0.2,
        eager=frozenset({"stop", "enlist", "give_speech", "cast_ballot", "withdraw_troops", "free_prisoner",
                         "declare_care", "declare_net"}),
        options={
            "end.rounds": 11, "move.die.unemployed": 10, "move.die.employee": 10, "military.move_penalty": 6,
            "military.combat_hits": 6, "jail.fixed_turns": 6,
            "white_house.roles": ["employee", "manager", "owner"],
        },
    ),
    "sj_six_bankruptcy": Script(
        seats=6, seed=4, salt="4", rulebook=SJ, wild=0.3,
        eager=frozenset({"request_loan", "counter_loan", "borrow_from_bank"}),
        options={
            "end.rounds": 5, "payday.salary.owner": 1000, "hospital.fee.unemployed": 900, "hospital.fee.employee": 900,
        },
    ),
    "sj_four_clock": Script(
        seats=4, seed=1, salt="1", rulebook=SJ, wild=0.4, absent=2, leaving={14: 4, 30: 3},
        options={"end.rounds": 12, "turn_seconds": 60, "jail.bail": 40, "change.draws": 2},
    ),
    "sj_four_presence": Script(
        seats=4, seed=3, rulebook=SJ, wild=0.2, absent=2, bots=1, around=AROUND,
        options={"end.rounds": 12, "turn_seconds": 60, "absent_after": 2, "absent_play": "sensible"},
    ),
    "sj_three_forked": Script(
        seats=3, seed=3, rulebook=SJ, wild=0.2, around={6: deeds.fork}, options={"end.rounds": 8}
    ),
    "sj_eight": Script(
        seats=8, seed=1, salt="1", rulebook=SJ, wild=0.4, nonces=(2, 5),
        options={"end.rounds": 6, "assignment": "choose", "vote.costs_turn": False},
    ),
}  # fmt: skip
"""Games of The Social Justice Game; what each is there for stands in `test_contents`."""

SCRIPTS: Mapping[str, Script] = {**OF_PUBLIC_ASSISTANCE, **OF_SOCIAL_JUSTICE}


def nonce_of(seat: int) -> bytes:
    """The nonce that a seat brings."""
    return b"nonce of seat %d" % seat
