"""Adopted transfers: what sets one off, who pays whom, and how much, to the dollar."""

from collections.abc import Callable
from typing import Any

import pytest

from events.play import MoneyMoved
from events.social_justice.operations import Trigger
from events.social_justice.politics import TransferLeftOut, TransferShort
from projections.state.politics import Politics
from service.rules.social_justice import transfers
from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, Hall, Sitter, Written, hall
from tests.support.rules import rule

Told = Callable[[Politics], Hall]


def transfer(**fields: Any) -> Written:
    """A transfer from the player that it is about to all others, but for what is given."""
    right = {"trigger": "each_payday", "from": "actor", "to": "others", "amount": {"fixed": 30}}
    return {"op": "add_transfer", **right, **fields}


def law(*operations: Written) -> Politics:
    """What three adopted in votes of five operations each."""
    game = hall(OWNER, UNEMPLOYED, EMPLOYEE)
    for at in range(0, len(operations), 5):
        game.adopts(*operations[at : at + 5])
    return game.state.politics


def second(where: Sitter, **told: Any) -> Callable[[Politics], Hall]:
    """It is seat 2's turn, between an Owner and an Employee."""
    return lambda politics: hall(OWNER, where, EMPLOYEE, active=2, politics=politics, **told)


def rolls(square: int, face: int, *draws: tuple[str, int | str], sitter: Sitter = UNEMPLOYED, **told: Any) -> Told:
    """Seat 2 rolls from a square and declines whatever is offered there."""

    def play(politics: Politics) -> Hall:
        game = second(sitter.at(square), **told)(politics).rolls(face, *draws)
        happened = list(game.events)
        while {"buy", "aid", "tuition", "enlist", "stop"} & set(game.asks(2)):
            happened += game.act(2, "decline").events
        game.events = happened
        return game

    return play


def _turn_starts(politics: Politics) -> Hall:
    game = hall(OWNER, UNEMPLOYED, EMPLOYEE, politics=politics).rolls(2)
    return game.act(1, "decline").act(1, "end_turn")


def _round_ends(politics: Politics) -> Hall:
    game = hall(OWNER, UNEMPLOYED, EMPLOYEE, active=3, politics=politics).rolls(2)
    return game.act(3, "decline").act(3, "end_turn")


def _enlists(politics: Politics) -> Hall:
    return second(UNEMPLOYED.at(28))(politics).rolls(2).act(2, "enlist")


def _learns(politics: Politics) -> Hall:
    game = second(UNEMPLOYED.at(8))(politics).rolls(2)
    return game.act(2, "decline").act(2, "pay_tuition")


def _pays_rent(politics: Politics) -> Hall:
    return second(UNEMPLOYED.at(1), titles={3: (1, 2)})(politics).rolls(2).act(2, "pay_rent")


def _is_released(politics: Politics) -> Hall:
    game = hall(OWNER, UNEMPLOYED.at(35, jail_turns=1), EMPLOYEE, politics=politics).rolls(2)
    return game.act(1, "decline").act(1, "end_turn")


OCCASIONS: dict[Trigger, Told] = {
    "each_payday": rolls(38, 3),
    "turn_start": _turn_starts,
    "enlist": _enlists,
    "degree": _learns,
    "rent_paid": _pays_rent,
    "jail_release": _is_released,
    "land:payday": rolls(38, 2),
    "land:property": rolls(1, 2),
    "land:change": rolls(1, 1, ("card", "CH05")),
    "land:utility": rolls(24, 1),
    "land:enron": rolls(4, 1),
    "land:flint": rolls(14, 1),
    "land:froogle": rolls(24, 1),
    "land:college": rolls(8, 2),
    "land:hospital": rolls(12, 1),
    "land:white_house": rolls(18, 2),
    "land:back_taxes": rolls(27, 1),
    "land:military": rolls(29, 1),
    "land:go_to_jail": rolls(34, 1, ("jail", 2)),
}
"""What sets each trigger off, seat 2 being the actor."""


