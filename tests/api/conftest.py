"""The application of these tests: one for each module, on a database of its own.

Tests run once for each rulebook, with games of it; a module or a test that is about one game says so.
"""

import random
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cache

import pytest
from flask import Flask

from events.store import connect
from service.api.app import create_app
from service.api.schemas.games import RULEBOOKS
from service.bootstrap import Services, assemble
from service.jobs import JobQueue
from service.limits import Limits
from tests.api.checked import USED, Api
from tests.support.databases import DATABASES

EITHER = pytest.mark.parametrize(
    "api", [RULEBOOKS[0], pytest.param(RULEBOOKS[1], marks=pytest.mark.long)], indirect=True, scope="module"
)
"""For what takes long and hardly knows which game is played: the one in every run, both in the long one."""
OPERATOR = "operator-token-of-these-tests-0123456789"
ORIGIN = "https://club.example"
AT_ANY_SPEED = Limits(rate_per_address=0, rate_per_token=0)


@contextmanager
def drawn_from(seed: str) -> Iterator[None]:
    """Draw the same secrets, keys and tokens each time: dice fall alike in every run, and games end where they did."""
    drawn = random.Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("secrets.token_bytes", lambda size=32: drawn.randbytes(size))
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Seed the chance of every test by its name."""
    with drawn_from(item.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Seed the chance of a shared fixture by its own name, whichever test is the first to ask for it."""
    if fixturedef.scope == "function":
        return (yield)
    with drawn_from(f"{request.node.nodeid} {fixturedef.argname} {getattr(request, 'param', '')}"):
        return (yield)


@pytest.fixture(scope="module", autouse=True)
def used() -> Iterator[None]:
    """End the subscriptions of a module's applications, and their connections to the store."""
    yield
    while USED:
        services = USED.pop()
        services.watcher.close()
        services.client.connection_pool.disconnect()  # type: ignore[attr-defined] # one server, not a cluster


def services() -> Services:
    url = DATABASES.new()
    return assemble(
        connect(url),
        jobs=JobQueue.at(url),
        server_key=b"a key of at least thirty-two bytes",
        operator_token=OPERATOR,
        allow_volatile=True,
    )


def application(rulebook: str = "public_assistance") -> Api:
    """An application without games; those that are opened are of one rulebook unless they say."""
    return Api(create_app(services(), cors_origins=[ORIGIN], limits=AT_ANY_SPEED), rulebook)


@cache
def _app(_name: str) -> Flask:
    return create_app(services(), cors_origins=[ORIGIN], limits=AT_ANY_SPEED)


def _with(name: str, services: Services, rulebook: str) -> Api:
    """Put new services under an application that is made once: what is made is the same for all of them."""
    app = _app(name)
    app.extensions["rollbook"] = services
    return Api(app, rulebook)


def restarted(services: Services, rulebook: str = "public_assistance") -> Api:
    """The application as a process that was just started has it; the one that was returned before has ended."""
    return _with("restarted", services, rulebook)


@pytest.fixture(scope="module", params=RULEBOOKS)
def api(request: pytest.FixtureRequest) -> Api:
    return _with("of a module", services(), request.param)
