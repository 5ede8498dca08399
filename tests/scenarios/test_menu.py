"""What a seat may do now, as it is shown, and why not the rest."""

import msgspec
import pytest

from service.rules.bounds import OneOf, Range
from service.rules.decide import parse
from service.rules.legal import LegalAction, Menu, legal_actions
from tests.scenarios.dsl import ann, bob, given
from tests.scenarios.table import At, Told, at, public_assistance
from tests.support.rules import rule


def menu(told: Told, seat: int = 1) -> Menu:
    """The menu of a seat in a position."""
    return legal_actions(given(told).state, seat)


def opened(found: Menu) -> dict[str, LegalAction]:
    """Index what is open by name."""
    return {action.name: action for action in found.open}


def closed(found: Menu) -> dict[str, str]:
    """Return by name why the rest is not open."""
    return {action.name: action.refusal.code for action in found.closed}


@rule("PA-57", "PA-21")
def test_a_turn_on_the_promenade_begins_with_these() -> None:
    """Roll, which is the default, or bet first; the custodian may attest; each other action says why not."""
    found = menu(public_assistance(ann=at("promenade:2", cash=80), bob="promenade:50"))
    assert [(name, action.default) for name, action in opened(found).items()] == [
        ("roll", True), ("bet_horses", False), ("bet_lottery", False), ("attest_books", False),
    ]  # fmt: skip
    assert closed(found) == {
        "cheat_move": "no_cheat", "borrow": "only_in_rut", "repay": "no_notes", "use_waiver": "no_waiver",
        "take_job": "no_waiver", "roll_partner": "partner_away", "decline_partner": "partner_away",
        "offer_bets": "option_off", "withdraw_bets": "no_offer", "attest_result": "no_result",
        "decline_result": "no_result",
    }  # fmt: skip
    stake = opened(found)["bet_horses"].schema["properties"]["stake"]
    assert (stake["minimum"], stake["maximum"]) == (1, 80)


@rule("PA-57", "PA-26")
def test_with_cheat_the_default_is_block_0() -> None:
    """The roll is closed, and the own block is not among the values."""
    found = menu(public_assistance(ann=at("promenade:25", cheat=True), bob="promenade:50"))
    move = opened(found)["cheat_move"]
    assert (move.default, closed(found)["roll"]) == (True, "must_name_block")
    assert 25 not in move.schema["properties"]["block"]["enum"]


@rule("PA-57", "PA-40")
def test_a_turn_in_the_rut_begins_with_these() -> None:
    """At $0, with notes: roll or borrow, in whole notes."""
    found = menu(public_assistance(ann=at("rut:2", cash=0, notes=1), bob="promenade:50"))
    assert list(opened(found)) == ["roll", "borrow", "attest_books"]
    amount = opened(found)["borrow"].schema["properties"]["amount"]
    assert (amount["minimum"], amount["maximum"], amount["multipleOf"]) == (1000, 999_000, 1000)
    assert closed(found)["repay"] == "cash_too_short"


@rule("PA-46", "PA-30")
def test_what_has_not_come_up_says_what_it_waits_for() -> None:
    """With partner and waiver at hand the roll has to be earned, and the waiver has no job to cancel."""
    found = closed(menu(public_assistance(ann=at("promenade:2", partner=3, kept=("BN25",)), bob="promenade:50")))
    assert {found[name] for name in ("roll_partner", "decline_partner")} == {"roll_not_earned"}
    assert {found[name] for name in ("use_waiver", "take_job")} == {"no_job"}


@rule("PA-21", "PA-40", "PA-57")
@pytest.mark.parametrize(
    ("where", "bet", "borrow", "repay"),
    [
        (at("jail:4", notes=1, cash=1_499), "no_bets_in_jail", "only_in_rut", "takes $1,500 (PA-40)."),
        (at("rut:4", notes=1, cash=1_499), "no_bets_in_rut", "not_out_of_money", "takes $1,500 (PA-40)."),
        (at("promenade:4", notes=1, cash=1_500), "", "only_in_rut",
         "takes $1,500 and leaves at least $1 on the promenade (PA-40)."),
    ],
)  # fmt: skip
def test_why_neither_bet_nor_note_is_possible_here(where: At, bet: str, borrow: str, repay: str) -> None:
    """At the start of one's own turn, on each track; on the promenade one may bet."""
    found = menu(public_assistance(ann=where, bob="promenade:50"))
    codes = closed(found)
    assert {codes.get("bet_horses", ""), codes.get("bet_lottery", "")} == {bet}
    assert codes["borrow"] == borrow
    assert [action.refusal.detail for action in found.closed if action.name == "repay"] == [f"Redeeming a note {repay}"]