@rule("SJG-33")
@pytest.mark.parametrize("trigger", OCCASIONS)
def test_whoever_it_is_about_pays_each_of_the_others(trigger: Trigger) -> None:
    """30 to the left and 30 to the right, and nothing else is a transfer."""
    game = OCCASIONS[trigger](law(transfer(trigger=trigger)))
    assert game.paid(reason="transfer") == [("seat:2", "seat:3", 30), ("seat:2", "seat:1", 30)]


@rule("SJG-33")
@pytest.mark.parametrize("trigger", OCCASIONS)
def test_one_amount_is_shared_out_and_the_remainder_stays(trigger: Trigger) -> None:
    """Of 31 the others get 15 each."""
    game = OCCASIONS[trigger](law(transfer(trigger=trigger, amount={"fixed": 31}, split="share")))
    assert game.paid(reason="transfer") == [("seat:2", "seat:3", 15), ("seat:2", "seat:1", 15)]


@rule("SJG-33")
@pytest.mark.parametrize("trigger", OCCASIONS)
@pytest.mark.parametrize("other", ["enlist", "degree", "rent_paid"])
def test_another_occasion_sets_nothing_off(trigger: Trigger, other: Trigger) -> None:
    if trigger != other:
        assert OCCASIONS[trigger](law(transfer(trigger=other))).paid(reason="transfer") == []


@rule("SJG-3")
@pytest.mark.parametrize(
    ("split", "paid"),
    [
        ("each", [("seat:1", "seat:2", 31), ("seat:1", "seat:3", 31)]),
        ("share", [("seat:1", "seat:2", 15), ("seat:1", "seat:3", 15)]),
    ],
)
def test_the_end_of_a_round_is_about_nobody(split: str, paid: list[tuple[str, str, int]]) -> None:
    """In seat order from the first place, which is the Owner's."""
    tax = transfer(trigger="round_end", amount={"fixed": 31}, split=split, **{"from": "role:owner", "to": "all"})
    game = _round_ends(law(tax))
    assert game.paid(reason="transfer") == paid
    assert game.state.round == 2


@rule("SJG-3")
def test_no_other_turns_end_ends_a_round() -> None:
    income = transfer(trigger="round_end", amount={"fixed": 100}, **{"from": "bank", "to": "all"})
    assert _turn_starts(law(income)).paid(reason="transfer") == []
    assert _round_ends(law(income)).paid(reason="transfer") == [
        ("bank", "seat:1", 100), ("bank", "seat:2", 100), ("bank", "seat:3", 100),
    ]  # fmt: skip


PARTIES: list[tuple[str, str, list[tuple[str, str]]]] = [
    ("actor", "bank", [("seat:2", "bank")]),
    ("bank", "actor", [("bank", "seat:2")]),
    ("bank", "all", [("bank", "seat:3"), ("bank", "seat:1"), ("bank", "seat:2")]),
    ("others", "actor", [("seat:3", "seat:2"), ("seat:1", "seat:2")]),
    ("others", "bank", [("seat:3", "bank"), ("seat:1", "bank")]),
    ("role:owner,employee", "bank", [("seat:3", "bank"), ("seat:1", "bank")]),
    ("role:manager", "bank", []),
    ("actor", "actor", []),
    ("actor", "all", [("seat:2", "seat:3"), ("seat:2", "seat:1")]),
    ("actor", "holder:enron", [("seat:2", "seat:1")]),
    ("actor", "holder:froogle", []),
    ("holder:flint", "role:unemployed", [("seat:1", "seat:2")]),
    (
        "all",
        "all",
        [
            ("seat:3", "seat:1"), ("seat:3", "seat:2"), ("seat:1", "seat:3"), ("seat:1", "seat:2"),
            ("seat:2", "seat:3"), ("seat:2", "seat:1"),
        ],
    ),
]  # fmt: skip


@rule("SJG-33")
@pytest.mark.parametrize(("payer", "payee", "pairs"), PARTIES, ids=lambda value: str(value)[:30])
def test_parties_pay_in_seat_order_from_the_active_players_left(
    payer: str, payee: str, pairs: list[tuple[str, str]]
) -> None:
    """Payers, and for each its payees; nobody pays itself, and of nobody there is no payment."""
    game = rolls(38, 3)(law(transfer(**{"from": payer, "to": payee})))
    assert game.paid(reason="transfer") == [(*pair, 30) for pair in pairs]


