"""Notes (PA-40): written by a shortfall or by choice, redeemed whole."""

import pytest

from events.play import MoneyMoved
from events.public_assistance.events import LoanRepaid, NotesWritten, TurnSkipped
from service.rules.bounds import Range
from service.rules.dice import NoDice
from service.rules.options import PUBLIC_ASSISTANCE
from service.rules.play import Play
from service.rules.public_assistance.money import note_price
from tests.scenarios.checks import happened, has, in_order, money, never, notes_written, stands, turn_of
from tests.scenarios.dsl import Game, Who, ann, bob, given, purse
from tests.scenarios.table import at, public_assistance
from tests.support.rules import rule


@rule("PA-40")
@pytest.mark.parametrize(("cash", "notes", "left"), [(399, 1, 999), (0, 1, 600), (400, 0, 0), (401, 0, 1)])
def test_a_shortfall_writes_the_fewest_notes_that_cover_it(cash: int, notes: int, left: int) -> None:
    """400 are due on block 24; a dollar short is a whole note."""
    game = given(public_assistance(ann=at("rut:20", cash=cash), bob="promenade:50")).when(ann.rolls(1, 1, 2))
    game.then(
        has(ann, cash=left, notes=notes), notes_written(ann, notes) if notes else never(NotesWritten), turn_of(bob)
    )


@rule("PA-40")
def test_a_large_shortfall_writes_several() -> None:
    """With notes of 100 at no interest, 400 are four notes, and 360 too."""
    for cash in (0, 40):
        told = public_assistance(ann=at("rut:20", cash=cash), bob="promenade:50", loan_unit=100, loan_pct=0)
        given(told).when(ann.rolls(1, 1, 2)).then(
            in_order(NotesWritten, MoneyMoved, MoneyMoved), happened(NotesWritten, notes=4, principal=400, due=400)
        )


@rule("PA-40")
def test_a_note_redeems_for_half_as_much_again() -> None:
    """1,000 lent are 1,500 owed, flat and once; the terms are options."""
    told = public_assistance(ann=at("rut:20", cash=0), bob="promenade:50")
    given(told).when(ann.rolls(1, 1, 2)).then(happened(NotesWritten, principal=1000, due=1500))
    told = public_assistance(ann=at("rut:20", cash=0), bob="promenade:50", loan_unit=300, loan_pct=33)
    given(told).when(ann.rolls(1, 1, 2)).then(happened(NotesWritten, principal=600, due=798))


@rule("PA-40")
def test_at_nothing_one_may_borrow_by_choice() -> None:
    """Even thousands, at the start prompt, which stays open."""
    game = given(public_assistance(ann=at("rut:20", cash=0), bob="promenade:50"))
    game.refuses(ann.borrows(1500), "out_of_bounds", "amount").refuses(ann.borrows(999), "out_of_bounds")
    game.when(ann.borrows(3000)).then(has(ann, cash=3000, notes=3), money((purse, ann, 3000)), turn_of(ann))
    game.when(ann.borrows(1000)).then(has(ann, cash=4000, notes=4))


@rule("PA-40")
@pytest.mark.parametrize(("note_age", "may"), [(-1, False), (1, False), (0, True)])
def test_with_money_one_may_borrow_only_after_a_recent_note(note_age: int, may: bool) -> None:
    """A note written since the last turn began: one turn may have begun since, which is this one."""
    game = given(public_assistance(ann=at("rut:20", cash=10, notes=1, note_age=note_age), bob="promenade:50"))
    if may:
        game.when(ann.borrows(1000)).then(has(ann, cash=1010, notes=2))
    else:
        game.refuses(ann.borrows(1000), "not_out_of_money")


@rule("PA-40")
def test_a_note_written_in_anothers_turn_is_recent() -> None:
    """The levy of bob's child made ann borrow; she may write more on her next turn, and so on, until one passes."""
    game = given(public_assistance(ann=at("rut:3", cash=30), bob="promenade:0", turn=2))
    game.when(bob.rolls(1, 1, 2)).then(has(ann, notes=1)).when(ann.borrows(1000)).when(ann.rolls(1, 1, 1))
    game.when(bob.rolls(1, 1, 5)).when(ann.rolls(1, 1, 1)).when(bob.rolls(1, 2, 3))
    game.refuses(ann.borrows(1000), "not_out_of_money")


@rule("PA-40", "PA-57")
def test_a_skipped_turn_is_no_turn_since_the_note() -> None:
    """Ann borrows, then misses a turn: in the one after that she may still write more, in a later one she may not."""
    game = given(public_assistance(ann=at("rut:13", cash=0, skips=1), bob="promenade:8")).when(ann.borrows(1000))
    game.when(ann.rolls(1, 1, 1)).when(bob.rolls(1, 1, 1)).then(happened(TurnSkipped, ann), turn_of(bob))
    game.when(bob.rolls(2, 2, 2)).then(turn_of(ann))
    Game(game.state).when(ann.borrows(1000))
    game.when(ann.rolls(1, 1, 1)).when(bob.rolls(1, 1, 5)).then(turn_of(ann))
    game.refuses(ann.borrows(1000), "not_out_of_money")


