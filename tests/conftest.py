"""What holds for all tests: the store, Hypothesis without a clock, samples of what is many, and what a run costs."""

import random
import resource
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

import pytest
from hypothesis import settings

from tests.support.databases import DATABASES

Thing = TypeVar("Thing")
FEW = 4

# A machine that is busy with other tests is slow, and no test depends on how long anything takes.
# The examples are the same in every run.
settings.register_profile("rollbook", deadline=None, derandomize=True)
settings.load_profile("rollbook")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sample-seed", default="1", help="which of many things the tests try that try only a few")


def pytest_report_header(config: pytest.Config) -> str:
    return f"samples: --sample-seed {config.getoption('--sample-seed')}"


@pytest.fixture(scope="session", autouse=True)
def databases() -> Iterator[None]:
    """End the server of all databases with the tests."""
    yield
    DATABASES.close()


@pytest.fixture(params=["a few", pytest.param("all", marks=pytest.mark.long)])
def few(request: pytest.FixtureRequest) -> Callable[[Sequence[Any]], Sequence[Any]]:
    """Take a few of many things: for a seed the same in every run, and others in every test. The long run takes all."""
    if request.param == "all":
        return lambda things: things
    chance = random.Random(f"{request.config.getoption('--sample-seed')} {request.node.nodeid}")
    return lambda things: chance.sample(things, min(FEW, len(things)))


def cpu_seconds() -> float:
    """CPU time of this process, and of all that it or its children started and waited for."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print what the run cost, with xdist's processes, which have ended by now, and those that tests started.

    A process whose parent was killed is waited for by nobody here, and is missing.
    """
    terminalreporter.write_line(f"CPU: {cpu_seconds():.0f} s over all processes")
