"""The way to the server: connections, scripts, and which failures are tried again.

redis-py sends a command again after a lost reply, up to ten times, whether or not it ran already. That is switched
off here. What goes through `Wire.run` is safe to send twice (reads, and scripts that know their action id), and is
sent again, the same bytes, while patience lasts.
"""

import contextlib
import os
import threading
import time
from collections.abc import Callable, Sequence
from hashlib import sha1
from importlib.resources import files
from typing import Any, Protocol, TypeVar
from urllib.parse import urlsplit

import hiredis
import redis
from redis.backoff import NoBackoff
from redis.cluster import RedisCluster
from redis.exceptions import (
    AuthenticationError,
    ClusterDownError,
    NoScriptError,
    OutOfMemoryError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    ResponseError,
    TryAgainError,
)
from redis.retry import Retry

from events.store.errors import StoreError, StoreFull, StoreUnavailable, StreamDamaged

Answer = TypeVar("Answer")

TIMEOUT = 2.0  # seconds for one connect or one reply
PATIENCE = 3.0  # seconds in which sending again may begin, so that all ends within PATIENCE + TIMEOUT
LONGEST_PAUSE = 0.1
MOST_CONNECTIONS = 100  # of one process to one server

FAILURES = (RedisError, RedisClusterException)  # the second is not of the first's kin

# MASTERDOWN is a ClusterDownError to redis-py, LOADING a ConnectionError.
_PASSING = (
    redis.ConnectionError,
    redis.TimeoutError,
    ClusterDownError,
    ReadOnlyError,
    RedisClusterException,
    TryAgainError,
)
_PASSING_WORDS = ("MISCONF", "NOREPLICAS", "BUSY ", "MASTERDOWN", "READONLY", "LOADING", "CLUSTERDOWN")


class Client(Protocol):
    """What is used of a redis-py client, be it for one server, a cluster or a fake."""

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Send one command and wait for its reply."""

    def pipeline(self, transaction: Any = ...) -> Any:
        """Collect commands that are sent together."""


class Server(redis.Redis):
    """redis-py's client, but for how a single command takes its connection.

    redis-py asks each connection before each command whether anything lies on it. Under gevent that costs three times
    what the command itself does. Here a connection that failed in any way is closed at once, with all that lie idle, so
    that none is ever used with a reply left on it; what is sent through `Wire.run` may be sent again when one turns out
    dead. Half of the pool is for single commands, so that pipelines and the subscription always find a connection; the
    caller after the last one waits its turn.
    """

    def __init__(self, pool: Any) -> None:
        super().__init__(connection_pool=pool)
        self._pool = pool
        self._begin()

    def _begin(self) -> None:
        self._idle: list[Any] = []  # redis-py's connections, whose methods have no types
        self._room = threading.BoundedSemaphore(max(1, self._pool.max_connections // 2))
        self._process = os.getpid()

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Send one command and wait for its reply."""
        return self.ask(*args, **options).reply()

    def ask(self, *args: Any, **options: Any) -> "Asked":
        """Send one command; its reply is taken later, or given up."""
        connection = self._taken()
        try:
            connection.send_packed_command(_packed(connection, args), check_health=False)
        except BaseException:
            self.drop(connection)
            raise
        return Asked(self, connection, args[0], options)

    def _taken(self) -> Any:
        if self._process != os.getpid():  # a forked child leaves its parent's connections alone
            self._begin()
        if not self._room.acquire(timeout=self._pool.timeout):
            raise redis.ConnectionError("every connection is in use")
        try:
            with contextlib.suppress(IndexError):
                return self._idle.pop()
            return self._pool.get_connection()
        except BaseException:
            self._room.release()
            raise

    @property
    def idle(self) -> int:
        """How many connections are kept for single commands and not in use."""
        return len(self._idle)

    def put_back(self, connection: Any) -> None:
        """Keep a connection, with no reply left on it, for the next command."""
        self._idle.append(connection)
        self._room.release()

    def close_one(self, connection: Any) -> None:
        """Close a connection that is in use."""
        self._close(connection)
        self._room.release()

    def _close(self, connection: Any) -> None:
        connection.disconnect()
        self.connection_pool.release(connection)

    def drop(self, connection: Any) -> None:
        """Close a connection and the idle ones: what ended it has mostly ended them all."""
        self.close_one(connection)
        while self._idle:
            with contextlib.suppress(IndexError):  # another thread was faster
                self._close(self._idle.pop())


