"""One case for every parameter of the catalogue: a value within bounds, one beyond, and what shows that it is obeyed.

`sees` plays a position under what was voted on and gives what there is to see; `before` is that without the rule,
`after` with it.
"""

from collections.abc import Callable, Iterator
from typing import Any

from events.play import CardDrawn
from events.social_justice.deals import LoanGranted
from events.social_justice.events import Jailed
from events.social_justice.operations import AREAS
from events.social_justice.politics import VoteOpened
from projections.state.politics import Politics
from projections.state.social_justice import Title
from tests.scenarios.social_justice.parameter_words import (
    ROLES,
    SALARIES,
    SQUARES,
    Case,
    Sees,
    asked,
    at_the_end,
    lands,
    may_on_another,
    paid,
    payday,
    rent,
    seat_2,
    sides,
    square_of_2,
    throws,
)
from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, Hall, Loaded, hall

# The utilities.


def _rate_max(politics: Politics) -> tuple[str, list[int]]:
    """The Owner tries 90 after she had set 80; then a player lands."""
    game = hall(OWNER.at(1), UNEMPLOYED.at(4), EMPLOYEE, politics=politics)
    game.state.rates["enron.landing"] = 80
    code = game.tries(1, "set_rate", name="enron.landing", rate=90)
    game.rolls(2).act(1, "decline").act(1, "end_turn").rolls(1)
    return code, paid(game, "utility")


def _sets_rates(politics: Politics) -> str:
    return hall(OWNER, UNEMPLOYED, EMPLOYEE, politics=politics).tries(1, "set_rate", name="enron.payday", rate=1)


def _utility_price(utility: str) -> Sees:
    """Bought from the bank on landing; and what the bank gives the Owner for hers."""
    square = SQUARES[utility]

    def sees(politics: Politics) -> tuple[list[int], list[int]]:
        buyer = seat_2(UNEMPLOYED.at(square - 1), politics, titles={square: (0, 0)}).rolls(1).act(2, "buy")
        seller = hall(OWNER, UNEMPLOYED, EMPLOYEE, politics=politics, titles={square: (1, 0)})
        seller.act(1, "sell_to_bank", square=square)
        return paid(buyer, "title"), paid(seller, "title_sold")

    return sees


def _public(utility: str) -> Sees:
    square = SQUARES[utility]

    def sees(politics: Politics) -> list[str]:
        game = seat_2(UNEMPLOYED.at(square - 1), politics, titles={square: (1, 0)}).rolls(1)
        return [payee for _, payee, _ in game.paid(reason="utility")]

    return sees


def utilities() -> Iterator[Case]:
    """The cases of the utilities."""
    yield Case("utility.rate_max", 60, [-1, 10_001], _rate_max, ("", [90]), ("out_of_bounds", [60]))
    yield Case("utility.holder_sets_rates", False, [], _sets_rates, "", "rates_not_free")
    for utility, square in SQUARES.items():
        name, held, ref = f"utility.{utility}", {square: (1, 0)}, f"square:{square}"
        at_payday, landing = payday("utility", ref=ref), lands(square, "utility", titles=held)
        yield Case(f"{name}.payday_rate", 70, [-1, 10_001], at_payday, [50], [70])
        yield Case(f"{name}.landing_rate", 0, [-1, 10_001], landing, [25], [])
        yield Case(f"{name}.public", True, [], _public(utility), ["seat:1"], ["bank"])
        yield Case(
            f"utility.price.{utility}", 701, [-1, 10_001], _utility_price(utility), ([500], [250]), ([701], [350])
        )
        for role in ROLES:
            at_payday, landing = payday("utility", role, ref), lands(square, "utility", role, titles=held)
            yield Case(f"{name}.payday_cap.{role}", 20, [-1, 10_001], at_payday, [50], [20])
            yield Case(f"{name}.landing_cap.{role}", 24, [-1, 10_001], landing, [25], [24])


# Payday, moving, the hospital, the college: what differs by role.


def _tuition(role: str, face: int = 0, *, veteran: bool = False) -> Sees:
    def sees(politics: Politics) -> list[int]:
        game = seat_2(ROLES[role].at(9, veteran=veteran), politics).rolls(1)
        game = game.act(2, "apply_for_aid", ("aid", face)) if face else game.act(2, "decline")
        return paid(game.act(2, "pay_tuition"), "tuition")

    return sees


