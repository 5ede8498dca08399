"""Who deals in the scenarios of money between people, and what each may be made to do; see `deals`."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from events.base import BANK, seat_account
from events.social_justice.deals import ScheduledPayment
from projections.state.social_justice import SocialJusticeState
from service.rules import actions as a
from service.rules import actions_deals as d
from service.rules import actions_social_justice as s
from service.rules.decide import Command

ZERO, NOW = "0" * 64, 1_767_225_600_000
Payment: TypeAlias = ScheduledPayment


@dataclass(frozen=True)
class Step:
    """A player's action; the prompt is the seat's own open one unless another is named."""

    seat: int
    make: Callable[[str], a.AnyAction]
    draws: tuple[tuple[int, ...], ...] = ()

    def command(self, state: SocialJusticeState) -> Command:
        prompts = [prompt.prompt for prompt in state.prompts.values() if prompt.seat == self.seat]
        action = self.make(prompts[0] if prompts else next(iter(state.prompts), "p1"))
        return Command(action, self.seat, f"seat:{self.seat}", ZERO, NOW)


@dataclass(frozen=True)
class Person:
    """A player at the table, or the bank."""

    seat: int

    @property
    def account(self) -> str:
        return seat_account(self.seat) if self.seat else BANK

    def _does(self, make: Callable[[str], a.AnyAction], *draws: tuple[int, ...]) -> Step:
        return Step(self.seat, make, draws)

    def sells(self, square: int, buyer: "Person", price: int) -> Step:
        return self._does(lambda p: d.SellTitle(prompt=p, square=square, buyer=buyer.seat, price=price))

    def bids(self, square: int, price: int) -> Step:
        return self._does(lambda p: d.BidForTitle(prompt=p, square=square, price=price))

    def sells_to_bank(self, square: int) -> Step:
        return self._does(lambda p: d.SellToBank(prompt=p, square=square))

    def requests(self, lender: "Person", principal: int, pct: int | None = None, term: int | None = None) -> Step:
        return self._does(
            lambda p: d.RequestLoan(prompt=p, lender=lender.seat, principal=principal, pct=pct, term=term)
        )

    def borrows(self, principal: int) -> Step:
        return self._does(lambda p: d.BorrowFromBank(prompt=p, principal=principal))

    def repays(self, loan: int) -> Step:
        return self._does(lambda p: d.RepayLoan(prompt=p, loan=loan))

    def proposes(self, party: "Person", *payments: Payment, text: str = "") -> Step:
        return self._does(lambda p: d.ProposeAgreement(prompt=p, party=party.seat, text=text, payments=payments))

    def accepts(self, offer: int) -> Step:
        return self._does(lambda _p: d.AcceptOffer(offer=offer))

    def declines(self, offer: int) -> Step:
        return self._does(lambda _p: d.DeclineOffer(offer=offer))

    def withdraws(self, offer: int) -> Step:
        return self._does(lambda _p: d.WithdrawOffer(offer=offer))

    def asks(self, offer: int, price: int) -> Step:
        return self._does(lambda _p: d.CounterSale(offer=offer, price=price))

    def sets_terms(self, offer: int, principal: int, pct: int, term: int) -> Step:
        return self._does(lambda _p: d.CounterLoan(offer=offer, principal=principal, pct=pct, term=term))

    def rewrites(self, offer: int, *payments: Payment, text: str = "") -> Step:
        return self._does(lambda _p: d.CounterAgreement(offer=offer, text=text, payments=payments))

    def cancels(self, agreement: int) -> Step:
        return self._does(lambda _p: d.CancelAgreement(agreement=agreement))

    def pays(self, to: "Person", amount: int, cites: str = "") -> Step:
        return self._does(lambda _p: d.Pay(to=to.seat, amount=amount, cites=cites))

    def ends_turn(self) -> Step:
        return self._does(lambda p: s.EndTurn(prompt=p))

    def rolls(self, *draws: int) -> Step:
        return self._does(lambda p: a.Roll(prompt=p), *((face,) for face in draws))

    def buys_nothing(self) -> Step:
        return self._does(lambda p: s.Decline(prompt=p))

    def raises(self) -> Step:
        return self._does(lambda p: s.RaiseFunds(prompt=p))

    def gives_up(self) -> Step:
        return self._does(lambda p: s.DeclareBankruptcy(prompt=p))

    def leaves(self) -> Step:
        return self._does(lambda _p: a.Leave())


ann, bob, cid, dee = (Person(seat) for seat in (1, 2, 3, 4))
bank = Person(0)
NAMES = {"ann": ann, "bob": bob, "cid": cid, "dee": dee}
