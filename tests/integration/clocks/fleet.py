"""The processes of one test: started, killed at random by SIGKILL, started again, and ended."""

import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import requests

from service.hosting.supervisor.children import api_child
from service.hosting.supervisor.listener import bind, is_healthy, link
from tests.support.serving import AT_ANY_SPEED, UNSET

ROOT = Path(__file__).parents[3]
PATIENCE = 120.0


class Member:
    """One process, and how it is started."""

    def __init__(self, kind: str, environment: dict[str, str], log: Path, listener: socket.socket | None) -> None:
        self.kind = kind
        self._environment = environment
        self._log = log
        self.listener = listener
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command: tuple[str, ...] = (sys.executable, "-m", "tests.integration.clocks.process", self.kind)
        fds: tuple[int, ...] = ()
        if self.listener is not None:
            spec = api_child(listener=self.listener.fileno(), app="tests.integration.clocks.app:app")
            command, fds = spec.arguments, spec.pass_fds
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, env=self._environment, pass_fds=fds, stderr=log, stdout=log, cwd=ROOT, start_new_session=True
            )

    def kill(self) -> None:
        """Kill the whole group at once; nothing is said goodbye to."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def ready(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self._log.read_text()[-2000:]
        return self.listener is None or is_healthy(self.listener)

    def ask(self, path: str) -> None:
        """Look at something; an answer may be cut off by a kill."""
        assert self.listener is not None
        with suppress(requests.RequestException):
            requests.get(link(self.listener) + path, timeout=10)


class Fleet:
    """All of them."""

    def __init__(self, members: list[Member], chance: random.Random) -> None:
        self.members = members
        self._chance = chance

    def apis(self) -> list[Member]:
        return [member for member in self.members if member.kind == "api"]

    def wait_ready(self) -> None:
        end = time.monotonic() + PATIENCE
        while not all(member.ready() for member in self.members):
            assert time.monotonic() < end, "the processes do not become ready"
            time.sleep(0.1)

    def kill_one(self) -> None:
        """Kill any of them and start it again; one API is always left, or time would be credited."""
        self.wait_ready()
        victim = self._chance.choice(self.members)
        victim.kill()
        victim.start()


@contextmanager
def fleet(folder: Path, url: str, chance: random.Random, *, workers: int) -> Iterator[Fleet]:
    """Run two API processes, two clocks and so many workers."""
    kinds = ["api", "api", "clock", "clock", *["worker"] * workers]
    members: list[Member] = []
    try:
        for number, kind in enumerate(kinds):
            environment = {name: value for name, value in os.environ.items() if not name.startswith(UNSET)}
            environment |= {"ROLLBOOK_REDIS_URL": url, "ROLLBOOK_DATA": str(folder), "ROLLBOOK_WORKERS": "1"}
            environment |= {"PYTHONPATH": str(ROOT), **AT_ANY_SPEED}
            listener = bind("127.0.0.1", 0) if kind == "api" else None
            members.append(Member(kind, environment, folder / f"{number}-{kind}.log", listener))
            members[-1].start()
        made = Fleet(members, chance)
        made.wait_ready()
        yield made
    finally:
        for member in members:
            member.kill()
            if member.listener is not None:
                member.listener.close()
