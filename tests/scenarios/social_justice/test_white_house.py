"""The White House (SJG-78 to SJG-85): speech, vote, five powers, and what was promised against what was declared."""

from typing import Any

import pytest

from events.social_justice.events import JailLeft
from events.social_justice.politics import (
    PresidencyEnded,
    PresidentElected,
    PrisonerPardoned,
    RuleDeclared,
    SpeechGiven,
    TransferLeftOut,
    TroopsWithdrawn,
    VoteClosed,
    VoteOpened,
)
from projections.rules_in_force import on_record
from service.rules.social_justice import parameters
from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, Hall, Sitter, hall
from tests.support.rules import rule

AREAS = ("bailout", "care", "net", "pardon", "troops")


def at_the_white_house(*others: Sitter, candidate: Sitter = OWNER, **told: Any) -> Hall:
    """Seat 1 lands on the White House."""
    others = others or (UNEMPLOYED, EMPLOYEE, MANAGER)
    return hall(candidate.at(18), *others, **told).rolls(2)


def elected(*others: Sitter, promises: tuple[str, ...] = (), **told: Any) -> Hall:
    """Seat 1 is President, at the end prompt."""
    game = at_the_white_house(*others, **told).act(1, "give_speech", promises=list(promises))
    while game.state.politics.vote:
        game.votes(yes=next(prompt.seat for prompt in game.state.prompts.values()))
    assert game.asks(1) == ["turn_end"]
    return game


def value(game: Hall, name: str) -> object:
    return parameters.value(game.state, name)


@rule("SJG-78")
def test_an_owner_speaks_promises_and_calls_a_vote() -> None:
    """The areas are recorded, the text as its digest; her yes is cast with the call, and all others are asked."""
    game = at_the_white_house()
    assert game.asks(1) == ["speech"]
    game.act(1, "give_speech", text="ab" * 32, promises=["troops", "care", "care"])
    (speech,) = game.found(SpeechGiven)
    assert (speech.promises, speech.text, speech.vote) == (("care", "troops"), "ab" * 32, "v1")
    (opened,) = game.found(VoteOpened)
    assert (opened.kind, opened.eligible, opened.needed) == ("presidency", (1, 2, 3, 4), 3)
    assert [prompt.seat for prompt in game.state.prompts.values()] == [2, 3, 4]


@rule("SJG-78", "SJG-86")
def test_she_may_decline_and_does_when_the_deadline_passes() -> None:
    """No vote is called, and the turn goes on at its end prompt."""
    game = at_the_white_house().act(1, "decline")
    assert game.asks(1) == ["turn_end"]
    game = at_the_white_house(options={"turn_seconds": 60}).expires(1)
    assert game.asks(1) == ["turn_end"]
    assert game.state.politics.votes == 0


@rule("SJG-78")
@pytest.mark.parametrize("candidate", [UNEMPLOYED, EMPLOYEE, MANAGER])
def test_to_other_roles_nothing_happens_there(candidate: Sitter) -> None:
    """They are asked nothing but how the turn ends."""
    game = at_the_white_house(OWNER, EMPLOYEE, candidate=candidate)
    assert game.asks(1) == ["turn_end"]


@rule("SJG-79")
def test_a_majority_makes_her_president_for_this_turn() -> None:
    """With the third yes of four, and until she ends the turn."""
    game = at_the_white_house().act(1, "give_speech", promises=["net"]).votes(yes=2)
    assert not game.found(PresidentElected)
    game.votes(yes=3)
    assert game.found(PresidentElected, seat=1, vote="v1")
    assert game.asks(1) == ["turn_end"]
    game.act(1, "end_turn")
    (ended,) = game.found(PresidencyEnded)
    assert (ended.seat, ended.promised, ended.declared) == (1, ("net",), ())
    assert game.state.politics.presidency is None


@rule("SJG-79")
def test_a_failed_vote_costs_nothing() -> None:
    """No President, and the turn goes on at its end prompt."""
    game = at_the_white_house().act(1, "give_speech").votes(no=[2, 3])
    assert game.found(VoteClosed, outcome="failed")
    assert game.asks(1) == ["turn_end"]
    game.refuses("not_president", 1, "declare_net", froogle=10)


@rule("SJG-79")
def test_the_threshold_in_force_counts_here_too() -> None:
    """Where all must affirm, one no is enough."""
    game = at_the_white_house(options={"vote.threshold": "unanimous"}).act(1, "give_speech").votes(yes=[2, 3], no=4)
    assert game.found(VoteClosed, outcome="failed")


@rule("SJG-79")
def test_a_candidate_who_leaves_is_not_elected() -> None:
    """The vote lapses with her."""
    game = at_the_white_house().act(1, "give_speech").votes(yes=2).leaves(1)
    assert game.found(VoteClosed, outcome="lapsed")
    assert game.state.politics.presidency is None
    assert game.state.active == 2


