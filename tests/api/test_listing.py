"""The list of games: for every limit and filter the same games, once each, whatever happens meanwhile."""

import random
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from threading import Semaphore, Thread
from typing import Any, TypeAlias
from urllib.parse import urlencode

import pytest

from service.queries import games as listing
from tests.api.checked import Api, ok, refused
from tests.api.conftest import application
from tests.api.tables import Table, ended, finish, leave, open_game, started

Query: TypeAlias = dict[str, Any]

MOST_WRITES = 150
ORDERS = ("newest", "oldest")


@pytest.fixture
def fresh() -> Api:
    """An application without games."""
    return application()


def walk(api: Api, query: Query, turned: Callable[[], object] = lambda: None) -> list[Any]:
    """Return the lines of all pages."""
    lines: list[Any] = []
    cursor: str | None = ""
    while cursor is not None:
        page = ok(api.get(f"/v1/games?{urlencode({**query, 'cursor': cursor} if cursor else query)}"))
        lines += page["games"]
        cursor = page["next"]
        turned()
    return lines


def ids(lines: Sequence[Any]) -> list[str]:
    return [line["game"] for line in lines]


def fork(table: Table) -> Table:
    """Fork a game at the moment when it was started."""
    every = ok(table.api.get(f"{table.path}/steps?limit=100", token=table.watch))["steps"]
    step = next(step["number"] for step in every if step["name"] == "start")
    made = ok(table.api.post(f"{table.path}/forks", {"step": step}, key=secrets.token_hex(16), token=table.watch))
    return Table(table.api, made["game"], made["host_token"], made["join_code"], made["watch_token"])


@contextmanager
def writing(api: Api, parent: Table, running: list[Table]) -> Iterator[Callable[[], object]]:
    """Open, fork and finish games in another thread: one of these whenever it is let."""
    let, done = Semaphore(0), False
    app = Api(api.app, api.rulebook)
    parent = Table(app, parent.game, parent.host, parent.join, parent.watch, parent.seats)

    def write() -> None:
        for number in range(MOST_WRITES):
            let.acquire()
            if done:
                return
            if number % 3 == 0 and running:
                table = running.pop()
                leave(Table(app, table.game, table.host, table.join, table.watch, table.seats), 1)
            elif number % 3 == 1:
                fork(parent)
            else:
                open_game(app, private=number % 2 == 0)

    thread = Thread(target=write)
    thread.start()
    try:
        yield let.release
    finally:
        done = True
        let.release()
        thread.join()


def check_complete(before: list[str], shown: list[str], after: list[str]) -> None:
    """Check that what fitted all the time is shown, in its place, and nothing is shown twice."""
    assert len(shown) == len(set(shown))
    fitted = set(before) & set(after)
    assert [game for game in shown if game in fitted] == [game for game in before if game in fitted]


def test_forked_games_have_a_place_of_their_own(fresh: Api) -> None:
    """A fork is listed by the moment at which it was opened, not by that of the game it goes on from."""
    parent = started(fresh)
    opened = [parent, *(open_game(fresh) for _ in range(2)), fork(parent), fork(parent), open_game(fresh)]
    wanted = [table.game for table in reversed(opened)]
    for limit in (1, 2, 3, 50):
        lines = walk(fresh, {"limit": limit})
        assert sorted(ids(lines)) == sorted(wanted)
        assert [line["created"] for line in lines] == sorted((line["created"] for line in lines), reverse=True)
        assert ids(walk(fresh, {"limit": limit, "order": "oldest"})) == ids(lines)[::-1]


def test_each_game_is_listed_once_while_others_come_and_go(few: Callable[[Sequence[Any]], Sequence[Any]]) -> None:
    """With every limit and every filter, also while games are opened, forked and finished."""
    api = application()
    parent, running = started(api), [started(api) for _ in range(8)]
    tables = [parent, *[open_game(api) for _ in range(4)], ended(api, 0), *[fork(parent) for _ in range(4)]]
    tables += [open_game(api, rulebook="social_justice") for _ in range(3)]
    tables += [open_game(api, private=True) for _ in range(3)]
    middle = walk(api, {})[8]["created"]
    filters: list[Query] = [
        {"order": order, **status, **rulebook}
        for order in ORDERS
        for status in ({}, *({"status": name} for name in ("lobby", "playing", "finished")))
        for rulebook in ({}, {"rulebook": "public_assistance"}, {"rulebook": "social_justice"})
    ]
    filters += [
        {"order": order, **more}
        for order in ORDERS
        for more in ({"parent": parent.game}, {"seats": 2}, {"since": middle}, {"until": middle}, {"since": middle + 1})
    ]
    walks = [(limit, query) for limit in few(range(1, 101)) for query in few(filters)]
    chance, often = random.Random("when games change"), MOST_WRITES / len(walks) / 2
    with writing(api, parent, running) as let:
        for limit, query in walks:
            before = ids(walk(api, {**query, "limit": 100}))
            shown = ids(walk(api, {**query, "limit": limit}, lambda: chance.random() < often and let()))
            check_complete(before, shown, ids(walk(api, {**query, "limit": 100})))


def test_filters_pick_what_they_say(fresh: Api) -> None:
    """By the game that others follow from, by seats, and by the time of opening."""
    over, lobby = ended(fresh, 0), open_game(fresh)
    parent = started(fresh, seats=3)
    forked = fork(parent)
    rematch = ok(fresh.post(f"{over.path}/rematch", token=over.host))["game"]
    assert ids(walk(fresh, {"parent": parent.game})) == [forked.game]
    assert ids(walk(fresh, {"parent": over.game})) == [rematch]
    assert walk(fresh, {"parent": "z" * 16}) == []
    assert set(ids(walk(fresh, {"seats": 3}))) == {parent.game, forked.game}
    assert set(ids(walk(fresh, {"seats": 0}))) == {lobby.game, rematch}
    for line in walk(fresh, {}):
        moment = line["created"]
        at_once = [other["game"] for other in walk(fresh, {}) if other["created"] == moment]
        assert ids(walk(fresh, {"since": moment, "until": moment + 1})) == at_once
        assert line["game"] not in ids(walk(fresh, {"until": moment}))
        assert line["game"] not in ids(walk(fresh, {"since": moment + 1}))
    for wrong in ("parent=UPPER", "parent=", "seats=9", "seats=-1", "since=x", "until=-1", "order=up"):
        refused(fresh.get(f"/v1/games?{wrong}"), 422, "invalid_input")


@pytest.mark.parametrize("order", ORDERS)
def test_a_page_reads_so_many_games_and_no_more(fresh: Api, monkeypatch: pytest.MonkeyPatch, order: str) -> None:
    """Where nothing fits, a page is empty and the next one goes on; no place names a hidden game."""
    monkeypatch.setattr(listing, "MOST_SCANNED", 3)
    monkeypatch.setattr(listing, "BATCH", 2)
    games = [open_game(fresh, private=number % 3 == 0).game for number in range(12)]
    wanted = finish(started(fresh), 0).game
    query, pages = {"status": "finished", "order": order}, 0

    def turned() -> None:
        nonlocal pages
        pages += 1

    assert ids(walk(fresh, query, turned)) == [wanted]
    assert pages > len(games) // 6
