"""Counting goes on from where it was, whatever happens to the process that counts, and a rebuild finds the same."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import fakeredis
import pytest

from events.store import Store, connect
from events.store.keys import BUCKETS, bucket_keys, bucket_of, game_keys
from projections.statistics import EDITION
from tests.support.clocks import clocked, table
from tests.support.counted import Entries, count_all, expected, fork_of, kept, made_up, write
from tests.support.played import Table, begun, empty, games_on, play
from tests.support.social import lively
from tests.support.valkey import valkey
from workers import counting as module
from workers.counting import Counting


@pytest.fixture(params=["fake", "real"])
def client(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    if request.param == "fake":
        yield fakeredis.FakeRedis(protocol=2)
        return
    with valkey(tmp_path) as server:
        yield connect(server.url)


class Killed(BaseException):
    """The process that counts is killed, before or after what it has just sent."""


class Dangerous:
    """A client whose user is held up or killed now and then."""

    def __init__(self, client: Any, trouble: Callable[[], None]) -> None:
        self._client, self._trouble = client, trouble

    def execute_command(self, *args: Any, **options: Any) -> Any:
        self._trouble()
        answer = self._client.execute_command(*args, **options)
        self._trouble()
        return answer

    def pipeline(self, transaction: Any = False) -> Any:
        self._trouble()
        return self._client.pipeline(transaction=transaction)


NAMES = [f"g{n}" for n in range(1000) if bucket_of(f"g{n}") < 3]
"""Names of games that share three buckets."""


def games(chance: random.Random) -> dict[str, list[Entries]]:
    """Some games: running ones, finished ones, forks."""
    made = {name: made_up(chance, name, known=n % 5 == 0, over=n % 3 > 0) for n, name in enumerate(NAMES[:12])}
    forks = {name: fork_of(chance, made[parent], name) for name, parent in zip(NAMES[12:15], [*made], strict=False)}
    return made | forks


class Story:
    """Games that are played and counted at once, told by its seed."""

    def __init__(self, seed: int) -> None:
        self.chance, self.client = random.Random(seed), empty()
        self.store = Store(self.client)
        self.waiting = {game: iter(actions) for game, actions in games(self.chance).items()}
        dangerous = Dangerous(self.client, self.trouble)
        self.counting = Counting(Store(dangerous))
        self.busy = False

    def go_on(self) -> None:
        """Take the next action of some game."""
        game = self.chance.choice([*self.waiting])
        action = next(self.waiting[game], None)
        if action is None:
            del self.waiting[game]
        else:
            write(self.store, game, action)

    def count(self) -> None:
        """Count, or count again, some of what there is; the process that does it may be killed."""
        self.busy = True
        try:
            for bucket in self.counting.behind():
                if self.chance.random() < 0.2:
                    self.counting.rebuild(bucket)
                else:
                    self.counting.count(bucket)
        except Killed:
            pass
        self.busy = False

    def trouble(self) -> None:
        """Kill the process that counts, or have another count meanwhile, or a game go on."""
        if not self.busy:
            return
        kind = self.chance.random()
        if kind < 0.03:
            raise Killed
        if kind < 0.1:
            other = Counting(self.store)
            for bucket in other.behind():
                other.count(bucket)
        elif kind < 0.2 and self.waiting:
            self.go_on()


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(4, 24))])
def test_counting_in_any_parts_is_counting_anew(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """By several at once, in batches of any size, each killed over and over, with repeats and lost pieces of feeds."""
    story = Story(seed)
    while story.waiting:
        story.go_on()
        monkeypatch.setattr(module, "MOST_APPENDS", story.chance.randint(1, 5))
        monkeypatch.setattr(module, "MOST_GAMES", story.chance.randint(1, 3))
        if story.chance.random() < 0.4:
            story.count()
        if story.chance.random() < 0.05:
            lose(story.client, story.chance.randrange(3), story.chance)
    count_all(story.store, story.client)
    before = kept(story.client)
    assert before == expected(story.store)
    for bucket in range(BUCKETS):
        assert Counting(story.store).rebuild(bucket) == []
    assert kept(story.client) == before
    assert Counting(story.store).behind() == []


def lose(client: Any, bucket: int, chance: random.Random) -> None:
    """Trim a bucket's feed, or lose it, or set the counting back as a repeat would."""
    keys = bucket_keys(bucket)
    kind = chance.randrange(3)
    if kind == 0:
        client.execute_command("XTRIM", keys.feed, "MAXLEN", chance.randint(0, 2))
    elif kind == 1:
        client.execute_command("DEL", keys.feed)
    elif client.execute_command("EXISTS", keys.mark):
        client.execute_command("HSET", keys.mark, "p", "0-1")


def test_each_append_is_counted_once_however_often_it_is_delivered(client: Any) -> None:
    store, chance = Store(client), random.Random(1)
    for action in made_up(chance, "one"):
        write(store, "one", action)
        count_all(store, client)
    found = kept(client)
    assert found == expected(store)
    keys = bucket_keys(bucket_of("one"))
    first = client.execute_command("XRANGE", keys.feed, "-", "+", "COUNT", 1)[0][0]
    for _ in range(3):
        client.execute_command("HSET", keys.mark, "p", first)
        count_all(store, client)
        assert kept(client) == found