SUMS: list[tuple[str, dict[str, Any], str, str, list[int]]] = [
    ("own salary", {"pct": 10, "of": "salary"}, "actor", "bank", [20]),
    ("each payer's salary", {"pct": 10, "of": "salary"}, "all", "bank", [50, 300, 20]),
    ("each payee's salary from the bank", {"pct": 10, "of": "salary"}, "bank", "all", [50, 300, 20]),
    ("own cash", {"pct": 5, "of": "cash"}, "role:owner", "bank", [265]),
    ("rounded down", {"pct": 7, "of": "cash"}, "role:employee", "bank", [7]),
    ("at least", {"pct": 1, "of": "salary", "min": 9}, "actor", "bank", [9]),
    ("at most", {"pct": 50, "of": "cash", "max": 800}, "role:owner", "bank", [800]),
    ("a payday rate", {"pct": 50, "of": "rate:enron.payday"}, "actor", "bank", [25]),
    ("a landing rate", {"pct": 100, "of": "rate:froogle.landing"}, "actor", "bank", [25]),
    ("nothing", {"fixed": 0}, "actor", "bank", []),
]


@rule("SJG-33")
@pytest.mark.parametrize(("amount", "payer", "payee", "paid"), [row[1:] for row in SUMS], ids=[row[0] for row in SUMS])
def test_an_amount_is_taken_of_the_figure_it_names(
    amount: dict[str, Any], payer: str, payee: str, paid: list[int]
) -> None:
    """At seat 2's payday: the Owner has 5,300 with two utilities' 100 and what she had, the Employee 111."""
    politics = law(transfer(amount=amount, **{"from": payer, "to": payee}))
    game = hall(OWNER.with_cash(5_200), UNEMPLOYED.at(38), EMPLOYEE.with_cash(111), active=2, politics=politics)
    game.rolls(3)
    assert [amount for _, _, amount in game.paid(reason="transfer")] == paid


@rule("SJG-33", "SJG-24")
def test_a_rebate_is_a_share_of_the_rent_just_paid() -> None:
    """25 % of a rent of 70 is 17, from the bank."""
    rebate = transfer(trigger="rent_paid", amount={"pct": 25, "of": "last_payment"}, **{"from": "bank", "to": "actor"})
    assert _pays_rent(law(rebate)).paid() == [("seat:2", "seat:1", 70), ("bank", "seat:2", 17)]


@rule("SJG-33")
def test_the_figures_of_one_transfer_are_taken_before_its_first_payment() -> None:
    """Everybody gives everybody a tenth of what each had, not of what came in meanwhile."""
    politics = law(transfer(amount={"pct": 10, "of": "cash"}, **{"from": "all", "to": "all"}))
    game = hall(OWNER.with_cash(0), UNEMPLOYED.at(38, cash=800), EMPLOYEE.with_cash(1_000), active=2, politics=politics)
    game.rolls(3)
    assert [amount for _, _, amount in game.paid(reason="transfer")] == [100, 100, 10, 10, 90, 90]


CONDITIONS: list[tuple[dict[str, Any], bool]] = [
    ({"role": ["unemployed", "manager"]}, True),
    ({"role": ["owner"]}, False),
    ({"cash_at_least": 5_100}, True),
    ({"cash_at_least": 5_101}, False),
    ({"cash_at_most": 5_100}, True),
    ({"cash_at_most": 5_099}, False),
    ({"serving": False}, True),
    ({"serving": True}, False),
    ({"houses_at_least": 3}, True),
    ({"houses_at_least": 4}, False),
    ({"role": ["unemployed"], "cash_at_least": 5_101}, False),
]


@rule("SJG-33")
@pytest.mark.parametrize(("where", "holds"), CONDITIONS, ids=str)
def test_a_condition_is_on_whoever_it_is_about(where: dict[str, Any], holds: bool) -> None:
    """Seat 2 has 5,000, a salary of 200 and two utilities to pay, and three houses on two titles."""
    politics = law(transfer(where=where))
    game = second(UNEMPLOYED.at(38), titles={3: (2, 2), 4: (2, 1), 6: (1, 3)})(politics).rolls(3)
    assert bool(game.paid(reason="transfer")) == holds


