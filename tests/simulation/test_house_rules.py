"""House rules from a file: in force from the start by what the rules allow, and compared on the same dice."""

from fractions import Fraction
from typing import Any

import pytest

from events.play import ActionTaken, DiceRolled, MoneyMoved, TurnStarted
from events.social_justice.operations import AddTransfer
from events.social_justice.politics import RuleAdopted, VoteClosed
from projections.state.social_justice import SocialJusticeState
from service.rules.social_justice import parameters
from service.simulation.matches import play
from service.simulation.social_justice import Pairs, compare, play_pairs
from service.simulation.social_justice.house_rules import HouseRuleError, parse, put_in_force
from service.simulation.social_justice.pairs import figures_of
from service.simulation.social_justice.tally import SocialJusticeCount, SocialJusticeTally
from service.simulation.tally import play_counted
from tests.simulation.sj import BASIC_INCOME, events_of, house_rules, plan

FEE = {"op": "set", "param": "hospital.fee.{r}", "for": {"r": ["unemployed", "employee"]}, "value": 7}
NO_JAIL = {"op": "disable", "rule": "jail.enabled"}
RATE = {"op": "set", "param": "utility.enron.payday_rate", "value": 11}


def test_a_setting_is_a_starting_value() -> None:
    """Nothing is voted on: the first salary obeys it too."""
    salary = {"op": "set", "param": "payday.salary.unemployed", "value": 321}
    ruled = put_in_force(plan(), house_rules(FEE, NO_JAIL, salary))
    assert ruled.adopted == ()
    changed = {name: value for name, value in ruled.options.items() if name not in plan().options}
    assert changed == {
        "hospital.fee.unemployed": 7, "hospital.fee.employee": 7, "jail.enabled": False,
        "payday.salary.unemployed": 321,
    }  # fmt: skip
    first = [e for e in events_of(0, ruled) if isinstance(e, MoneyMoved) and e.rule == "SJG-46"]
    assert 321 in [e.amount for e in first]


def test_a_transfer_is_adopted_by_all_before_the_first_roll_and_costs_nobody_a_turn() -> None:
    seen = events_of(0, put_in_force(plan(), house_rules(BASIC_INCOME)))
    (adopted,) = [e for e in seen if isinstance(e, RuleAdopted) and e.rule == "r1"]
    at = seen.index(adopted)
    assert [e.turn for e in seen[:at] if isinstance(e, TurnStarted)] == [1]
    assert not [e for e in seen[:at] if isinstance(e, DiceRolled) and e.purpose == "movement"]
    closed = next(e for e in seen if isinstance(e, VoteClosed))
    assert (closed.outcome, len(closed.yes) >= 2, closed.no) == ("passed", True, ())
    then = next(e for e in seen[at:] if isinstance(e, ActionTaken))
    assert (then.name, then.seat) == ("roll", adopted.seat)
    (transfer,) = adopted.transfers
    assert isinstance(transfer, AddTransfer)
    assert len(transfer.label) == 64  # typed in: its digest alone


def test_the_next_vote_costs_what_it_did() -> None:
    """And stays free where the seats, or the house rules themselves, wanted it free."""
    free = {"op": "disable", "rule": "vote.costs_turn"}
    for rules, costs in (([BASIC_INCOME], True), ([BASIC_INCOME, free], False)):
        state = play(put_in_force(plan(bots="default"), house_rules(*rules)), 0, lambda _: None)
        assert isinstance(state, SocialJusticeState)
        assert parameters.value(state, "vote.costs_turn") is costs
    agreed_on = plan(bots="default", options={"vote.costs_turn": False})
    assert len(put_in_force(agreed_on, house_rules(BASIC_INCOME)).adopted) == 1


