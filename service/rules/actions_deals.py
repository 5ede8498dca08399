"""Actions of money between people in The Social Justice Game, as typed records; see `service.rules.actions`."""

from typing import Annotated, TypeAlias

from msgspec import Meta

from events.social_justice.deals import ScheduledPayment
from events.social_justice.operations import Text
from service.rules.action_base import Action, Prompted
from service.rules.actions_social_justice import SquareIndex

Number: TypeAlias = Annotated[int, Meta(ge=1, le=2**53 - 1, description="Its number in the game.")]
Dealt: TypeAlias = Annotated[int, Meta(ge=1, le=1_000_000, description="Whole dollars.")]
Cited: TypeAlias = Annotated[
    str, Meta(pattern=r"^[a-z0-9:._-]{0,40}(?![\s\S])", description="Id of the house rule that asks for it.")
]
Payments: TypeAlias = Annotated[tuple[ScheduledPayment, ...], Meta(max_length=5, description="What runs by itself.")]


class SellTitle(Prompted, frozen=True, tag="sell_title"):
    """Offer a title or utility with its houses to another player, or to a banker's seat (SJG-10)."""

    square: SquareIndex
    buyer: Annotated[int, Meta(ge=0, le=8, description="Seat that may buy; 0 for the bank.")]
    price: Dealt


class BidForTitle(Prompted, frozen=True, tag="bid_for_title"):
    """Offer to buy a title or utility with its houses from the player who holds it (SJG-10)."""

    square: SquareIndex
    price: Dealt


class SellToBank(Prompted, frozen=True, tag="sell_to_bank"):
    """Sell a title or utility with its houses to the automatic bank, at what it pays (SJG-10)."""

    square: SquareIndex


class RequestLoan(Prompted, frozen=True, tag="request_loan"):
    """Ask a player, or a banker's seat, for a loan; the lender sets interest and period (SJG-13 to SJG-16)."""

    lender: Annotated[int, Meta(ge=0, le=8, description="Seat that is asked; 0 for the bank.")]
    principal: Dealt
    pct: Annotated[int, Meta(ge=0, le=1000, description="Interest that would be welcome, in percent.")] | None = None
    term: Annotated[int, Meta(ge=1, le=50, description="Period that would be welcome, in own turns.")] | None = None


class BorrowFromBank(Prompted, frozen=True, tag="borrow_from_bank"):
    """Borrow from the automatic bank, on its terms (SJG-13, SJG-14)."""

    principal: Dealt


class RepayLoan(Prompted, frozen=True, tag="repay_loan"):
    """Repay a loan in full before it is due (SJG-14, SJG-16)."""

    loan: Number


class ProposeAgreement(Prompted, frozen=True, tag="propose_agreement"):
    """Propose an agreement to another seat: a text, payments that run by themselves, or both (SJG-31)."""

    party: Annotated[int, Meta(ge=1, le=8, description="The other seat.")]
    text: Text = ""
    payments: Payments = ()


class OnOffer(Action, frozen=True, kw_only=True):
    """An action on an open offer."""

    offer: Number


class AcceptOffer(OnOffer, frozen=True, tag="accept_offer"):
    """Accept an offer; it is carried out at once (SJG-10, SJG-14, SJG-31)."""


class DeclineOffer(OnOffer, frozen=True, tag="decline_offer"):
    """Turn an offer down (SJG-10, SJG-14, SJG-31)."""


class WithdrawOffer(OnOffer, frozen=True, tag="withdraw_offer"):
    """Take an offer back (SJG-10, SJG-14, SJG-31)."""


class CounterSale(OnOffer, frozen=True, tag="counter_sale"):
    """Answer an offer of a sale with another price (SJG-10)."""

    price: Dealt


class CounterLoan(OnOffer, frozen=True, tag="counter_loan"):
    """Answer a request or an offer of a loan with terms: the lender's own, or what the borrower would take (SJG-14)."""

    principal: Dealt
    pct: Annotated[int, Meta(ge=0, le=1000, description="Flat interest in percent of the principal.")]
    term: Annotated[int, Meta(ge=1, le=50, description="Own turns of the borrower until it is due.")]


class CounterAgreement(OnOffer, frozen=True, tag="counter_agreement"):
    """Answer a proposed agreement with another text or other payments (SJG-31)."""

    text: Text = ""
    payments: Payments = ()


Counter: TypeAlias = CounterSale | CounterLoan | CounterAgreement


class CancelAgreement(Action, frozen=True, tag="cancel_agreement"):
    """Ask for the end of an agreement; it ends when both have asked (SJG-31)."""

    agreement: Number


class Pay(Action, frozen=True, tag="pay"):
    """Pay another seat, or the bank, perhaps because a house rule asks for it (SJG-31)."""

    to: Annotated[int, Meta(ge=0, le=8, description="Seat that is paid; 0 for the bank.")]
    amount: Dealt
    cites: Cited = ""
