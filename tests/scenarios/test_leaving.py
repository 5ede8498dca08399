"""Leaving during play, and who answers for the purse then (PA-1, PA-10)."""

import pytest

from events.lobby import CustodianNamed, SeatLeft
from events.play import MoneyMoved, PromptClosed, TurnEnded
from events.public_assistance.events import CheatEnded, ChildrenTurnedIn, PartnerRemoved
from projections.state.public_assistance import BetsOffer
from service.rules import actions as a
from tests.scenarios.checks import happened, has, in_order, money, never, over, returned, scores, turn_of
from tests.scenarios.dsl import Game, Step, ann, bob, cid, dee, given
from tests.scenarios.table import at, public_assistance
from tests.support.rules import rule


def four(**told: object) -> Game:
    """A full table; ann is to move and answers for the purse."""
    seats = {"ann": "promenade:0", "bob": "promenade:20", "cid": "rut:3", "dee": "promenade:40"}
    return given(public_assistance(**{**seats, **told}))


@rule("PA-1")
def test_who_leaves_takes_everything_off_the_board() -> None:
    """Children, partner and cards come off, the cards in order; cash and notes freeze; offers end."""
    offer = BetsOffer(horses=True, lottery=True, max_stake=5)
    things = at(
        "promenade:25", children=2, kept=("BN20", "BN16"), partner=3, cheat=True, cash=700, notes=1, offer=offer
    )
    four(bob=things, player_bets=True).when(bob.leaves()).then(
        happened(SeatLeft, bob, playing=True), happened(ChildrenTurnedIn, bob, children=2),
        happened(PartnerRemoved, bob, how="left"), happened(CheatEnded, bob, how="cancelled"),
        returned("benefit", "BN20", "BN16"), has(bob, cash=700, notes=1, kept=(), partner=-1, offer=None),
        never(MoneyMoved), turn_of(ann),
    )  # fmt: skip


@rule("PA-1", "PA-57")
def test_if_it_was_his_turn_it_ends() -> None:
    """The next seat that is there is on."""
    game = four(bob=at("promenade:20", left=True)).when(ann.leaves())
    game.then(happened(TurnEnded, ann), happened(PromptClosed, how="void"), turn_of(cid))


@rule("PA-1")
@pytest.mark.parametrize(
    ("prompt", "where"),
    [
        (("turn_start", ""), at("promenade:0")),
        (("waiver", ""), at("promenade:9", kept=("BN25",))),
        (("partner_roll", "govt_job"), at("promenade:14", partner=3)),
        (("partner_roll", "doubles"), at("promenade:3", partner=3)),
    ],
)
def test_every_prompt_vanishes_with_its_seat(prompt: tuple[str, str], where: object) -> None:
    """The turn passes on, and nothing of the prompt happens."""
    game = four(ann=where, prompt=prompt).when(ann.leaves())
    game.then(happened(PromptClosed, how="void"), never(MoneyMoved), turn_of(bob))


@rule("PA-1")
def test_nobody_pays_to_or_for_a_seat_that_left() -> None:
    """No levy from him, no card for him, no turn."""
    game = four(cid=at("rut:3", left=True), dee="rut:5").when(ann.rolls(1, 1, 2)).then(money((dee, ann, 50)))
    game.when(bob.rolls(1, 1, 2)).then(turn_of(dee))


@rule("PA-1")
def test_who_left_may_do_nothing_more() -> None:
    """Neither act nor leave twice."""
    game = four(player_bets=True).when(bob.leaves())
    game.refuses(Step(0, lambda _p: a.Renew(seat=2)), "seat_left")
    game.refuses(bob.leaves(), "seat_left").refuses(bob.offers(5), "seat_left").refuses(bob.rolls(1, 1, 1), "seat_left")


@rule("PA-10")
def test_the_next_seat_answers_for_the_purse() -> None:
    """An event names it; round the table. So it is when the game ends with it: the tax goes to a purse of cid's."""
    game = four().when(ann.leaves()).then(happened(CustodianNamed, bob, why="succession"))
    assert game.state.custodian == 2
    game.when(dee.leaves()).then(never(CustodianNamed))
    game.when(bob.leaves()).then(in_order(SeatLeft, CustodianNamed, MoneyMoved), happened(CustodianNamed, cid))
    game = four()
    game.state.custodian = 2
    game.when(bob.leaves()).then(happened(CustodianNamed, cid, why="succession"))
    game = given(public_assistance(ann="promenade:0", bob="promenade:1", cid="promenade:2"))
    game.state.custodian = 3
    game.when(cid.leaves()).then(happened(CustodianNamed, ann, why="succession"))


@rule("PA-1", "PA-51")
def test_with_one_seat_left_the_game_ends() -> None:
    """Standings are made; who left is listed last, unranked, with what he had."""
    told = public_assistance(ann=at("promenade:5", cash=10), bob=at("rut:20", cash=9_000, notes=1))
    given(told).when(bob.leaves()).then(
        over(ann, reason="abandoned"), scores(ann, rank=1, score=10), scores(bob, rank=0, total=7_500, tax=0)
    )


@rule("PA-51")
def test_leavers_are_unranked_at_a_regular_end_too() -> None:
    """Bob had most, and left."""
    told = public_assistance(
        ann=at("promenade:45", cash=10), bob=at("rut:20", cash=9_000, left=True), cid="rut:3", months=1
    )
    game = given(told).when(ann.rolls(1, 2, 4)).then(over(ann), scores(bob, rank=0, score=9_000, tax=0))
    assert [line.seat for line in game.state.standings] == [1, 3, 2]
    game.then(has(bob, cash=9_000))


@rule("PA-1")
def test_a_second_departure_brings_nothing_of_the_first_back() -> None:
    """Bob's cards lie in the deck, his partner and his turn are gone; cid adds his own things to that."""
    game = four(
        bob=at("promenade:20", kept=("BN16", "BN20"), children=2, partner=3, cash=900),
        cid=at("promenade:40", kept=("BN18",), children=1, partner=5, cash=70),
        dee="rut:7",
    )  # fmt: skip
    game.when(bob.leaves()).when(cid.leaves()).then(
        returned("benefit", "BN16", "BN20", "BN18"), never(MoneyMoved), has(bob, cash=900, children=0, partner=-1),
        has(cid, cash=70, children=0, partner=-1), turn_of(ann),
    )  # fmt: skip
    game.when(ann.rolls(1, 1, 1)).then(turn_of(dee)).when(dee.rolls(1, 1, 1)).then(turn_of(ann))
    assert game.state.staying() == [1, 4]
    assert game.state.order == (1, 2, 3, 4)
