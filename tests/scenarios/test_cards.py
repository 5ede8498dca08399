"""Benefit and Burden cards (PA-41 to PA-43): every card of both decks is drawn here at least once."""

from collections.abc import Callable

import pytest

from events.play import CardDrawn, CardKept, CardReturned, MoneyMoved
from events.public_assistance.board import Card, public_assistance_deck
from events.public_assistance.events import ChildGained, PartnerPlaced, SideTrackEntered, SkipAdded
from tests.scenarios.checks import happened, has, money, never, over, paid, returned, stands, turn_of
from tests.scenarios.dice import Draw, card, partner, side
from tests.scenarios.dsl import Check, Game, ann, bob, cid, dee, given, purse
from tests.scenarios.table import at, public_assistance
from tests.support.rules import rule

BENEFIT = public_assistance_deck("benefit")
BURDEN = public_assistance_deck("burden")


def benefit(**things: object) -> Game:
    """Ann is four blocks before the Benefit block at 7; bob works, cid walks, dee is in jail."""
    told = public_assistance(
        ann=at("promenade:3", **things), bob="rut:10", cid=at("promenade:50", cash=500), dee="jail:4"
    )
    return given(told)


def burden(**things: object) -> Game:
    """Ann is four blocks before the Burden block at 13; bob works, cid walks, dee is in jail."""
    told = public_assistance(ann=at("rut:9", **things), bob="rut:10", cid=at("promenade:50", cash=500), dee="jail:4")
    return given(told)


CHANCE: dict[str, list[Draw]] = {
    "go_track": side(6, 6),
    "union_job": side(6, 6),
    "business": side(6, 6),
    "govt_job": partner(2),
}
"""What chance says after the draw, for the kinds of cards that go on."""

