"""One example of every event of money between people; see `events.examples.events`."""

from hashlib import sha256

from events.base import Event
from events.social_justice import deals

_TEXT = sha256(b"agreement").hexdigest()
_RENT = deals.ScheduledPayment(payer=2, payee=1, amount=50, when="own_turn", every=2, times=6)
_DUES = deals.ScheduledPayment(payer=1, payee=2, amount=10, when="payday", times=3)

EXAMPLES: tuple[Event, ...] = (
    deals.OfferMade(
        offer=4, by=2, to=1, counters=3, window="",
        terms=deals.LoanTerms(borrower=1, lender=2, principal=400, pct=25, term=6),
    ),
    deals.OfferEnded(offer=4, how="accepted"),
    deals.LoanGranted(
        loan=1, borrower=1, lender=2, principal=400, pct=25, amount=500, term=6, due=9, rule="SJG-14"
    ),
    deals.LoanPaid(loan=1, borrower=1, lender=2, estate=False, amount=200, left=300, rule="SJG-4b"),
    deals.LoanWrittenOff(loan=1, borrower=1, lender=2, estate=False, amount=300, rule="SJG-4b"),
    deals.LoanInherited(loan=2, borrower=1, lender=3, amount=300, rule="SJG-4b"),
    deals.AgreementMade(agreement=1, parties=(2, 1), text=_TEXT, payments=(_RENT, _DUES)),
    deals.ScheduledPaid(agreement=1, payment=0, time=1, due=50, paid=30),
    deals.CancelAsked(agreement=1, seat=1),
    deals.AgreementEnded(agreement=1, how="cancelled"),
)  # fmt: skip
"""In the order in which they were published; see `events.examples.events.EXAMPLES`."""
