"""The replay, step by step: numbers, words, postings and states, from any cursor and whatever comes later."""

from collections.abc import Iterator
from itertools import pairwise

import pytest

from events import chain
from events.store import Entry, SidecarUpdate
from projections import storage
from service.errors import Frozen, NoSuchVersion
from service.replay import steps
from service.replay.steps import Step
from tests.support.packed import packed
from tests.support.played import Table, empty, finished, games_on, play, sit_down, start


@pytest.fixture(scope="module")
def table() -> Table:
    return finished()


def whole(table: Table) -> list[Step]:
    return steps.page(table.games.loader, table.game, after=0, limit=10_000, upto=table.version)


def test_steps_are_the_actions_in_order(table: Table) -> None:
    """No event is left out or told twice, and the last number is what the state counts."""
    every = whole(table)
    assert [step.number for step in every] == list(range(1, table.state.steps + 1))
    assert every[0].first == 1
    assert every[-1].last == table.version
    assert all(before.last + 1 == after.first for before, after in pairwise(every))
    assert all(len(step.lines) == len(step.envelopes) == step.last - step.first + 1 for step in every)
    assert all(len({envelope.action for envelope in step.envelopes}) == 1 for step in every)


def test_a_step_says_who_did_what(table: Table) -> None:
    """The creation is a step of nobody; a roll is its seat's, with the seat's name in the words."""
    every = whole(table)
    assert (every[0].name, every[0].seat, every[0].actor) == ("create", 0, "host")
    assert "Bob takes seat 2." in every[2].lines
    roll = next(step for step in every if step.name == "roll" and step.seat == 3)
    assert roll.prompt.startswith("p")
    assert roll.params == {}
    assert roll.lines[0] == "Cy acts: roll."


def test_postings_add_up_to_the_books(table: Table) -> None:
    balances: dict[str, int] = {}
    for step in whole(table):
        for posting in (p for entry in step.entries for p in entry.postings):
            balances[posting.account] = balances.get(posting.account, 0) + posting.amount
    assert balances == table.games.loader.at(table.game, table.version).books.balances


@pytest.mark.parametrize("limit", [1, 3])
def test_pages_make_the_whole(table: Table, limit: int) -> None:
    """Paging by cursor gives the same steps as one long page."""

    def pages() -> Iterator[Step]:
        after = 0
        while found := steps.page(table.games.loader, table.game, after=after, limit=limit, upto=table.version):
            assert len(found) <= limit
            yield from found
            after = found[-1].last

    assert list(pages()) == whole(table)


def test_a_cursor_inside_a_step_begins_with_the_next(table: Table) -> None:
    every = whole(table)
    long = next(step for step in every if step.number > 10 and step.last - step.first > 3)
    found = steps.page(table.games.loader, table.game, after=long.first + 1, limit=1, upto=table.version)
    assert found == [every[long.number]]


def test_a_step_that_goes_on_beyond_the_end_is_left_out(table: Table) -> None:
    every = whole(table)
    long = next(step for step in every if step.number > 10 and step.last - step.first > 3)
    assert (
        steps.page(table.games.loader, table.game, after=0, limit=999, upto=long.last - 1)[-1] == every[long.number - 2]
    )
    assert steps.page(table.games.loader, table.game, after=0, limit=999, upto=long.last)[-1] == long
    assert steps.page(table.games.loader, table.game, after=long.last, limit=999, upto=long.last) == []


def test_a_state_after_a_step_is_the_state_that_was_live(monkeypatch: pytest.MonkeyPatch) -> None:
    """Recorded while the game is played, compared afterwards."""
    table = start(sit_down(games_on(empty())))
    live = {}
    while table.state.status == "playing":
        live[table.state.steps] = packed(table.state)
        play(table, most=1)
    live[table.state.steps] = packed(table.state)
    monkeypatch.setattr(storage, "EVERY", 50)
    table.games.loader.save_keyframes(table.game)
    for number, dumped in live.items():
        view = steps.one(table.games.loader, table.game, number)
        assert view.state is not None
        assert view.books is not None
        assert packed(view.state) == dumped
        assert packed(view.books) == packed(table.games.loader.at(table.game, view.step.last).books)
        assert view.step == whole(table)[number - 1]


