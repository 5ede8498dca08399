"""Loans that fall due: in which order, what a debtor may do, the banker, the policy, and estates."""

from events.base import BANK
from events.play import MoneyMoved, PromptOpened, TurnStarted
from events.social_justice.deals import (
    LoanGranted,
    LoanInherited,
    LoanPaid,
    LoanWrittenOff,
    OfferEnded,
    OfferMade,
)
from events.social_justice.events import CitizenOut, DebtArose, Jailed, TurnMissed
from events.social_justice.tasks import Ask, Charge
from tests.scenarios.social_justice.dealers import ann, bank, bob, cid, dee
from tests.scenarios.social_justice.deals import (
    Table,
    accepted,
    deals,
    happened,
    has,
    lent,
    money,
    never,
    next_turn_of,
    open_offers,
    owes,
)
from tests.support.rules import rule


def table(**told: object) -> Table:
    """Ann, an employee on her third own turn, among an owner, a manager and an unemployed player."""
    return deals(ann="employee", bob="owner", cid="manager", dee="unemployed", **told)  # type: ignore[arg-type] # told by name


@rule("SJG-14", "SJG-16")
def test_a_loan_is_due_at_the_start_of_the_borrowers_own_turn() -> None:
    """Granted in her third own turn for two: nothing in the fourth, 500 in the fifth, before anything else."""
    game = next_turn_of(lent(table()), ann).then(never(LoanPaid, MoneyMoved), owes(ann, 500))
    next_turn_of(game, ann).then(money((ann, bob, 500)), happened(LoanPaid, loan=1, left=0), owes(ann))
    kinds = [type(event) for event in game.events]
    assert kinds.index(TurnStarted) < kinds.index(MoneyMoved) < kinds.index(LoanPaid) < kinds.index(PromptOpened)
    assert game.state.deals.last_loan == 1


@rule("SJG-14")
def test_term_one_is_the_next_own_turn() -> None:
    """Granted now for one turn, 500 are taken at the start of the next."""
    next_turn_of(lent(table(), term=1), ann).then(money((ann, bob, 500)), owes(ann))


@rule("SJG-14")
def test_several_due_loans_are_paid_oldest_first() -> None:
    """Bob's of this turn, then the bank's."""
    game = lent(table(options={"loan.bank_term": 1}), term=1).when(ann.borrows(100))
    next_turn_of(game, ann).then(money((ann, bob, 500), (ann, bank, 120)), owes(ann))


@rule("SJG-14", "SJG-61")
def test_a_loan_falls_due_in_jail() -> None:
    """A missed turn counts as an own turn: 500 are taken, and nothing is asked of her."""
    game = next_turn_of(lent(table(), term=1).fold([Jailed(seat=1, turns=3)]), ann)
    game.then(money((ann, bob, 500)), happened(TurnMissed, seat=1), owes(ann))
    game = next_turn_of(lent(table(cash={ann: 0}), term=1).fold([Jailed(seat=1, turns=3)]), ann)
    game.then(happened(DebtArose, seat=1), never(TurnMissed)).when(cid.pays(ann, 100))
    game.then(money((cid, ann, 100), (ann, bob, 500)), happened(TurnMissed, seat=1))


@rule("SJG-4a", "SJG-9")
def test_a_due_loan_above_cash_opens_the_raise_funds_window() -> None:
    """Ann has 1 too little; dee's gift pays it at once, and her turn begins."""
    game = next_turn_of(lent(table(cash={ann: 99}), term=1), ann)
    game.then(happened(DebtArose, seat=1, creditor="seat:2", amount=500), never(LoanPaid))
    assert [prompt.kind for prompt in game.state.prompts.values()] == ["raise_funds"]
    game.when(dee.pays(ann, 1)).then(money((dee, ann, 1), (ann, bob, 500)), happened(LoanPaid, loan=1, left=0))
    assert [prompt.kind for prompt in game.state.prompts.values()] == ["turn_start"]


@rule("SJG-9", "SJG-12")
def test_a_due_loan_keeps_its_place_so_nobody_refinances_at_the_same_lender() -> None:
    """In the window bob cannot be asked, cid can; her loan pays bob."""
    game = next_turn_of(lent(table(cash={ann: 0}), term=1), ann).refuses(ann.requests(bob, 100), "loan_open", "lender")
    game.when(ann.requests(cid, 100, 10, 4)).then(happened(OfferMade, by=1, to=3))
    (offer,) = game.state.deals.offers.values()
    assert game.state.prompts[offer.window].kind == "raise_funds"
    game.when(cid.accepts(offer.offer)).then(money((cid, ann, 100), (ann, bob, 500)), owes(ann, 110))


