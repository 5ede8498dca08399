"""The contract of the store, on each kind of server."""

import fakeredis
import pytest

from events.store import Client, connect
from tests.integration.store.contract import AppendContract
from tests.integration.store.contract_due import DueContract
from tests.integration.store.contract_figures import FiguresContract
from tests.integration.store.contract_sidecar import SidecarContract
from tests.support.valkey import Valkey


class TestFake(AppendContract, SidecarContract, DueContract, FiguresContract):
    """fakeredis, which other tests rely on for speed."""

    @pytest.fixture
    def client(self) -> Client:
        fake: Client = fakeredis.FakeRedis(protocol=2)
        return fake


class TestPlain(AppendContract, SidecarContract, DueContract, FiguresContract):
    """One real server."""

    @pytest.fixture
    def client(self, plain: Valkey) -> Client:
        return connect(plain.url)


class TestCluster(AppendContract, SidecarContract, DueContract, FiguresContract):
    """A cluster-enabled server, which refuses keys of two slots and keys that a script does not declare (S46)."""

    @pytest.fixture
    def client(self, clustered: Valkey) -> Client:
        return connect(clustered.cluster_url)


@pytest.mark.long
class TestThreeNodes(AppendContract, SidecarContract, DueContract, FiguresContract):
    """A cluster whose games lie on three servers."""

    @pytest.fixture
    def client(self, spread: list[Valkey]) -> Client:
        return connect(spread[0].cluster_url)
