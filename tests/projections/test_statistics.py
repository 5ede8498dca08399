"""What one game adds to the statistics."""

import random
from collections import Counter

from events.base import Envelope, Event
from events.lobby import GameFinished, GameStarted, SecretRevealed
from events.play import CardDrawn, DiceRolled
from projections.statistics import Passing, Whole
from tests.support.counted import BEGIN, DAY, ZERO, MadeUp, fork_of, made_up

NEVER = ("ended", "known", "length", "lasted", "die", "card", "first", "finished")


def game(*events: Event, known: bool = False) -> list[Envelope[Event]]:
    """A game with these events, a day between each."""
    made = MadeUp(random.Random(1), "public_assistance", BEGIN)
    made.act(made.created("one", known=known), *events)
    (entries,) = made.actions
    return [
        Envelope(version=e.version, at=BEGIN + n * DAY, turn=0, actor="x", action=ZERO, data=e.data)
        for n, e in enumerate(entries)
    ]


def passing(entries: list[Envelope[Event]]) -> Passing:
    found = Passing()
    for envelope in entries:
        found.see(envelope)
    return found


def whole(entries: list[Envelope[Event]]) -> Counter[str]:
    found = Whole()
    for envelope in entries:
        found.see(envelope)
    return found.figures()


START = GameStarted(seats=(1, 2), inputs=("", ""), options={})
ROLL = DiceRolled(seat=1, purpose="movement", coordinate="x", sides=6, faces=(2, 2, 5))
ALONE = DiceRolled(seat=1, purpose="role", coordinate="x", sides=1, faces=(1,))
DRAW = CardDrawn(seat=1, deck="benefit", card="BN01", text="", draw=1, coordinate="benefit/1")
LATER = CardDrawn(seat=1, deck="benefit", card="BN02", text="", draw=2, coordinate="benefit/2")
END = (GameFinished(reason="completed", standings=(), winners=()), SecretRevealed(secret=ZERO))
KIND = "public_assistance/1"


def test_days_are_those_of_the_events() -> None:
    found = passing(game(ROLL, *END))
    assert found.over
    assert found.figures == {f"created/{KIND}": 1}
    assert found.days == {"games/20000": 1, "finished/20003": 1, **{f"events/{20000 + n}": 1 for n in range(4)}}


def test_chance_is_counted_by_sides_and_by_deck_once_the_game_is_over() -> None:
    """The first draw of a full deck is counted apart; a die of one side is no chance."""
    found = whole(game(START, ALONE, ROLL, DRAW, LATER, *END))
    assert found == {
        f"ended/{KIND}/completed": 1, f"length/{KIND}": 8, f"lasted/{KIND}": 5 * DAY, "die/6/2": 2, "die/6/5": 1,
        "card/public_assistance_benefit/1/BN01": 1, "card/public_assistance_benefit/1/BN02": 1,
        "first/public_assistance_benefit/1/BN01": 1,
    }  # fmt: skip


def test_a_game_with_a_known_secret_says_nothing_of_chance() -> None:
    found = whole(game(START, ROLL, DRAW, *END, known=True))
    assert {word.partition("/")[0] for word in found} == {"ended", "known", "length", "lasted"}
    assert found[f"known/{KIND}"] == 1


def test_what_a_fork_began_with_counts_in_its_parent_alone() -> None:
    chance = random.Random(3)
    for number in range(50):
        actions = fork_of(chance, made_up(chance, "parent"), f"fork{number}")
        entries = [envelope for action in actions for envelope in action]
        own = [*actions[0][-1:], *(envelope for action in actions[1:] for envelope in action)]
        found = passing(entries)
        assert sum(times for word, times in found.days.items() if word.startswith("events")) == len(own)
        assert found.days[f"games/{own[0].at // DAY}"] == 1
        dice = [face for e in own if isinstance(e.data, DiceRolled) and e.data.sides > 1 for face in e.data.faces]
        assert sum(times for word, times in whole(entries).items() if word.startswith("die")) == len(dice)


def test_nothing_is_told_of_a_running_game_but_that_something_happened() -> None:
    """At any version before the last, also between result and secret."""
    chance = random.Random(5)
    for number in range(50):
        entries = [envelope for action in made_up(chance, f"game{number}") for envelope in action]
        for upto in range(1, len(entries)):
            found = passing(entries[:upto])
            assert not found.over
            assert not [word for word in (*found.figures, *found.days) if word.startswith(NEVER)]
        assert passing(entries).over


def test_parts_of_a_game_add_up_to_the_whole() -> None:
    chance = random.Random(7)
    for number in range(50):
        entries = [envelope for action in made_up(chance, f"game{number}") for envelope in action]
        cut = chance.randint(0, len(entries))
        parts = [passing(entries[:cut]), passing(entries[cut:])]
        assert parts[0].days + parts[1].days == passing(entries).days
        assert parts[0].figures + parts[1].figures == passing(entries).figures
