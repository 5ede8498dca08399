"""Agreements of two, their scheduled payments, and payments that nobody scheduled (SJG-31)."""

import pytest

from events.play import MoneyMoved
from events.social_justice.deals import (
    AgreementEnded,
    AgreementMade,
    CancelAsked,
    OfferEnded,
    OfferMade,
    ScheduledPaid,
)
from events.social_justice.events import Jailed, TurnMissed
from events.social_justice.politics import RuleAdopted
from events.social_justice.tasks import Scheduled
from tests.scenarios.social_justice.dealers import Payment, Person, ann, bank, bob, cid
from tests.scenarios.social_justice.deals import Table, deals, happened, has, money, never, next_turn_of, open_offers
from tests.support.rules import rule

TEXT, OTHER = "a" * 64, "b" * 64


def table(**told: object) -> Table:
    return deals(ann="employee", bob="owner", cid="manager", **told)  # type: ignore[arg-type] # told by name


def each_turn(payer: Person, payee: Person, amount: int = 50, *, every: int = 1, times: int = 3) -> Payment:
    return Payment(payer=payer.seat, payee=payee.seat, amount=amount, when="own_turn", every=every, times=times)


def each_payday(payer: Person, payee: Person, amount: int = 50, times: int = 2) -> Payment:
    return Payment(payer=payer.seat, payee=payee.seat, amount=amount, when="payday", times=times)


def agreed(game: Table, *payments: Payment, text: str = "") -> Table:
    """Propose to bob as ann, and accept as bob."""
    return game.when(ann.proposes(bob, *payments, text=text)).when(bob.accepts(1))


@rule("SJG-31")
def test_two_agree_on_a_text_that_does_nothing_by_itself() -> None:
    """The stream holds its digest; nothing is paid."""
    game = agreed(table(), text=TEXT).then(happened(AgreementMade, agreement=1, parties=(1, 2), text=TEXT))
    game.then(never(MoneyMoved), open_offers())
    assert game.state.deals.agreements[1].parties == (1, 2)


@rule("SJG-31")
def test_a_scheduled_payment_runs_on_own_turns_of_its_payer() -> None:
    """Three times on each of ann's next turns, bob's do not count; then the agreement is over."""
    game = agreed(table(), each_turn(ann, bob)).then(never(MoneyMoved))
    for time in (1, 2, 3):
        next_turn_of(game, ann)
        game.then(money((ann, bob, 50)), happened(ScheduledPaid, agreement=1, payment=0, time=time, due=50, paid=50))
        (paid,) = game.found(MoneyMoved)
        assert (paid.rule, paid.reason, paid.ref) == ("SJG-31", "scheduled_payment", "agreement:1")
    game.then(happened(AgreementEnded, agreement=1, how="completed"))
    next_turn_of(game, ann).then(never(MoneyMoved))


@rule("SJG-31")
def test_it_runs_on_every_kth_own_turn() -> None:
    """On the second and the fourth of ann's turns that begin after the agreement, which fell into her third."""
    game = agreed(table(), each_turn(ann, bob, every=2, times=2))
    ran = [bool(next_turn_of(game, ann).found(ScheduledPaid)) for _ in range(5)]
    assert ran == [False, True, False, True, False]


@rule("SJG-31")
def test_scheduled_payments_run_on_each_own_payday() -> None:
    """As ann passes Payday, and only as often as agreed; her own turns do not count."""
    game = agreed(table(), each_payday(ann, bob, times=1))
    next_turn_of(game, ann).then(never(ScheduledPaid))
    paydays = deals(ann="employee", bob="owner", cid="manager", agenda=(Scheduled(seat=1, when="payday"),) * 2)
    agreed(paydays, each_payday(ann, bob, times=1)).when(ann.ends_turn())
    paydays.then(money((ann, bob, 50)), happened(ScheduledPaid, time=1), happened(AgreementEnded, how="completed"))