@rule("SJG-80")
def test_each_area_once_not_bound_by_the_promises_and_the_rest_lapses() -> None:
    """Care was promised, net declared, once; the turn's end takes the other powers."""
    game = elected(promises=("care",)).act(1, "declare_net", froogle=100)
    game.refuses("power_used", 1, "declare_net", froogle=50)
    game.act(1, "end_turn")
    (ended,) = game.found(PresidencyEnded)
    assert (ended.promised, ended.declared) == (("care",), ("net",))


@rule("SJG-80")
def test_nobody_but_the_president_declares() -> None:
    """Neither another seat nor one that was not elected."""
    game = elected()
    game.refuses("not_your_prompt", 2, "declare_net", froogle=1, prompt=game.prompt_of(1))
    plain = hall(OWNER, UNEMPLOYED, EMPLOYEE).rolls(2).act(1, "decline")
    plain.refuses("not_president", 1, "declare_net", froogle=1)


@rule("SJG-80")
def test_a_declaration_lies_on_the_stack_until_a_vote_repeals_it() -> None:
    """It lies over what a vote had set, and what lies beneath comes back."""
    name = "utility.froogle.landing_rate"
    before = hall(OWNER, UNEMPLOYED, EMPLOYEE, MANAGER).adopts({"op": "set", "param": name, "value": 70})
    game = elected(politics=before.state.politics).act(1, "declare_net", froogle=100)
    (declared,) = game.found(RuleDeclared)
    assert (declared.rule, declared.area, declared.vote) == ("r2", "net", "v2")
    assert value(game, name) == 100
    assert game.state.politics.stack[-1].origin == "presidency"
    game.act(1, "end_turn")
    assert value(game, name) == 100
    game.adopts({"op": "repeal", "rule_id": "r2"})
    assert value(game, name) == 70


@rule("SJG-81")
def test_a_bailout_sets_landing_rates_and_locks_them_for_the_holder() -> None:
    """Enron and Flint, not Froogle; rates at a payday stay the holder's."""
    game = elected().act(1, "declare_bailout", enron=10, flint=0)
    assert [value(game, f"utility.{u}.landing_rate") for u in ("enron", "flint", "froogle")] == [10, 0, 25]
    assert parameters.locked(game.state, "utility.enron.landing_rate")
    assert not parameters.locked(game.state, "utility.enron.payday_rate")


@rule("SJG-81")
def test_a_bailout_by_role_is_the_highest_rate_with_a_cap_for_each_role_named() -> None:
    """Flint is left alone."""
    game = elected().act(1, "declare_bailout", enron={"unemployed": 5, "manager": 40})
    (declared,) = game.found(RuleDeclared)
    assert {setting.param: setting.value for setting in declared.settings} == {
        "utility.enron.landing_rate": 40,
        "utility.enron.landing_cap.unemployed": 5,
        "utility.enron.landing_cap.manager": 40,
    }
    game.act(1, "end_turn").act(2, "roll", ("movement", 4))
    assert game.paid(reason="utility") == [("seat:2", "seat:1", 5)]


@rule("SJG-81")
def test_a_bailout_that_sets_nothing_is_refused() -> None:
    """Neither utility named: no declaration."""
    elected().refuses("empty_declaration", 1, "declare_bailout")


@rule("SJG-82")
def test_affordable_care_sets_the_hospitals_fees() -> None:
    """One fee for every role."""
    game = elected().act(1, "declare_care", fee=30)
    assert [value(game, f"hospital.fee.{role}") for role in ("unemployed", "employee", "manager", "owner")] == [30] * 4


@rule("SJG-82", "SJG-55")
def test_care_by_role_and_a_veteran_pays_the_lesser() -> None:
    """The Unemployed's fee is 60 now, the others' as before; a veteran is charged 50 of it."""
    game = elected(UNEMPLOYED.at(11, veteran=True), EMPLOYEE, MANAGER).act(1, "declare_care", fee={"unemployed": 60})
    assert value(game, "hospital.fee.employee") == 300
    game.act(1, "end_turn").rolls(2)
    assert game.paid() == [("seat:2", "bank", 50)]


@rule("SJG-83")
def test_net_neutrality_sets_what_landing_on_froogle_costs() -> None:
    """Seven dollars to its holder from the next who lands there."""
    game = elected(UNEMPLOYED.at(24), EMPLOYEE, MANAGER, titles={25: (3, 0)}).act(1, "declare_net", froogle=7)
    game.act(1, "end_turn").rolls(1)
    assert game.paid() == [("seat:2", "seat:3", 7)]


