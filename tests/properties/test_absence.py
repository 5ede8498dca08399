"""The ladder of absence, for every kind of prompt of both games: a matrix made from the rules' own list of kinds.

A kind for which no state is found fails, and so does one that any rung cannot answer.
"""

import msgspec
import pytest

from events.base import Envelope, Event
from events.clocks import BotTookOver, GameResumed, OutageCredited
from events.lobby import GameFinished
from events.play import PromptClosed
from projections import evolve as fold
from projections.evolve import AnyState
from projections.state.base import Prompt
from service.bots import LEVELS
from service.bots.seats import move_of
from service.rules import actions as a
from service.rules.decide import Command, Decision, decide, parse
from service.rules.dice import Dice
from service.rules.options import BOT_LEVELS
from service.rules.typed_text import with_digests
from service.rules.violations import RuleViolation
from tests.support.asked import CELLS, by_chance, by_kind
from tests.support.invariants import between_actions
from tests.support.packed import packed
from tests.support.planting import plant_options, plant_seat

MOST_MOVES = 60
cells = pytest.mark.parametrize(("rulebook", "kind"), CELLS)


def cell(rulebook: str, kind: str) -> tuple[AnyState, Dice, Prompt]:
    found = by_kind(rulebook)
    assert kind in found, f"no random game asks {kind}: this cell of the matrix is empty"
    state, dice = found[kind]
    return state.copy(), dice, next(p for p in state.prompts.values() if p.kind == kind)


def decided(state: AnyState, dice: Dice, action: a.AnyAction, seat: int, actor: str, at: int = 0) -> Decision:
    """Decide, and see that the events alone lead to the same state and that nobody hangs."""
    at = at or state.at + 1
    decision = decide(state, Command(action, seat, actor, "0" * 64, at), dice, at=at)
    folded = fold.fold(decision.envelopes, state.copy())
    assert packed(folded) == packed(decision.state)
    assert {envelope.actor for envelope in decision.envelopes} == {actor}
    assert between_actions(folded) == []
    return decision


def expired(state: AnyState, dice: Dice, prompt: Prompt) -> Decision:
    assert prompt.deadline is not None
    late = a.Expire(prompt=prompt.prompt, deadline=prompt.deadline)
    return decided(state, dice, late, 0, "clock", prompt.deadline + 1500)


def found(events: list[Envelope[Event]], kind: type[Event]) -> list[Event]:
    return [envelope.data for envelope in events if isinstance(envelope.data, kind)]


@cells
def test_the_default_is_taken(rulebook: str, kind: str) -> None:
    state, dice, prompt = cell(rulebook, kind)
    decision = expired(state, dice, prompt)
    assert PromptClosed(prompt=prompt.prompt, how="defaulted") in found(decision.envelopes, PromptClosed)
    # After the result nobody is missed.
    missed = int(state.status == "playing")
    assert (decision.state.seats[prompt.seat].missed, decision.state.seats[prompt.seat].keeper) == (missed, "")


@cells
def test_what_is_asked_in_one_turn_is_missed_once(rulebook: str, kind: str) -> None:
    """A ballot counts for itself: a vote is missed in the turn of another."""
    state, dice, prompt = cell(rulebook, kind)
    plant_seat(state, prompt.seat, missed=1, missed_in=state.turn)
    more = int(kind == "ballot")
    assert expired(state, dice, prompt).state.seats[prompt.seat].missed == 1 + more


@cells
def test_after_so_many_in_a_row_a_bot_keeps_the_seat(rulebook: str, kind: str) -> None:
    state, dice, prompt = cell(rulebook, kind)
    plant_seat(state, prompt.seat, missed=2)
    decision = expired(state, dice, prompt)
    took = BotTookOver(seat=prompt.seat, level="sensible", why="absent")
    playing = decision.state.status == "playing" and prompt.seat in decision.state.persons()
    assert found(decision.envelopes, BotTookOver) == ([took] if playing else [])


