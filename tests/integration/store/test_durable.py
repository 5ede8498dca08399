"""A store that may lose what it acknowledged is refused, in one clear sentence."""

from pathlib import Path

import fakeredis
import pytest

from events.store import Client, VolatileStore, check_durable, connect
from tests.support.valkey import Valkey, valkey


def test_a_durable_store_is_accepted(plain: Valkey, clustered: Valkey) -> None:
    assert "append-only file" in check_durable(connect(plain.url))
    assert "append-only file" in check_durable(connect(clustered.cluster_url))


@pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-lru"])
def test_a_store_that_may_evict_is_refused(server: Valkey, policy: str) -> None:
    with server.admin() as admin:
        admin.config_set("maxmemory-policy", policy)
    with pytest.raises(VolatileStore, match=f"maxmemory-policy is {policy}"):
        check_durable(connect(server.url))
    assert policy in check_durable(connect(server.url), allow_volatile=True)


def test_a_store_without_append_only_file_is_refused(tmp_path: Path) -> None:
    with valkey(tmp_path, options=("--appendonly", "no")) as server:
        with pytest.raises(VolatileStore, match="append-only"):
            check_durable(connect(server.url))
        with server.admin() as admin:
            admin.execute_command("ACL SETUSER", "default", "-info")
        with pytest.raises(VolatileStore, match="append-only"):
            check_durable(connect(server.url))


def test_one_of_the_two_questions_is_enough(server: Valkey) -> None:
    with server.admin() as admin:
        admin.execute_command("ACL SETUSER", "default", "-config")
        assert check_durable(connect(server.url))
    server.kill()
    server.start()
    with server.admin() as admin:
        admin.execute_command("ACL SETUSER", "default", "-info")
        assert check_durable(connect(server.url))


def test_a_store_that_answers_neither_is_refused(server: Valkey) -> None:
    with server.admin() as admin:
        admin.execute_command("ACL SETUSER", "default", "-info", "-config")
        with pytest.raises(VolatileStore, match="forbids"):
            check_durable(connect(server.url))
        assert "forbids" in check_durable(connect(server.url), allow_volatile=True)


def test_a_fake_is_volatile() -> None:
    fake: Client = fakeredis.FakeRedis(protocol=2)
    with pytest.raises(VolatileStore):
        check_durable(fake)
