"""A store's own report about itself, and whether it may lose games.

By `INFO` alone: managed stores often refuse `CONFIG GET`. Nothing here writes.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import redis
from redis.cluster import RedisCluster

Info = Callable[[str], list[Mapping[str, Any]]]


@contextmanager
def store_info(url: str) -> Iterator[Info]:
    """Yield a function that asks each primary node for one section of `INFO`; every node has answered before.

    Raises:
        redis.exceptions.RedisError: It does not answer.
    """
    scheme, _, rest = url.partition("://")
    with ExitStack() as stack:
        if not scheme.endswith("+cluster"):
            client = stack.enter_context(redis.Redis.from_url(url, socket_timeout=5, socket_connect_timeout=5))
            nodes = [client]
        else:
            plain = f"{scheme.removesuffix('+cluster')}://{rest}"
            cluster = stack.enter_context(RedisCluster.from_url(plain, socket_timeout=5, socket_connect_timeout=5))
            nodes = [node.redis_connection for node in cluster.get_primaries() if node.redis_connection is not None]
        for node in nodes:
            node.ping()
        yield lambda section: [node.info(section) for node in nodes]


def log_faults(info: Info) -> list[str]:
    """Return why a restart could lose games: one line for each node without an append-only file."""
    return [
        "the append-only file is off, so a restart loses games (appendonly yes)"
        for node in info("persistence")
        if node.get("aof_enabled") != 1
    ]


def memory_faults(info: Info) -> list[str]:
    """Return why a store takes no more: one line for each node that is at its memory limit."""
    return [
        f"the store is at its memory limit of {node['maxmemory']:,} bytes, so no game goes on (maxmemory)"
        for node in info("memory")
        if 0 < node.get("maxmemory", 0) <= node.get("used_memory", 0)
    ]


def eviction_faults(info: Info) -> list[str]:
    """Return why a full store could drop games: one line for each node that may evict."""
    policies = [node.get("maxmemory_policy", "unknown") for node in info("memory")]
    return [
        f"the eviction policy is {policy}, so a full store drops games (maxmemory-policy noeviction)"
        for policy in policies
        if policy != "noeviction"
    ]
