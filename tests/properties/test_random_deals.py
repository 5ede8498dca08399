"""Random deals keep the books: offers, sales, loans, agreements and gifts among seats that do anything.

Turns go by with their defaults, so that loans fall due, debts arise and seats go bankrupt; what the books and the state
say is compared after every event by the table itself.
"""

import random
from collections import Counter
from typing import Any

import msgspec

from events.base import Event
from events.social_justice import deals as d
from service.rules import actions as a
from service.rules.decide import Command, decide, default_of
from service.rules.legal import LegalAction
from service.rules.rulebooks import ACTIONS
from service.rules.social_justice import choices, worth
from service.rules.violations import RuleViolation
from tests.scenarios.social_justice.dealers import NOW, ZERO, Person
from tests.scenarios.social_justice.deals import Table, deals

SEEDS = range(20)
STEPS = 160
DEALS = {a.name_of(choice.record) for choice in choices.DEALS}
ROLES: dict[str, Any] = {"ann": "owner", "bob": "unemployed", "cid": "employee", "dee": "manager"}
SELDOM = {"pay", "cancel_agreement", "decline_offer", "withdraw_offer"}
MAY_STILL_BE_REFUSED = {
    "not_between_two", "empty_agreement", "too_many_agreements",
}  # fmt: skip
"""What a schema of single parameters cannot say."""


class ChancyDice:
    """Dice that fall by a seed."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance

    def roll(self, coordinate: str, *, count: int, sides: int) -> tuple[int, ...]:
        return tuple(self.chance.randint(1, sides) for _ in range(count))

    def pick(self, coordinate: str, *, among: int) -> int:
        return self.chance.randrange(among)


class Bazaar:
    """A table whose seats deal at random."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.dice = ChancyDice(self.chance)
        names = list(ROLES)[: self.chance.choice([2, 3, 4, 4])]
        people = [Person(seat) for seat in range(1, len(names) + 1)]
        squares = self.chance.sample([1, 3, 5, 6, 7, 15, 16, 25, 39], self.chance.randint(2, 7))
        held = {square: (self.chance.choice(people), self.chance.randint(0, 3)) for square in squares}
        held = {square: (who, 0 if square in (5, 15, 25) else houses) for square, (who, houses) in held.items()}
        banker = {"bank": "player", "banker": self.chance.randint(1, len(names))} if seed % 3 == 0 else {}
        cap = {"loan.usury_cap": 40} if seed % 4 == 1 else {}
        cash = {person: self.chance.choice([0, 50, 400, 3000]) for person in people}
        roles = {name: ROLES[name] for name in names}
        self.table: Table = deals(titles=held, cash=cash, options={**banker, **cap}, **roles)
        self.seen: list[Event] = []
        self.refused: Counter[str] = Counter()

    def step(self) -> None:
        """Deal, or let a prompt's default happen."""
        state = self.table.state
        offered = [
            (seat, action)
            for seat in state.alive()
            for action in self.table.menu(Person(seat)).open
            if action.name in DEALS
        ]
        if len(state.alive()) > 2 and self.chance.random() < 0.015:
            self._act(self.chance.choice(state.alive()), a.Leave())
        elif offered and self.chance.random() < 0.65:
            seat, action = self.chance.choice(self._favoured(offered))
            self._act(seat, msgspec.convert(self._body(seat, action), ACTIONS[action.name]))
        else:
            prompt = self.chance.choice(list(state.prompts.values()))
            self._act(prompt.seat, default_of(state, prompt.prompt))

    def _favoured(self, offered: list[tuple[int, LegalAction]]) -> list[tuple[int, LegalAction]]:
        """Every kind of action equally often, but some seldom."""
        names = {action.name for _, action in offered}
        often = names - SELDOM if self.chance.random() < 0.85 else names
        name = self.chance.choice(sorted(often or names))
        return [(seat, action) for seat, action in offered if action.name == name]

    def _act(self, seat: int, action: a.AnyAction) -> None:
        command = Command(action, seat, f"seat:{seat}", ZERO, NOW)
        try:
            decision = decide(self.table.state, command, self.dice, at=NOW)
        except RuleViolation as violation:
            self.refused[violation.refusal.code] += 1
            return
        events = [envelope.data for envelope in decision.envelopes]
        self.table.fold(events)
        self.seen += events

    def _body(self, seat: int, offered: LegalAction) -> dict[str, Any]:
        if self.chance.random() < 0.2:
            return dict(offered.body)
        shapes = offered.schema["properties"]
        body = {name: self._value(name, shape, offered) for name, shape in shapes.items()}
        if body.get("payments") and self.chance.random() < 0.8:
            body["payments"] = [self._payment(self._two(seat, body)) for _ in body["payments"]]
        return {"action": offered.name} | body

    def _two(self, seat: int, body: dict[str, Any]) -> list[int]:
        """Return the two seats that an agreement is between."""
        offer = self.table.state.deals.offers.get(body.get("offer", 0))
        return list(offer.parties()) if offer else [seat, body["party"]]

    def _value(self, name: str, shape: dict[str, Any], offered: LegalAction) -> Any:
        if name == "payments":
            return [self._payment(self.table.state.alive()) for _ in range(self.chance.randint(0, 2))]
        if name in ("text", "cites"):
            return self.chance.choice(["", "e" * 64 if name == "text" else ""])
        if "const" in shape or "enum" in shape:
            return shape.get("const") or self.chance.choice(shape["enum"])
        if "anyOf" in shape:
            return None if self.chance.random() < 0.4 else self._value(name, shape["anyOf"][0], offered)
        low, high = shape["minimum"], shape["maximum"]
        return self.chance.choice([low, high, self.chance.randint(low, min(high, low + 600))])

    def _payment(self, among: list[int]) -> dict[str, Any]:
        payer, payee = self.chance.sample(among, 2)
        when = self.chance.choice(["own_turn", "payday"])
        every = self.chance.randint(1, 3) if when == "own_turn" else 1
        amount, times = self.chance.randint(1, 300), self.chance.randint(1, 5)
        return {"payer": payer, "payee": payee, "amount": amount, "when": when, "every": every, "times": times}


