"""The partner on the Government Cake Walk (PA-44 to PA-47)."""

import pytest

from events.play import MoneyMoved, PromptOpened
from events.public_assistance.events import PartnerMoved, PartnerPlaced, PartnerRemoved
from tests.scenarios.checks import asked, happened, has, in_order, money, never, notes_written, over, stands, turn_of
from tests.scenarios.dice import card, partner
from tests.scenarios.dsl import Game, ann, bob, given, purse
from tests.scenarios.table import at, public_assistance
from tests.support.rules import rule


def walking(block: int, place: str = "promenade:0", **things: object) -> Game:
    """Ann's partner stands on the walk."""
    options = {name: things.pop(name) for name in ("turn_seconds", "months", "dice") if name in things}
    return given(public_assistance(ann=at(place, partner=block, **things), bob="promenade:50", **options))


@rule("PA-44", "PA-45")
@pytest.mark.parametrize(
    ("place", "drawn"), [("promenade:10", ""), ("rut:22", ""), ("promenade:3", "BN22"), ("rut:9", "BD18")]
)
def test_a_govt_job_places_the_partner_who_rolls_at_once(place: str, drawn: str) -> None:
    """By a block or a card, on either track: mandatory, one die, once; the money is the player's."""
    game = given(public_assistance(ann=place, bob="promenade:50"))
    game.when(ann.rolls(1, 1, 2), card(drawn) if drawn else [], partner(4)).then(
        in_order(PartnerPlaced, PartnerMoved, MoneyMoved), money((purse, ann, 200)), has(ann, partner=4), turn_of(bob)
    )


@rule("PA-46")
def test_not_on_the_turn_of_the_placing() -> None:
    """Its doubles earn nothing: another regular turn's must."""
    walking(-1, "promenade:10").when(ann.rolls(1, 1, 2), partner(1)).then(turn_of(bob))


@rule("PA-46")
@pytest.mark.parametrize(
    ("faces", "earned"),
    [((2, 2, 2), True), ((1, 1, 6), True), ((6, 1, 1), True), ((1, 6, 1), True), ((1, 2, 5), False)],
)
def test_doubles_or_triples_offer_one_roll(faces: tuple[int, ...], earned: bool) -> None:
    """At least two equal of the movement dice; one roll even for triples."""
    game = walking(1, "promenade:9").when(ann.rolls(*faces))
    game.then(asked(ann, "partner_roll", "doubles") if earned else turn_of(bob))
    if earned:
        game.when(ann.rolls_for_partner(1)).then(has(ann, partner=2), money((purse, ann, 150)), turn_of(bob))


@rule("PA-46")
def test_two_dice_have_doubles_too() -> None:
    """With the setting `dice` 2."""
    walking(1, dice=2).when(ann.rolls(1, 1)).then(asked(ann, "partner_roll", "doubles"))
    walking(1, dice=2).when(ann.rolls(1, 2)).then(turn_of(bob))


@rule("PA-46", "PA-57")
def test_the_roll_is_optional_and_not_taken_by_default() -> None:
    """Declined, or left to the clock: the partner stays."""
    walking(1).when(ann.rolls(1, 1, 1)).when(ann.declines()).then(
        has(ann, partner=1), never(PartnerMoved), turn_of(bob)
    )
    walking(1, turn_seconds=60).when(ann.rolls(1, 1, 1)).expires().then(has(ann, partner=1), turn_of(bob))


@rule("PA-46")
def test_landing_on_a_govt_job_again_offers_a_roll_where_it_arises() -> None:
    """No placing: he is there; without doubles that is all."""
    game = walking(1, "promenade:7").when(ann.rolls(1, 2, 4)).then(asked(ann, "partner_roll", "govt_job"))
    game.when(ann.rolls_for_partner(3)).then(has(ann, partner=4), never(PartnerPlaced), turn_of(bob))


@rule("PA-46")
@pytest.mark.parametrize(("place", "drawn"), [("promenade:3", "BN22"), ("rut:9", "BD18")])
def test_drawing_such_a_card_again_offers_a_roll(place: str, drawn: str) -> None:
    """On either track."""
    walking(1, place).when(ann.rolls(1, 1, 2), card(drawn)).then(asked(ann, "partner_roll", "govt_job"))


