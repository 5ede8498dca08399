"""What may be proposed, and why not (SJG-34, SJG-35): checked before a turn is spent."""

from typing import Any

import msgspec
import pytest

from events.social_justice import operations as o
from events.social_justice.politics import Setting
from projections.state.politics import Rule
from service.rules.actions_politics import Propose
from service.rules.social_justice import operations
from tests.scenarios.social_justice.politics import bare_state

rule = pytest.mark.rule


def proposed(*written: dict[str, Any]) -> tuple[o.AnyOperation, ...]:
    """Read operations as they come over the wire."""
    body = {"action": "propose", "prompt": "p1", "operations": list(written)}
    return msgspec.json.decode(msgspec.json.encode(body), type=Propose).operations


def transfer(**fields: Any) -> dict[str, Any]:
    """A transfer that is right, but for what is given."""
    right = {"trigger": "each_payday", "from": "actor", "to": "bank", "amount": {"fixed": 100}}
    return {"op": "add_transfer", **right, **fields}


def setting(param: str, value: Any, **places: Any) -> dict[str, Any]:
    return {"op": "set", "param": param, "value": value, **({"for": places} if places else {})}


BETTER = setting(
    "utility.{u}.payday_cap.{r}", 20, u=["enron", "flint"], r=["unemployed", "employee", "manager"]
)  # the rulebook's own example, as one operation


@rule("SJG-36")
def test_the_better_proposal_is_one_operation_for_six_parameters() -> None:
    """Non-owners owe Enron and Flint 20 each at a payday."""
    (operation,) = proposed(BETTER)
    assert operations.why_not(bare_state(), [operation]) is None
    assert operations.settings_of([operation]) == tuple(
        Setting(param=f"utility.{utility}.payday_cap.{role}", value=20)
        for utility in ("enron", "flint")
        for role in ("unemployed", "employee", "manager")
    )


@rule("SJG-34", "SJG-36")
@pytest.mark.parametrize("me", ["me", "seat:2", "player 2", "Seat_2", "p2", "role:me", "role:owner,seat:2"])
def test_the_bad_proposal_names_somebody_and_is_refused(me: str) -> None:
    """The rich are all to pay me half their salary, each payday."""
    bad = transfer(**{"from": "role:owner", "to": me}, amount={"pct": 50, "of": "salary"})
    refusal = operations.why_not(bare_state(), proposed(bad))
    assert refusal is not None
    assert (refusal.code, refusal.field) == ("named_player", "operations.0.to")


@rule("SJG-34")
def test_no_parameter_names_a_player() -> None:
    """There is no salary of a seat."""
    refusal = operations.why_not(bare_state(), proposed(setting("payday.salary.seat:2", 100)))
    assert refusal is not None
    assert refusal.code == "named_player"


REFUSED: list[tuple[str, str, dict[str, Any]]] = [
    ("unknown_param", "param", setting("payday.bonus", 1)),
    ("unknown_param", "param", setting("college.tuition.owner", 1)),
    ("unknown_param", "param", setting("college.tuition.{r}", 1, r=["unemployed", "owner"])),
    ("unknown_param", "rule", {"op": "disable", "rule": "bank.enabled"}),
    ("wrong_places", "for.r", setting("payday.salary.{r}", 1)),
    ("wrong_places", "for.r", setting("payday.enabled", True, r=["owner"])),
    ("wrong_places", "for.u", setting("utility.{u}.payday_cap.{r}", 1, r=["owner"])),
    ("wrong_type", "value", setting("payday.enabled", 1)),
    ("wrong_type", "value", setting("payday.salary.owner", True)),
    ("wrong_type", "value", setting("payday.salary.owner", "100")),
    ("wrong_type", "value", setting("payday.salary.owner", None)),
    ("wrong_type", "value", setting("white_house.roles", "owner")),
    ("wrong_type", "value", setting("white_house.roles", [1])),
    ("wrong_type", "value", setting("college.aid_charge", ["100"] * 6)),
    ("wrong_type", "value", setting("jail.die", "d6")),
    ("wrong_type", "rule", {"op": "enable", "rule": "jail.die"}),
    ("named_player", "rule", {"op": "enable", "rule": "seat 2"}),
    ("out_of_bounds", "value", setting("payday.salary.owner", 20_001)),
    ("out_of_bounds", "value", setting("payday.salary.owner", -1)),
    ("out_of_bounds", "value", setting("white_house.roles", ["boss"])),
    ("out_of_bounds", "value", setting("white_house.roles", ["owner", "owner"])),
    ("out_of_bounds", "value", setting("college.aid_charge", [100] * 5)),
    ("out_of_bounds", "value", setting("college.aid_charge", [101] * 6)),
    ("out_of_bounds", "value", setting("jail.die", 12)),
    ("out_of_bounds", "value", setting("vote.threshold", "plurality")),
    ("empty_text", "text", {"op": "add_text", "text": ""}),
    ("empty_text", "text", {"op": "add_text", "text": " \n\u3000"}),
    ("unknown_rule", "rule_id", {"op": "repeal", "rule_id": "r9"}),
    ("unknown_party", "from", transfer(**{"from": "everybody"})),
    ("unknown_party", "to", transfer(to="role:")),
    ("unknown_party", "to", transfer(to="role:owner,owner")),
    ("unknown_party", "to", transfer(to="holder:water")),
    ("both_bank", "to", transfer(**{"from": "bank"})),
    ("no_actor", "from", transfer(trigger="round_end")),
    ("no_actor", "to", transfer(trigger="round_end", **{"from": "bank"}, to="others")),
    ("no_actor", "where", transfer(trigger="round_end", **{"from": "all"}, where={"serving": True})),
    ("empty_where", "where", transfer(where={})),
    ("empty_where", "where", transfer(where={"role": []})),
    ("out_of_bounds", "where.cash_at_least", transfer(where={"cash_at_least": -1})),
    ("wrong_amount", "amount", transfer(amount={})),
    ("wrong_amount", "amount", transfer(amount={"pct": 5})),
    ("wrong_amount", "amount", transfer(amount={"of": "cash"})),
    ("wrong_amount", "amount", transfer(amount={"fixed": 1, "pct": 5, "of": "cash"})),
    ("wrong_amount", "amount", transfer(amount={"fixed": 1, "pct": 5})),
    ("out_of_bounds", "amount.fixed", transfer(amount={"fixed": 10_001})),
    ("out_of_bounds", "amount.fixed", transfer(amount={"fixed": -1})),
    ("out_of_bounds", "amount.pct", transfer(amount={"pct": 101, "of": "cash"})),
    ("out_of_bounds", "amount.min", transfer(amount={"pct": 1, "of": "cash", "min": 5, "max": 4})),
    ("no_last_payment", "amount.of", transfer(amount={"pct": 5, "of": "last_payment"})),
]


