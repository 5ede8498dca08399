"""The guard of history on a real Valkey: nothing goes on, and nothing is signed, from what was not acknowledged."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from events import chain, codec
from events.store import Entry, HeadLog, connect
from events.store.keys import game_keys
from service.errors import Frozen, NotRecordable
from tests.support.played import Table, begun, games_on, play
from tests.support.valkey import Valkey, valkey


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    with valkey(tmp_path_factory.mktemp("guard")) as running:
        yield running


@pytest.fixture
def heads(tmp_path: Path) -> HeadLog:
    return HeadLog(tmp_path / "heads.log")


@pytest.fixture
def club(server: Valkey, heads: HeadLog, request: pytest.FixtureRequest) -> Table:
    return play(begun(games_on(connect(server.url), heads=heads), request.node.name), most=5)


def elsewhere(server: Valkey, heads: HeadLog, club: Table) -> Table:
    """The same table at another process of the machine, which has nothing in memory."""
    return Table(games_on(connect(server.url), heads=heads), club.game, club.host, club.tokens)


def rewrite(club: Table, stored: Sequence[bytes]) -> None:
    """Write another history of the same length, with all links computed again, and the head record set."""
    links = chain.links(chain.genesis(club.game), stored)
    client, keys = club.store.client, game_keys(club.game)
    client.execute_command("DEL", keys.stream)
    for version, (data, link) in enumerate(zip(stored, links, strict=True), start=1):
        client.execute_command("XADD", keys.stream, f"{version}-0", "e", data, "h", link)
    client.execute_command("HSET", keys.head, "v", len(stored), "h", links[-1])


def entries(club: Table) -> list[Entry]:
    return club.store.streams.read(club.game)


def forged(club: Table) -> list[bytes]:
    """The same history, but for one amount of money."""
    stored = [entry.data for entry in entries(club)]
    at = next(i for i, data in enumerate(stored) if b'"first_allowance"' in data)
    stored[at] = stored[at].replace(b'"amount":', b'"amount":1')
    return stored


def test_a_history_that_was_forged_whole_is_not_played_on(server: Valkey, heads: HeadLog, club: Table) -> None:
    """Its chain holds and it is as long as it was: only the log of heads knows another link."""
    rewrite(club, forged(club))
    length = len(entries(club))
    with pytest.raises(Frozen, match="some are missing or others"):
        elsewhere(server, heads, club).step()
    assert len(entries(club)) == length
    assert heads.compare(club.store.streams, club.game)


def test_what_one_process_found_stops_all_others(server: Valkey, heads: HeadLog, club: Table) -> None:
    """The process that has the game in memory sees nothing wrong by itself."""
    rewrite(club, forged(club))
    other = elsewhere(server, heads, club)
    with pytest.raises(Frozen):
        other.step()
    assert club.game in club.store.streams.frozen()
    with pytest.raises(Frozen, match="some are missing or others"):
        club.step()
    with pytest.raises(Frozen):
        club.games.guard.check_to_sign(club.game)


def test_an_entry_damaged_in_the_middle_stops_all_processes(server: Valkey, heads: HeadLog, club: Table) -> None:
    stored = [(entry.data, entry.link) for entry in entries(club)]
    client, keys = club.store.client, game_keys(club.game)
    client.execute_command("DEL", keys.stream)
    for version, (data, link) in enumerate(stored, start=1):
        bad = data.replace(b'"turn"', b'"Turn"') if version == 3 else data
        client.execute_command("XADD", keys.stream, f"{version}-0", "e", bad, "h", link)
    with pytest.raises(Frozen, match="at event 3"):
        elsewhere(server, heads, club).step()
    with pytest.raises(Frozen, match="at event 3"):
        club.step()


def test_a_secret_that_was_replaced_is_not_used(server: Valkey, heads: HeadLog, club: Table) -> None:
    """Nor is one of another length."""
    for secret in (b"x" * 32, b"x" * 31, b""):
        club.store.client.execute_command("SET", game_keys(club.game).secret, secret)
        with pytest.raises(Frozen, match="not the one that it was committed to"):
            elsewhere(server, heads, club).step()


def test_a_running_game_that_is_marked_as_sealed_is_damaged(club: Table) -> None:
    club.store.client.execute_command("HSET", game_keys(club.game).head, "s", "1")
    with pytest.raises(Frozen, match="is damaged"):
        club.step()


def test_what_could_not_be_read_back_is_not_written(club: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever rule leads to it."""
    version, encode_all = club.version, codec.encode_all
    monkeypatch.setattr(
        codec,
        "encode_all",
        lambda envelopes: [data.replace(b'"seat":', b'"seat":9007199254740993') for data in encode_all(envelopes)],
    )
    with pytest.raises(NotRecordable):
        club.step()
    monkeypatch.undo()
    assert club.version == version
    club.step()
    assert club.version > version


def test_a_keyframe_made_without_the_key_is_thrown_away(club: Table) -> None:
    """A frame with another state and a digest that fits it: anyone who can write to the store can make one."""
    frames = club.store.keyframes
    frames.save(club.game, "state", fingerprint="f", version=7, link=b"l" * 32, blob=b"cash: 1000")
    key = f"{game_keys(club.game).stream[:-3]}:kf:state"
    value = club.store.client.execute_command("HGET", key, "f:7")
    club.store.client.execute_command("HSET", key, "f:7", value.replace(b"1000", b"9999"))
    assert frames.nearest(club.game, "state", fingerprint="f", at=7) is None
    assert club.store.client.execute_command("HKEYS", key) == []


def test_a_process_without_the_key_neither_makes_keyframes_nor_takes_them(
    server: Valkey, club: Table, caplog: pytest.LogCaptureFixture
) -> None:
    with_key = club.store.keyframes
    with_key.save(club.game, "state", fingerprint="f", version=7, link=b"l" * 32, blob=b"good")
    without = type(club.store)(connect(server.url)).keyframes
    assert without.nearest(club.game, "state", fingerprint="f", at=7) is None
    without.save(club.game, "state", fingerprint="f", version=8, link=b"l" * 32, blob=b"bad")
    assert "was not given the server key" in caplog.text
    found = with_key.nearest(club.game, "state", fingerprint="f", at=9)
    assert found is not None
    assert found.blob == b"good"
