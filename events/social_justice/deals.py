"""Events of money between people: offers, loans and agreements of *The Social Justice Game*.

Cash moves by `money_moved` alone, a title that is sold by `title_passed`; what is owed on loans stands in events of its
own. In every field that names who lends, buys or is asked, 0 stands for the bank.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from events.base import Amount, Count, Event, RuleId, Seat

Party: TypeAlias = Annotated[int, Meta(ge=0, le=8)]
"""A seat, or 0 for the bank."""

Pct: TypeAlias = Annotated[int, Meta(ge=0, le=1000)]
"""Flat interest in percent of the principal, for the whole term (SJG-14, SJG-16)."""

Term: TypeAlias = Annotated[int, Meta(ge=1, le=50)]
"""Own turns of the borrower until a loan is due (SJG-14, SJG-16)."""

TextDigest: TypeAlias = Annotated[str, Meta(pattern=r"^([0-9a-f]{64})?(?![\s\S])")]
"""Digest of a typed-in text that lies beside the stream; empty where there is none."""


class ScheduledPayment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A payment that two agreed on and that runs by itself (SJG-31).

    Attributes:
        payer: Who pays.
        payee: Who is paid; the other of the two.
        amount: Whole dollars each time.
        when: On own turns of the payer, counted at their start like those of loans, or on each of the payer's paydays.
        every: 1 for each own turn, 2 for every other one …, counted from the agreement on; 1 with paydays.
        times: How often in all.
    """

    payer: Seat
    payee: Seat
    amount: Annotated[int, Meta(ge=1, le=10_000, description="Whole dollars each time.")]
    when: Literal["own_turn", "payday"]
    every: Annotated[int, Meta(ge=1, le=50, description="1 for each own turn, 2 for every other …")] = 1
    times: Annotated[int, Meta(ge=1, le=50, description="How often in all.")] = 1


class Terms(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="kind"):
    """What an offer is about."""


class SaleTerms(Terms, frozen=True, tag="sale"):
    """A title or utility with its houses, for a price (SJG-10)."""

    square: Count
    seller: Seat
    buyer: Party
    price: Amount


class LoanTerms(Terms, frozen=True, tag="loan"):
    """A loan; the lender sets interest and period, so a request may leave them open (SJG-14, SJG-16)."""

    borrower: Seat
    lender: Party
    principal: Amount
    pct: Pct | None
    term: Term | None


class AgreementTerms(Terms, frozen=True, tag="agreement"):
    """A text without automatic effect, and payments that run by themselves; at least one of the two (SJG-31)."""

    text: TextDigest
    payments: tuple[ScheduledPayment, ...]


AnyTerms: TypeAlias = SaleTerms | LoanTerms | AgreementTerms


class OfferMade(Event, frozen=True, tag="offer_made"):
    """A seat or the bank proposed a deal, or other terms for one; the other side may accept, counter or decline.

    Attributes:
        offer: Number of the offer in the game, from 1.
        by: Who proposes these terms.
        to: Who is asked.
        counters: The offer that it takes the place of; 0 for a first one.
        window: The raise-funds prompt under which it was made and with which it ends; empty when it ends with the turn.
        terms: What is proposed.
        schema: Number of this shape.
    """

    offer: Count
    by: Party
    to: Party
    counters: Count
    window: str
    terms: AnyTerms
    schema: Literal[1] = 1


class OfferEnded(Event, frozen=True, tag="offer_ended"):
    """An offer is no longer open.

    Attributes:
        offer: Its number.
        how: It was accepted, declined, withdrawn or countered, its turn or window ended, or its cause went away.
        schema: Number of this shape.
    """

    offer: Count
    how: Literal["accepted", "declined", "withdrawn", "countered", "expired", "void"]
    schema: Literal[1] = 1


