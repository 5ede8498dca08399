"""Proposals (SJG-8, SJG-31, SJG-32, SJG-34 to SJG-36): what they cost, what they change, and how it is undone."""

import pytest

from events.play import DiceRolled, TurnEnded
from events.social_justice.politics import ProposalMade, RuleAdopted, RuleRepealed
from projections.state.politics import Rule
from service.rules.social_justice import parameters
from service.rules.social_justice.catalogue import PARAMETERS
from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, Hall, Sitter, Written, hall
from tests.support.rules import rule

FOUR = (OWNER, UNEMPLOYED, EMPLOYEE, MANAGER)
DIGEST = "ab" * 32
RELIEF: Written = {
    "op": "set",
    "param": "utility.{u}.payday_cap.{r}",
    "value": 20,
    "for": {"u": ["enron", "flint"], "r": ["unemployed", "employee", "manager"]},
}


def rent(pct: int) -> Written:
    return {"op": "set", "param": "property.rent_pct", "value": pct}


def repeal(rule_id: str) -> Written:
    return {"op": "repeal", "rule_id": rule_id}


def rent_pct(game: Hall) -> object:
    return parameters.value(game.state, "property.rent_pct")


@rule("SJG-36")
@pytest.mark.parametrize("payer", [UNEMPLOYED, EMPLOYEE, MANAGER])
def test_non_owners_owe_enron_and_flint_20_each_at_a_payday(payer: Sitter) -> None:
    """The rulebook's better example, adopted as one operation; Froogle's holder still gets 50."""
    game = hall(EMPLOYEE, OWNER, payer.at(38), titles={25: (2, 0)}).adopts(RELIEF)
    game.act(2, "roll", ("movement", 2)).act(2, "decline").act(2, "end_turn")
    game.rolls(3)
    assert game.paid(reason="utility") == [("seat:3", "seat:2", 20), ("seat:3", "seat:2", 20), ("seat:3", "seat:2", 50)]


@rule("SJG-36")
def test_an_owner_pays_what_she_always_paid() -> None:
    """A second Owner is no non-owner: she owes the full 50 each."""
    game = hall(EMPLOYEE, OWNER, OWNER.at(38)).adopts(RELIEF)
    game.act(2, "roll", ("movement", 2)).act(2, "decline").act(2, "end_turn")
    game.rolls(3)
    assert game.paid(reason="utility") == [("seat:3", "seat:2", 50), ("seat:3", "seat:2", 50)]


@rule("SJG-32")
@pytest.mark.parametrize(("ballot", "adopted"), [("yes", ["r1"]), ("no", [])])
def test_the_turn_is_given_up_whatever_the_outcome(ballot: str, adopted: list[str]) -> None:
    """No die is thrown, not even a combat die; the next seat is asked."""
    game = hall(OWNER, UNEMPLOYED.at(3, serving=True), EMPLOYEE, active=2).proposes(RELIEF)
    assert game.found(ProposalMade, seat=2, costs_turn=True)
    game.act(3, "cast_ballot", ballot=ballot)
    if ballot == "no":
        game.act(1, "cast_ballot", ballot="no")
    assert game.found(TurnEnded, seat=2)
    assert not game.found(DiceRolled)
    assert game.state.citizens[2].square == 3
    assert game.asks(3) == ["turn_start"]
    assert [entry.rule for entry in game.state.politics.stack] == adopted


@rule("SJG-32")
def test_a_proposal_is_made_before_rolling_alone() -> None:
    """Neither on landing nor at the end prompt."""
    game = hall(*FOUR).rolls(2)
    assert game.asks(1) == ["buy"]
    game.refuses("wrong_prompt", 1, "propose", operations=[RELIEF])
    game.act(1, "decline").refuses("wrong_prompt", 1, "propose", operations=[RELIEF])


