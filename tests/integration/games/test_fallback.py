"""A store that goes back under running processes (a failover, an old backup) and is written on.

No one plays on over what was lost, whichever caller is first; once the operator has accepted it, the game goes on.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest

from events import codec
from events.store import Client, HeadLog, Store, connect
from events.store.keys import game_keys
from service.errors import Frozen, NoSuchGame
from service.games.games import Games
from service.games.records import NewGame, NewSeat, RequestContext
from service.rules.actions import Leave
from service.rules.violations import RuleViolation
from tests.support.played import Table, begun, games_on, play
from tests.support.playing import by_default
from tests.support.valkey import Valkey, valkey

BACK = 20


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Valkey]:
    folder = tmp_path / "valkey"
    folder.mkdir()
    with valkey(folder) as running:
        yield running


def fall_back(store: Store, game: str, version: int) -> None:
    """Take a game's newest entries away, as if they had never been written."""
    keys = game_keys(game)
    client = store.client
    link = store.streams.read(game, after=version - 1, count=1)[0].link
    for place in range(version + 1, (store.streams.head(game) or pytest.fail("no game")).version + 1):
        client.execute_command("XDEL", keys.stream, f"{place}-0")
    rows = client.execute_command("XRANGE", keys.stream, "-", "+")
    client.execute_command("DEL", keys.stream)
    for place, fields in rows:
        flat = [word for pair in fields.items() for word in pair] if isinstance(fields, dict) else fields
        client.execute_command("XADD", keys.stream, place, *flat)
    client.execute_command("HSET", keys.head, "v", version, "h", link)
    actions = client.execute_command("HGETALL", keys.actions)
    pairs = actions.items() if isinstance(actions, dict) else zip(actions[::2], actions[1::2], strict=True)
    for action in [name for name, stored in pairs if int(stored.split(b":")[0]) > version]:
        client.execute_command("HDEL", keys.actions, action)


def refused(games: Games, table: Table) -> bool:
    """Return whether an action is refused because the history cannot be trusted."""
    state = games_on(connect_of(games)).loader.load(table.game).state
    seat, action = by_default(state)
    try:
        games.actions.perform(table.game, action, RequestContext(token=table.tokens[seat]))
    except Frozen:
        return True
    except RuleViolation:
        return False
    return False


def connect_of(games: Games) -> Client:
    return games.store.client


@pytest.mark.parametrize("asks_first", ["who saw it", "who did not"])
def test_nobody_plays_on_over_what_was_lost(server: Valkey, tmp_path: Path, asks_first: str) -> None:
    path = tmp_path / "heads.log"
    saw = games_on(connect(server.url), heads=HeadLog(path))
    other = games_on(connect(server.url), heads=HeadLog(path))
    table = begun(saw, "fallback", months=60)
    other.loader.load(table.game)
    play(table, most=12)
    version = table.version
    back = saw.store.streams.read(table.game, after=version - BACK, count=1)
    assert back
    first = next(v for v in range(version - BACK, 0, -1) if by_step(saw, table.game, v))
    fall_back(saw.store, table.game, first)
    order = [saw, other] if asks_first == "who saw it" else [other, saw]
    assert [refused(games, table) for games in order] == [True, True]
    head = saw.store.streams.head(table.game)
    assert head is not None
    assert head.version == first
    fresh = HeadLog(path)
    assert [tail.game for tail in fresh.compare(saw.store.streams)] == [table.game]
    fresh.forget(table.game)
    saw.store.streams.thaw(table.game)
    assert not refused(other, table)
    assert not refused(saw, table)
    assert fresh.compare(saw.store.streams) == []


def by_step(games: Games, game: str, version: int) -> bool:
    """Return whether an action ends at this version."""
    one, two = (codec.decode(entry.data) for entry in games.store.streams.read(game, after=version - 1, count=2))
    return one.action != two.action


def test_a_store_that_went_back_and_on_is_known_by_its_links(server: Valkey, tmp_path: Path) -> None:
    """Without any log of heads: entries that do not continue the chain of a fold are never folded onto it."""
    saw, other = games_on(connect(server.url)), games_on(connect(server.url))
    table = begun(saw, "went on", months=60)
    play(table, most=6)
    version = table.version
    first = next(v for v in range(version - BACK, 0, -1) if by_step(saw, table.game, v))
    fall_back(saw.store, table.game, first)
    apart = Table(other, table.game, table.host, table.tokens)
    while apart.version <= version:
        apart.step()
    with pytest.raises(Frozen):
        saw.loader.load(table.game)


def test_who_gave_up_a_seat_before_the_start_is_a_stranger(server: Valkey) -> None:
    """Its token opens nothing any more; only that very request may be repeated, and has its answer."""
    games = games_on(connect(server.url))
    created = games.opening.create(NewGame("public_assistance", private=True), RequestContext(key="private lobby"))
    game = created.answer.game
    seated = games.seats.sit(game, NewSeat(name="Eve"), RequestContext(created.join_code, key="Eve sits"))
    leaving = RequestContext(seated.token, key="Eve leaves", digest="d")
    left = games.actions.perform(game, Leave(), leaving, seat=seated.seat)
    for process in (games, games_on(connect(server.url))):
        with pytest.raises(NoSuchGame):
            process.watch(game, RequestContext(seated.token))
        assert process.actions.perform(game, Leave(), leaving, seat=seated.seat).entries == left.entries
    again = games.seats.sit(game, NewSeat(name="Fay"), RequestContext(created.join_code, key="Fay sits"))
    assert again.seat == seated.seat
    with pytest.raises(NoSuchGame):
        games.watch(game, RequestContext(seated.token))
    assert games.watch(game, RequestContext(again.token))[1].seat == again.seat
