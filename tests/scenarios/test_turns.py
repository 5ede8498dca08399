"""Whose turn it is, and what is refused (PA-57)."""

import pytest

from events.play import ActionTaken, PromptClosed, PromptOpened, TurnEnded, TurnStarted
from events.public_assistance.events import TurnSkipped
from service.rules import actions as a
from service.rules.decide import Command, decide
from service.rules.dice import NoDice
from service.rules.public_assistance.choices import DEFAULTS
from service.rules.violations import RuleViolation
from tests.scenarios.checks import happened, in_order, stands, turn_of
from tests.scenarios.dice import ScriptedDice
from tests.scenarios.dsl import Step, ann, bob, cid, dee, given
from tests.scenarios.table import NOW, at, public_assistance
from tests.support.kinds import pa
from tests.support.rules import rule

TABLE = public_assistance(ann="promenade:0", bob="promenade:20", cid="rut:30", dee="jail:4", player_bets=True)


@rule("PA-57")
def test_turns_pass_from_seat_to_seat_and_round() -> None:
    """In the order that the first rolls gave."""
    game = given(TABLE).when(ann.rolls(1, 1, 1)).then(in_order(PromptClosed, TurnEnded, TurnStarted, PromptOpened))
    game.then(turn_of(bob)).when(bob.rolls(1, 2, 1)).then(turn_of(cid))
    game.when(cid.rolls(1, 1, 4)).then(turn_of(dee)).when(dee.rolls_in_jail(3)).then(turn_of(ann))


@rule("PA-57")
def test_several_skips_in_a_row_are_used_up_one_a_turn() -> None:
    """With all players skipping, the turn goes round until one may play."""
    told = public_assistance(ann=at("promenade:0", skips=1), bob=at("promenade:50", skips=2))
    given(told).when(ann.rolls(1, 1, 1)).then(in_order(TurnSkipped, TurnSkipped, TurnSkipped), turn_of(ann))


@rule("PA-57")
def test_out_of_turn_nothing_of_a_turn_is_possible() -> None:
    """The prompt is ann's."""
    game = given(TABLE)
    for step in (bob.rolls(1, 1, 1), bob.bets(7, 1), cid.borrows(1000), bob.cheats_to(3), bob.declines()):
        game.refuses(step, "not_your_prompt", "prompt")


@rule("PA-57")
def test_a_prompt_that_is_gone_is_not_answered_again() -> None:
    """A second click never counts for the next turn."""
    game = given(public_assistance(ann="promenade:0", bob=at("promenade:50", skips=1)))
    first = next(iter(game.state.prompts))
    game.when(ann.rolls(1, 1, 1)).then(turn_of(ann)).refuses(ann.rolls(1, 1, 1).under(first), "prompt_gone", "prompt")
    game.refuses(ann.rolls(1, 1, 1).under("p999"), "prompt_gone")


@rule("PA-57")
@pytest.mark.parametrize("step", [ann.uses_waiver(), ann.takes_job(), ann.declines(), ann.rolls_for_partner(1)])
def test_a_prompt_takes_its_own_kinds_of_answers(step: Step) -> None:
    """A turn begins with none of these."""
    given(TABLE).refuses(step, "wrong_prompt", "prompt")


@rule("PA-57")
def test_every_kind_of_prompt_has_its_default() -> None:
    """Start: roll (CHEAT: block 0), waiver: use, partner: no, the books after the result: no word for them."""
    expected = {
        "turn_start": a.Roll, "waiver": a.UseWaiver, "partner_roll": a.DeclinePartner, "attest": a.DeclineResult,
    }  # fmt: skip
    game = given(TABLE)
    (prompt,) = game.state.prompts
    assert {kind: type(default(game.state, prompt)) for kind, default in DEFAULTS.items()} == expected
    game.state.players[1].cheat = True
    assert DEFAULTS["turn_start"](game.state, prompt) == a.CheatMove(prompt=prompt, block=0)


@rule("PA-57")
def test_the_clock_rolls_for_who_is_absent() -> None:
    """The action is the clock's, the move is ann's; without a clock no prompt has a deadline."""
    told = public_assistance(ann="promenade:0", bob="promenade:50", turn_seconds=60)
    game = given(told).expires(("movement", (1, 1, 1)))
    game.then(happened(ActionTaken, seat=0, name="expire"), stands(ann, "promenade:3"), turn_of(bob))
    (prompt,) = game.state.prompts.values()
    assert prompt.deadline == NOW + 60_000
    assert [p.deadline for p in given(TABLE).when(ann.rolls(1, 1, 1)).state.prompts.values()] == [None]


@rule("PA-57")
def test_a_deadline_that_is_none_any_more_does_nothing() -> None:
    """Another prompt, another deadline: refused, without a trace."""
    told = public_assistance(ann="promenade:0", bob="promenade:50", turn_seconds=60)
    state = given(told).state
    (prompt,) = state.prompts.values()
    for action in (a.Expire(prompt="p1", deadline=NOW), a.Expire(prompt=prompt.prompt, deadline=NOW)):
        with pytest.raises(RuleViolation) as refused:
            decide(state, Command(action, 0, "clock", "0" * 64, NOW), ScriptedDice([], state), at=NOW)
        assert refused.value.refusal.code == "prompt_gone"


@rule("PA-57")
@pytest.mark.parametrize(("late", "refused"), [(1_000, False), (1_001, True)])
def test_a_move_is_in_time_up_to_a_second_after_the_deadline(late: int, refused: bool) -> None:
    """By its receipt."""
    told = public_assistance(ann="promenade:0", bob="promenade:50", turn_seconds=60)
    state = given(told).state
    (prompt,) = state.prompts.values()
    assert prompt.deadline
    command = Command(a.Roll(prompt=prompt.prompt), 1, "seat:1", "0" * 64, prompt.deadline + late)
    dice = ScriptedDice([("movement", (1, 1, 1))], state)
    if refused:
        with pytest.raises(RuleViolation, match="deadline") as violation:
            decide(state, command, dice, at=NOW)
        assert violation.value.refusal.code == "too_late"
    else:
        assert pa(decide(state, command, dice, at=NOW).state).players[1].block == 3


@rule("PA-57")
def test_a_dry_run_stops_at_the_first_draw() -> None:
    """Nobody looks ahead; what needs no chance is shown whole."""
    state = given(TABLE).state
    (prompt,) = state.prompts
    tried = decide(state, Command(a.Roll(prompt=prompt), 1, "seat:1", "0" * 64, NOW), NoDice(), at=NOW)
    assert tried.stopped_at == "movement/1/2: 3 dice of 6"
    cheating = given(public_assistance(ann=at("promenade:25", cheat=True), bob="promenade:50")).state
    (prompt,) = cheating.prompts
    named = Command(a.CheatMove(prompt=prompt, block=26), 1, "seat:1", "0" * 64, NOW)
    assert decide(cheating, named, NoDice(), at=NOW).stopped_at == "benefit/1: one of 54"
    offer = a.OfferBets(horses=True, lottery=True, max_stake=5)
    assert decide(state, Command(offer, 2, "seat:2", "0" * 64, NOW), NoDice(), at=NOW).stopped_at == ""