def _second_application(politics: Politics) -> list[str]:
    game = seat_2(UNEMPLOYED.at(9), politics)
    game.state.citizens[2].aid_used = 1
    return game.rolls(1).asks(2)


def by_role() -> Iterator[Case]:
    """The cases of what differs by role."""
    die = {"unemployed": 4, "employee": 6, "manager": 8, "owner": 10}
    fee = {"unemployed": 400, "employee": 300, "manager": 200, "owner": 100}
    for role, salary in SALARIES.items():
        sitter = ROLES[role].at(6)
        yield Case(f"payday.salary.{role}", 777, [-1, 20_001], payday("salary", role), [salary], [777])
        yield Case(f"backtax.pct.{role}", 10, [-1, 101], lands(28, "back_taxes", role), [salary // 2], [salary // 10])
        yield Case(
            f"move.die.{role}", 20, [0, 5, 7, 100], throws(sitter, sides("movement"), movement=1), [die[role]], [20]
        )
        yield Case(f"move.extra.{role}", 2, [-4, 4], throws(sitter, square_of_2, movement=1), 7, 9)
        yield Case(f"property.rent_cap.{role}", 55, [-1, 10_001], rent(role, 3), [120], [55])
        yield Case(f"hospital.fee.{role}", 66, [-1, 5_001], lands(13, "hospital", role), [fee[role]], [66])
    yield Case("payday.enabled", False, [], payday("salary"), [200], [])
    yield Case("backtax.utilities", False, [], lands(28, "utility"), [50, 50], [])
    yield Case("hospital.va_fee", 20, [-1, 5_001], lands(13, "hospital", veteran=True), [50], [20])
    yield Case("hospital.payer", "bank", ["nobody"], lands(13, "hospital"), [400], [])
    yield Case("college.enabled", False, [], asked(10), ["aid"], ["turn_end"])
    yield Case("college.tuition.unemployed", 1_234, [-1, 20_001], _tuition("unemployed"), [2_000], [1_234])
    yield Case("college.tuition.employee", 432, [-1, 20_001], _tuition("employee"), [1_000], [432])
    yield Case("college.aid_max", 2, [-1, 100], _second_application, ["tuition"], ["aid"])
    yield Case(
        "college.aid_charge", [0, 0, 10, 0, 0, 0], [[100] * 5, [101] * 6], _tuition("unemployed", 3), [1_000], [200]
    )
    yield Case("college.gi_pct", 10, [-1, 101], _tuition("unemployed", veteran=True), [1_000], [200])


# Titles and houses.


def _gentrified(reason: str) -> Sees:
    def sees(politics: Politics) -> list[int]:
        game = seat_2(UNEMPLOYED.at(1), politics, titles={3: (1, 0)}).rolls(2)
        return paid(game.act(2, "gentrify", houses=1), reason)

    return sees


def _price(politics: Politics) -> tuple[list[int], list[int]]:
    bought = seat_2(UNEMPLOYED.at(1), politics).rolls(2).act(2, "buy")
    return paid(bought, "title"), _gentrified("gentrified")(politics)


def _house(politics: Politics) -> list[list[int]]:
    built = paid(at_the_end(politics).act(2, "build", square=3), "house")
    donated = paid(at_the_end(politics).act(2, "donate", square=4), "donation")
    return [built, donated, _gentrified("house")(politics)]


def _room(politics: Politics) -> list[str]:
    game = at_the_end(politics, houses=2)
    return [game.tries(2, "build", square=3), game.tries(2, "donate", square=4)]


def _resale(houses: int) -> Sees:
    return lambda politics: paid(at_the_end(politics, houses).act(2, "sell_to_bank", square=3), "title_sold")


def _in_the_group(politics: Politics) -> str:
    """Seat 2 had donated a house on Food Desert Drive and lands on Redline Road."""
    game = seat_2(UNEMPLOYED.at(2), politics, titles={3: (1, 0)})
    game.state.titles[1] = Title(holder=1, houses=1, donors=[2])
    return game.rolls(1).tries(2, "pay_rent")


MAY_GENTRIFY = may_on_another("gentrify", 0, houses=1)


def titles() -> Iterator[Case]:
    """The cases of titles and houses."""
    yield Case("property.price_pct", 150, [9, 501], _price, ([200], [200]), ([300], [300]))
    yield Case("property.house_cost_pct", 150, [-1, 501], _house, [[100]] * 3, [[150]] * 3)
    yield Case("property.rent_pct", 250, [-1, 501], rent("unemployed", 1), [30], [75])
    yield Case("property.max_houses", 2, [0, 4], _room, ["", ""], ["nothing_to_build_on", "nothing_to_donate_to"])
    yield Case("property.purchase_enabled", False, [], asked(3), ["buy"], ["turn_end"])
    yield Case("property.resale_pct", 25, [-1, 101], _resale(0), [100], [50])
    yield Case("property.house_resale_pct", 0, [-1, 101], _resale(2), [200], [100])
    yield Case("gentrify.enabled", False, [], MAY_GENTRIFY, "", "gentrify_off")
    yield Case("gentrify.price_pct", 150, [99, 501], _gentrified("gentrified"), [200], [300])
    yield Case("gentrify.min_houses", 2, [-1, 4], MAY_GENTRIFY, "", "out_of_bounds")
    yield Case("gentrify.protected_roles", ["owner"], [["boss"]], MAY_GENTRIFY, "", "holder_protected")
    yield Case("gentrify.allowed_roles", ["manager"], [["boss"]], MAY_GENTRIFY, "", "role_not_allowed")
    yield Case("community.enabled", False, [], may_on_another("donate", square=3), "", "community_off")
    yield Case("community.scope", "group", ["board"], _in_the_group, "", "exempt")
    yield Case("community.donor_cost_pct", 40, [-1, 101], lambda p: _house(p)[1], [100], [40])


# Military and jail.


def _enlisted(look: Callable[[Hall], Any]) -> Sees:
    return lambda politics: look(seat_2(UNEMPLOYED.at(29), politics).rolls(1).act(2, "enlist"))


def _released(politics: Politics) -> list[int]:
    game = hall(OWNER.at(1), UNEMPLOYED.at(35, jail_turns=1), EMPLOYEE, politics=politics).rolls(2)
    return paid(game.act(1, "decline").act(1, "end_turn"), "release_pay")


def _arrested(look: Callable[[Hall], Any]) -> Sees:
    return throws(UNEMPLOYED.at(34), look, movement=1, jail=3)


def _turns(game: Hall) -> list[int]:
    return [event.turns for event in game.found(Jailed)]


def _bailed(politics: Politics) -> list[int]:
    game = seat_2(UNEMPLOYED.at(34), politics).throws(Loaded(movement=1, jail=3))
    return paid(game.act(2, "pay_bail"), "bail") if game.asks(2) == ["bail"] else []


def service() -> Iterator[Case]:
    """The cases of the military and of jail."""
    soldier = EMPLOYEE.at(10, serving=True)
    fights = throws(soldier, sides("combat"), combat=2, movement=3)
    falls = throws(soldier, lambda game: game.state.citizens[2].out, combat=[1, 2], movement=3)
    role = _enlisted(lambda game: game.state.citizens[2].role)
    yield Case("military.enabled", False, [], asked(30), ["enlist"], ["turn_end"])
    yield Case("military.move_penalty", 2, [-1, 11], throws(soldier, square_of_2, combat=2, movement=3), 12, 11)
    yield Case("military.combat_enabled", False, [], fights, [6], [])
    yield Case("military.combat_hits", 1, [0, 7], falls, "", "killed")
    yield Case("military.promotes", False, [], role, "employee", "unemployed")
    yield Case("military.bonus", 300, [-1, 5_001], _enlisted(lambda game: paid(game, "bonus")), [], [300])
    yield Case("jail.enabled", False, [], _arrested(_turns), [3], [])
    yield Case("jail.die", 6, [0, 5, 12], _arrested(sides("jail")), [4], [6])
    yield Case("jail.fixed_turns", 5, [-1, 11], _arrested(_turns), [3], [5])
    yield Case("jail.immune_roles", ["unemployed"], [["boss"], ["owner", "owner"]], _arrested(_turns), [3], [])
    yield Case("jail.release_pay_pct", 50, [-1, 101], _released, [], [100])
    yield Case("jail.bail", 150, [-1, 5_001], _bailed, [], [150])


# Loans.


def _may_borrow(principal: int, open_before: int = 0) -> Sees:
    def sees(politics: Politics) -> str:
        game = seat_2(EMPLOYEE, politics)
        for _ in range(open_before):
            game.act(2, "borrow_from_bank", principal=100)
        return game.tries(2, "borrow_from_bank", principal=principal)

    return sees


def _lent(look: Callable[[LoanGranted], int]) -> Sees:
    def sees(politics: Politics) -> int:
        (loan,) = seat_2(EMPLOYEE, politics, own=4).act(2, "borrow_from_bank", principal=100).found(LoanGranted)
        return look(loan)

    return sees


def _second_loan(politics: Politics) -> str:
    terms = {"lender": 1, "principal": 100, "pct": 10, "term": 5}
    game = seat_2(UNEMPLOYED, politics).act(2, "request_loan", **terms).act(1, "accept_offer", offer=1)
    return game.tries(2, "request_loan", **terms)


def _usury(politics: Politics) -> bool:
    terms = {"lender": 1, "principal": 100, "pct": 60, "term": 5}
    return not seat_2(UNEMPLOYED, politics).tries(2, "request_loan", **terms)


def lending() -> Iterator[Case]:
    """The cases of loans."""
    yield Case("loan.bank_enabled", False, [], _may_borrow(100), "", "bank_lends_nothing")
    yield Case("loan.bank_roles", ["owner"], [["boss"]], _may_borrow(100), "", "role_refused")
    yield Case("loan.bank_max_salary_x", 3, [-1, 21], _may_borrow(1_500), "out_of_bounds", "")
    yield Case("loan.bank_interest", 50, [-1, 201], _lent(lambda loan: loan.amount), 120, 150)
    yield Case("loan.bank_term", 3, [0, 51], _lent(lambda loan: loan.due), 14, 7)
    yield Case("loan.max_bank", 2, [-1, 6], _may_borrow(100, open_before=1), "loan_open", "")
    yield Case("loan.max_per_lender", 2, [-1, 6], _second_loan, "loan_open", "")
    yield Case("loan.usury_cap", 50, [-1, 1_001], _usury, True, False)


# Cards, votes, the White House, the end.


def _cards(politics: Politics) -> int:
    game = seat_2(UNEMPLOYED.at(1), politics).throws(Loaded(movement=1, card=[0, 0]))
    return len(game.found(CardDrawn))


def _needed(politics: Politics) -> list[int]:
    game = seat_2(UNEMPLOYED, politics).proposes({"op": "motion", "motion": "end_game"})
    return [vote.needed for vote in game.found(VoteOpened)]


def _after_a_proposal(politics: Politics) -> int:
    game = seat_2(UNEMPLOYED, politics).proposes({"op": "motion", "motion": "end_game"})
    return game.votes(no=[3, 1]).state.active


def _may_declare(area: str) -> Sees:
    actions: dict[str, tuple[str, dict[str, Any]]] = {
        "bailout": ("declare_bailout", {"enron": 1}),
        "care": ("declare_care", {"fee": 1}),
        "net": ("declare_net", {"froogle": 1}),
        "pardon": ("declare_sentence", {"fixed_turns": 1}),
        "troops": ("withdraw_troops", {"players": [2]}),
    }
    name, fields = actions[area]

    def sees(politics: Politics) -> str:
        game = hall(OWNER.at(18), EMPLOYEE.at(1, serving=True), MANAGER, politics=politics).rolls(2)
        game.act(1, "give_speech").votes(yes=2)
        return game.tries(1, name, **fields)

    return sees


def _last_round(politics: Politics) -> str:
    """The last seat ends its turn in round 5."""
    game = hall(OWNER, UNEMPLOYED, EMPLOYEE, active=3, politics=politics, round_=5).rolls(2)
    return game.act(3, "decline").act(3, "end_turn").state.status


def the_rest() -> Iterator[Case]:
    """The other cases."""
    yield Case("change.enabled", False, [], _cards, 1, 0)
    yield Case("change.draws", 2, [-1, 4], _cards, 1, 2)
    yield Case("vote.threshold", "unanimous", ["plurality"], _needed, [2], [3])
    yield Case("vote.costs_turn", False, [], _after_a_proposal, 3, 2)
    yield Case("white_house.roles", ["unemployed"], [["boss"]], asked(20), ["turn_end"], ["speech"])
    for area in AREAS:
        yield Case(f"white_house.power.{area}", False, [], _may_declare(area), "", "power_off")
    yield Case("end.rounds", 5, [0, 1, 201], _last_round, "playing", "finished")


CASES: dict[str, Case] = {
    case.param: case for case in (*utilities(), *by_role(), *titles(), *service(), *lending(), *the_rest())
}
"""By the parameter's name."""