def short(**fields: Any) -> Hall:
    """Seat 2 has 50 in all when it is to pay 30 to each of two."""
    politics = law(transfer(**fields))
    return second(UNEMPLOYED.at(38, cash=0), titles={5: (0, 0), 15: (1, 0)})(law_with_salary(politics)).rolls(3)


def law_with_salary(politics: Politics) -> Politics:
    """Pay the Unemployed 100, of which one utility takes 50."""
    game = hall(OWNER, UNEMPLOYED, EMPLOYEE, politics=politics)
    game.adopts({"op": "set", "param": "payday.salary.unemployed", "value": 100})
    return game.state.politics


@rule("SJG-33")
def test_a_partial_payment_goes_as_far_as_cash_does() -> None:
    """30, then the 20 that are left; the event tells what was let go, and nothing is owed."""
    game = short(on_short="partial")
    assert game.paid(reason="transfer") == [("seat:2", "seat:3", 30), ("seat:2", "seat:1", 20)]
    (missed,) = game.found(TransferShort)
    assert (missed.payer, missed.payee, missed.missing) == ("seat:2", "seat:1", 10)
    assert game.asks(2) == ["buy"]


@rule("SJG-33")
def test_a_payment_that_is_skipped_is_not_made_at_all() -> None:
    game = short(on_short="skip")
    assert game.paid(reason="transfer") == [("seat:2", "seat:3", 30)]
    assert game.cash(2) == 20
    (missed,) = game.found(TransferShort)
    assert missed.missing == 30


@rule("SJG-33")
@pytest.mark.parametrize(("on_short", "shares", "missing"), [("partial", [25, 25], 10), ("skip", [], 60)])
def test_one_amount_is_shared_as_far_as_cash_goes(on_short: str, shares: list[int], missing: int) -> None:
    """Of 60 there are 50: 25 each, or nothing."""
    game = short(on_short=on_short, split="share", amount={"fixed": 60})
    assert [amount for _, _, amount in game.paid(reason="transfer") if amount] == shares
    (missed,) = game.found(TransferShort)
    assert (missed.payee, missed.missing) == ("", missing)


@rule("SJG-33", "SJG-9")
def test_an_obligation_is_owed_and_the_rest_waits_for_it() -> None:
    """30 are paid, 30 more are owed with 20 at hand; the landing waits until the bank has lent or bought."""
    game = short(on_short="obligation")
    assert game.paid(reason="transfer") == [("seat:2", "seat:3", 30)]
    assert game.asks(2) == ["raise_funds"]
    assert not game.found(TransferShort)
    assert game.cash(2) == 20


@rule("SJG-33")
def test_transfers_run_in_the_order_of_adoption() -> None:
    politics = law(transfer(amount={"fixed": 1}), transfer(amount={"fixed": 2}, to="bank"))
    game = rolls(38, 3)(politics)
    assert [amount for _, _, amount in game.paid(reason="transfer")] == [1, 1, 2]
    assert [event.ref for event in game.found(MoneyMoved, reason="transfer")] == ["r1:0"] * 2 + ["r1:1"]


@rule("SJG-33")
def test_a_transfer_ends_with_its_rule() -> None:
    game = hall(OWNER, UNEMPLOYED, EMPLOYEE).adopts(transfer()).adopts({"op": "repeal", "rule_id": "r1"})
    assert rolls(38, 3)(game.state.politics).paid(reason="transfer") == []


@rule("SJG-47", "SJG-33")
def test_at_a_payday_transfers_come_after_salary_and_utilities() -> None:
    game = rolls(38, 3)(law(transfer(to="bank")))
    assert [event.reason for event in game.events if hasattr(event, "reason")] == [
        "salary", "utility", "utility", "transfer",
    ]  # fmt: skip


@rule("SJG-9", "SJG-33")
def test_of_an_actor_who_is_out_nothing_is_taken() -> None:
    """Bankrupt over a utility's charge: the payday's transfers are not asked any more."""
    politics = law_with_rates(law(transfer(**{"from": "all", "to": "bank"})))
    game = second(UNEMPLOYED.at(38, cash=0))(politics).rolls(3)
    assert game.asks(2) == ["raise_funds"]
    game.act(2, "declare_bankruptcy")
    assert game.state.citizens[2].out == "bankrupt"
    assert game.paid(reason="transfer") == []