@rule("SJG-9")
def test_a_debtor_may_only_receive_sell_and_borrow() -> None:
    """No gift, no loan to others, no purchase, no early repayment, no agreement; selling and borrowing work."""
    game = next_turn_of(lent(table(cash={ann: 0}, titles={1: (ann, 0), 3: (bob, 0)}), term=1), ann)
    game.refuses(ann.pays(bob, 1), "in_debt").refuses(ann.bids(3, 5), "wrong_prompt")
    game.refuses(ann.repays(1), "wrong_prompt").refuses(ann.proposes(bob, text="f" * 64), "wrong_prompt")
    assert accepted(game, ann) == {"raise_funds", "sell_title", "sell_to_bank", "request_loan", "borrow_from_bank"}
    game.when(ann.sells_to_bank(1)).then(money((bank, ann, 100), (ann, bob, 500)), owes(ann))


@rule("SJG-9", "SJG-10")
def test_offers_of_a_window_end_with_it() -> None:
    """Two offers; the first to be accepted covers the debt, and the other lapses."""
    game = next_turn_of(lent(table(cash={ann: 0}, titles={1: (ann, 0), 3: (ann, 0)}), term=1), ann)
    game.when(ann.sells(1, cid, 100)).when(ann.sells(3, dee, 100)).then(open_offers(3, 4)).when(dee.accepts(4))
    game.then(money((dee, ann, 100), (ann, bob, 500)), happened(OfferEnded, offer=3, how="expired"), open_offers())


@rule("SJG-4a", "SJG-4b", "SJG-4")
def test_who_cannot_pay_a_due_loan_is_bankrupt_and_its_lender_comes_first() -> None:
    """Ann owes bob 1,500, cid 300 and has 900: bob gets it all; the rest is written off."""
    game = table(cash={ann: 0}, options={"loan.bank_enabled": False}).when(ann.requests(cid, 300, 0, 9))
    game.when(cid.accepts(1)).when(ann.requests(bob, 600, 150, 1)).when(bob.accepts(2))
    next_turn_of(game, ann).when(ann.gives_up())
    game.then(money((ann, bob, 900)), happened(LoanPaid, loan=2, amount=900, left=600, rule="SJG-4b"))
    game.then(happened(LoanWrittenOff, loan=1, amount=300), happened(LoanWrittenOff, loan=2, amount=600))
    game.then(owes(ann), happened(CitizenOut, seat=1, why="bankrupt"))


@rule("SJG-4b")
def test_an_estate_pays_its_lenders_pro_rata_and_the_bank_gets_the_rest() -> None:
    """Ann leaves with 100 and owes 200, 100 and 33: 60, 30 and 9, and a dollar for the bank."""
    game = table(cash={ann: 0}, options={"loan.bank_interest": 0}).when(ann.requests(bob, 200, 0, 9))
    game.when(bob.accepts(1)).when(ann.requests(cid, 100, 0, 9)).when(cid.accepts(2)).when(ann.borrows(33))
    game.when(ann.pays(dee, 233)).when(ann.leaves())
    game.then(money((ann, bob, 60), (ann, cid, 30), (ann, bank, 9), (ann, bank, 1)), owes(ann))
    left = [(event.loan, event.amount) for event in game.found(LoanWrittenOff)]
    assert left == [(1, 140), (2, 70), (3, 24)]


@rule("SJG-4b")
def test_an_estate_with_enough_pays_everybody_in_full() -> None:
    """Bob gets his 500, the bank the rest, and nothing is written off."""
    game = lent(table()).when(ann.leaves())
    game.then(money((ann, bob, 500), (ann, bank, 900)), never(LoanWrittenOff), owes(ann))


@rule("SJG-4b", "SJG-11")
def test_a_loan_to_an_estate_runs_on_and_is_repaid_to_the_bank() -> None:
    """Bob is out: ann pays the bank on the same day; it is no bank loan, so she may have one of those."""
    game = lent(table()).when(bob.leaves()).then(happened(LoanInherited, loan=1, borrower=1, lender=2, amount=500))
    game.then(owes(ann, 500)).when(ann.borrows(10)).then(owes(ann, 500, 12))
    next_turn_of(next_turn_of(game, ann), ann).then(money((ann, bank, 500)), owes(ann, 12))


