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
        connection = self._taken()
        try:
            connection.send_packed_command(_packed(connection, args), check_health=False)
            if args[0] == "EVALSHA":  # a script's reply stays as it is
                reply = connection.read_response()
            else:
                reply = self.parse_response(connection, args[0], **options)  # type: ignore[no-untyped-call] # redis-py's
        except redis.ResponseError:  # an answer like any other
            self._idle.append(connection)
            raise
        except BaseException:  # whoever is stopped while it waits leaves a reply behind, too
            self._drop(connection)
            raise
        self._idle.append(connection)
        return reply

    def _taken(self) -> Any:
        if self._process != os.getpid():  # a forked child leaves its parent's connections alone
            self._idle, self._process = [], os.getpid()
        try:
            return self._idle.pop()
        except IndexError:
            return self.connection_pool.get_connection()

    def _drop(self, connection: Any) -> None:
        """Close a connection and the idle ones: what ended it has mostly ended them all."""
        while True:
            connection.disconnect()
            self.connection_pool.release(connection)
            try:
                connection = self._idle.pop()
            except IndexError:
                return


def _packed(connection: Any, args: tuple[Any, ...]) -> Any:
    """Write a command as the server reads it. redis-py would first look at each argument of a long call of a script."""
    return [hiredis.pack_command(args)] if args[0] == "EVALSHA" else connection.pack_command(*args)