def connections_of(client: Client) -> dict[str, int]:
    """Return how many connections to the store are in use, and the limit; nothing for a client without one."""
    if not isinstance(client, Server):
        return {}
    pool: Any = client.connection_pool
    most = pool.max_connections
    return {"used": most - pool.pool.qsize() - client.idle, "limit": most}


class Asked:
    """A command that was sent. Its reply is taken once, or given up."""

    def __init__(self, server: Server, connection: Any, name: Any, options: dict[str, Any]) -> None:
        self._server = server
        self._connection = connection
        self._name = name
        self._options = options

    def reply(self) -> Any:
        """Wait for it."""
        server, connection = self._server, self._connection
        try:
            if self._name == "EVALSHA":  # a script's reply stays as it is
                reply = connection.read_response()
            else:
                reply = server.parse_response(connection, self._name, **self._options)  # type: ignore[no-untyped-call] # redis-py's
        except redis.ResponseError:  # an answer like any other
            server.put_back(connection)
            raise
        # A greenlet that is stopped while it waits leaves a reply unread, too.
        except BaseException:
            server.drop(connection)
            raise
        server.put_back(connection)
        return reply

    def give_up(self) -> None:
        """Close the connection that it would come on."""
        self._server.close_one(self._connection)


def _packed(connection: Any, args: tuple[Any, ...]) -> Any:
    """Write a command as the server reads it. redis-py would first look at each argument of a long call of a script."""
    return [hiredis.pack_command(args)] if args[0] == "EVALSHA" else connection.pack_command(*args)


def connect(url: str, *, timeout: float = TIMEOUT, max_connections: int = MOST_CONNECTIONS) -> Client:
    """Make a client that never sends anything twice by itself. Opens no connection yet, but to a cluster.

    Args:
        url: `unix://PATH`, `redis://`, `rediss://`, or `redis+cluster://` / `rediss+cluster://HOST:PORT`.
        timeout: Seconds to wait for a connection, and for a reply.
        max_connections: Most connections of this client, to each server; who comes when all are in use waits a turn.

    Raises:
        StoreError: Not such a URL. Its text is not repeated: it may hold a password.
        StoreUnavailable: No node of the cluster answers.
    """
    options: dict[str, Any] = {
        "socket_timeout": timeout,
        "socket_connect_timeout": timeout,
        "retry": Retry(NoBackoff(), 0),
        "protocol": 2,  # one form of replies from every server
        "max_connections": max_connections,
    }
    scheme = urlsplit(url).scheme
    if scheme not in ("unix", "redis", "rediss", "redis+cluster", "rediss+cluster"):
        message = f"the store's URL begins with {scheme!r}; known are unix, redis, rediss and redis+cluster"
        raise StoreError(message)
    try:
        if scheme.endswith("+cluster"):
            cluster: Client = RedisCluster.from_url(url.replace("+cluster", "", 1), **options)
            return cluster
        single: Client = Server(redis.BlockingConnectionPool.from_url(url, timeout=timeout, **options))
    except ValueError as error:
        message = "the store's URL cannot be read"
        raise StoreError(message) from error
    except FAILURES as error:
        message = f"no node of the cluster answers: {error}"
        raise StoreUnavailable(message) from error
    return single


