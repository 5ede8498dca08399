"""Empty databases of one real server, which is started when a test process first asks for one.

What is published on a channel is heard in every database of the server; keys, scripts and streams are a database's own.
"""

import tempfile
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import redis

from events.store import Client, connect
from tests.support.valkey import Valkey, valkey

MOST = 100_000
# Nothing of these games outlives the process. What becomes of them on a disk is shown by tests/integration.
IN_MEMORY = ("--appendonly", "no", "--databases", str(MOST))


class Databases:
    """The server of a test process."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._server: Valkey | None = None
        self._numbers = count()

    def new(self) -> str:
        """Return the URL of a database that nobody has used."""
        if self._server is None:
            folder = self._stack.enter_context(tempfile.TemporaryDirectory())
            self._server = self._stack.enter_context(valkey(Path(folder), options=IN_MEMORY))
        return f"{self._server.url}?db={next(self._numbers)}"

    def connected(self) -> Client:
        """Return a client of such a database; its connections end with the server."""
        client = connect(self.new())
        self._stack.callback(client.connection_pool.disconnect)  # type: ignore[attr-defined] # one server, not a cluster
        return client

    def close(self) -> None:
        """End the server."""
        self._stack.close()
        self._server = None


DATABASES = Databases()


def meddler(url: str) -> redis.Redis:
    """Return a client that knows nothing of us, to change behind our back what is stored."""
    return redis.Redis.from_url(url, protocol=2)
