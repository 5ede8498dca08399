"""Every action of money between people: under which prompts it is open, when not, within what bounds (SJG-18a)."""

from collections.abc import Mapping
from typing import Any

from service.rules import actions_deals as a
from service.rules.action_base import Action
from service.rules.choice import Choice
from service.rules.social_justice import agreements, answering, banking, paying, proposing
from service.rules.social_justice.table import OWN_TURN, RAISING, SjPlay, State

SELL_OR_BORROW = OWN_TURN | RAISING
"""A debtor may sell and borrow too (SJG-9)."""
ANY_TIME: frozenset[str] = frozenset()


def _agreement_example(_state: State, _seat: int) -> dict[str, Any]:
    return {"text": "We help each other.", "payments": []}


def _no_citation(_state: State, _seat: int) -> dict[str, Any]:
    return {"cites": ""}


_PROPOSALS = (
    Choice(
        a.SellTitle, SELL_OR_BORROW, proposing.sell_title, why_not=proposing.why_not_offer_sale,
        bounds=proposing.sale_bounds, objection=proposing.objection_to_sale,
    ),
    Choice(
        a.BidForTitle, OWN_TURN, proposing.bid_for_title, why_not=proposing.why_not_bid,
        bounds=proposing.bid_bounds, objection=proposing.objection_to_bid,
    ),
    Choice(
        a.SellToBank, SELL_OR_BORROW, banking.sell_to_bank, why_not=banking.why_not_sell_to_bank,
        bounds=banking.sell_bounds, objection=banking.objection_to_sell,
    ),
    Choice(
        a.RequestLoan, SELL_OR_BORROW, proposing.request_loan, why_not=proposing.why_not_request,
        bounds=proposing.request_bounds, objection=proposing.objection_to_request,
    ),
    Choice(
        a.BorrowFromBank, SELL_OR_BORROW, banking.borrow_from_bank, why_not=banking.why_not_borrow,
        bounds=banking.borrow_bounds,
    ),
    Choice(
        a.RepayLoan, OWN_TURN, banking.repay_loan, why_not=banking.why_not_repay,
        bounds=banking.repay_bounds, objection=banking.objection_to_repay,
    ),
    Choice(
        a.ProposeAgreement, OWN_TURN, proposing.propose_agreement, why_not=proposing.why_not_propose_agreement,
        bounds=proposing.agreement_bounds, objection=proposing.objection_to_agreement, example=_agreement_example,
    ),
)  # fmt: skip

_ANSWERS = (
    Choice(
        a.AcceptOffer, ANY_TIME, answering.accept, why_not=answering.why_nothing_to_accept,
        bounds=answering.accept_bounds, objection=answering.objection_to_accept,
    ),
    Choice(
        a.DeclineOffer, ANY_TIME, answering.decline, why_not=answering.why_nothing_to_answer,
        bounds=answering.answer_bounds, objection=answering.objection_to_answer,
    ),
    Choice(
        a.WithdrawOffer, ANY_TIME, answering.withdraw, why_not=answering.why_nothing_to_withdraw,
        bounds=answering.withdraw_bounds, objection=answering.objection_to_withdraw,
    ),
    Choice(
        a.CounterSale, ANY_TIME, answering.counter, why_not=answering.why_not_counter_sale,
        bounds=answering.counter_sale_bounds, objection=answering.objection_to_counter,
    ),
    Choice(
        a.CounterLoan, ANY_TIME, answering.counter, why_not=answering.why_not_counter_loan,
        bounds=answering.counter_loan_bounds, objection=answering.objection_to_counter,
    ),
    Choice(
        a.CounterAgreement, ANY_TIME, answering.counter, why_not=answering.why_not_counter_agreement,
        bounds=answering.counter_agreement_bounds, objection=answering.objection_to_counter,
        example=_agreement_example,
    ),
    Choice(
        a.CancelAgreement, ANY_TIME, agreements.cancel, why_not=agreements.why_not_cancel,
        bounds=agreements.cancel_bounds, objection=agreements.objection_to_cancel,
    ),
    Choice(
        a.Pay, ANY_TIME, paying.pay, why_not=paying.why_not_pay, bounds=paying.pay_bounds,
        objection=paying.objection_to_pay, example=_no_citation,
    ),
)  # fmt: skip

CHOICES: Mapping[type[Action], Choice[State, SjPlay]] = {choice.record: choice for choice in (*_PROPOSALS, *_ANSWERS)}
"""By record. Nothing here opens a prompt: what nobody answers lapses with its turn or window (SJG-86)."""
