"""gunicorn's worker as we have it: at its end it waits for what was asked, and not for what might be."""

import os
import socket
from unittest.mock import Mock

import pytest

from service.hosting.supervisor.worker import Worker


@pytest.fixture
def worker() -> Worker:
    made: Worker = object.__new__(Worker)
    made.tmp, made.ppid, made._idle = Mock(), os.getppid(), set()
    return made


@pytest.mark.parametrize("alive", [True, False])
def test_idle_connections_hold_up_no_end(worker: Worker, alive: bool) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        worker.alive, worker._idle = alive, {ours}
        worker.notify()
        if alive:
            with pytest.raises(BlockingIOError):
                ours.recv(1)
        else:
            assert ours.recv(1) == b""
        # An answer that is on its way arrives.
        ours.sendall(b"x")
        assert theirs.recv(1) == b"x"
