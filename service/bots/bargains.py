"""Deals of a sensible bot: how it raises money for a debt, to whom it lends, what it buys and sells."""

from collections.abc import Callable, Iterator
from typing import Any

from events.social_justice.board import LAP, ROLES
from service.bots import figures
from service.bots.base import Json
from service.bots.offers import answers_of
from service.bots.situation import Situation

ORDER: tuple[str, ...] = ROLES
"""Roles, lowest first."""

INTEREST, LEAST_INTEREST, MOST_INTEREST = 20, 10, 50
"""What a lender asks, takes at least, and what a borrower takes at most, in percent."""

TERM = 8
"""Own turns that a loan runs."""

SHARE = 3
"""A lender lends a third of what can be spared, at most."""

KIND = 1 / 4
"""How often a bot lends a small sum to a player who may never repay it."""

SMALL = 10
"""A small sum: what is to spare, divided by this."""

BARGAIN = 3 / 2
"""A title is sold to another player for this many times its worth."""

Chance = Callable[..., float]
Way = tuple[str, Json]
"""An action, and its parameters."""


def next_role(role: str) -> str:
    """Return the role above one; the highest stays."""
    return ORDER[min(ORDER.index(role) + 1, len(ORDER) - 1)]


def bank_credit(situation: Situation) -> int:
    """Return how much the automatic bank would lend now."""
    action = situation.menu.get("borrow_from_bank")
    return int(action["schema"]["properties"]["principal"]["maximum"]) if action else 0


def ways_to_raise(situation: Situation, missing: int) -> Iterator[Way]:
    """List ways to cover a debt, the cheapest first: a bank loan, another player's, a sale to another player."""
    if bank_credit(situation) >= missing:
        yield "borrow_from_bank", {"principal": missing}
    state, seat = situation.state, situation.seat
    if request := situation.menu.get("request_loan"):
        lenders = request["schema"]["properties"]["lender"]["enum"]
        if lender := figures.richest_other(state, seat, lenders):
            yield "request_loan", {"lender": lender, "principal": missing, "pct": _pct(state), "term": TERM}
        if 0 in lenders:
            yield "request_loan", {"lender": 0, "principal": missing, "pct": _pct(state), "term": TERM}
    if sale := situation.menu.get("sell_title"):
        buyer = figures.richest_other(state, seat, sale["schema"]["properties"]["buyer"]["enum"])
        mine = sorted(figures.titles_of(state, seat), key=lambda square: figures.title_worth(state, square))
        fitting = [square for square in mine if figures.title_worth(state, square) >= missing]
        if buyer and fitting:
            price = max(1, figures.title_worth(state, fitting[0]))
            yield "sell_title", {"square": fitting[0].i, "buyer": buyer, "price": price}


def _pct(state: Json) -> int:
    cap = figures.value_of(state, "loan.usury_cap")
    return INTEREST if cap is None else min(INTEREST, cap)


def answer(actions: list[Json], state: Json, chance: Chance) -> Json | None:
    """Answer the oldest offer that waits; None when none does, or nothing can be answered now."""
    menu = {action["name"]: action for action in answers_of(actions)}
    if "decline_offer" not in menu:
        return None
    number = menu["decline_offer"]["schema"]["properties"]["offer"]["enum"][0]
    offer = state["deals"]["offers"][str(number)]
    accept = menu.get("accept_offer")
    acceptable = accept is not None and number in accept["schema"]["properties"]["offer"]["enum"]
    wish = WISHES[offer["terms"]["kind"]](state, offer, chance)
    if wish == "accept" and accept is not None and acceptable:
        return {**accept["body"], "offer": number}
    if wish == "lend" and (counter := menu.get("counter_loan")):
        principal = offer["terms"]["principal"]
        return {**counter["body"], "offer": number, "principal": principal, "pct": _pct(state), "term": TERM}
    return {**menu["decline_offer"]["body"], "offer": number}


def _on_loan(state: Json, offer: Json, chance: Chance) -> str:
    terms = offer["terms"]
    if terms["borrower"] == offer["to"]:
        return "accept" if terms["pct"] is not None and terms["pct"] <= MOST_INTEREST else ""
    if not (_would_lend(state, terms, chance) if terms["lender"] else _bank_would_lend(state, terms)):
        return ""
    asked = terms["pct"] is None or terms["term"] is None or terms["pct"] < min(LEAST_INTEREST, _pct(state))
    return "lend" if asked else "accept"


def _bank_would_lend(state: Json, terms: Json) -> bool:
    """Lend as the automatic bank would, for the seat that keeps the bank."""
    role = figures.citizen_of(state, terms["borrower"])["role"]
    salary = figures.value_of(state, f"payday.salary.{role}")
    return bool(terms["principal"] <= salary * figures.value_of(state, "loan.bank_max_salary_x"))


def _would_lend(state: Json, terms: Json, chance: Chance) -> bool:
    """Lend what one can spare to who can repay it, and now and then a little to who may not."""
    borrower, lender, principal = terms["borrower"], terms["lender"], terms["principal"]
    spare = figures.spare(state, lender)
    if principal > spare // SHARE:
        return False
    if principal * (100 + _pct(state)) // 100 <= _outlook(state, borrower):
        return True
    own = figures.citizen_of(state, borrower)["own"]
    return principal <= spare // SMALL and chance("lend", lender, borrower, own) < KIND


def _outlook(state: Json, borrower: int) -> float:
    """Return what a borrower may have when a loan falls due: half of the salaries, and titles at half their worth."""
    role = figures.citizen_of(state, borrower)["role"]
    paydays = min(TERM, figures.rounds_left(state)) * figures.mean_roll(state, role) / LAP
    titles = sum(figures.title_worth(state, square) for square in figures.titles_of(state, borrower))
    return float(figures.value_of(state, f"payday.salary.{role}") * paydays / 2 + titles / 2)


def _on_sale(state: Json, offer: Json, _chance: Chance) -> str:
    terms = offer["terms"]
    worth = figures.title_worth(state, figures.board_of(state).squares[terms["square"]])
    if terms["buyer"] == offer["to"]:
        # The seat that keeps the bank pays what the automatic one would.
        if not terms["buyer"]:
            return "accept" if terms["price"] <= worth // 2 else ""
        can = figures.spare(state, terms["buyer"]) >= terms["price"]
        return "accept" if can and terms["price"] <= worth else ""
    return "accept" if terms["price"] >= worth * BARGAIN else ""


def _on_agreement(_state: Json, offer: Json, _chance: Chance) -> str:
    """Agree to what brings money; a text alone binds nobody and is no bargain."""
    payments: list[Any] = offer["terms"]["payments"]
    signs = [1 if payment["payee"] == offer["to"] else -1 for payment in payments]
    worth = sum(sign * payment["amount"] * payment["times"] for sign, payment in zip(signs, payments, strict=True))
    return "accept" if worth > 0 else ""


WISHES: dict[str, Callable[[Json, Json, Chance], str]] = {
    "loan": _on_loan,
    "sale": _on_sale,
    "agreement": _on_agreement,
}
"""What a bot wants to answer, by kind of offer: `accept`, `lend` (on its own terms), or nothing of it."""