class LoanGranted(Event, frozen=True, tag="loan_granted"):
    """A loan was made (SJG-13 to SJG-16); the principal moves by a `money_moved` of its own.

    Attributes:
        loan: Number of the loan in the game, from 1.
        borrower: Who owes it.
        lender: Who lent it.
        principal: Cash lent.
        pct: Flat interest in percent of it.
        amount: What is due: principal and interest, rounded down.
        term: Own turns of the borrower until it is due.
        due: The borrower's own turn at whose start it is due.
        rule: Rule that it was lent by.
        schema: Number of this shape.
    """

    loan: Count
    borrower: Seat
    lender: Party
    principal: Amount
    pct: Pct
    amount: Amount
    term: Term
    due: Count
    rule: RuleId
    schema: Literal[1] = 1


class LoanPaid(Event, frozen=True, tag="loan_paid"):
    """Something was paid on a loan; the cash moves by a `money_moved` of its own.

    Attributes:
        loan: Its number.
        borrower: Who owed it.
        lender: Who lent it.
        estate: The lender is out: what is paid passes to the bank.
        amount: What was paid.
        left: What is still owed; a loan at 0 is gone. Only an estate pays in part (SJG-4b).
        rule: Rule that it was paid by.
        schema: Number of this shape.
    """

    loan: Count
    borrower: Seat
    lender: Party
    estate: bool
    amount: Amount
    left: Count
    rule: RuleId
    schema: Literal[1] = 1


class LoanWrittenOff(Event, frozen=True, tag="loan_written_off"):
    """What the estate of a borrower could not pay is gone (SJG-4b).

    Attributes:
        loan: Its number.
        borrower: Who owed it.
        lender: Who lent it.
        estate: The lender is out.
        amount: What was still owed.
        rule: Rule that lets it go.
        schema: Number of this shape.
    """

    loan: Count
    borrower: Seat
    lender: Party
    estate: bool
    amount: Amount
    rule: RuleId
    schema: Literal[1] = 1


class LoanInherited(Event, frozen=True, tag="loan_inherited"):
    """The lender is out: the loan runs on with the estate as creditor, and what is repaid passes to the bank (SJG-4b).

    Attributes:
        loan: Its number.
        borrower: Who owes it.
        lender: Whose estate it is.
        amount: What is owed.
        rule: Rule that says so.
        schema: Number of this shape.
    """

    loan: Count
    borrower: Seat
    lender: Seat
    amount: Amount
    rule: RuleId
    schema: Literal[1] = 1


class AgreementMade(Event, frozen=True, tag="agreement_made"):
    """Two seats agreed on something (SJG-31).

    Attributes:
        agreement: Number of the agreement in the game, from 1.
        parties: Who proposed it and who accepted.
        text: Digest of its text, which has no automatic effect; empty without one.
        payments: What runs by itself.
        schema: Number of this shape.
    """

    agreement: Count
    parties: tuple[Seat, Seat]
    text: TextDigest
    payments: tuple[ScheduledPayment, ...]
    schema: Literal[1] = 1


class ScheduledPaid(Event, frozen=True, tag="scheduled_paid"):
    """A scheduled payment had its turn (SJG-31); what cash allowed moved by a `money_moved` of its own.

    Attributes:
        agreement: Number of the agreement.
        payment: Which of its payments, from 0.
        time: Which of its times, from 1.
        due: What was agreed on.
        paid: What cash allowed.
        schema: Number of this shape.
    """

    agreement: Count
    payment: Count
    time: Count
    due: Amount
    paid: Count
    schema: Literal[1] = 1


class CancelAsked(Event, frozen=True, tag="cancel_asked"):
    """One of the two wants an agreement to end; it ends when both do (SJG-31).

    Attributes:
        agreement: Number of the agreement.
        seat: The one who wants it to end.
        schema: Number of this shape.
    """

    agreement: Count
    seat: Seat
    schema: Literal[1] = 1


class AgreementEnded(Event, frozen=True, tag="agreement_ended"):
    """An agreement is over; payments that did not run by now never do (SJG-31).

    Attributes:
        agreement: Number of the agreement.
        how: Both cancelled it, all it consisted of was paid, or one of the two is out.
        schema: Number of this shape.
    """

    agreement: Count
    how: Literal["cancelled", "completed", "party_out"]
    schema: Literal[1] = 1
