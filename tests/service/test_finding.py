"""Steps looked for, and what changed from any to any, over random games of both kinds."""

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from events import chain, codec
from events.base import Json
from events.play import DiceRolled
from events.store import Entry, SidecarUpdate
from projections import storage
from projections.changes import Change, changes
from service.errors import Frozen, NoSuchVersion
from service.games.clock import Clock
from service.games.loading import Loader
from service.games.records import LoadedGame
from service.replay import search as finding
from service.replay import steps
from service.replay.search import StepFilter
from service.replay.steps import Step
from tests.support import social
from tests.support.played import Table, empty, games_on, play, sit_down, start


def public_assistance(seed: int) -> Table:
    chance = random.Random(seed)
    table = start(sit_down(games_on(empty()), secret=bytes([seed]) * 32, months=2))
    return play(table, lambda menu, _state: dict(chance.choice(menu).body), most=80)


def social_justice(seed: int) -> Table:
    return social.lively(empty(), seed=seed, events=400)


KINDS = [public_assistance, social_justice]


@pytest.fixture(scope="module", params=KINDS)
def table(request: pytest.FixtureRequest) -> Table:
    table: Table = request.param(3)
    return table


def whole(table: Table) -> list[Step]:
    return steps.page(table.games.loader, table.game, after=0, limit=10_000, upto=table.version)


def plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long), pytest.param(4, marks=pytest.mark.long)])
def test_every_step_is_the_view_that_was_live(kind: Any, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """B8: whatever is seen of a step afterwards is what was seen when it happened."""
    live: dict[int, Any] = {}
    monkeypatch.setattr("service.games.loading.Loader.keep", _noting(live, Loader.keep))
    table = kind(seed)
    monkeypatch.undo()
    monkeypatch.setattr(storage, "EVERY", 40)
    table.games.loader.save_keyframes(table.game)
    for number, state in live.items():
        view = steps.one(table.games.loader, table.game, number)
        assert plain(view.state) == state, number
        assert view.changes is not None
        assert patched(live.get(number - 1), view.changes) == state
    assert sorted(live) == list(range(1, table.state.steps + 1))


def _noting(live: dict[int, Any], keep: Any) -> Any:
    """Note the state as every process that acts has it, right after each action."""

    def kept(self: Loader, game: str, loaded: LoadedGame) -> Any:
        live[loaded.state.steps] = plain(loaded.state)
        return keep(self, game, loaded)

    return kept


def patched(value: Json, found: list[Change]) -> Json:
    """Apply changes in order, each to what it says was there before."""
    root: Any = {"": msgspec.json.decode(msgspec.json.encode(value))}
    for change in found:
        *way, last = [part.replace("~1", "/").replace("~0", "~") for part in change.path.split("/")]
        target: Any = root
        for part in way:
            target = target[int(part) if isinstance(target, list) else part]
        key: Any = int(last) if isinstance(target, list) else last
        if change.op == "add":
            assert change.before is None
            target.insert(key, change.value) if isinstance(target, list) else target.update({key: change.value})
        else:
            assert target[key] == change.before
            target[key] = change.value
            if change.op == "remove":
                del target[key]
    return root[""]  # type: ignore[no-any-return] # any JSON value


def test_changes_lead_from_any_step_to_any_step(table: Table) -> None:
    last = table.state.steps
    for since, number in ((0, 1), (0, last), (3, last), (last, 3), (last - 1, 6), (6, last - 1), (5, 5)):
        before = plain(steps.one(table.games.loader, table.game, since).state) if since else None
        view = steps.one(table.games.loader, table.game, number, since=since)
        assert view.step.number == number
        assert view.changes is not None
        assert patched(before, view.changes) == plain(view.state)
        assert bool(view.changes) == (since != number)
    with pytest.raises(NoSuchVersion):
        steps.one(table.games.loader, table.game, 2, since=last + 1)


@pytest.mark.parametrize(
    ("before", "after", "found"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": True}, [("replace", "/a", 1, True)]),
        ({"a": 1}, {"b": None}, [("remove", "/a", 1, None), ("add", "/b", None, None)]),
        ([1, 2], [1, 3, 4, 5], [("replace", "/1", 2, 3), ("add", "/2", None, 4), ("add", "/3", None, 5)]),
        ([1, 2, 3], [1], [("remove", "/2", 3, None), ("remove", "/1", 2, None)]),
        ({"a/b": {"~": 0}}, {"a/b": {"~": 1}}, [("replace", "/a~1b/~0", 0, 1)]),
        (None, [], [("replace", "", None, [])]),
        ({}, [], [("replace", "", {}, [])]),
    ],
)
def test_a_change_says_where_and_what(before: Json, after: Json, found: list[Any]) -> None:
    assert [(one.op, one.path, one.before, one.value) for one in changes(before, after)] == found
    assert patched(before, list(changes(before, after))) == after


def pages(table: Table, wanted: StepFilter, limit: int, *, back: bool = False) -> Iterator[Step]:
    cursor, more = (table.version + 1 if back else 0), True
    while more:
        if back:
            found = finding.backwards(table.games.loader, table.game, wanted, before=cursor, limit=limit)
            assert found.cursor < cursor
        else:
            args: dict[str, Any] = {"after": cursor, "limit": limit, "upto": table.version}
            found = finding.forwards(table.games.loader, table.game, wanted, **args)
            assert found.cursor > cursor
        assert len(found.steps) <= limit
        yield from found.steps
        cursor, more = found.cursor, found.more


@pytest.mark.parametrize(("limit", "scanned"), [(2, 30), (7, 1000)])
@pytest.mark.parametrize(
    "wanted",
    [
        StepFilter(),
        StepFilter(turn=3),
        StepFilter(seat=2),
        StepFilter(kind="money_moved"),
        StepFilter(turn=2, seat=1),
        StepFilter(turn=99),
    ],
)
def test_pages_join_forwards_and_backwards(
    table: Table, wanted: StepFilter, limit: int, scanned: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever is looked for, and however little one page looks at."""
    monkeypatch.setattr(finding, "MOST_SCANNED", scanned)
    monkeypatch.setattr(finding, "WINDOW", 25)
    every = [step for step in whole(table) if wanted.passes(step)]
    assert list(pages(table, wanted, limit)) == every
    assert list(pages(table, wanted, limit, back=True)) == every[::-1]


@pytest.mark.parametrize(
    ("limit", "scanned"),
    [pytest.param(1, 10_000, marks=pytest.mark.long), (5, 30), pytest.param(999, 10_000, marks=pytest.mark.long)],
)
def test_steps_between_two_versions_are_found_backwards(
    table: Table, limit: int, scanned: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also from inside a step to inside another one: what is not whole between them is left out."""
    monkeypatch.setattr(finding, "MOST_SCANNED", scanned)
    monkeypatch.setattr(finding, "WINDOW", 25)
    every = whole(table)
    chance = random.Random(limit)
    spans = [sorted(chance.sample(range(table.version + 2), 2)) for _ in range(20)]
    for after, before in [*spans, (7, 7), (table.version, table.version + 1), (table.version + 5, 3)]:
        found: list[Step] = []
        cursor, more = before, True
        while more:
            page = finding.backwards(
                table.games.loader, table.game, StepFilter(), before=cursor, limit=limit, after=after
            )
            found += page.steps
            cursor, more = page.cursor, page.more
        assert found == [step for step in reversed(every) if step.first > after and step.last < before]


def test_what_is_looked_for_is_found(table: Table) -> None:
    every = whole(table)
    assert [step.number for step in every if StepFilter(seat=2).passes(step)] == [
        step.number for step in every if step.seat == 2 or step.actor == "seat:2"
    ]
    moved = [step for step in every if StepFilter(kind="money_moved").passes(step)]
    assert 0 < len(moved) < len(every)
    assert all("money_moved" in step.kinds for step in moved)
    found = [step.number for step in every if StepFilter(turn=2).passes(step)]
    assert found == [step.number for step in every if any(envelope.turn == 2 for envelope in step.envelopes)]
    assert every[found[0] - 1].turn == 1, "the step that turn 2 begins in is one of them"


def stopped_at(now: int) -> Clock:
    return Clock(lambda: now, lambda: now / 1000)


def test_what_the_clock_does_for_a_seat_is_found_with_the_seat() -> None:
    """Nobody is there: each turn is taken by default, and is still its seat's."""
    table = start(sit_down(games_on(empty()), seats=2, turn_seconds=60, absent_after=0))
    for _ in range(6):
        (prompt,) = table.state.prompts.values()
        assert prompt.deadline
        table.games.clock.now = stopped_at(prompt.deadline + 2_000).now  # type: ignore[method-assign] # the test's own
        table.games.current(table.game)
    expired = [step for step in whole(table) if step.name == "expire"]
    assert len(expired) == 6
    rolled = [event.data.seat for step in expired for event in step.envelopes if isinstance(event.data, DiceRolled)]
    assert len(rolled) == len(expired)
    for seat in (1, 2):
        assert [StepFilter(seat=seat).passes(step) for step in expired] == [other == seat for other in rolled]


def test_each_line_has_its_kind_and_votes_are_told_apart() -> None:
    every = whole(social_justice(3))
    assert all(len(step.kinds) == len(step.lines) for step in every)
    cast = [step for step in every if "ballot_cast" in step.kinds]
    assert cast
    for step in cast:
        assert "ballot_cast" in {steps.kind_of(envelope.data) for envelope in step.votes}
        assert {envelope.version for envelope in step.votes} <= set(range(step.first, step.last + 1))
    assert all(not step.votes for step in every if step.name == "roll" and "ballot_cast" not in step.kinds)


def foreign(table: Table) -> None:
    """Append an event of a later release."""
    head = table.store.streams.head(table.game)
    assert head is not None
    known = codec.decode(table.store.streams.read(table.game, after=head.version - 1, count=1)[0].data)
    data = codec.encode(known).replace(b'"version":%d' % head.version, b'"version":%d' % (head.version + 1))
    data = data.replace(known.action.encode(), b"f" * 64)
    start = data.index(b'"data":{')
    data = data[: start + 8] + b'"schema":1,"type":"tea_served"' + data[data.index(b"}", start) :]
    entry = Entry(data, chain.link(head.link, data))
    table.store.streams.append(
        table.game,
        [entry],
        action="f" * 64,
        request="",
        expected=head.version,
        previous=head.link,
        sidecar=SidecarUpdate(),
    )


def test_before_an_event_of_a_later_release_everything_is_found() -> None:
    table = play(start(sit_down(games_on(empty()))), most=5)
    known, version = whole(table), table.version
    foreign(table)
    ahead = finding.forwards(table.games.loader, table.game, StepFilter(), after=0, limit=999, upto=version + 1)
    back = finding.backwards(table.games.loader, table.game, StepFilter(), before=version + 2, limit=999)
    assert ahead.steps == back.steps[::-1]
    assert ahead.steps[:-1] == known
    assert ahead.steps[-1].unknown == "tea_served"
    assert ahead.steps[-1].kinds[-1] == "tea_served"
    last = known[-1].number
    assert steps.one(table.games.loader, table.game, last, since=2).changes
    assert steps.one(table.games.loader, table.game, last + 1).changes is None


def test_backwards_begins_at_the_last_good_step(monkeypatch: pytest.MonkeyPatch) -> None:
    table = play(start(sit_down(games_on(empty()))), most=12)
    good, stream = whole(table), table.store.streams.stream

    def changed(*args: object, **options: object) -> Iterator[list[Entry]]:
        for batch in stream(*args, **options):  # type: ignore[arg-type] # passed through
            yield [Entry(data.replace(b'"roll"', b'"rol1"'), link) for data, link in batch]

    monkeypatch.setattr(table.store.streams, "stream", changed)
    monkeypatch.setattr(finding, "WINDOW", 5)
    found = finding.backwards(table.games.loader, table.game, StepFilter(), before=table.version + 1, limit=999).steps
    assert 1 < len(found) < len(good)
    assert found == good[: len(found)][::-1]
    assert all(newer.first == older.last + 1 for newer, older in pairwise(found))
    with pytest.raises(Frozen):
        finding.forwards(table.games.loader, table.game, StepFilter(), after=found[0].last, limit=9, upto=table.version)