@rule("SJG-31")
def test_short_of_cash_it_pays_what_there_is() -> None:
    """30 of 50, then nothing of 50: no debt arises, and both count as times."""
    game = agreed(table(cash={ann: 30}), each_turn(ann, bob, times=2))
    next_turn_of(game, ann).then(money((ann, bob, 30)), happened(ScheduledPaid, time=1, due=50, paid=30))
    next_turn_of(game, ann).then(money(), happened(ScheduledPaid, time=2, due=50, paid=0), has(ann, 0))
    game.then(happened(AgreementEnded, how="completed"))


@rule("SJG-31", "SJG-14")
def test_it_is_paid_right_after_the_due_loans() -> None:
    """The loan takes 500 of her 520, the agreement the rest."""
    game = agreed(table(cash={ann: 120}), each_turn(ann, bob)).when(ann.requests(cid, 400, 25, 1)).when(cid.accepts(2))
    next_turn_of(game, ann).then(money((ann, cid, 500), (ann, bob, 20)))


@rule("SJG-31", "SJG-18a", "SJG-61")
def test_it_runs_on_a_missed_turn() -> None:
    """In jail too."""
    game = next_turn_of(agreed(table(), each_turn(ann, bob)).fold([Jailed(seat=1, turns=2)]), ann)
    game.then(money((ann, bob, 50)), happened(TurnMissed, seat=1))


@rule("SJG-31")
def test_payments_may_go_both_ways_and_a_text_outlives_them() -> None:
    """Ann pays bob each turn, he pays her once; the text stays until both cancel."""
    game = agreed(table(), each_turn(ann, bob, 10, times=1), each_turn(bob, ann, 70, times=1), text=TEXT)
    next_turn_of(game, bob).then(money((bob, ann, 70)))
    next_turn_of(game, ann).then(money((ann, bob, 10)), never(AgreementEnded))
    assert list(game.state.deals.agreements) == [1]


@rule("SJG-31")
def test_an_agreement_ends_when_both_cancel() -> None:
    """Bob asks twice in vain; ann's word ends it, and nothing more is paid."""
    game = agreed(table(), each_turn(ann, bob)).when(bob.cancels(1))
    game.then(happened(CancelAsked, agreement=1, seat=2), never(AgreementEnded)).refuses(
        bob.cancels(1), "already_asked"
    )
    next_turn_of(game, ann).then(money((ann, bob, 50))).when(ann.cancels(1))
    game.then(happened(AgreementEnded, agreement=1, how="cancelled"))
    next_turn_of(game, ann).then(never(ScheduledPaid, MoneyMoved))


@rule("SJG-31")
def test_nobody_else_cancels_it() -> None:
    """Cid is no party to it."""
    game = agreed(table(), text=TEXT).refuses(cid.cancels(1), "no_agreement").refuses(ann.cancels(2), "no_agreement")
    game.when(ann.cancels(1)).refuses(ann.cancels(1), "already_asked")


@rule("SJG-31", "SJG-4b")
def test_it_ends_when_either_is_out() -> None:
    """Bob leaves."""
    game = agreed(table(), each_turn(ann, bob), text=TEXT).when(bob.leaves())
    game.then(happened(AgreementEnded, agreement=1, how="party_out"))
    next_turn_of(game, ann).then(never(ScheduledPaid))


@rule("SJG-31")
@pytest.mark.parametrize(
    ("payments", "code"),
    [
        ((), "empty_agreement"),
        ((each_turn(ann, cid),), "not_between_two"),
        ((each_turn(cid, bob),), "not_between_two"),
        ((each_turn(ann, ann),), "not_between_two"),
        ((Payment(payer=1, payee=2, amount=5, when="payday", every=2),), "each_payday"),
    ],
)
def test_an_agreement_is_of_two_and_about_something(payments: tuple[Payment, ...], code: str) -> None:
    """Neither empty nor with others' money."""
    game = table().refuses(ann.proposes(bob, *payments), code, "payments")
    game.when(ann.proposes(bob, text=TEXT)).refuses(bob.rewrites(1, *payments), code, "payments")


@rule("SJG-31", "SJG-18a")
def test_agreements_are_proposed_where_loans_and_sales_are() -> None:
    """On one's own turn, to another who is in the game."""
    game = table().refuses(bob.proposes(ann, text=TEXT), "not_your_prompt")
    game.refuses(ann.proposes(ann, text=TEXT), "not_with_oneself")
    game.refuses(ann.proposes(Person(7), text=TEXT), "not_in_game", "party")