SHOWN: dict[str, Callable[[Card], list[Check]]] = {
    "collect": lambda c: [money((purse, ann, c.amount))],
    "collect_per_child": lambda c: [money((purse, ann, 3 * c.amount))],
    "pay": lambda c: [money((ann, purse, c.amount))],
    "pay_pct": lambda c: [money((ann, purse, 5005 * c.pct // 100))],
    "gain_child": lambda _c: [happened(ChildGained, ann, children=4), never(MoneyMoved)],
    "govt_job": lambda _c: [happened(PartnerPlaced, ann), money((purse, ann, 150))],
    "go_track": lambda c: [happened(SideTrackEntered, ann, track=c.track)],
    "union_job": lambda _c: [happened(SideTrackEntered, ann, track="union_job")],
    "business": lambda _c: [happened(SideTrackEntered, ann, track="business")],
    "keep_monthly": lambda c: [has(ann, kept=(c.id,)), happened(CardKept, ann), never(MoneyMoved)],
    "keep_exemption": lambda c: [has(ann, kept=(c.id,)), happened(CardKept, ann), never(MoneyMoved)],
    "rut_pays_you": lambda c: [money((bob, ann, c.amount))],
    "pay_each_promenade": lambda c: [money((ann, cid, c.amount))],
    "rut_collect_each": lambda c: [money((purse, bob, c.amount), (purse, ann, c.amount))],
    "lose_turn": lambda _c: [has(ann, skips=1), happened(SkipAdded, ann, rule="PA-57"), stands(ann, "rut:13")],
    "go_on_welfare": lambda _c: [stands(ann, "promenade:0"), money((purse, ann, 500)), has(ann, month=1)],
    "advance": lambda c: [stands(ann, f"{'promenade' if c.id == 'BN29' else 'rut'}:{c.to}")],
}
"""What each kind of card does to ann, who has three children on the promenade and 5,005 in cash."""


@rule("PA-41", "PA-42", "PA-43")
@pytest.mark.parametrize("drawn", [*BENEFIT.values(), *BURDEN.values()], ids=lambda c: c.id)
def test_every_card_does_what_it_says(drawn: Card) -> None:
    """Drawn from the deck of the block, obeyed, and at the bottom again unless it is kept."""
    deck = "benefit" if drawn.id in BENEFIT else "burden"
    game = benefit(children=3, cash=5005) if deck == "benefit" else burden(cash=5005)
    game.when(ann.rolls(1, 1, 2), card(drawn.id), CHANCE.get(drawn.kind, []))
    game.then(happened(CardDrawn, ann, deck=deck, card=drawn.id, text=drawn.text, draw=1), *SHOWN[drawn.kind](drawn))
    game.then(returned(deck, *([] if drawn.kind.startswith("keep") else [drawn.id])), turn_of(bob))


@rule("PA-42")
def test_advancing_past_new_month_and_pay_days_by_a_card() -> None:
    """From 13: to 32 it passes 19; to 45 it passes 19 and 32; to New Month it passes three and counts the month."""
    for drawn, days, month in (("BD21", 2, 0), ("BD22", 3, 0), ("BD23", 3, 1)):
        game = burden().when(ann.rolls(1, 1, 2), card(drawn)).then(has(ann, month=month))
        assert len(game.found(MoneyMoved, reason="pay_day")) == days


@rule("PA-42", "PA-48")
@pytest.mark.parametrize(("place", "drawn"), [("promenade:3", "BN29"), ("rut:9", "BD23"), ("rut:9", "BD25")])
def test_a_card_may_end_the_game(place: str, drawn: str) -> None:
    """The month that it brings counts."""
    told = public_assistance(ann=at(place, cash=5000), bob="promenade:50", months=1)
    given(told).when(ann.rolls(1, 1, 2), card(drawn)).then(over(ann), has(ann, month=1))


@rule("PA-42", "PA-40")
def test_a_card_may_make_another_borrow() -> None:
    """Who works and is short of the levy writes a note, in seat order from the drawer's left."""
    told = public_assistance(ann="rut:3", bob="promenade:3", cid=at("rut:5", cash=10), turn=2)
    given(told).when(bob.rolls(1, 1, 2), card("BN28")).then(
        money((purse, cid, 1000), (cid, bob, 50), (ann, bob, 50)), has(cid, notes=1)
    )


@rule("PA-42", "PA-40")
def test_a_card_that_pays_others_is_paid_in_full() -> None:
    """20 to each on the promenade, from the drawer's left; a note covers what is short."""
    told = public_assistance(ann="promenade:30", bob=at("rut:9", cash=30), cid="jail:0", dee="promenade:40", turn=2)
    given(told).when(bob.rolls(1, 1, 2), card("BD24")).then(
        money((bob, dee, 20), (purse, bob, 1000), (bob, ann, 20)), has(bob, notes=1, cash=990)
    )


@rule("PA-42")
def test_cards_about_others_stay_quiet_when_there_are_none() -> None:
    """Nobody in the rut pays nothing, nobody on the promenade gets nothing."""
    game = given(public_assistance(ann="promenade:3", bob="promenade:50"))
    game.when(ann.rolls(1, 1, 2), card("BN28")).then(never(MoneyMoved))
    game = given(public_assistance(ann="rut:9", bob="jail:4")).when(ann.rolls(1, 1, 2), card("BD24"))
    game.then(never(MoneyMoved))


@rule("PA-42")
def test_a_share_of_the_cash_is_rounded_down() -> None:
    """A tenth of 509 is 50; of nothing, nothing."""
    burden(cash=509).when(ann.rolls(1, 1, 2), card("BD27")).then(money((ann, purse, 50)))
    burden(cash=0).when(ann.rolls(1, 1, 2), card("BD27")).then(never(MoneyMoved), has(ann, notes=0))


@rule("PA-42")
def test_an_allowance_per_child_without_children_is_nothing() -> None:
    """No posting of 0."""
    benefit().when(ann.rolls(1, 1, 2), card("BN10")).then(never(MoneyMoved))


@rule("PA-42")
def test_with_nothing_unseen_the_returned_cards_come_in_their_order() -> None:
    """The queue's front is drawn, and goes to its end; chance is not asked."""
    told = public_assistance(ann="promenade:3", bob="promenade:50", unseen={"benefit": ()})
    game = given(told)
    front, *rest = game.state.decks["benefit"].returned
    assert front == "BN01"
    game.when(ann.rolls(1, 1, 2)).then(happened(CardDrawn, card="BN01", coordinate=""), paid(purse, ann, 100))
    game.then(returned("benefit", *rest, "BN01"))


@rule("PA-42", "PA-43")
def test_the_last_unseen_card_comes_before_any_returned_one() -> None:
    """Like a stack whose cards go to the bottom; a kept one leaves the deck."""
    told = public_assistance(ann="promenade:3", bob="promenade:50", unseen={"benefit": ("BN20",)})
    game = given(told).when(ann.rolls(1, 1, 2), card("BN20")).then(has(ann, kept=("BN20",)), never(CardReturned))
    assert (game.state.decks["benefit"].unseen, len(game.state.decks["benefit"].returned)) == ({}, 53)


@rule("PA-43")
def test_kept_cards_pay_while_he_stays_on_the_promenade() -> None:
    """At each 1st; jail keeps them, work does not."""
    game = given(public_assistance(ann=at("promenade:45", kept=("BN20",)), bob="promenade:20"))
    game.when(ann.rolls(1, 2, 4)).then(money((purse, ann, 1000)), has(ann, kept=("BN20",)))
    game = given(public_assistance(ann=at("jail:0", kept=("BN20",)), bob="promenade:20"))
    game.when(ann.rolls_in_jail(3)).then(money((purse, ann, 1000)))


@rule("PA-41")
def test_each_track_has_its_deck() -> None:
    """Twelve Burden blocks in the rut, eight Benefit blocks on the promenade, and none elsewhere."""
    game = burden().when(ann.rolls(1, 1, 2), card("BD20")).then(happened(CardDrawn, deck="burden"))
    assert [deck.draws for deck in game.state.decks.values()] == [0, 1]


@rule("PA-42", "PA-57")
def test_losing_a_turn_by_a_card_adds_up() -> None:
    """One more than was pending."""
    game = given(public_assistance(ann="rut:9", bob=at("promenade:50", skips=1)))
    game.when(ann.rolls(1, 1, 2), card("BD26")).then(has(ann, skips=0), has(bob, skips=0), turn_of(bob))
