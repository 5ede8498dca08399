"""Simulated games: real ones, the same for the same seed, and counted right."""

from collections import Counter
from functools import partial

from events.base import Event
from events.lobby import GameFinished
from events.play import CardDrawn, DiceRolled, MoneyMoved, TurnStarted
from projections import evolve as folding
from projections.state.public_assistance import PublicAssistanceState
from service.rules import options as agreed
from service.simulation.matches import NO_BOTS, Plan, play
from service.simulation.pool import share
from service.simulation.public_assistance import PublicAssistanceTally, play_some, report_on
from tests.support.invariants import between_actions
from tests.support.packed import packed


def plan(games: int = 6, players: int = 3, bots: str = NO_BOTS, seed: str = "s") -> Plan:
    options = agreed.agree({"months": 2, "bump": True}, agreed.defaults())
    return Plan(games=games, players=players, options=options, bots=bots, seed=seed)


def events_of(number: int, of: Plan) -> list[Event]:
    seen: list[Event] = []
    play(of, number, seen.append)
    return seen


def test_a_simulated_game_is_a_whole_game() -> None:
    """It ends, its books are right, and its events fold to the state that it ended in."""
    seen: list[Event] = []
    state = play(plan(), 0, seen.append)
    assert state.status == "finished"
    assert isinstance(state, PublicAssistanceState)
    assert between_actions(state) == []
    folded = folding.begin(seen[0])  # type: ignore[arg-type] # the first event is game_created
    folded.steps = 1
    for version, event in enumerate(seen[1:], 2):
        folding.HANDLERS[type(folded)][type(event)](folded, event)
        folded.version = version
    assert packed(folded) == packed(state)


def test_a_game_depends_on_seed_and_number_alone() -> None:
    for bots in ("default", "sensible", "random"):
        first = events_of(3, plan(bots=bots))
        assert events_of(3, plan(bots=bots)) == first
        assert events_of(3, plan(bots=bots, games=100)) == first
        assert events_of(4, plan(bots=bots))[1:] != first[1:]
        assert events_of(3, plan(bots=bots, seed="t"))[1:] != first[1:]


def test_the_counts_are_those_of_the_events() -> None:
    seen = [events_of(number, plan()) for number in range(6)]
    every = [event for events in seen for event in events]
    tally = play_some(plan(), range(6))
    assert tally.games == Counter(games=6, shared=0)
    assert tally.events == Counter(len(events) for events in seen)
    assert tally.turns == Counter(sum(isinstance(e, TurnStarted) for e in events) for events in seen)
    assert tally.rounds == Counter(max(e.own for e in events if isinstance(e, TurnStarted)) for events in seen)
    assert tally.faces == Counter((e.purpose, 6, face) for e in every if isinstance(e, DiceRolled) for face in e.faces)
    assert tally.cards == Counter((e.deck, e.card) for e in every if isinstance(e, CardDrawn))
    assert tally.first_cards == Counter((e.deck, e.card) for e in every if isinstance(e, CardDrawn) and e.draw == 1)
    lines = [line for e in every if isinstance(e, GameFinished) for line in e.standings]
    assert tally.money == Counter((line.track, line.score) for line in lines)
    assert tally.winners == Counter(line.track for line in lines if line.rank == 1)
    assert tally.brackets.total() == sum(line.track == "rut" for line in lines)
    days = [sum(isinstance(e, MoneyMoved) and e.rule == "PA-33" for e in events) for events in seen]
    assert (tally.rules["PA-33"], tally.rule_games["PA-33"]) == (sum(days), sum(map(bool, days)))


def test_the_report_is_the_same_however_many_processes_share_the_work() -> None:
    """And whichever of them is done first: one process, and two that are spawned."""
    told: list[int] = []
    alone = share(partial(play_some, plan()), 25, PublicAssistanceTally(), processes=1, progress=told.append)
    assert sum(told) == 25
    shared = share(partial(play_some, plan()), 25, PublicAssistanceTally(), processes=2)
    assert report_on(plan(games=25), shared) == report_on(plan(games=25), alone)
    assert alone == play_some(plan(), range(25))


def test_tallies_add_up_in_any_order() -> None:
    parts = [play_some(plan(), [number]) for number in range(4)]
    there, back = PublicAssistanceTally(), PublicAssistanceTally()
    for part in parts:
        there.add(part)
    for part in reversed(parts):
        back.add(part)
    assert there == back == play_some(plan(), range(4))


def test_the_brackets_of_the_report() -> None:
    """Seats that ended in the rut, each in the bracket of its total."""
    tally = PublicAssistanceTally(games=Counter(games=1), turns=Counter([9]), rounds=Counter([3]), events=Counter([99]))
    tally.brackets.update([10, 50, 50, 0])
    assert report_on(plan(), tally).brackets == {"0": 1, "10": 1, "20": 0, "30": 0, "40": 0, "50": 2}