@rule("PA-40")
def test_only_working_players_borrow() -> None:
    """Neither on the promenade nor in jail."""
    for place in ("promenade:2", "jail:0"):
        game = given(public_assistance(ann=at(place, cash=1, notes=1, note_age=0), bob="promenade:50"))
        game.refuses(ann.borrows(1000), "only_in_rut")


@rule("PA-40")
def test_there_is_a_technical_cap() -> None:
    """At most 1,000,000 outstanding by choice; a shortfall is still covered."""
    game = given(public_assistance(ann=at("rut:20", cash=0, notes=999), bob="promenade:50"))
    game.refuses(ann.borrows(2000), "out_of_bounds", "amount").when(ann.borrows(1000))
    game.refuses(ann.borrows(1000), "loan_cap")
    told = public_assistance(ann=at("rut:20", cash=0, notes=1000), bob="promenade:50")
    given(told).when(ann.rolls(1, 1, 2)).then(has(ann, notes=1001))


@rule("PA-40")
def test_whole_notes_are_redeemed_at_full_price() -> None:
    """At the start prompt, in the rut to the last dollar."""
    game = given(public_assistance(ann=at("rut:20", cash=3000, notes=3), bob="promenade:50"))
    game.refuses(ann.repays(3), "out_of_bounds", "notes").when(ann.repays(2))
    game.then(money((ann, purse, 3000)), happened(LoanRepaid, notes=2, amount=3000), has(ann, cash=0, notes=1))
    game.then(turn_of(ann)).refuses(ann.repays(1), "cash_too_short")


@rule("PA-40")
def test_on_the_promenade_a_dollar_must_remain() -> None:
    """Repaying never makes one run out of money."""
    game = given(public_assistance(ann=at("promenade:20", cash=3000, notes=3), bob="promenade:50"))
    game.refuses(ann.repays(2), "out_of_bounds", "notes").when(ann.repays(1)).then(has(ann, cash=1500, notes=2))
    game.refuses(ann.repays(1), "cash_too_short")
    given(public_assistance(ann=at("promenade:20", cash=1501, notes=1), bob="rut:1")).when(ann.repays(1)).then(
        has(ann, cash=1, notes=0), stands(ann, "promenade:20")
    )


@rule("PA-40")
def test_without_notes_there_is_nothing_to_redeem() -> None:
    """Nor in another's turn."""
    game = given(public_assistance(ann=at("rut:20", cash=3000), bob=at("rut:3", cash=3000, notes=1)))
    game.refuses(ann.repays(1), "no_notes").refuses(bob.repays(1), "not_your_prompt")


@rule("PA-40", "PA-30")
def test_debt_follows_its_player() -> None:
    """From the rut to the promenade; nothing falls due by it."""
    (
        given(public_assistance(ann=at("rut:10", cash=100, notes=2), bob="promenade:50"))
        .when(ann.rolls(1, 1, 2))
        .then(stands(ann, "promenade:0"), has(ann, notes=2, cash=600))
    )


@rule("PA-40")
def test_every_agreed_price_of_a_note_is_a_whole_dollar() -> None:
    """Units go by hundreds, so that no percentage leaves a rest to be rounded away."""
    units, percents = (PUBLIC_ASSISTANCE[name][1] for name in ("loan_unit", "loan_pct"))
    assert isinstance(units, Range)
    assert isinstance(percents, Range)
    for unit in range(units.low, units.high + 1, units.step):
        for percent in range(percents.low, percents.high + 1):
            assert 100 * note_price(unit, percent) == unit * (100 + percent)


@rule("PA-40")
def test_borrowing_and_repaying_move_the_same_money_back_and_forth() -> None:
    """The interest is owed and never handed out; the purse gets it when the note is redeemed."""
    game = given(public_assistance(ann=at("rut:2", cash=0), bob="promenade:50"))
    game.when(ann.borrows(2_000)).then(money((purse, ann, 2_000)), has(ann, cash=2_000, notes=2))
    game.when(ann.repays(1)).then(money((ann, purse, 1_500)), has(ann, cash=500, notes=1))


@rule("PA-40")
@pytest.mark.parametrize(("payer", "amount"), [(ann, 1), (purse, -1)])
def test_nobody_pays_himself_and_nothing_less_than_nothing(payer: Who, amount: int) -> None:
    """Such a payment is a bug of the rule that asks for it."""
    state = given(public_assistance(ann="rut:2", bob="promenade:50")).state
    with pytest.raises(AssertionError):
        Play(state, NoDice(), at=0).move_cash(payer.account, ann.account, amount, reason="", rule="")
