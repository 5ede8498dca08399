"""The application of these tests: one for each module, on a fake store.

Tests run once for each rulebook, with games of it; a module or a test that is about one game says so.
"""

import fakeredis
import pytest

from service.api.app import create_app
from service.api.schemas import RULEBOOKS
from service.bootstrap import Services, assemble
from service.queueing import JobQueue
from tests.api.checked import Api

OPERATOR = "operator-token-of-these-tests-0123456789"
ORIGIN = "https://club.example"


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
