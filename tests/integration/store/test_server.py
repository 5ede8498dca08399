"""The client that trusts its connections: what ends one, and who may use it."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import redis

from events.store import Store, StoreUnavailable
from events.store.wire import Client, connect
from service.hosting.valkey import EmbeddedStore
from tests.integration.store.moves import fill, new_game
from tests.support.serving import until


@pytest.fixture
def url(tmp_path: Path) -> Iterator[str]:
    with EmbeddedStore(tmp_path / "store") as store:
        yield store.url


@pytest.fixture
def server(url: str) -> Client:
    return connect(url, timeout=0.2)


def connection_of(server: Client) -> int:
    """The server's number of the connection that answers."""
    return int(server.execute_command("CLIENT", "ID"))


def clients_of(server: Client) -> int:
    """How many connections the server has."""
    return int(server.execute_command("CLIENT", "LIST").count(b"\n"))


def test_one_connection_serves_one_command_after_another(server: Client) -> None:
    """Errors are answers: they end nothing."""
    first = connection_of(server)
    with pytest.raises(redis.ResponseError):
        server.execute_command("NOSUCHCOMMAND")
    assert connection_of(server) == first


def test_a_reply_that_came_too_late_is_never_anybodys(server: Client) -> None:
    """A connection that timed out is closed, with the reply still on its way, and so are those that lie idle."""
    first = connection_of(server)
    with pytest.raises(redis.TimeoutError):
        server.execute_command("BLPOP", "never", 1)
    assert server.execute_command("ECHO", "mine") == b"mine"
    assert connection_of(server) != first


def test_a_batch_that_nobody_takes_is_never_anybodys(server: Client) -> None:
    """Who stops reading leaves a batch on its way."""
    store, game = Store(server), new_game()
    fill(store, game, 3)
    before = clients_of(server)
    batches = store.streams.stream(game, batch=1, ahead=True)
    assert [entry.data for entry in next(batches)] == [b"event 1"]
    assert clients_of(server) == before + 1  # one beside that on which the next batch comes
    del batches
    assert [entry.data for entry in store.streams.read(game)] == [b"event 1", b"event 2", b"event 3"]
    until(lambda: clients_of(server) == before, "the connection that it would come on is closed")


def test_a_batch_whose_connection_ends_is_read_again(server: Client) -> None:
    """It was asked for ahead, and is asked for again."""
    store, game = Store(server), new_game()
    fill(store, game, 3)
    found = []
    for batch in store.streams.stream(game, batch=1, ahead=True):
        found += [entry.data for entry in batch]
        server.execute_command("CLIENT", "KILL", "TYPE", "normal")
    assert found == [b"event 1", b"event 2", b"event 3"]


def test_commands_at_once_have_a_connection_each(server: Client) -> None:
    """No reply is taken for another's."""
    wrong: list[str] = []

    def ask(word: str) -> None:
        wrong.extend(word for _ in range(200) if server.execute_command("ECHO", word) != word.encode())

    threads = [threading.Thread(target=ask, args=(f"word {number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_a_forked_child_opens_connections_of_its_own(server: Client) -> None:
    """Two processes on one connection would take each other's replies."""
    mine = connection_of(server)
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        os.write(theirs, str(connection_of(server)).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert int(os.read(ours, 100)) != mine
    assert connection_of(server) == mine
    os.close(ours)
    os.close(theirs)


def test_more_callers_than_connections_are_served_in_turn(url: str) -> None:
    """What a process may hold at once is bounded, and the caller after the last one waits."""
    few: Any = connect(url, max_connections=2)
    answers: list[bytes] = []
    threads = [threading.Thread(target=lambda: answers.append(few.execute_command("ECHO", "x"))) for _ in range(50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [b"x"] * 50
    assert len(few.connection_pool._connections) <= 2


def test_a_caller_who_waits_too_long_is_refused_and_the_next_is_served(url: str) -> None:
    """A pool that was full for a while is as good as new after it."""
    few: Any = connect(url, max_connections=1, timeout=0.2)
    store = Store(few, patience=0.3)
    held = few.ask("BLPOP", "never", 1)
    with pytest.raises(StoreUnavailable):
        store.streams.head(new_game())
    held.give_up()
    assert store.streams.head(new_game()) is None


def test_pipelines_and_subscriptions_find_a_connection_after_many_commands_at_once(url: str) -> None:
    """More commands wait at once than there are connections, and afterwards everything else goes on as before."""
    client: Any = connect(url, max_connections=10, timeout=5)
    threads = [threading.Thread(target=client.execute_command, args=("BLPOP", "never", "0.05")) for _ in range(30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert client.pipeline(transaction=False).execute_command("PING").execute() == [True]
    subscription = client.pubsub()
    subscription.subscribe("channel")
    assert subscription.get_message(timeout=1)["type"] == "subscribe"
    subscription.close()