@rule("SJG-4b")
def test_a_loan_to_an_estate_may_be_repaid_early_and_not_refinanced() -> None:
    """To the bank; the estate lends nothing more."""
    game = lent(table()).when(bob.leaves()).refuses(ann.requests(bob, 5), "not_in_game", "lender")
    game.when(ann.repays(1)).then(money((ann, bank, 500)), owes(ann))


@rule("SJG-4b")
def test_a_loan_between_two_that_are_out_is_written_off_from_the_estates_claims() -> None:
    """Bob leaves, then ann with nothing: the books are even."""
    game = lent(table()).when(bob.leaves()).when(ann.pays(cid, 1400)).when(ann.leaves())
    game.then(happened(LoanWrittenOff, loan=1, estate=True, amount=500), owes(ann))
    assert {account: owed for account, owed in game.books.debts().items() if owed} == {}


@rule("SJG-4b")
def test_offers_and_requests_of_who_is_out_end() -> None:
    """Bob's answer and cid's request vanish, what does not touch him stays."""
    game = table().when(ann.requests(bob, 5)).when(ann.requests(cid, 5)).when(bob.sets_terms(1, 5, 5, 5))
    game.when(bob.leaves()).then(happened(OfferEnded, offer=3, how="void"), open_offers(2))


@rule("SJG-13", "SJG-14", "SJG-15")
def test_a_bankers_seat_sets_the_banks_terms() -> None:
    """Cid keeps the bank: ann asks for 5,000, more than the policy would lend; he sets 90 % and four turns."""
    game = table(options={"bank": "player", "banker": 3}).refuses(ann.borrows(10), "banker_answers")
    game.when(ann.requests(bank, 5000)).refuses(cid.accepts(1), "terms_open", "offer")
    game.when(cid.sets_terms(1, 5000, 90, 4)).when(ann.accepts(2))
    game.then(money((bank, ann, 5000)), happened(LoanGranted, lender=0, amount=9500, term=4), has(cid, 1000))
    game.refuses(ann.requests(bank, 5), "loan_open", "lender")


@rule("SJG-15")
def test_a_bankers_seat_lends_nothing_to_the_unemployed() -> None:
    """The role is tested before he is asked."""
    game = table(options={"bank": "player", "banker": 3}, active=dee)
    game.refuses(dee.requests(bank, 5), "role_refused", "lender")


@rule("SJG-9", "SJG-14")
def test_the_bankers_own_request_is_answered_by_the_policy() -> None:
    """She has nobody to ask, and borrows at the automatic bank's terms."""
    game = table(options={"bank": "player", "banker": 1}).refuses(ann.requests(bank, 5), "bank_is_automatic", "lender")
    game.when(ann.borrows(100)).then(owes(ann, 120))


@rule("SJG-9", "SJG-86")
def test_the_policy_answers_what_a_banker_left_open_at_the_deadline() -> None:
    """Ann asked 90 for a title for which the policy pays 100: it is bought for that, and the debt is met."""
    options = {"bank": "player", "banker": 3, "turn_seconds": 60}
    game = next_turn_of(lent(table(cash={ann: 0}, titles={1: (ann, 0), 3: (ann, 0)}, options=options), term=1), ann)
    game.when(ann.sells(3, bank, 90)).expires()
    game.then(money((bank, ann, 100), (ann, bob, 500)), happened(OfferEnded, offer=3, how="accepted"), owes(ann))
    assert game.state.titles[1].holder == 1


@rule("SJG-9")
def test_what_a_banker_declined_is_left_out_of_means_and_of_the_forced_raise() -> None:
    """He declines the loan, then the title: nothing is left, and ann is bankrupt. What bob declines does not count."""
    options = {"bank": "player", "banker": 3, "turn_seconds": 60}
    game = next_turn_of(lent(table(cash={ann: 0}, titles={3: (ann, 0)}, options=options), term=1), ann)
    game.when(ann.requests(bank, 100)).when(cid.declines(3)).refuses(ann.gives_up(), "means_suffice")
    game.when(ann.sells(3, bob, 5)).when(bob.declines(4)).refuses(ann.gives_up(), "means_suffice")
    game.when(ann.sells(3, bank, 90)).when(cid.declines(5)).expires()
    game.then(happened(CitizenOut, seat=1, why="bankrupt"), never(LoanGranted))


