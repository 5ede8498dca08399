"""Sales of titles and utilities, to players and to the bank (SJG-10), and offers as such (SJG-18a, SJG-86)."""

import pytest

from events.play import MoneyMoved, Part
from events.social_justice.deals import OfferEnded, OfferMade, SaleTerms
from events.social_justice.events import HousesRemoved, RateSet, TitlePassed
from tests.scenarios.social_justice.dealers import Person, ann, bank, bob, cid
from tests.scenarios.social_justice.deals import Table, accepted, deals, happened, has, holds, money, never, open_offers
from tests.support.rules import rule


def table(**told: object) -> Table:
    """Ann, on her turn, holds Check-Cashing Corner (list 300, house 150) with two houses; bob holds square 1."""
    return deals(ann="owner", bob="employee", cid="manager", titles={6: (ann, 2), 1: (bob, 0)}, **told)  # type: ignore[arg-type] # told by name


@rule("SJG-10")
def test_a_title_is_sold_to_a_player_with_its_houses() -> None:
    """The offer is seen by all; accepted, price, title and houses change hands at once."""
    game = table().when(ann.sells(6, bob, 700))
    terms = SaleTerms(square=6, seller=1, buyer=2, price=700)
    game.then(happened(OfferMade, offer=1, by=1, to=2, terms=terms, window=""), open_offers(1), never(MoneyMoved))
    game.when(bob.accepts(1)).then(money((bob, ann, 700)), holds(bob, 6, houses=2), open_offers(), never(HousesRemoved))


@rule("SJG-10", "SJG-28")
def test_who_donated_a_house_stays_exempt_after_a_sale() -> None:
    """Cid's exemption is personal and survives."""
    game = table()
    game.state.titles[6].donors = [3]
    game.when(ann.sells(6, bob, 700)).when(bob.accepts(1))
    assert game.state.titles[6].donors == [3]


@rule("SJG-10")
def test_a_buyer_may_bid_and_the_holder_answers_at_any_time() -> None:
    """Ann bids for bob's title on her own turn; it is not his, and he accepts."""
    game = table().when(ann.bids(1, 250)).then(happened(OfferMade, by=1, to=2))
    game.when(bob.accepts(1)).then(money((ann, bob, 250)), holds(ann, 1))


@rule("SJG-10")
def test_a_price_may_be_answered_with_another() -> None:
    """Each answer takes the place of the offer before it; either side may accept the last."""
    game = table().when(ann.sells(6, bob, 700)).when(bob.asks(1, 500))
    game.then(happened(OfferEnded, offer=1, how="countered"), happened(OfferMade, offer=2, by=2, to=1, counters=1))
    game.refuses(bob.accepts(2), "no_offer").when(ann.asks(2, 600)).when(bob.accepts(3))
    game.then(money((bob, ann, 600)), holds(bob, 6, houses=2))


@rule("SJG-10", "SJG-60")
def test_the_automatic_bank_buys_at_once_for_half() -> None:
    """Half of the list price and half of what two houses cost; the houses are gone."""
    game = table().when(ann.sells_to_bank(6))
    game.then(money((bank, ann, 300)), holds(bank, 6), happened(HousesRemoved, square=6, houses=2), never(OfferMade))
    (sold,) = game.found(MoneyMoved)
    assert sold.breakdown == (Part(what="title", amount=150), Part(what="houses", amount=150))
    assert (sold.rule, sold.reason, sold.ref) == ("SJG-10", "title_sold", "square:6")


@rule("SJG-10", "SJG-60")
def test_what_the_bank_pays_is_rounded_down_and_follows_the_rules_in_force() -> None:
    """33 % of 300 and 1 % of 300; a utility by its price of the day."""
    options = {"property.resale_pct": 33, "property.house_resale_pct": 1}
    table(options=options).when(ann.sells_to_bank(6)).then(money((bank, ann, 102)))
    game = deals(ann="owner", bob="employee", titles={25: (ann, 0)}, options={"utility.price.froogle": 901})
    game.when(ann.sells_to_bank(25)).then(money((bank, ann, 450)), holds(bank, 25))