@rule("SJG-9", "SJG-84")
def test_of_somebody_who_is_out_nothing_more_is_set_off() -> None:
    """Pardoned, and bankrupt over the first of two transfers on a release: the second does not happen."""
    fine = transfer(trigger="jail_release", amount={"fixed": 10_000}, to="bank", on_short="obligation")
    dues = transfer(trigger="jail_release", **{"from": "all", "to": "bank"})
    before = law(fine, dues)
    game = hall(OWNER.at(18), UNEMPLOYED.at(35, cash=0, jail_turns=2), EMPLOYEE, politics=before).rolls(2)
    game.act(1, "give_speech").votes(yes=2).act(1, "free_prisoner", free=2)
    assert game.asks(2) == ["raise_funds"]
    game.act(2, "declare_bankruptcy")
    assert game.paid(reason="transfer") == []
    assert game.asks(1) == ["turn_end"]


def law_with_rates(politics: Politics) -> Politics:
    """Make Enron cost 5,000 at a payday."""
    game = hall(OWNER, UNEMPLOYED, EMPLOYEE, politics=politics)
    game.adopts({"op": "set", "param": "utility.enron.payday_rate", "value": 5_000})
    return game.state.politics


EIGHT = (OWNER, UNEMPLOYED, EMPLOYEE, MANAGER, UNEMPLOYED, EMPLOYEE, MANAGER, UNEMPLOYED)


@rule("SJG-33")
@pytest.mark.parametrize("cash", [0, 100_000], ids=["broke", "rich"])
def test_ten_transfers_from_all_to_all_with_eight_seats_let_a_roll_succeed(cash: int) -> None:
    """Payday is passed: ten times fifty-six payments, whether there is cash for them or not."""
    politics = law(*[transfer(amount={"fixed": 10_000 if not cash else 7}, **{"from": "all", "to": "all"})] * 10)
    seats = [seat.with_cash(cash) for seat in EIGHT]
    game = hall(*seats[:1], seats[1].at(38), *seats[2:], active=2, politics=politics).rolls(3)
    if cash:
        assert len(game.paid(reason="transfer")) == 560
    assert not game.found(TransferLeftOut)
    assert game.state.citizens[2].square == 1


@rule("SJG-33", "SJG-61")
def test_rounds_in_which_everybody_is_in_jail_stay_within_the_bound() -> None:
    """One `end_turn` lets ten rounds pass, each with ten transfers from all to all: 5,600 payments."""
    dues = transfer(trigger="round_end", amount={"fixed": 700}, **{"from": "all", "to": "all"})
    longest = {"op": "set", "param": "jail.fixed_turns", "value": 10}
    politics = law(*[dues] * 10, longest)
    prisoners = [seat.at(35, cash=3_000, jail_turns=10) for seat in (UNEMPLOYED, EMPLOYEE, MANAGER) * 3][:7]
    game = hall(UNEMPLOYED.at(34, cash=3_000), *prisoners, politics=politics, titles={5: (0, 0), 15: (0, 0)}).rolls(1)
    game.act(1, "end_turn")
    assert game.state.round == 11
    assert len(game.found(MoneyMoved)) + len(game.found(TransferShort)) >= 5_600
    assert not game.found(TransferLeftOut)
    assert game.asks(game.state.active) == ["turn_start"]


@rule("SJG-33")
def test_what_would_pass_the_bound_of_an_action_is_left_out_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is no room for six payments, but for the next transfer's one; and the roll happens."""
    monkeypatch.setattr(transfers, "MOST_EVENTS", 15)
    game = rolls(38, 3)(law(transfer(**{"from": "all", "to": "all"}), transfer(amount={"fixed": 1}, to="bank")))
    (left,) = game.found(TransferLeftOut)
    assert (left.rule, left.number, left.trigger, left.payments) == ("r1", 0, "each_payday", 6)
    assert game.paid(reason="transfer") == [("seat:2", "bank", 1)]
    assert game.state.citizens[2].square == 1