def test_the_cost_of_a_late_step_does_not_grow(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """With keyframes, few entries are read for the last step, and for the last page."""
    monkeypatch.setattr(storage, "EVERY", 50)
    table.games.loader.save_keyframes(table.game)
    read = []
    stream = table.store.streams.stream
    monkeypatch.setattr(
        table.store.streams,
        "stream",
        lambda *a, **k: (read.append(len(b)) or b for b in stream(*a, **k)),  # type: ignore[func-returns-value] # append gives None
    )
    last = whole(table)[-1]
    read.clear()
    steps.one(table.games.loader, table.game, last.number)
    steps.page(table.games.loader, table.game, after=last.first - 1, limit=1, upto=last.last)
    assert sum(read) < 250 < table.version


@pytest.mark.parametrize("number", [-1, 0, 9_999])
def test_there_is_no_such_step(table: Table, number: int) -> None:
    with pytest.raises(NoSuchVersion, match="step"):
        steps.one(table.games.loader, table.game, number)


def test_names_are_erased(table: Table) -> None:
    """Also in the words of old steps; a seat without a name has none."""
    own = start(sit_down(games_on(empty()), seats=2))
    own.store.sidecar.erase_texts(own.game, [own.state.seats[2].name], at=5, by="operator")
    assert own.games.loader.names_of(own.state) == {1: "Ann", 2: "[erased]"}
    assert any("[erased]" in line for step in whole(own) for line in step.lines)
    assert table.games.loader.names_of(table.state) == {1: "Ann", 2: "Bob", 3: "Cy"}


def foreign(table: Table) -> None:
    """Append two actions as a later release would write them: one of an unknown type, one of a known."""
    loaded = table.games.loader.load(table.game)
    last, link = loaded.state.version, loaded.link
    for number, kind in enumerate(("tea_served", "turn_ended"), start=last + 1):
        data = f'"data":{{"schema":1,"seat":1,"type":"{kind}"}}'
        action = f"{number:064}"
        stored = f'{{"action":"{action}","actor":"seat:1","at":{loaded.state.at},{data},"turn":1,"version":{number}}}'
        entry = Entry(stored.encode(), chain.link(link, stored.encode()))
        table.store.streams.append(
            table.game, [entry], action=action, request="", expected=number - 1, previous=link, sidecar=SidecarUpdate()
        )
        link = entry.link


def test_an_event_of_a_later_release_is_told_and_not_folded() -> None:
    table = play(start(sit_down(games_on(empty()))), most=5)
    known = whole(table)
    foreign(table)
    head = known[-1].last + 2
    every = steps.page(table.games.loader, table.game, after=0, limit=999, upto=head)
    assert every[:-2] == known
    assert [step.unknown for step in every[-3:]] == ["", "tea_served", "tea_served"]
    assert every[-2].lines == ["An event of a later release (tea_served, schema 1)."]
    assert every[-1].number == known[-1].number + 2
    assert steps.page(table.games.loader, table.game, after=head - 1, limit=9, upto=head) == every[-1:]
    assert steps.one(table.games.loader, table.game, known[-1].number).state is not None
    assert steps.one(table.games.loader, table.game, known[-1].number + 1).state is None


def test_a_damaged_stream_is_not_told(monkeypatch: pytest.MonkeyPatch) -> None:
    table = play(start(sit_down(games_on(empty()))), most=3)
    stream = table.store.streams.stream

    def changed(*args: object, **options: object) -> Iterator[list[Entry]]:
        for batch in stream(*args, **options):  # type: ignore[arg-type] # passed through
            yield [Entry(data.replace(b'"roll"', b'"rol1"'), link) for data, link in batch]

    good = whole(table)
    monkeypatch.setattr(table.store.streams, "stream", changed)
    told = whole(table)
    assert told == good[: len(told)]
    assert 1 < len(told) < len(good)
    with pytest.raises(Frozen):
        steps.page(table.games.loader, table.game, after=told[-1].last, limit=10, upto=table.version)