@rule("SJG-10")
def test_a_bank_that_pays_nothing_still_takes_the_title() -> None:
    """No posting for an amount of 0."""
    options = {"property.resale_pct": 0, "property.house_resale_pct": 0}
    table(options=options).when(ann.sells_to_bank(6)).then(never(MoneyMoved), holds(bank, 6), happened(TitlePassed))


@rule("SJG-10", "SJG-66")
def test_a_utilitys_rates_go_with_it_to_a_player_and_end_at_the_bank() -> None:
    """Ann set 80; bob keeps that, the bank forgets it. Enron's rate is not Froogle's."""
    game = deals(ann="owner", bob="employee", titles={25: (ann, 0), 5: (ann, 0)})
    rates = [RateSet(seat=1, name=name, rate=80) for name in ("froogle.payday", "froogle.landing", "enron.payday")]
    game.fold(rates).when(ann.sells(25, bob, 10)).when(bob.accepts(1)).then(holds(bob, 25))
    assert game.state.rates == {"froogle.payday": 80, "froogle.landing": 80, "enron.payday": 80}
    game.when(ann.ends_turn()).when(bob.sells_to_bank(25))
    assert game.state.rates == {"enron.payday": 80}


@rule("SJG-10")
def test_only_what_is_ones_own_is_sold_and_only_to_somebody_else() -> None:
    """Neither another's title, nor a square without one; not to oneself, nor to a seat that nobody has."""
    game = table().refuses(ann.sells(1, bob, 5), "not_the_holder", "square")
    game.refuses(ann.sells(0, bob, 5), "not_the_holder", "square").refuses(ann.sells_to_bank(1), "not_the_holder")
    game.refuses(ann.sells(6, ann, 5), "not_with_oneself").refuses(ann.bids(6, 5), "not_anothers_title", "square")
    game.refuses(ann.bids(0, 5), "not_anothers_title", "square").refuses(ann.bids(3, 5), "not_anothers_title")
    game.refuses(ann.sells(6, bank, 5), "bank_is_automatic", "buyer")
    game.refuses(ann.sells(6, cid.__class__(7), 5), "not_in_game", "buyer")


@rule("SJG-10", "SJG-18a")
def test_a_sale_is_proposed_on_ones_own_turn_alone() -> None:
    """Bob waits for his turn; his answer does not."""
    game = table().refuses(bob.sells(1, ann, 5), "not_your_prompt").refuses(bob.bids(6, 5), "not_your_prompt")
    game.refuses(bob.sells_to_bank(1), "not_your_prompt")
    for prompt in ("turn_start", "buy", "tuition", "turn_end"):
        table(prompt=prompt).when(ann.sells(6, bob, 300)).when(bob.accepts(1)).then(holds(bob, 6, houses=2))


@rule("SJG-10")
def test_a_buyer_needs_the_cash_when_the_offer_is_accepted() -> None:
    """Bob has 1,000: at 1,001 he may not; given a dollar, he may."""
    game = table().when(ann.sells(6, bob, 1001)).refuses(bob.accepts(1), "cash_too_short", "offer")
    (closed,) = [c for c in game.menu(bob).closed if c.name == "accept_offer"]
    assert closed.refusal.code == "cash_too_short"
    game.when(cid.pays(bob, 1)).when(bob.accepts(1)).then(holds(bob, 6, houses=2), has(bob, 0))


@rule("SJG-10", "SJG-86")
def test_an_offer_ends_with_its_turn() -> None:
    """Nobody is asked; it lapses, and bob's answer comes too late."""
    game = table().when(ann.sells(6, bob, 300)).when(ann.ends_turn())
    game.then(happened(OfferEnded, offer=1, how="expired"), open_offers(), holds(ann, 6, houses=2))
    game.refuses(bob.accepts(1), "no_offer")


