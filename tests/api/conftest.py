"""The application of these tests: one for each module, on a fake store.

Tests run once for each rulebook, with games of it; a module or a test that is about one game says so.
"""

import random
from collections.abc import Generator, Iterator
from contextlib import contextmanager

import fakeredis
import pytest

from service.api.app import create_app
from service.api.schemas.games import RULEBOOKS
from service.bootstrap import Services, assemble
from service.jobs import JobQueue
from tests.api.checked import Api

EITHER = pytest.mark.parametrize(
    "api", [RULEBOOKS[0], pytest.param(RULEBOOKS[1], marks=pytest.mark.long)], indirect=True, scope="module"
)
"""For what takes long and hardly knows which game is played: the one in every run, both in the long one."""
OPERATOR = "operator-token-of-these-tests-0123456789"
ORIGIN = "https://club.example"


@contextmanager
def drawn_from(seed: str) -> Iterator[None]:
    """Draw the same secrets, keys and tokens each time: dice fall alike in every run, and games end where they did."""
    drawn = random.Random(seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("secrets.token_bytes", lambda size=32: drawn.randbytes(size))
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Give every test chance of its own."""
    with drawn_from(item.nodeid):
        return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_fixture_setup(
    fixturedef: pytest.FixtureDef[object], request: pytest.FixtureRequest
) -> Generator[None, object, object]:
    """Give a fixture that tests share chance of its own, whichever of them is the first to ask for it."""
    if fixturedef.scope == "function":
        return (yield)
    with drawn_from(f"{request.node.nodeid} {fixturedef.argname} {getattr(request, 'param', '')}"):
        return (yield)


def services() -> Services:
    client = fakeredis.FakeRedis(protocol=2)
    return assemble(
        client,
        jobs=JobQueue(client),
        server_key=b"a key of at least thirty-two bytes",
        operator_token=OPERATOR,
        allow_volatile=True,
    )


def application(rulebook: str = "public_assistance") -> Api:
    """An application without games; those that are opened are of one rulebook unless they say."""
    return Api(create_app(services(), cors_origins=[ORIGIN]), rulebook)


@pytest.fixture(scope="module", params=RULEBOOKS)
def api(request: pytest.FixtureRequest) -> Api:
    return application(request.param)