@rule("SJG-32")
def test_nobody_proposes_on_anothers_turn_or_in_jail() -> None:
    """A prisoner misses the turn at whose start it could be done."""
    game = hall(OWNER, UNEMPLOYED.at(35, jail_turns=2), EMPLOYEE)
    game.refuses("not_your_prompt", 3, "propose", operations=[RELIEF], prompt=game.prompt_of(1))
    game.rolls(2)
    game.act(1, "decline").act(1, "end_turn")
    assert game.asks(2) == [], "the prisoner missed the turn"
    assert game.asks(3) == ["turn_start"]


@rule("SJG-32")
def test_what_is_wrong_is_said_before_the_turn_is_spent() -> None:
    """A bad second operation: refused, and she may still roll."""
    game = hall(*FOUR)
    game.refuses("out_of_bounds", 1, "propose", operations=[RELIEF, rent(501)])
    assert game.asks(1) == ["turn_start"]
    game.rolls(2)


@rule("SJG-32")
def test_where_a_proposal_costs_no_turn_there_is_one_a_turn() -> None:
    """Back to the start prompt, whatever came of it; then she rolls."""
    game = hall(*FOUR, options={"vote.costs_turn": False}).proposes(RELIEF)
    assert game.found(ProposalMade, costs_turn=False)
    game.votes(no=[2, 3])
    assert game.state.active == 1
    assert game.asks(1) == ["turn_start"]
    game.refuses("one_proposal_a_turn", 1, "propose", operations=[RELIEF])
    game.rolls(2)


@rule("SJG-32")
def test_a_proposal_that_frees_proposals_costs_its_own_turn() -> None:
    """It was made under the old rule; from then on a proposal costs nothing."""
    game = hall(*FOUR).adopts({"op": "disable", "rule": "vote.costs_turn"})
    assert game.state.active == 2
    game.proposes(RELIEF).votes(no=[3, 4])
    assert game.state.active == 2


@rule("SJG-8", "SJG-31")
def test_a_second_proposal_lies_over_the_first_and_its_repeal_lets_the_first_hold_again() -> None:
    """150, over it 200; without the upper one 150 again; without both the default."""
    game = hall(*FOUR).adopts(rent(150))
    assert rent_pct(game) == 150
    game.adopts(rent(200))
    assert rent_pct(game) == 200
    game.adopts(repeal("r2"))
    assert game.found(RuleRepealed, rule="r2", vote="v3")
    assert rent_pct(game) == 150
    game.adopts(repeal("r1"))
    assert rent_pct(game) == 100
    assert game.state.politics.stack == ()


@rule("SJG-31")
def test_what_lies_beneath_is_repealed_without_a_change_on_top() -> None:
    """Of 150 and over it 200 the lower goes: 200; then both are gone."""
    game = hall(*FOUR).adopts(rent(150)).adopts(rent(200)).adopts(repeal("r1"))
    assert rent_pct(game) == 200
    game.adopts(repeal("r2"))
    assert rent_pct(game) == 100


@rule("SJG-31")
def test_what_was_repealed_is_no_rule_any_more_and_its_number_never_comes_back() -> None:
    """It is not repealed again, and the next rule has the next number."""
    game = hall(*FOUR).adopts(rent(150)).adopts(repeal("r1"))
    game.refuses("unknown_rule", game.state.active, "propose", operations=[repeal("r1")])
    game.adopts(rent(120))
    assert [entry.rule for entry in game.state.politics.stack] == ["r2"]


@rule("SJG-31")
def test_what_holds_beneath_is_the_starting_value_agreed_on() -> None:
    """80 from the start, 150 by a vote, 80 after its repeal."""
    game = hall(*FOUR, options={"property.rent_pct": 80}).adopts(rent(150))
    game.adopts(repeal("r1"))
    assert rent_pct(game) == 80


