"""Every parameter of the catalogue: set by an adopted vote, obeyed by what it names, repealed."""

from typing import Any

import pytest

from projections.state.politics import Politics
from service.rules import options as agreed
from service.rules.social_justice import parameters
from service.rules.social_justice.catalogue import CATALOGUE, PARAMETERS
from service.rules.violations import RuleViolation
from tests.scenarios.social_justice.parameter_cases import CASES
from tests.scenarios.social_justice.parameter_words import Case
from tests.scenarios.social_justice.politics import EMPLOYEE, OWNER, UNEMPLOYED, Hall, hall
from tests.support.rules import rule

NONE = Politics()


def table() -> Hall:
    return hall(OWNER, UNEMPLOYED, EMPLOYEE)


def set_to(case: Case, value: Any) -> dict[str, Any]:
    return {"op": "set", "param": case.param, "value": value}


def test_there_is_a_case_for_every_parameter() -> None:
    assert set(CASES) == set(PARAMETERS)


@rule("SJG-31", "SJG-35")
@pytest.mark.parametrize("param", CASES)
def test_a_parameter_is_set_by_a_vote_obeyed_and_restored_by_a_repeal(param: str) -> None:
    """What there is to see is as it was, then as the rule says, and after its repeal as it was again."""
    case, game = CASES[param], table()
    assert case.sees(NONE) == case.before
    game.adopts(set_to(case, case.value))
    assert parameters.value(game.state, param) == case.value
    assert case.sees(game.state.politics) == case.after
    game.adopts({"op": "repeal", "rule_id": "r1"})
    assert parameters.value(game.state, param) == PARAMETERS[param].default
    assert case.sees(game.state.politics) == case.before


@rule("SJG-35")
@pytest.mark.parametrize("param", [param for param, case in CASES.items() if case.beyond])
def test_beyond_its_bounds_a_parameter_cannot_be_set(param: str) -> None:
    """The first value beyond each bound is refused."""
    for value in CASES[param].beyond:
        table().refuses("out_of_bounds", 1, "propose", operations=[set_to(CASES[param], value)])


@rule("SJG-35")
@pytest.mark.parametrize("param", CASES)
def test_a_value_of_another_type_is_refused(param: str) -> None:
    """A switch is no number, a number no switch, and neither is a list what is none."""
    case = CASES[param]
    wrong: list[Any] = ["yes", 1] if isinstance(case.value, bool) else [True]
    wrong += [] if isinstance(case.value, list) else [["owner"]]
    for value in wrong:
        table().refuses("wrong_type", 1, "propose", operations=[set_to(case, value)])


@rule("SJG-35")
@pytest.mark.parametrize("param", [param for param, case in CASES.items() if isinstance(case.value, bool)])
def test_a_switch_is_thrown_by_name(param: str) -> None:
    """`enable` and `disable` say the same as `set`."""
    operation = {"op": "enable" if CASES[param].value else "disable", "rule": param}
    game = table().adopts(operation)
    assert parameters.value(game.state, param) is CASES[param].value


@rule("SJG-35")
@pytest.mark.parametrize("param", [param for param, case in CASES.items() if isinstance(case.value, int)])
def test_bounds_are_inclusive(param: str) -> None:
    """What lies right before the first value that is refused may be set."""
    case = CASES[param]
    for value in [beyond + step for beyond in case.beyond for step in (-1, 1)]:
        game = table()
        allowed = PARAMETERS[param].bound.allows(value)
        if allowed and param != "end.rounds":
            game.adopts(set_to(case, value))
            assert parameters.uncapped(game.state, param) == value


@rule("SJG-36")
@pytest.mark.parametrize("line", [line for line in CATALOGUE if "{" in line.name], ids=lambda line: line.name)
def test_places_fill_all_parameters_of_a_line_at_once(line: Any) -> None:
    """One operation, one rule; each of them has the value."""
    names = [name for name, parameter in PARAMETERS.items() if name in line.parameters()]
    fills = {
        **({"u": ["enron", "flint", "froogle"]} if "{u}" in line.name else {}),
        **({"r": list(line.by_role or ("unemployed", "employee", "manager", "owner"))} if "{r}" in line.name else {}),
    }
    value = CASES[names[0]].value
    game = table().adopts({"op": "set", "param": line.name, "value": value, "for": fills})
    assert [parameters.value(game.state, name) for name in names] == [value] * len(names)
    assert len(game.state.politics.stack) == 1


@rule("SJG-35")
@pytest.mark.parametrize("param", CASES)
def test_a_game_may_start_with_any_value_within_bounds(param: str) -> None:
    """Agreed on before the start; a rule lies over it, and its repeal lets it hold again."""
    case = CASES[param]
    game = hall(OWNER, UNEMPLOYED, EMPLOYEE, options={param: case.value})
    assert parameters.value(game.state, param) == case.value
    default = PARAMETERS[param].default
    game.adopts(set_to(case, default))
    if game.state.politics.proposed_turn == game.state.turn:  # that proposal cost no turn
        game.rolls(2).act(1, "decline").act(1, "end_turn")
    game.adopts({"op": "repeal", "rule_id": "r1"})
    assert parameters.value(game.state, param) == case.value
    of = agreed.OF_SOCIAL_JUSTICE
    for value in case.beyond:
        if param != "end.rounds" or value != 1:
            with pytest.raises(RuleViolation):
                agreed.agree({param: value}, agreed.defaults(of), of)


@rule("SJG-3")
def test_without_a_last_round_the_game_goes_on() -> None:
    """`end.rounds` null: the twentieth round is not the last."""
    game = table().adopts({"op": "set", "param": "end.rounds", "value": None})
    later = hall(OWNER, UNEMPLOYED, EMPLOYEE, active=3, politics=game.state.politics, round_=20).rolls(2)
    assert later.act(3, "decline").act(3, "end_turn").state.status == "playing"


@rule("SJG-66")
def test_with_two_seats_rates_have_a_limit_from_the_start() -> None:
    """500, unless something else was agreed on; with more seats none."""
    game = hall(OWNER, UNEMPLOYED)
    assert parameters.value(game.state, "utility.rate_max") == 500
    assert parameters.value(table().state, "utility.rate_max") is None
    agreed = hall(OWNER, UNEMPLOYED, options={"utility.rate_max": None})
    assert parameters.value(agreed.state, "utility.rate_max") is None
