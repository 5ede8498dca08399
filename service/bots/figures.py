"""The Social Justice Game as a bot sees it: figures read off the public state, as the API shows it."""

from collections.abc import Iterator
from typing import Any

from events.social_justice.board import LAP, SocialJusticeBoard, Square, social_justice_board
from service.bots.base import Json
from service.rules.social_justice.catalogue import PARAMETERS, RATES

LONG_GAME = 30
"""Rounds that are planned for when no last one is set."""

RESERVE = {"unemployed": 150, "employee": 200, "manager": 300, "owner": 500}
"""Cash that is kept for rents, fees and utilities, by role."""

SOON = 4
"""Own turns within which a loan that falls due is saved for."""


def board_of(state: Json) -> SocialJusticeBoard:
    """Return the board that a game is played on."""
    return social_justice_board(next(pin["version"] for pin in state["pins"] if pin["name"].endswith("_board")))


def value_of(state: Json, name: str) -> Any:
    """Return a parameter's value: of the stack of rules, else the holder's rate, else the start's, else the default."""
    values = state["politics"]["values"]
    if name in values:
        return values[name]
    if RATES.get(name) in state["rates"]:
        return state["rates"][RATES[name]]
    return state["options"][name] if name in state["options"] else PARAMETERS[name].default


def alive(state: Json) -> list[int]:
    """List the seats that are still in."""
    return sorted(int(seat) for seat, citizen in state["citizens"].items() if not citizen["out"])


def citizen_of(state: Json, seat: int) -> Json:
    """Return a seat's things."""
    citizen: Json = state["citizens"][str(seat)]
    return citizen


def cash_of(state: Json, seat: int) -> int:
    """Return a seat's cash."""
    return int(state["cash"][f"seat:{seat}"])


def titles_of(state: Json, seat: int) -> list[Square]:
    """List the squares whose titles a seat holds; 0 for the bank."""
    held = {int(square) for square, title in state["titles"].items() if title["holder"] == seat}
    return [square for square in board_of(state).squares if square.i in held]


def owed(state: Json, seat: int) -> list[Json]:
    """List the loans that a seat owes."""
    return [loan for loan in state["deals"]["loans"].values() if loan["borrower"] == seat]


def lent(state: Json, seat: int) -> int:
    """Add up what is owed to a seat."""
    loans = state["deals"]["loans"].values()
    return sum(int(loan["owed"]) for loan in loans if loan["lender"] == seat and not loan["estate"])


def title_worth(state: Json, square: Square) -> int:
    """Return what a title is worth with its houses, at list prices."""
    price: int = value_of(state, f"utility.price.{square.key}") if square.key else square.price
    houses: int = state["titles"][str(square.i)]["houses"]
    return price + houses * square.house_cost


def net_worth(state: Json, seat: int) -> int:
    """Return what a seat is worth (SJG-3)."""
    titles = sum(title_worth(state, square) for square in titles_of(state, seat))
    return cash_of(state, seat) + titles + lent(state, seat) - sum(int(loan["owed"]) for loan in owed(state, seat))


def spare(state: Json, seat: int) -> int:
    """Return how much a seat can spend: its cash less a reserve and less loans that fall due soon."""
    citizen = citizen_of(state, seat)
    due = sum(int(loan["owed"]) for loan in owed(state, seat) if loan["due"] <= citizen["own"] + SOON)
    return cash_of(state, seat) - due - RESERVE[citizen["role"]]


def mean_roll(state: Json, role: str) -> float:
    """Return the mean of a role's movement roll."""
    sides, extra = value_of(state, f"move.die.{role}"), value_of(state, f"move.extra.{role}")
    return float(max(0.0, (1 + sides) / 2 + extra))


def rounds_left(state: Json) -> int:
    """Return how many rounds there are still to come, the current one left out."""
    last = value_of(state, "end.rounds")
    return LONG_GAME if last is None else int(max(0, last - state["round"]))


def paydays_left(state: Json, role: str) -> float:
    """Return how often a role may expect to be paid until the end."""
    return rounds_left(state) * mean_roll(state, role) / LAP


def raise_by(state: Json, role: str, next_role: str) -> float:
    """Return what another role would bring until the end, in salaries alone."""
    now, then = (value_of(state, f"payday.salary.{each}") * paydays_left(state, each) for each in (role, next_role))
    return float(then) - float(now)


def richest_other(state: Json, seat: int, among: list[int]) -> int:
    """Return the seat with most cash among some, 0 for nobody; the lowest number on a tie."""
    others = [other for other in among if other not in (0, seat)]
    return max(others, key=lambda other: (cash_of(state, other), -other), default=0)


def rents(state: Json, square: Square) -> Iterator[tuple[int, int]]:
    """Yield what each other seat would owe on a property: (seat, dollars)."""
    title = state["titles"][str(square.i)]
    full = square.rent[title["houses"]] * value_of(state, "property.rent_pct") // 100
    for seat in alive(state):
        if seat != title["holder"] and seat not in title["donors"]:
            cap = value_of(state, f"property.rent_cap.{citizen_of(state, seat)['role']}")
            yield seat, full if cap is None else min(full, cap)