@rule("SJG-35")
@pytest.mark.parametrize(("code", "field", "written"), REFUSED, ids=[f"{code}:{field}" for code, field, _ in REFUSED])
def test_what_is_wrong_with_an_operation_is_said(code: str, field: str, written: dict[str, Any]) -> None:
    """With a stable code, a sentence, and the place; what stands before it is right."""
    refusal = operations.why_not(bare_state(), proposed(BETTER, written))
    assert refusal is not None
    assert (refusal.code, refusal.field) == (code, f"operations.1.{field}")
    assert refusal.detail.endswith(".")


ALLOWED: list[dict[str, Any]] = [
    BETTER,
    setting("gentrify.protected_roles", []),
    setting("jail.bail", None),
    setting("move.extra.manager", -3),
    {"op": "disable", "rule": "white_house.power.troops"},
    {"op": "add_text", "text": "The Owner makes the tea."},
    {"op": "motion", "motion": "end_game"},
    transfer(where={"role": ["owner"]}, to="role:unemployed", amount={"fixed": 200}, split="share"),
    transfer(trigger="round_end", **{"from": "bank"}, to="all", amount={"fixed": 100}),
    transfer(trigger="round_end", **{"from": "role:owner"}, amount={"pct": 5, "of": "cash"}),
    transfer(trigger="rent_paid", **{"from": "bank"}, to="actor", amount={"pct": 25, "of": "last_payment"}),
]


@rule("SJG-35")
@pytest.mark.parametrize("written", ALLOWED, ids=lambda written: str(written)[:60])
def test_what_is_right_may_be_proposed(written: dict[str, Any]) -> None:
    """Operations of every kind, within bounds."""
    assert operations.why_not(bare_state(), proposed(written)) is None


@rule("SJG-35")
@pytest.mark.parametrize("count", [0, 6])
def test_a_proposal_has_one_to_five_operations(count: int) -> None:
    """Neither none nor six."""
    with pytest.raises(msgspec.ValidationError):
        proposed(*[BETTER] * count)


@rule("SJG-35")
def test_a_proposal_sets_nothing_twice() -> None:
    """Not even where one of two operations fills many parameters."""
    twice = proposed(BETTER, setting("utility.enron.payday_cap.manager", 30))
    refusal = operations.why_not(bare_state(), twice)
    assert refusal is not None
    assert refusal.code == "set_twice"


def with_transfers(number: int) -> Rule:
    (one,) = proposed(transfer())
    assert isinstance(one, o.AddTransfer)
    return Rule(rule="r1", origin="vote", vote="v1", seat=1, turn=1, version=1, settings=(), transfers=(one,) * number)


@rule("SJG-35")
@pytest.mark.parametrize(
    ("active", "added", "code"),
    [(9, 1, None), (9, 2, "too_many_transfers"), (6, 5, "too_many_transfers"), (6, 4, None)],
)
def test_an_eleventh_transfer_is_refused(active: int, added: int, code: str | None) -> None:
    """Ten are in force at most, those proposed included."""
    refusal = operations.why_not(bare_state(with_transfers(active)), proposed(*[transfer()] * added))
    assert (refusal.code if refusal else None) == code


@rule("SJG-35")
def test_a_repeal_makes_room_for_transfers_and_happens_once() -> None:
    """Ten less one and one more are ten; the same rule is not repealed twice."""
    state, repeal = bare_state(with_transfers(10)), {"op": "repeal", "rule_id": "r1"}
    assert operations.why_not(state, proposed(transfer(), repeal)) is None
    refusal = operations.why_not(state, proposed(repeal, repeal))
    assert refusal is not None
    assert refusal.code == "repealed_twice"


@rule("SJG-3")
@pytest.mark.parametrize(
    ("rounds", "code"), [(7, "out_of_bounds"), (8, None), (200, None), (201, "out_of_bounds"), (None, None)]
)
def test_the_end_comes_after_the_round_that_is_played(rounds: int | None, code: str | None) -> None:
    """A last round that has begun cannot be voted for."""
    state = bare_state()
    state.round = 7
    refusal = operations.why_not(state, proposed(setting("end.rounds", rounds)))
    assert (refusal.code if refusal else None) == code