@rule("SJG-84")
def test_a_pardon_sets_later_sentences_and_helps_no_prisoner() -> None:
    """Who is in jail stays as long as before; who comes to jail next, one turn."""
    game = elected(UNEMPLOYED.at(35, jail_turns=3), EMPLOYEE.at(34), MANAGER).act(1, "declare_sentence", fixed_turns=1)
    assert game.state.citizens[2].jail_turns == 3
    game.act(1, "end_turn").rolls(1)
    assert game.state.citizens[3].jail_turns == 1
    assert game.state.citizens[2].jail_turns == 2


@rule("SJG-84", "SJG-62", "SJG-61")
def test_a_pardon_frees_one_prisoner_at_once() -> None:
    """To Payday without its pay; the pardon is used up, and the turn is still at its end prompt."""
    game = elected(UNEMPLOYED.at(35, jail_turns=3), EMPLOYEE.at(35, jail_turns=1), MANAGER)
    game.act(1, "free_prisoner", free=2)
    assert game.found(PrisonerPardoned, seat=1, freed=2)
    assert game.found(JailLeft, seat=2, how="pardoned")
    assert (game.state.citizens[2].square, game.state.citizens[2].jailed) == (0, False)
    assert game.paid() == []
    assert game.state.citizens[3].jailed
    game.refuses("power_used", 1, "declare_sentence", fixed_turns=0)
    game.refuses("power_used", 1, "free_prisoner", free=3)


@rule("SJG-84")
def test_what_a_release_sets_off_comes_with_the_pardon() -> None:
    """A transfer on releases is paid to the one who is freed."""
    gift = {
        "op": "add_transfer", "trigger": "jail_release", "from": "bank", "to": "actor", "amount": {"fixed": 40}
    }  # fmt: skip
    before = hall(OWNER, UNEMPLOYED, EMPLOYEE).adopts(gift)
    game = elected(UNEMPLOYED.at(35, jail_turns=3), EMPLOYEE, politics=before.state.politics)
    game.act(1, "free_prisoner", free=2)
    assert game.paid() == [("bank", "seat:2", 40)]
    assert game.asks(1) == ["turn_end"]
    assert not game.found(TransferLeftOut)


@rule("SJG-84")
def test_only_a_prisoner_can_be_freed() -> None:
    """With nobody in jail nobody, else none of the others."""
    elected().refuses("nobody_in_jail", 1, "free_prisoner", free=2)
    elected(UNEMPLOYED.at(35, jail_turns=3), EMPLOYEE).refuses("out_of_bounds", 1, "free_prisoner", free=3)


@rule("SJG-85")
def test_troops_are_out_of_harms_way_until_their_tour_ends() -> None:
    """No combat die any more; the movement is still one less, and the token stays."""
    game = elected(EMPLOYEE.at(1, serving=True), MANAGER.at(1, serving=True), UNEMPLOYED)
    game.act(1, "withdraw_troops", players=[2])
    assert game.found(TroopsWithdrawn, seat=1, seats=(2,))
    citizens = game.state.citizens
    assert (citizens[2].serving, citizens[2].harms_way, citizens[3].harms_way) == (True, False, True)
    game.act(1, "end_turn").rolls(3)
    assert game.state.citizens[2].square == 3
    game.act(2, "decline").act(2, "end_turn")
    game.act(3, "roll", ("combat", 2), ("movement", 3))


@rule("SJG-85")
@pytest.mark.parametrize("players", [[2], [3, 2], [4]])
def test_only_who_serves_can_be_withdrawn(players: list[int]) -> None:
    """Seat 2 does not serve; seat 4 does, and was withdrawn before."""
    game = elected(EMPLOYEE, MANAGER.at(1, serving=True), UNEMPLOYED.at(1, serving=True))
    game.state.citizens[4].harms_way = False
    game.refuses("not_in_harms_way", 1, "withdraw_troops", players=players)


@rule("SJG-85")
def test_where_nobody_serves_there_is_nobody_to_withdraw() -> None:
    """The power cannot be used."""
    elected().refuses("nobody_in_harms_way", 1, "withdraw_troops", players=[2])


@rule("SJG-80")
def test_all_five_powers_and_the_record_of_promises() -> None:
    """Promised care and net; declared everything but care: net is kept, care broken, the others unannounced."""
    others = (UNEMPLOYED.at(35, jail_turns=2), EMPLOYEE.at(1, serving=True), MANAGER)
    game = elected(*others, promises=("care", "net"))
    game.act(1, "declare_bailout", enron=1).act(1, "declare_net", froogle=1)
    game.act(1, "free_prisoner", free=2).act(1, "withdraw_troops", players=[3]).act(1, "end_turn")
    (term,) = on_record(game.envelopes).terms
    assert (term.promised, term.declared) == (("care", "net"), ("bailout", "net", "pardon", "troops"))
    assert (term.kept, term.broken, term.unannounced) == (("net",), ("care",), ("bailout", "pardon", "troops"))
    assert term.ended is not None
    (kept,) = game.state.politics.terms
    assert (kept.promised, kept.declared) == (term.promised, term.declared)