def keeps_every_promise(table: Table) -> None:
    state = table.state
    assert all(cash >= 0 for account, cash in state.cash.items() if account != "bank")
    assert all(0 <= title.houses <= 3 for title in state.titles.values())
    gone = set(state.citizens) - set(state.alive())
    assert not any(gone & {loan.borrower} for loan in state.deals.loans.values())
    assert all(loan.estate for loan in state.deals.loans.values() if loan.lender in gone)
    assert not any(gone & set(offer.parties()) for offer in state.deals.offers.values())
    assert not any(gone & set(agreement.parties) for agreement in state.deals.agreements.values())
    assert not any(title.holder in gone for title in state.titles.values())
    places = Counter((loan.borrower, loan.lender) for loan in state.deals.loans.values() if not loan.estate)
    assert all(count <= 1 for count in places.values())
    assert all(worth.means(state, seat) >= 0 for seat in state.alive())


def dealt(seed: int) -> Bazaar:
    """Play one table to its last step, or to its end."""
    bazaar = Bazaar(seed)
    for _ in range(STEPS):
        if bazaar.table.state.status != "playing":
            break
        bazaar.step()
        keeps_every_promise(bazaar.table)
    return bazaar


def test_random_deals_keep_the_books_and_show_all_there_is() -> None:
    """Whatever is agreed on, taken back, paid, owed or written off.

    What never happens in them would be shown of nothing; a refusal that is never met leaves its check idle.
    """
    tables = [dealt(seed) for seed in SEEDS]
    for table in tables:
        assert table.seen
        assert set(table.refused) <= MAY_STILL_BE_REFUSED, "the menu offered what is not possible"
    seen = [event for table in tables for event in table.seen]
    events = {kind for kind in vars(d).values() if isinstance(kind, type) and issubclass(kind, Event)} - {Event}
    assert events - {type(event) for event in seen} == set()
    assert DEALS - {getattr(event, "name", "") for event in seen} == set()
    ends = {event.how for event in seen if isinstance(event, d.OfferEnded)}
    assert ends == {"accepted", "declined", "withdrawn", "countered", "expired", "void"}
    refused = {code for table in tables for code in table.refused}
    assert refused >= {"not_between_two", "empty_agreement"}
