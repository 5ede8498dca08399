"""Work for several processes that interrupts the process which shares it: `python -m tests.simulation.interrupted`."""

import os
import signal
import sys
import threading
from dataclasses import dataclass

from service.simulation.pool import share

LARGE = 60_000_000  # bytes: a result that is on its way when the interrupt comes


@dataclass
class Result:
    """Counts nothing."""

    content: bytes = b""

    def add(self, other: "Result", /) -> None:
        """Nothing adds up."""


def interrupt_within_result(_numbers: range) -> Result:
    """Return a large result; while it is sent, the receiver is interrupted, and it alone."""
    if signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ()):
        message = "a player hears Ctrl-C"
        raise RuntimeError(message)
    threading.Timer(0.05, os.kill, (os.getppid(), signal.SIGINT)).start()
    return Result(b"x" * LARGE)


def end_before_time(_numbers: range) -> Result:
    """End as a process that the system kills."""
    os.kill(os.getpid(), signal.SIGKILL)
    return Result()


def main() -> None:
    """Share the work until the interrupt comes."""
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell may have had it ignored
    try:
        share(interrupt_within_result, 100_000, Result(), processes=2)
    except KeyboardInterrupt:
        sys.stdout.write("interrupted\n")


if __name__ == "__main__":
    main()