@rule("PA-46")
def test_block_and_doubles_in_one_turn_are_two_rolls() -> None:
    """First the one of the block, then the one of the dice, each of its own coordinate."""
    game = walking(1, "promenade:10").when(ann.rolls(1, 1, 2)).then(asked(ann, "partner_roll", "govt_job"))
    game.when(ann.rolls_for_partner(1)).then(asked(ann, "partner_roll", "doubles"))
    game.when(ann.rolls_for_partner(2)).then(has(ann, partner=4), turn_of(bob))
    game = walking(1, "promenade:10").when(ann.rolls(1, 1, 2)).when(ann.declines())
    game.then(asked(ann, "partner_roll", "doubles")).when(ann.declines()).then(turn_of(bob))


@rule("PA-45")
def test_the_walk_is_a_loop_and_passing_does_nothing() -> None:
    """From 15 by 3 to block 2, past the desk."""
    walking(15).when(ann.rolls(1, 1, 1)).when(ann.rolls_for_partner(3)).then(
        money((purse, ann, 150)), has(ann, partner=2)
    )
    walking(15).when(ann.rolls(1, 1, 1)).when(ann.rolls_for_partner(1)).then(never(MoneyMoved), has(ann, partner=0))
    walking(4).when(ann.rolls(1, 1, 1)).when(ann.rolls_for_partner(1)).then(never(MoneyMoved), has(ann, partner=5))


@rule("PA-47")
def test_conscience_stricken_the_partner_leaves() -> None:
    """Doubles do nothing meanwhile; a new Gov't Job starts again at the start, at once."""
    game = walking(4).when(ann.rolls(1, 1, 1)).when(ann.rolls_for_partner(3))
    game.then(happened(PartnerRemoved, ann, how="conscience"), has(ann, partner=-1), never(MoneyMoved), turn_of(bob))
    walking(-1).when(ann.rolls(1, 1, 1)).then(turn_of(bob))
    walking(-1, "promenade:7").when(ann.rolls(1, 2, 4), partner(2)).then(
        happened(PartnerPlaced, ann), has(ann, partner=2)
    )


@rule("PA-47", "PA-46")
def test_after_conscience_at_the_block_doubles_are_lost() -> None:
    """The partner has left the walk meanwhile."""
    game = walking(4, "promenade:10").when(ann.rolls(1, 1, 2)).when(ann.rolls_for_partner(3))
    game.then(has(ann, partner=-1), turn_of(bob))


@rule("PA-47")
def test_the_partner_survives_work_welfare_and_jail() -> None:
    """He is not in the list of what is turned in; doubles on the way into the rut still count."""
    game = walking(1, "promenade:5").when(ann.rolls(1, 1, 2)).then(stands(ann, "rut:9"), has(ann, partner=1))
    game.then(asked(ann, "partner_roll", "doubles"))
    walking(1, "rut:10").when(ann.rolls(1, 1, 2)).then(
        stands(ann, "promenade:0"), asked(ann, "partner_roll", "doubles")
    )
    walking(1, "jail:0").when(ann.rolls_in_jail(3)).then(stands(ann, "promenade:0"), has(ann, partner=1), turn_of(bob))


@rule("PA-46", "PA-40")
def test_in_the_rut_a_partners_bill_writes_a_note() -> None:
    """A shortfall like any other."""
    game = walking(2, "rut:33", cash=10).when(ann.rolls(1, 1, 1)).when(ann.rolls_for_partner(1))
    game.then(notes_written(ann, 1), money((purse, ann, 1000), (ann, purse, 50)), stands(ann, "rut:36"))


@rule("PA-46", "PA-48")
def test_the_roll_lapses_when_the_game_ends() -> None:
    """Ann's last move shows triples; nothing is asked any more."""
    walking(1, "promenade:51", months=1).when(ann.rolls(1, 1, 1)).then(over(ann), never(PromptOpened))


@rule("PA-46")
def test_neither_bet_nor_track_dice_move_the_partner() -> None:
    """A pair on the race track is no movement roll."""
    game = walking(1).when(ann.bets(7, 10, 1, 1)).when(ann.rolls(1, 2, 5))
    game.then(turn_of(bob), has(ann, partner=1))
