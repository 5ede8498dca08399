"""The application of these tests: one for each module, on a fake store."""

import fakeredis
import pytest

from service.api.app import create_app
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


@pytest.fixture(scope="module")
def api() -> Api:
    return Api(create_app(services(), cors_origins=[ORIGIN]))