@rule("SJG-9", "SJG-86")
def test_the_policy_pays_no_more_and_lends_no_less_than_it_takes() -> None:
    """101 for what it pays 100 for, and a loan of 50 where 100 are missing, are left to the forced raise."""
    options = {"bank": "player", "banker": 3, "turn_seconds": 60, "loan.bank_max_salary_x": 0}
    game = next_turn_of(lent(table(cash={ann: 0}, titles={1: (ann, 0), 3: (ann, 0)}, options=options), term=1), ann)
    game.when(ann.sells(3, bank, 101)).expires().then(happened(OfferEnded, offer=3, how="expired"))
    assert (game.state.titles[1].holder, game.state.titles[3].holder) == (0, 1)
    options = {"bank": "player", "banker": 3, "turn_seconds": 60}
    game = next_turn_of(lent(table(cash={ann: 0}, options=options), term=1), ann).when(ann.requests(bank, 50))
    game.expires().then(happened(LoanGranted, principal=100, lender=0), happened(OfferEnded, offer=3, how="void"))


@rule("SJG-9", "SJG-86")
def test_a_loan_that_a_banker_left_open_is_made_if_it_covers_the_debt() -> None:
    """Ann asked for 300 where 100 are missing."""
    options = {"bank": "player", "banker": 3, "turn_seconds": 60}
    game = next_turn_of(lent(table(cash={ann: 0}, options=options), term=1), ann).when(ann.requests(bank, 300))
    game.expires().then(money((bank, ann, 300), (ann, bob, 500)), owes(ann, 360), has(ann, 200))


@rule("SJG-9", "SJG-86")
def test_the_forced_raise_sells_the_cheapest_first_and_borrows_the_rest() -> None:
    """She lacks 100. Without a loan the title of 200 goes for 100, and the one of 300 stays; with a loan, both stay."""
    options = {"turn_seconds": 60, "loan.bank_max_salary_x": 0}
    game = next_turn_of(lent(table(cash={ann: 0}, titles={6: (ann, 1), 1: (ann, 0)}, options=options), term=1), ann)
    game.expires().then(money((bank, ann, 100), (ann, bob, 500)), owes(ann))
    options = {"turn_seconds": 60}
    game = next_turn_of(lent(table(cash={ann: 0}, titles={1: (ann, 0)}, options=options), term=1), ann)
    game.expires().then(money((bank, ann, 100), (ann, bob, 500)), happened(LoanGranted, principal=100), owes(ann, 120))


def indebted(**told: object) -> Table:
    """Bob owes more than he has in the middle of ann's turn, which goes on afterwards."""
    fine = Charge(seat=2, payee=BANK, amount=1500, reason="fine", rule="SJG-38", ref="")
    return table(agenda=(Ask(seat=1, kind="turn_end"), fine), **told)


@rule("SJG-9")
def test_a_debtor_accepts_no_purchase_no_request_and_no_agreement() -> None:
    """Offers of before his debt wait; a sale of his own he may accept, and the debt is met by it."""
    game = indebted(titles={1: (ann, 0), 3: (bob, 0)}).when(ann.sells(1, bob, 5)).when(ann.requests(bob, 5, 0, 1))
    game.when(ann.proposes(bob, text="a" * 64)).when(ann.bids(3, 600)).when(ann.ends_turn())
    for offer in (1, 2, 3):
        game.refuses(bob.accepts(offer), "in_debt")
    game.when(bob.accepts(4)).then(money((ann, bob, 600), (bob, bank, 1500)), open_offers(1, 2, 3))


@rule("SJG-9", "SJG-10")
def test_the_end_of_a_window_leaves_the_offers_of_the_turn() -> None:
    """Ann's offer goes on when bob's window closes, his own ends."""
    game = indebted(titles={1: (ann, 0), 3: (bob, 0)}).when(ann.sells(1, cid, 5)).when(ann.ends_turn())
    game.when(bob.sells(3, cid, 5)).when(dee.pays(bob, 500)).then(happened(OfferEnded, offer=2, how="expired"))
    game.then(open_offers(1)).when(cid.accepts(1)).then(money((cid, ann, 5)))


@rule("SJG-9", "SJG-18a")
def test_a_debtor_is_nobodys_partner_meanwhile() -> None:
    """Nobody may propose to him either, and his own turn's deals are closed."""
    game = indebted(titles={3: (bob, 0)}).when(ann.ends_turn())
    game.refuses(ann.sells(3, bob, 5), "not_your_prompt").refuses(bob.bids(3, 5), "wrong_prompt")