@rule("SJG-31")
def test_the_other_side_may_write_it_anew() -> None:
    """Bob changes text and payment; ann accepts his."""
    game = table().when(ann.proposes(bob, each_turn(ann, bob, 5), text=TEXT))
    game.when(bob.rewrites(1, each_turn(ann, bob, 9, times=1), text=OTHER))
    game.then(happened(OfferEnded, offer=1, how="countered"), happened(OfferMade, offer=2, by=2, to=1, counters=1))
    game.when(ann.accepts(2)).then(happened(AgreementMade, parties=(2, 1), text=OTHER))
    next_turn_of(game, ann).then(money((ann, bob, 9)))


@rule("SJG-31")
def test_an_answer_is_of_the_kind_of_its_offer() -> None:
    """No price for an agreement, no interest for a sale."""
    game = table(titles={1: (ann, 0)}).when(ann.proposes(bob, text=TEXT)).when(ann.sells(1, bob, 5))
    game.refuses(bob.asks(1, 5), "wrong_offer", "offer").refuses(bob.rewrites(2, text=TEXT), "wrong_offer", "offer")
    game.refuses(bob.sets_terms(2, 5, 5, 5), "no_offer")


@rule("SJG-31")
def test_agreements_of_a_seat_are_bounded() -> None:
    """Ten are open; an eleventh is refused."""
    game = table()
    for number in range(1, 11):
        game.when(ann.proposes(bob, text=TEXT)).when(bob.accepts(number))
    game.refuses(ann.proposes(cid, text=TEXT), "too_many_agreements")
    (closed,) = [c for c in game.menu(ann).closed if c.name == "propose_agreement"]
    assert closed.refusal.code == "too_many_agreements"


@rule("SJG-31")
def test_who_has_room_is_offered_although_another_has_none() -> None:
    """Bob and dee have ten each: cid, whose turn it is, hears of ann alone."""
    game = deals(ann="owner", bob="employee", cid="manager", dee="employee", active=cid)
    made = [AgreementMade(agreement=n, parties=(2, 4), text=TEXT, payments=()) for n in range(1, 11)]
    (offered,) = [action for action in game.fold(made).menu(cid).open if action.name == "propose_agreement"]
    assert offered.schema["properties"]["party"]["enum"] == [1]


@rule("SJG-31")
def test_anybody_may_pay_anybody_at_any_time() -> None:
    """On ann's turn: bob gives cid 20, cid gives the bank 5."""
    game = table().when(bob.pays(cid, 20)).then(money((bob, cid, 20)))
    game.then(happened(MoneyMoved, reason="payment", rule="SJG-31", ref=""))
    game.when(cid.pays(bank, 5)).then(money((cid, bank, 5)))
    game.refuses(cid.pays(cid, 5), "out_of_bounds", "to").refuses(cid.pays(Person(7), 5), "out_of_bounds", "to")


@rule("SJG-31")
def test_a_payment_may_cite_a_house_rule_in_force() -> None:
    """The posting refers to it; what is not in force is not cited."""
    game = table()
    house_rule = RuleAdopted(rule="r1", vote="v1", seat=1, settings=(), transfers=(), texts=(TEXT,))
    game.fold([house_rule]).when(bob.pays(cid, 20, cites="r1")).then(happened(MoneyMoved, rule="SJG-31", ref="r1"))
    game.refuses(bob.pays(cid, 20, cites="r2"), "unknown_rule", "cites")


@rule("SJG-31")
def test_nobody_pays_more_than_there_is() -> None:
    """Of 7 dollars 8 are refused and 7 are paid; of none, none."""
    game = table(cash={bob: 7, cid: 0}).refuses(bob.pays(ann, 8), "out_of_bounds", "amount").when(bob.pays(ann, 7))
    game.refuses(bob.pays(ann, 1), "cash_too_short").refuses(cid.pays(ann, 1), "cash_too_short")
