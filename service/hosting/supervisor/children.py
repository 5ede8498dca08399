"""Child processes as data, and one child's life: started, found dead, started again, ended.

Every child leads a session of its own, so that a terminal's Ctrl-C reaches the supervisor alone, and its process id is
its group's. Which children there are is a list (`standard_children`); in which order they end is their stage.
"""

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum

from service.hosting.supervisor.backoff import Backoff
from service.settings import OperatorError, Settings

API_APP = "service.wsgi:app"
API_GRACE = 10  # seconds that requests in flight are given


class ServeError(OperatorError):
    """`rollbook serve` cannot start or go on; the message is one line."""


class Stage(IntEnum):
    """When a child is ended: lower first; the store comes after all of them."""

    API = 1
    WORKERS = 2


@dataclass(frozen=True, kw_only=True)
class ChildSpec:
    """What to run.

    Attributes:
        name: For messages.
        arguments: The command, without a shell.
        stage: When it is ended.
        patience: Seconds between SIGTERM and SIGKILL.
        pass_fds: Descriptors that it inherits.
    """

    name: str
    arguments: tuple[str, ...]
    stage: Stage
    patience: float
    pass_fds: tuple[int, ...] = ()


def python_module(name: str, *arguments: str) -> tuple[str, ...]:
    """Return the command that runs a module; `-P`: not from the folder where we stand."""
    return (sys.executable, "-P", "-m", name, *arguments)


def api_child(*, listener: int, app: str = API_APP) -> ChildSpec:
    """Return the API: gunicorn on a socket that the supervisor has bound."""
    return ChildSpec(
        name="API",
        arguments=python_module(
            "service.hosting.supervisor.api",
            "--config",
            "python:service.hosting.supervisor.gunicorn_conf",
            "--bind",
            f"fd://{listener}",
            app,
        ),
        stage=Stage.API,
        patience=API_GRACE + 5.0,
        pass_fds=(listener,),
    )


def standard_children(_settings: Settings, listener: int) -> list[ChildSpec]:
    """Return what `rollbook serve` runs besides the store."""
    return [api_child(listener=listener), clock_child(), worker_child()]


def clock_child() -> ChildSpec:
    """Return the clock, which does what is due."""
    return ChildSpec(name="clock", arguments=python_module("workers.clock"), stage=Stage.WORKERS, patience=10.0)


def worker_child() -> ChildSpec:
    """Return a worker for the long jobs."""
    return ChildSpec(name="worker", arguments=python_module("workers"), stage=Stage.WORKERS, patience=10.0)


class Child:
    """One child process and its restarts."""

    def __init__(self, spec: ChildSpec) -> None:
        self.spec = spec
        self.backoff = Backoff()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def pid(self) -> int | None:
        """The process id, which is also its group's, while it is not known to have ended."""
        return self._process.pid if self._process is not None else None

    @property
    def is_due(self) -> bool:
        """Whether it should be started now."""
        return self._process is None and self.backoff.is_over

    def start(self, environment: Mapping[str, str]) -> None:
        """Start it.

        Raises:
            ServeError: The command cannot be run.
        """
        try:
            self._process = subprocess.Popen(  # noqa: S603 -- no shell; the command is ours
                self.spec.arguments,
                stdin=subprocess.DEVNULL,
                env=dict(environment),
                start_new_session=True,
                pass_fds=self.spec.pass_fds,
            )
        except OSError as error:
            raise ServeError(f"{self.spec.name} cannot be started: {error}") from None
        self.backoff.started()

    def found_dead(self) -> str | None:
        """Notice an end: clear what is left of its group, plan the next start, return how it ended."""
        if self._process is None or self._process.poll() is None:
            return None
        code = self._process.returncode
        self.kill()
        self.backoff.died()
        return f"killed by {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"

    def ask_to_end(self) -> None:
        """Send SIGTERM to the leader alone: it ends its own children as it thinks fit."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()

    def has_ended(self) -> bool:
        """Return whether the leader is gone."""
        return self._process is None or self._process.poll() is not None

    def kill(self) -> None:
        """Kill the whole group, and take back its dead (as process 1 of a container, orphans come to us)."""
        if self._process is None:
            return
        with contextlib.suppress(ProcessLookupError, PermissionError):  # macOS says EPERM for a group of zombies
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-self._process.pid, os.WNOHANG)[0]:
                pass
        self._process = None
