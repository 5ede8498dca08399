"""What ends the children of a killed supervisor is there again when it died itself, but not without a pause."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.hosting.supervisor import backoff, reaper
from service.hosting.supervisor.reaper import Reaper
from service.hosting.valkey.locks import FileLock
from tests.support.serving import until


@pytest.fixture
def short_lived(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Reaper]:
    """One that ends as soon as it begins, as it does where its module cannot be run."""
    monkeypatch.setattr(reaper, "python_module", lambda _name: (sys.executable, "-c", ""))
    monkeypatch.setattr(backoff, "AT_ONCE", 1)
    for delay in ("FIRST_DELAY", "LONGEST_DELAY"):
        monkeypatch.setattr(backoff, delay, 20.0)
    made = Reaper(FileLock(tmp_path / "children.lock"))
    assert made.start()
    yield made
    made.close()


def ended(kept: Reaper) -> int:
    """Wait until the process has ended; gives its id."""
    process = kept._process
    assert process is not None
    until(lambda: process.poll() is not None, "it has ended")
    return process.pid


def test_what_dies_again_and_again_is_started_later_and_later(short_lived: Reaper) -> None:
    first = ended(short_lived)
    short_lived.keep_alive()
    assert ended(short_lived) != first, "at once the first time"
    short_lived.keep_alive()
    assert short_lived._process is None, "and not the second"
    short_lived.watch(1)
    short_lived.release(1)
