"""The servers of these tests. One of each kind serves all tests of a module; a test's games have names of their own."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from events.store import Store, connect
from tests.support.valkey import Valkey, cluster_of_one, cluster_of_three, valkey


@pytest.fixture(scope="package")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    with valkey(tmp_path_factory.mktemp("plain")) as server:
        yield server


@pytest.fixture(scope="package")
def clustered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    with cluster_of_one(tmp_path_factory.mktemp("clustered")) as server:
        yield server


@pytest.fixture(scope="package")
def spread(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[Valkey]]:
    with cluster_of_three(tmp_path_factory.mktemp("spread")) as nodes:
        yield nodes


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Valkey]:
    """A server of the test's own, to trouble as it likes."""
    with valkey(tmp_path) as own:
        yield own


@pytest.fixture
def store(server: Valkey) -> Store:
    return Store(connect(server.url))