@cells
def test_where_defaults_go_on_no_bot_comes(rulebook: str, kind: str) -> None:
    state, dice, prompt = cell(rulebook, kind)
    plant_options(state, absent_play="default")
    plant_seat(state, prompt.seat, missed=7)
    decision = expired(state, dice, prompt)
    assert not found(decision.envelopes, BotTookOver)
    assert decision.state.seats[prompt.seat].missed == 7 + (state.status == "playing")


@pytest.mark.parametrize("level", BOT_LEVELS)
@cells
def test_a_bot_in_the_seat_comes_to_an_answer(rulebook: str, kind: str, level: str) -> None:
    """Whatever it does is marked as a bot's; the prompt is answered within a bound."""
    state, dice, prompt = cell(rulebook, kind)
    plant_seat(state, prompt.seat, keeper=level)
    for _ in range(MOST_MOVES):
        body = move_of(state, prompt.seat)
        assert body is not None
        action = with_digests(parse(msgspec.json.encode(body)), lambda _text: "a" * 64)
        state = decided(state, dice, action, prompt.seat, f"bot:{prompt.seat}").state
        if prompt.prompt not in state.prompts:
            return
    raise AssertionError(f"{MOST_MOVES} moves, and {kind} is not answered")


@cells
def test_when_everybody_is_absent_the_game_ends_by_rule(rulebook: str, kind: str) -> None:
    """The last one who misses too many is the end; another who is there keeps it going."""
    state, dice, prompt = cell(rulebook, kind)
    for seat in state.seats:
        plant_seat(state, seat, missed=2 if seat == prompt.seat else 3)
    decision = expired(state, dice, prompt)
    results = [event for event in found(decision.envelopes, GameFinished) if isinstance(event, GameFinished)]
    assert decision.state.status == "finished"
    assert [event.reason for event in results] == (["abandoned"] if state.status == "playing" else [])


@cells
def test_who_leaves_is_asked_nothing_more(rulebook: str, kind: str) -> None:
    state, dice, prompt = cell(rulebook, kind)
    after = decided(state, dice, a.Leave(), prompt.seat, f"seat:{prompt.seat}").state
    assert all(other.seat != prompt.seat for other in after.prompts.values())
    assert after.prompts or after.status == "finished"


@cells
def test_a_person_comes_back_and_answers(rulebook: str, kind: str) -> None:
    """While a bot keeps the seat its person is refused; one call later it plays."""
    state, dice, prompt = cell(rulebook, kind)
    if state.status == "finished":
        return  # after the result nobody comes back: the bot answers for it
    action = by_chance(state, prompt.seat)
    plant_seat(state, prompt.seat, keeper="random")
    person = f"seat:{prompt.seat}"
    with pytest.raises(RuleViolation) as refused:
        decided(state, dice, action, prompt.seat, person)
    assert refused.value.refusal.code == "kept_by_bot"
    back = decided(state, dice, a.HandBack(), prompt.seat, person).state
    decided(back, dice, action, prompt.seat, person)


@cells
def test_a_pause_and_an_outage_move_its_deadline(rulebook: str, kind: str) -> None:
    state, dice, prompt = cell(rulebook, kind)
    assert prompt.deadline is not None
    since, until = prompt.opened + 7, prompt.opened + 60_007
    credit = decided(state, dice, a.CreditOutage(since=since, until=until), 0, "clock", until + 1)
    assert found(credit.envelopes, OutageCredited)
    assert credit.state.prompts[prompt.prompt].deadline == prompt.deadline + 60_000
    with pytest.raises(RuleViolation):
        decided(credit.state, dice, a.CreditOutage(since=since, until=until), 0, "clock", until + 2)
    if state.status == "finished":
        return  # after the result there is nothing to be paused
    paused = decided(state, dice, a.Pause(), 0, "host", prompt.opened + 5).state
    resumed = decided(paused, dice, a.Resume(), 0, "host", prompt.opened + 1005)
    assert found(resumed.envelopes, GameResumed)
    assert resumed.state.prompts[prompt.prompt].deadline == prompt.deadline + 1000


def test_the_rules_name_every_level_of_bots() -> None:
    assert set(BOT_LEVELS) == set(LEVELS)