class Script:
    """A Lua file in this folder, called by its digest and sent again when the server forgot it."""

    def __init__(self, name: str) -> None:
        self._source = files("events.store").joinpath(name).read_bytes()
        self._digest = sha1(self._source, usedforsecurity=False).hexdigest()

    def __call__(self, client: Client, keys: Sequence[str], args: Sequence[str | bytes | int]) -> Any:
        """Run it once. A script that is not loaded has not run, so EVAL cannot make it run twice."""
        try:
            return client.execute_command("EVALSHA", self._digest, len(keys), *keys, *args)
        except NoScriptError:
            return client.execute_command("EVAL", self._source, len(keys), *keys, *args)


class Wire:
    """A client, and the patience to use it with.

    Args:
        client: From `connect`, or any redis-py client.
        patience: Seconds in which a command that is safe to repeat may be sent again.
    """

    def __init__(self, client: Client, *, patience: float = PATIENCE) -> None:
        self.client = client
        self._patience = patience

    def run(self, safe: Callable[..., Answer], *args: Any) -> Answer:
        """Call `safe` with the client and these arguments, again and again while it fails in a way that passes.

        Args:
            safe: What may be done twice.
            args: Its arguments after the client.

        Raises:
            StoreUnavailable: Patience is over, or the server refuses this user.
            StoreFull: The server is at its memory limit.
            StoreError: Anything else that the server says.
        """
        until = time.monotonic() + self._patience
        pause = 0.01
        while True:
            try:
                return safe(self.client, *args)
            except FAILURES as error:
                if not _passes(error) or time.monotonic() + pause > until:
                    raise translated(error) from error
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)

    def ask(self, *command: Any, **options: Any) -> Any:
        """Send a command that may be sent twice, and return its answer."""
        return self.run(lambda client: client.execute_command(*command, **options))

    def ask_many(self, commands: Sequence[tuple[Any, ...]], *, lenient: bool = False) -> list[Any]:
        """Send reads together and wait once.

        Args:
            commands: In the order of the answers.
            lenient: A key of a wrong type gives None and does not stop the rest.
        """

        def send(client: Client) -> list[Any]:
            pipeline = client.pipeline(transaction=False)
            for command in commands:
                pipeline.execute_command(*command)
            answers = list(pipeline.execute(raise_on_error=not lenient))
            return [_passed_on(answer) for answer in answers] if lenient else answers

        return self.run(send) if commands else []

    def node_of(self, key: str) -> dict[str, Any]:
        """Return the option that names the server of a key, for a command that names no key."""
        if not isinstance(self.client, RedisCluster):
            return {}
        client: Any = self.client
        return {"target_nodes": client.get_node_from_key(key)}

    def ahead(self, *command: Any) -> list[Asked]:
        """Send a read whose reply is wanted later. Nothing is sent where the client cannot, or fails: `run` will."""
        if not isinstance(self.client, Server):
            return []
        try:
            return [self.client.ask(*command)]
        except FAILURES:
            return []


def _passed_on(answer: Any) -> Any:
    """Return an answer, None for a key of a wrong type; raise any other error."""
    if not isinstance(answer, Exception):
        return answer
    if str(answer).startswith("WRONGTYPE"):
        return None
    raise answer


def translated(error: Exception) -> StoreError:
    """Return the store's error for what redis-py raised."""
    if isinstance(error, OutOfMemoryError) or str(error).startswith("OOM "):
        return StoreFull("the store is at its memory limit and takes no more events; reading goes on")
    if str(error).startswith("WRONGTYPE"):
        return StreamDamaged(f"a key of the store is not of its type: {error}")
    if _passes(error) or isinstance(error, AuthenticationError):
        return StoreUnavailable(f"the store does not answer: {error}")
    return StoreError(f"the store refused a command: {error}")


def _passes(error: Exception) -> bool:
    """Whether the same command may succeed in a moment."""
    if isinstance(error, AuthenticationError):  # a ConnectionError to redis-py
        return False
    return isinstance(error, _PASSING) or (isinstance(error, ResponseError) and str(error).startswith(_PASSING_WORDS))