@rule("SJG-32", "SJG-35")
def test_several_operations_are_one_rule_with_everything_in_it() -> None:
    """A setting of six, a switch, words and a transfer under one number."""
    game = hall(*FOUR).adopts(
        RELIEF,
        {"op": "disable", "rule": "gentrify.enabled"},
        {"op": "add_text", "text": DIGEST},
        {"op": "add_transfer", "trigger": "round_end", "from": "bank", "to": "all", "amount": {"fixed": 100}},
    )
    (adopted,) = game.found(RuleAdopted)
    (entry,) = game.state.politics.stack
    assert isinstance(entry, Rule)
    assert len(adopted.settings) == len(entry.settings) == 7
    assert (len(adopted.transfers), adopted.texts) == (1, (DIGEST,))
    assert (entry.origin, entry.vote, entry.seat, entry.turn) == ("vote", "v1", 1, 5)
    assert parameters.value(game.state, "gentrify.enabled") is False


@rule("SJG-35")
def test_a_house_rule_in_words_changes_nothing_by_itself() -> None:
    """Every parameter is as before; the words lie on the stack."""
    game = hall(*FOUR)
    before = {name: parameters.value(game.state, name) for name in PARAMETERS}
    game.adopts({"op": "add_text", "text": DIGEST})
    assert {name: parameters.value(game.state, name) for name in PARAMETERS} == before
    assert game.state.politics.stack[0].texts == (DIGEST,)


@rule("SJG-3")
def test_an_adopted_motion_ends_the_game_at_once() -> None:
    """No turn follows, and the round has no end."""
    game = hall(*FOUR).adopts({"op": "motion", "motion": "end_game"})
    assert game.state.status == "finished"
    assert game.state.reason == "motion"
    assert not game.state.prompts
    assert game.state.politics.stack == ()


@rule("SJG-3")
def test_a_motion_that_fails_ends_nothing() -> None:
    """The game goes on."""
    game = hall(*FOUR).proposes({"op": "motion", "motion": "end_game"}).votes(no=[2, 3])
    assert game.state.status == "playing"


@rule("SJG-66")
def test_a_rule_locks_a_rate_and_its_repeal_gives_the_holders_back() -> None:
    """The Owner had set 80 for landing on Enron; the vote says 10, until it is repealed."""
    name = "utility.enron.landing_rate"
    game = hall(*FOUR).act(1, "set_rate", name="enron.landing", rate=80)
    game.adopts({"op": "set", "param": name, "value": 10})
    assert parameters.value(game.state, name) == 10
    owner = hall(*FOUR, politics=game.state.politics)
    owner.refuses("rate_locked", 1, "set_rate", name="enron.landing", rate=5)
    owner.act(1, "set_rate", name="enron.payday", rate=5)
    game.adopts(repeal("r1"))
    assert parameters.value(game.state, name) == 80
    assert not parameters.locked(game.state, name)


@rule("SJG-66")
def test_the_limit_of_rates_clamps_what_was_set_whoever_set_it() -> None:
    """Holder's 80 and a rule's 90 are 60 while the limit is 60."""
    game = hall(*FOUR).act(1, "set_rate", name="enron.landing", rate=80)
    game.adopts({"op": "set", "param": "utility.flint.landing_rate", "value": 90})
    game.adopts({"op": "set", "param": "utility.rate_max", "value": 60})
    rates = [f"utility.{utility}.landing_rate" for utility in ("enron", "flint", "froogle")]
    assert [parameters.value(game.state, rate) for rate in rates] == [60, 60, 25]
    game.adopts(repeal("r2"))
    assert [parameters.value(game.state, rate) for rate in rates] == [80, 90, 25]


@rule("SJG-33")
def test_a_rent_rule_cannot_change_between_landing_and_paying() -> None:
    """While the rent is asked nobody may propose; what is owed when cash is short stays what it was."""
    game = hall(OWNER, UNEMPLOYED.at(1, cash=0), EMPLOYEE, active=2, titles={3: (1, 1)}).rolls(2)
    assert game.asks(2) == ["rent"]
    game.refuses("not_your_prompt", 1, "propose", operations=[rent(500)], prompt=game.prompt_of(2))
    game.act(2, "pay_rent")
    assert game.asks(2) == ["raise_funds"]
    game.refuses("wrong_prompt", 2, "propose", operations=[rent(0)])
