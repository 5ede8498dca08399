"""Live streams of a real server: many watchers over real sockets, each told everything once, and none held up."""

import threading

import pytest

from tests.support.http import Client, Table
from tests.support.sse import Wire
from tests.support.watching import Crowd


def play_to_the_end(table: Table, steps: int) -> None:
    table.play(steps)
    answer = table.client.call("DELETE", f"/v1/games/{table.game}/seats/1", token=table.tokens[1])
    assert answer.status_code == 200, answer.text


@pytest.mark.parametrize("count", [50, pytest.param(500, marks=pytest.mark.long)])
def test_everybody_who_watches_a_game_is_told_every_event(client: Client, count: int) -> None:
    """To the last event, which closes every stream, while the game is played."""
    table = Table.open(client)
    begin = client.call("GET", f"/v1/games/{table.game}").json()["version"]
    crowd = Crowd.gather(client.base, table.game, count)
    player = threading.Thread(target=play_to_the_end, args=(table, 20))
    player.start()
    try:
        crowd.follow(Crowd.ended)
    finally:
        player.join()
        crowd.close()
    head = client.call("GET", f"/v1/games/{table.game}").json()["version"]
    assert head > begin + 20
    assert all(versions == list(range(begin + 1, head + 1)) for versions in crowd.versions)


def test_one_who_does_not_read_holds_nobody_up(own: Client) -> None:
    """Its line is full while the others get everything, and the game goes on."""
    table = Table.open(own, months=60)
    table.play(40)
    stuck = [Wire(own.base, f"/v1/games/{table.game}/events?after=0", buffer=2048) for _ in range(5)]
    begin = own.call("GET", f"/v1/games/{table.game}").json()["version"]
    crowd = Crowd.gather(own.base, table.game, 5)
    assert table.play(10)
    head = own.call("GET", f"/v1/games/{table.game}").json()["version"]
    crowd.follow(lambda crowd: all(versions[-1:] == [head] for versions in crowd.versions))
    assert all(versions == list(range(begin + 1, head + 1)) for versions in crowd.versions)
    for wire in [*stuck, *crowd.wires]:
        wire.close()


def test_a_stream_that_is_cut_goes_on_where_it_was(client: Client) -> None:
    """By either process of the server, with events that came in between."""
    table = Table.open(client)
    wire = Wire(client.base, f"/v1/games/{table.game}/events?after=0")
    told: list[int] = []
    for _ in range(12):
        table.play(1)
        head = client.call("GET", f"/v1/games/{table.game}").json()["version"]
        while not told or told[-1] < head:
            told += [sent.version for sent in wire.receive() if sent.kind == "message"]
        last = wire.reader.last_id
        wire.close()
        wire = Wire(client.base, f"/v1/games/{table.game}/events", last_id=last)
    wire.close()
    assert told == list(range(1, len(told) + 1))