@rule("PA-21", "PA-46", "PA-57")
def test_while_another_decision_is_open_a_turns_beginning_is_over() -> None:
    """Waiver first: neither roll, bet nor note."""
    told = public_assistance(
        ann=at("promenade:9", kept=("BN25",), partner=1, notes=1), bob="promenade:50", prompt=("waiver", "")
    )
    found = closed(menu(told))
    assert {found[n] for n in ("roll", "bet_horses", "bet_lottery", "borrow", "repay", "cheat_move")} == {"not_asked"}
    assert found["roll_partner"] == "roll_not_earned"


@rule("PA-57", "PA-54")
def test_out_of_turn_there_are_only_offers() -> None:
    """Everything else waits for one's turn."""
    found = menu(public_assistance(ann="promenade:2", bob="promenade:50", player_bets=True), seat=2)
    assert list(opened(found)) == ["offer_bets"]
    assert set(closed(found).values()) == {"not_your_turn", "no_offer", "not_custodian"}


@rule("PA-30", "PA-46")
@pytest.mark.parametrize(
    ("prompt", "names"),
    [(("waiver", ""), {"use_waiver": True, "take_job": False}),
     (("partner_roll", "doubles"), {"roll_partner": False, "decline_partner": True})],
)  # fmt: skip
def test_other_prompts_have_two_answers(prompt: tuple[str, str], names: dict[str, bool]) -> None:
    """One of them is the default."""
    told = public_assistance(ann=at("promenade:9", kept=("BN25",), partner=1), bob="promenade:50", prompt=prompt)
    found = opened(menu(told))
    assert {name: action.default for name, action in found.items() if action.prompt} == names
    assert set(found) - set(names) == {"attest_books"}


@rule("PA-57", "PA-54")
def test_every_body_that_is_offered_is_an_action_in_bounds() -> None:
    """It names its prompt, has the schema's properties, and says what it does."""
    told = public_assistance(ann=at("promenade:2", cash=4_000, notes=1), bob=at("rut:3", cash=600), player_bets=True)
    game = given(told).when(ann.offers(10)).when(bob.offers(100))
    for seat in (1, 2):
        for action in legal_actions(game.state, seat).open:
            assert set(action.body) == set(action.schema["properties"])
            assert msgspec.json.decode(msgspec.json.encode(parse(msgspec.json.encode(action.body)))) == action.body
            assert action.about.endswith(".")
    taker = opened(legal_actions(game.state, 1))["bet_horses"].schema["properties"]["taker"]
    assert taker["enum"] == [0, 2]


@rule("PA-48", "PA-1")
def test_when_it_is_over_or_left_nothing_is_open() -> None:
    """The reason is the same for every action."""
    game = given(public_assistance(ann="promenade:2", bob="promenade:50", cid="rut:3")).when(bob.leaves())
    assert (legal_actions(game.state, 2).open, set(closed(legal_actions(game.state, 2)).values())) == (
        [],
        {"seat_left"},
    )
    game.when(ann.leaves())
    assert set(closed(legal_actions(game.state, 3)).values()) == {"game_over"}


@rule("PA-4")
def test_bounds_take_whole_numbers_and_values_of_their_own_type() -> None:
    """True is no number, and 1 no flag; a bound says in words what it takes."""
    assert [n for n in (0, 5, 10, 4, 15, -5, True, None, "5") if Range(0, 10, 5).allows(n)] == [0, 5, 10]
    flags = OneOf((False, True))
    assert [flags.allows(value) for value in (True, False, 0, 1, None)] == [True, True, False, False, False]
    assert [Range(1, 9).words(), Range(0, 9, 3).words(), OneOf((1, "a")).words()] == [
        "a whole number from 1 to 9", "a whole number from 0 to 9 in steps of 3", "one of 1, a",
    ]  # fmt: skip