def test_a_rate_is_adopted_so_that_its_holder_cannot_change_it() -> None:
    state = play(put_in_force(plan(), house_rules(RATE)), 0, lambda _: None)
    assert isinstance(state, SocialJusticeState)
    assert parameters.value(state, "utility.enron.payday_rate") == 11
    assert "enron.payday" not in state.rates
    assert "flint.payday" in state.rates  # this holder sets the others


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"[]", "There are no operations."),
        (b"[", "Input data was truncated"),
        (b"5", "Expected `array`, got `int`"),
        (b'{"operations": [{"op": "no"}]}', "Invalid value 'no' - at `$.operations[0].op`"),
        (b'[{"op": "set", "param": "property.rent_pct", "value": 90, "x": 1}]', "Object contains unknown field `x`"),
        (b'[{"op": "set", "param": "rent", "value": 90}]', "operations.0.param: There is no parameter called 'rent'."),
        (b'[{"op": "set", "param": "property.rent_pct", "value": 501}]', "operations.0.value: The parameter"),
        (b'[{"op": "repeal", "rule_id": "r1"}]', "operations.0.rule_id: No rule of that id is in force."),
        (b'[{"op": "motion", "motion": "end_game"}]', "operations.0: A motion is done at once and holds no rule."),
        (b'[{"op": "disable", "rule": "seat:1"}]', "operations.0.rule: A rule pertains to all players"),
    ],
)
def test_what_no_vote_could_adopt_is_refused_with_the_reason(content: bytes, said: str) -> None:
    with pytest.raises(HouseRuleError) as refused:
        put_in_force(plan(), parse(content))
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize(("transfers", "allowed"), [(4, True), (5, False)])
def test_one_vote_has_room_for_four(transfers: int, allowed: bool) -> None:
    rules = house_rules(*[BASIC_INCOME] * transfers, FEE, NO_JAIL)  # settings need no room
    if allowed:
        assert len(put_in_force(plan(), rules).adopted) == 5
        return
    with pytest.raises(HouseRuleError, match="At most 4 transfers"):
        put_in_force(plan(), rules)


def test_the_same_coordinates_have_the_same_dice() -> None:
    ruled = put_in_force(plan(), house_rules(BASIC_INCOME))
    common = 0
    for number in range(4):
        before, after = (
            {e.coordinate: (e.sides, e.faces) for e in events_of(number, of) if isinstance(e, DiceRolled)}
            for of in (plan(), ruled)
        )
        same = [key for key in before.keys() & after.keys() if before[key][0] == after[key][0]]
        assert all(before[key] == after[key] for key in same)
        common += len(same)
    assert common > 40


def pairs_of(*operations: dict[str, Any], games: int = 4, bots: str = "sensible") -> Any:
    rules = house_rules(*operations)
    without = plan(games=games, bots=bots)
    within = put_in_force(without, rules)
    return compare(without, within, play_pairs(without, within, range(games)), rules, None)


def test_rules_that_change_nothing_change_no_figure() -> None:
    found = pairs_of({"op": "set", "param": "property.rent_pct", "value": 100})
    assert {name for name, at in found.differences.items() if at.change or at.rose or at.fell or at.error} == set()
    assert found.without.happened == found.within.happened


def test_a_basic_income_gives_everybody_as_much_in_the_first_round() -> None:
    """To the dollar, since nothing else is another; and each figure is the one of its report."""
    found = pairs_of(BASIC_INCOME)
    for role in ("unemployed", "employee", "owner"):
        change = found.differences[f"worth.{role}@1"]
        assert (change.change, change.error, change.rose, change.fell) == (100.0, 0.0, 4, 0)
        at_end = found.differences[f"worth.{role}"]
        assert at_end.without == pytest.approx(found.without.roles[role].worth.mean, abs=0.01)
        assert at_end.within == pytest.approx(found.within.roles[role].worth.mean, abs=0.01)
    assert found.differences["gini@4"].within == pytest.approx(found.within.wealth[4].gini, abs=1e-4)
    assert "gini@5" not in found.differences


def test_a_difference_by_hand() -> None:
    """Changes of 1, 3, 5 and -1: mean 2, variance (1 + 1 + 9 + 9) / 3, and half of its root is the error."""
    pairs = play_pairs(plan(bots="default"), plan(bots="default"), range(4))
    for change in (1, 3, 5, -1):
        pairs.see({"test": 10}, {"test": 10 + change})
    rules = house_rules(FEE)
    found = compare(plan(), plan(), pairs, rules, None).differences["test"]
    assert (found.without, found.within, found.change, found.rose, found.fell) == (10.0, 12.0, 2.0, 3, 1)
    assert found.deviation == pytest.approx(float(Fraction(20, 3)) ** 0.5, abs=1e-4)
    assert found.error == pytest.approx(float(Fraction(20, 3)) ** 0.5 / 2, abs=1e-4)


def test_pairs_add_up_in_any_order() -> None:
    without = plan(bots="default")
    within = put_in_force(without, house_rules(BASIC_INCOME))
    parts = [play_pairs(without, within, [number]) for number in range(3)]
    there, back = Pairs(), Pairs()
    for part in parts:
        there.add(part)
    for part in reversed(parts):
        back.add(part)
    assert there == back == play_pairs(without, within, range(3))


def test_the_figures_of_a_game() -> None:
    record = play_counted(plan(), 0, SocialJusticeCount(SocialJusticeTally()))
    found = figures_of(record)
    assert record.end is not None
    assert found["turns"] == record.end.turn
    assert found["worth.owner"] == found["worth.owner@200"] == record.moments[-1].worth["owner"]
    assert found["worth.owner@0"] == 4000
    assert found["SJG-2"] == 3