def test_of_two_who_count_the_same_one_is_told_that_it_came_second(client: Any) -> None:
    """What both worked out of the same batch is added once."""
    store, chance = Store(client), random.Random(2)
    actions, bucket = made_up(chance, "one"), bucket_of("one")
    write(store, "one", actions[0])
    count_all(store, client)
    for action in actions[1:]:
        write(store, "one", action)
    counting, quick = Counting(Store(client)), Counting(store)
    slow = counting._figures
    add, answers = slow.add, []

    def late(*args: Any, **named: Any) -> bool:
        quick.count(bucket)
        answers.append(add(*args, **named))
        return answers[-1]

    slow.add = late  # type: ignore[method-assign] # another process is faster
    counting.count(bucket)
    assert answers == [False]
    assert kept(client) == expected(store)


def test_a_feed_that_was_trimmed_is_noticed(client: Any, caplog: pytest.LogCaptureFixture) -> None:
    """What fell out of it is counted all the same, of games that nobody has touched since, too."""
    store, chance = Store(client), random.Random(3)
    names = [f"g{n}" for n in range(200) if bucket_of(f"g{n}") == bucket_of("g1")][:3]
    write(store, names[0], made_up(chance, names[0])[0])
    count_all(store, client)
    for name in names[1:]:
        for action in made_up(chance, name):
            write(store, name, action)
    client.execute_command("XTRIM", bucket_keys(bucket_of("g1")).feed, "MAXLEN", 1)
    count_all(store, client)
    assert kept(client) == expected(store)
    assert "does not reach back" in caplog.text


def test_the_first_game_of_a_bucket_that_was_counted_empty_is_nothing_lost(
    client: Any, caplog: pytest.LogCaptureFixture
) -> None:
    """`rollbook rebuild` counts every bucket, also those that have no game yet."""
    store, bucket = Store(client), bucket_of("one")
    assert Counting(store).rebuild(bucket) == []
    write(store, "one", made_up(random.Random(5), "one")[0])
    count_all(store, client)
    assert kept(client) == expected(store)
    assert not caplog.text


def test_an_idle_feed_is_left_alone(client: Any) -> None:
    """Nothing is written into a store without games, nor again when all is counted."""
    store = Store(client)
    assert Counting(store).behind() == []
    assert client.execute_command("KEYS", "*") == []
    write(store, "one", made_up(random.Random(4), "one")[0])
    count_all(store, client)
    assert Counting(store).behind() == []
    assert [mark.number for mark in Store(client).figures.offsets() if mark.number] == [1]


def test_figures_of_another_edition_are_counted_anew(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """When a release counts in another way, also where nothing has happened since; it leaves a later one's alone."""
    store, keys, bucket = Store(client), bucket_keys(bucket_of("one")), bucket_of("one")
    actions = made_up(random.Random(5), "one")
    write(store, "one", actions[0])
    count_all(store, client)
    client.execute_command("HSET", keys.figures, "nonsense", 7)
    count_all(store, client)
    assert kept(client) != expected(store)
    monkeypatch.setattr("projections.statistics.EDITION", EDITION + 1)
    count_all(store, client)
    before = kept(client)
    assert before == expected(store)
    monkeypatch.setattr("projections.statistics.EDITION", EDITION)
    write(store, "one", actions[1])
    Counting(store).count(bucket)
    assert Counting(store).behind() == []
    assert kept(client) == before


def test_a_game_that_cannot_be_read_is_named_and_keeps_no_other_waiting(
    client: Any, caplog: pytest.LogCaptureFixture
) -> None:
    store, chance = Store(client), random.Random(6)
    good, bad = [f"g{n}" for n in range(200) if bucket_of(f"g{n}") == bucket_of("g1")][:2]
    for game in (bad, good):
        for action in made_up(chance, game):
            write(store, game, action)
    stream = game_keys(bad).stream
    link = client.execute_command("XRANGE", stream, "-", "+", "COUNT", 1)[0][1]
    assert link
    client.execute_command("XDEL", stream, "2-0")
    (left_out,) = Counting(store).rebuild(bucket_of("g1"))
    assert left_out.game == bad
    assert "missing" in left_out.why
    assert set(kept(client)[0]) == {good}
    client.execute_command("DEL", bucket_keys(bucket_of("g1")).counted)
    client.execute_command("HSET", bucket_keys(bucket_of("g1")).mark, "p", "0-1")
    count_all(store, client)
    assert f"game {bad} is left out" in caplog.text
    assert set(kept(client)[0]) == {good}


def test_games_as_they_are_played(client: Any) -> None:
    """Both rulebooks, to the end, with bots' moves and forks, counted all the while."""
    games_, clock = clocked(client)
    clubs = [
        play(begun(games_on(client), "one", months=1)),
        lively(client, events=120),
        table(games_, turn_seconds=5),
    ]
    clock.at += 1
    store = Store(client)
    count_all(store, client)
    assert kept(client) == expected(store)
    assert {club.game for club in clubs} == set(kept(client)[0])
    running = clubs[-1]
    assert isinstance(running, Table)
    play(running)
    count_all(store, client)
    assert kept(client) == expected(store)