@rule("SJG-10")
def test_an_offer_may_be_declined_or_taken_back() -> None:
    """By its own side alone."""
    game = table().when(ann.sells(6, bob, 300)).when(ann.sells(6, cid, 300))
    game.refuses(ann.declines(1), "no_offer").refuses(bob.declines(2), "not_your_offer", "offer")
    game.refuses(bob.declines(9), "offer_gone", "offer").refuses(bob.withdraws(1), "no_offer")
    game.when(bob.asks(1, 200)).refuses(bob.withdraws(2), "not_your_offer").refuses(bob.withdraws(1), "offer_gone")
    game.when(ann.declines(3)).then(happened(OfferEnded, offer=3, how="declined"), open_offers(2))
    game.when(ann.withdraws(2)).then(happened(OfferEnded, offer=2, how="withdrawn"), open_offers(), never(MoneyMoved))


@rule("SJG-10")
def test_other_offers_of_a_title_that_is_sold_fall_away() -> None:
    """One offered to two, and bid for by one of them, goes once."""
    game = table().when(ann.sells(6, bob, 300)).when(ann.sells(6, cid, 310)).when(ann.bids(1, 40))
    game.when(cid.accepts(2)).then(holds(cid, 6, houses=2), happened(OfferEnded, offer=1, how="void"), open_offers(3))
    game.when(ann.withdraws(3)).then(open_offers())


@rule("SJG-10")
def test_a_title_sold_to_the_bank_takes_its_offers_with_it() -> None:
    """What is no longer hers cannot be accepted."""
    game = table().when(ann.sells(6, bob, 300)).when(ann.sells_to_bank(6))
    game.then(happened(OfferEnded, offer=1, how="void"), open_offers())


@rule("SJG-10")
def test_open_offers_of_one_side_are_bounded() -> None:
    """The twenty-first waits; an answer of the other side counts for that side."""
    game = table()
    for _ in range(20):
        game.when(ann.sells(6, bob, 300))
    game.refuses(ann.sells(6, bob, 300), "too_many_offers").when(bob.asks(1, 200)).when(ann.sells(6, cid, 1))


@rule("SJG-10", "SJG-14")
def test_a_bankers_seat_answers_for_the_bank() -> None:
    """Cid keeps the bank: ann asks 900, cid offers 20, ann takes it; the bank pays, not cid."""
    game = table(options={"bank": "player", "banker": 3})
    game.refuses(ann.sells_to_bank(6), "banker_answers").when(ann.sells(6, bank, 900))
    game.then(happened(OfferMade, by=1, to=0)).refuses(bob.accepts(1), "no_offer")
    game.when(cid.asks(1, 20)).then(happened(OfferMade, by=0, to=1, counters=1)).when(ann.accepts(2))
    game.then(money((bank, ann, 20)), holds(bank, 6), happened(HousesRemoved), has(cid, 1000))


@rule("SJG-10", "SJG-14")
def test_a_banker_may_buy_for_the_bank_what_she_likes() -> None:
    """At any price; she declines or takes back her answer too."""
    game = table(options={"bank": "player", "banker": 3}).when(ann.sells(6, bank, 90_000)).when(cid.accepts(1))
    game.then(money((bank, ann, 90_000)), holds(bank, 6))
    game = table(options={"bank": "player", "banker": 3}).when(ann.sells(6, bank, 5)).when(cid.declines(1))
    game.when(ann.sells(6, bank, 5)).when(cid.asks(2, 4)).when(cid.withdraws(3)).then(open_offers())


@rule("SJG-9", "SJG-10")
def test_the_bankers_own_sale_is_answered_by_the_policy() -> None:
    """She sells at once for half, and has nobody to ask."""
    game = table(options={"bank": "player", "banker": 1})
    game.refuses(ann.sells(6, bank, 5), "bank_is_automatic", "buyer").when(ann.sells_to_bank(6))
    game.then(money((bank, ann, 300)), holds(bank, 6))


@rule("SJG-18a")
@pytest.mark.parametrize("who", [ann, bob, cid])
def test_every_body_that_is_offered_is_accepted(who: Person) -> None:
    """Whatever is on the table, the menu's bodies are ready to send."""
    game = table().when(ann.sells(6, bob, 300)).when(ann.requests(bob, 100)).when(ann.requests(cid, 50, 5, 5))
    game.when(ann.proposes(cid, text="f" * 64)).when(bob.asks(1, 5)).when(ann.borrows(50))
    assert accepted(game, who) >= {"pay"}
