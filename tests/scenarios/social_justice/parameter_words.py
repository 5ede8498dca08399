"""What shows that a parameter is obeyed: positions played under what was voted on, and what there is to see in them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from projections.state.politics import Politics
from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, Hall, Loaded, Sitter, hall

Sees = Callable[[Politics], Any]
ROLES: dict[str, Sitter] = {"unemployed": UNEMPLOYED, "employee": EMPLOYEE, "manager": MANAGER, "owner": OWNER}
SALARIES = {"unemployed": 200, "employee": 500, "manager": 1_000, "owner": 3_000}
SQUARES = {"enron": 5, "flint": 15, "froogle": 25}


@dataclass(frozen=True)
class Case:
    """One parameter, and how it shows.

    Attributes:
        param: Its full name.
        value: A value within bounds.
        beyond: Values of the right type beyond bounds.
        sees: What to look at.
        before: What there is to see without the rule.
        after: What there is to see with it.
    """

    param: str
    value: Any
    beyond: list[Any]
    sees: Sees
    before: Any
    after: Any


def seat_2(where: Sitter, politics: Politics, **told: Any) -> Hall:
    """It is seat 2's turn, between an Owner with Enron and Flint and an Employee."""
    return hall(OWNER, where, EMPLOYEE, active=2, politics=politics, **told)


def paid(game: Hall, reason: str) -> list[int]:
    return [amount for _, _, amount in game.paid(reason=reason)]


def payday(reason: str, role: str = "unemployed", ref: str = "") -> Sees:
    """Land on Payday; what is paid for a reason."""
    fields = {"reason": reason, **({"ref": ref} if ref else {})}

    def sees(politics: Politics) -> list[int]:
        game = seat_2(ROLES[role].at(38), politics, titles={25: (1, 0)}).rolls(2)
        return [amount for _, _, amount in game.paid(**fields)]

    return sees


def lands(square: int, reason: str, role: str = "unemployed", **told: Any) -> Sees:
    """Land on a square; what is paid for a reason."""
    sitter = ROLES[role].at(square - 1, veteran=told.pop("veteran", False))
    return lambda politics: paid(seat_2(sitter, politics, **told).rolls(1), reason)


def asked(square: int, **told: Any) -> Sees:
    """Land on a square as an Unemployed; what is asked there."""
    sitter = UNEMPLOYED.at(square - 1)
    return lambda politics: seat_2(sitter, politics, **told).rolls(1).asks(2)


def on_another(name: str, houses: int = 0, role: str = "unemployed", **fields: Any) -> Callable[[Politics], Hall]:
    """Land on an Owner's Redline Road (group A, 200) and do something there."""

    def play(politics: Politics) -> Hall:
        game = seat_2(ROLES[role].at(1), politics, titles={3: (1, houses)}).rolls(2)
        return game.act(2, name, **fields)

    return play


def may_on_another(name: str, standing: int = 0, /, **fields: Any) -> Sees:
    """Land on an Owner's Redline Road; why something is not possible there."""
    return lambda politics: (
        seat_2(UNEMPLOYED.at(1), politics, titles={3: (1, standing)}).rolls(2).tries(2, name, **fields)
    )


def at_the_end(politics: Politics, houses: int = 0) -> Hall:
    """Seat 2 holds Redline Road and is at its end prompt."""
    return seat_2(UNEMPLOYED.at(18), politics, titles={3: (2, houses), 4: (1, houses)}).rolls(2)


def rent(role: str, houses: int) -> Sees:
    return lambda politics: paid(on_another("pay_rent", houses, role)(politics), "rent")


def throws(sitter: Sitter, look: Callable[[Hall], Any], **faces: Any) -> Sees:
    """Roll on loaded dice and look."""
    return lambda politics: look(seat_2(sitter, politics).throws(Loaded(**faces)))


def square_of_2(game: Hall) -> int:
    return game.state.citizens[2].square


def sides(purpose: str) -> Callable[[Hall], list[int]]:
    return lambda game: [sides for what, sides in game.asked if what == purpose]
