"""A client of one server that trusts its connections.

redis-py asks each connection before each command whether anything lies on it. Under gevent that costs three times what
the command itself does. Here a connection that failed in any way is closed at once, with all that lie idle, so that
none is ever used with a reply left on it; what is sent through `Wire.run` may be sent again when one turns out dead.
"""

import os
from typing import Any

import hiredis
import redis


class Server(redis.Redis):
    """redis-py's client, but for how a single command takes its connection."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self._idle: list[Any] = []  # redis-py's connections, whose methods have no types
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
            self._idle, self._process = [], os.getpid()
        try:
            return self._idle.pop()
        except IndexError:
            return self.connection_pool.get_connection()

    def put_back(self, connection: Any) -> None:
        """Keep a connection, with no reply left on it, for the next command."""
        self._idle.append(connection)

    def close_one(self, connection: Any) -> None:
        """Close a connection."""
        connection.disconnect()
        self.connection_pool.release(connection)

    def drop(self, connection: Any) -> None:
        """Close a connection and the idle ones: what ended it has mostly ended them all."""
        while True:
            self.close_one(connection)
            try:
                connection = self._idle.pop()
            except IndexError:
                return


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
