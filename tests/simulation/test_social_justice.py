"""Simulated games of The Social Justice Game: real ones, the same for the same seed, and counted right, wealth too."""

from collections import Counter
from functools import partial

import pytest

from events.base import Event
from events.lobby import GameFinished
from events.play import CardDrawn, DiceRolled, MoneyMoved, TurnStarted
from events.social_justice.events import CitizenOut, RoundStarted, WorthCounted
from projections import evolve as folding
from projections.state.social_justice import SocialJusticeState
from service.simulation.matches import NO_BOTS, play
from service.simulation.pool import share
from service.simulation.social_justice import SocialJusticeTally, play_some, report_on
from service.simulation.social_justice.tally import SocialJusticeCount
from service.simulation.social_justice.wealth import WHOLE, gini, worths_of
from service.simulation.tally import play_counted
from tests.simulation.sj import events_of, plan
from tests.support.packed import packed


def test_a_simulated_game_is_a_whole_game() -> None:
    """It ends, its books are right, and its events fold to the state that it ended in."""
    for bots in (NO_BOTS, "sensible", "random"):
        seen: list[Event] = []
        state = play(plan(bots=bots), 0, seen.append)
        assert state.status == "finished"
        assert sum(state.cash.values()) == 0
        folded = folding.begin(seen[0])  # type: ignore[arg-type] # the first event is game_created
        folded.steps = 1
        for version, event in enumerate(seen[1:], 2):
            folding.HANDLERS[type(folded)][type(event)](folded, event)
            folded.version = version
        assert packed(folded) == packed(state)


def test_a_game_depends_on_seed_and_number_alone() -> None:
    for bots in (NO_BOTS, "sensible", "random"):
        first = events_of(3, plan(bots=bots))
        assert events_of(3, plan(bots=bots, games=100)) == first
        assert events_of(4, plan(bots=bots))[1:] != first[1:]
        assert events_of(3, plan(bots=bots, seed="t"))[1:] != first[1:]


def test_the_counts_are_those_of_the_events() -> None:
    seen = [events_of(number, plan()) for number in range(4)]
    every = [event for events in seen for event in events]
    tally = play_some(plan(), range(4))
    assert tally.games == Counter(games=4)
    assert tally.events == Counter(len(events) for events in seen)
    assert tally.turns == Counter(sum(isinstance(e, TurnStarted) for e in events) for events in seen)
    assert tally.ends == Counter(e.reason for e in every if isinstance(e, GameFinished))
    rolled = [e for e in every if isinstance(e, DiceRolled) and e.sides > 1]
    assert tally.faces == Counter((e.purpose, e.sides, face) for e in rolled for face in e.faces)
    assert tally.cards == Counter((e.deck, e.card) for e in every if isinstance(e, CardDrawn))
    assert tally.first_cards == Counter((e.deck, e.card) for e in every if isinstance(e, CardDrawn) and e.draw == 1)
    paydays = [sum(isinstance(e, MoneyMoved) and e.rule == "SJG-47" for e in events) for events in seen]
    assert (tally.rules["SJG-47"], tally.rule_games["SJG-47"]) == (sum(paydays), sum(map(bool, paydays)))
    lines = [line for e in every if isinstance(e, WorthCounted) for line in e.lines]
    assert sum(worth * seats for (_, worth), seats in tally.final.items()) == sum(
        0 if x.out else x.worth for x in lines
    )
    assert tally.outs.total() == sum(isinstance(e, CitizenOut) for e in every)
    assert tally.mobility.total() == tally.ranks.total() == len(lines) == 12


def test_wealth_is_taken_at_the_end_of_each_round() -> None:
    """Before the first round, when each other begins, and at the end: as folding the events gives it."""
    for number in range(3):
        record = play_counted(plan(bots="random"), number, SocialJusticeCount(SocialJusticeTally()))
        seen = events_of(number, plan(bots="random"))
        state = folding.begin(seen[0])  # type: ignore[arg-type] # the first event is game_created
        assert isinstance(state, SocialJusticeState)
        expected = []
        for event in seen[1:]:
            folding.HANDLERS[type(state)][type(event)](state, event)
            if isinstance(event, RoundStarted | GameFinished):
                worths = worths_of(state)
                expected.append((sum(worths.values()), gini(worths.values())))
        assert [(moment.worth.total(), moment.gini) for moment in record.moments] == expected
        assert record.moment(200) is record.moments[-1]


@pytest.mark.parametrize(
    ("worths", "coefficient"),
    [
        ([5, 5, 5, 5], 0),
        ([0, 0, 0, 8], 7500),
        ([0, 8], 5000),
        ([1, 3], 2500),
        ([1, 2, 3], 2222),
        ([0, 0], 0),
        ([-50, 8], 5000),
    ],
)
def test_gini_by_hand(worths: list[int], coefficient: int) -> None:
    """For 1, 2, 3: differences 1, 1, 2, each twice, are 8/9 in the mean, over twice 2."""
    assert gini(worths) == gini(reversed(worths)) == coefficient
    assert WHOLE == 10_000


def test_the_report_is_the_same_however_many_processes_share_the_work() -> None:
    of = plan(games=10, bots=NO_BOTS)
    alone = share(partial(play_some, of), 10, SocialJusticeTally(), processes=1)
    shared = share(partial(play_some, of), 10, SocialJusticeTally(), processes=2)
    assert report_on(of, shared) == report_on(of, alone)
    assert alone == play_some(of, range(10))


def test_tallies_add_up_in_any_order() -> None:
    parts = [play_some(plan(bots=NO_BOTS), [number]) for number in range(4)]
    there, back = SocialJusticeTally(), SocialJusticeTally()
    for part in parts:
        there.add(part)
    for part in reversed(parts):
        back.add(part)
    assert there == back == play_some(plan(bots=NO_BOTS), range(4))


def test_the_report_has_every_round_of_the_longest_game_and_all_of_everybody() -> None:
    of = plan(games=6)
    report = report_on(of, play_some(of, range(6)))
    assert [at.round for at in report.wealth] == [0, 1, 2, 3, 4]
    assert report.wealth[0].mean == {"unemployed": 200.0, "employee": 500.0, "owner": 4000.0}
    assert report.wealth[0].gini == pytest.approx(2 * 3800 / 3 / 4700, abs=1e-4)
    for at in report.wealth:
        assert sum(at.share.values()) == pytest.approx(100, abs=0.02)
    for role, found in report.roles.items():
        assert found.seats == 6, role
        assert sum(found.ended.values()) == sum(found.ranks.values()) == 6
        assert report.wealth[-1].mean[role] == found.worth.mean
        assert sum(out.seats for out in found.outs.values()) == found.ranks.get("0", 0)
