"""The client that trusts its connections: what ends one, and who may use it."""

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
import redis

from events.store.wire import Client, connect
from service.embedded import EmbeddedStore


@pytest.fixture(name="server")
def _server(tmp_path: Path) -> Iterator[Client]:
    with EmbeddedStore(tmp_path / "store") as store:
        yield connect(store.url, timeout=0.2)


def connection_of(server: Client) -> int:
    """The server's number of the connection that answers."""
    return int(server.execute_command("CLIENT", "ID"))


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
