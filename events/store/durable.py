"""Whether a store keeps what it acknowledged: asked at start, before a game is trusted to it."""

from typing import Any

from redis.cluster import RedisCluster
from redis.exceptions import ResponseError

from events.store.errors import VolatileStore
from events.store.wire import Client, Wire

Facts = dict[str, str]


def check_durable(client: Client, *, allow_volatile: bool = False) -> str:
    """Refuse a store that may evict a stream or has no append-only file.

    `INFO` is asked first, since managed servers often forbid `CONFIG`; every primary of a cluster is asked.

    Args:
        client: The store's.
        allow_volatile: Return the fault instead of raising it.

    Returns:
        One sentence on what the store keeps.

    Raises:
        VolatileStore: It may lose events, or cannot report whether it does.
    """
    wire = Wire(client)
    cluster: Any = client
    nodes: list[Any] = list(cluster.get_primaries()) if isinstance(client, RedisCluster) else [None]
    sentence = "The store evicts nothing and keeps an append-only file."
    for node in nodes:
        fault = _fault(_facts(wire, node))
        if fault and not allow_volatile:
            raise VolatileStore(fault)
        sentence = fault or sentence
    return sentence


def _fault(facts: Facts) -> str | None:
    """Return one sentence that says why the store is not to be trusted."""
    policy, aof = facts.get("maxmemory_policy"), facts.get("aof_enabled")
    if policy is None or aof is None:
        return "The store forbids INFO and CONFIG GET, so whether it keeps its events cannot be known."
    if policy != "noeviction":
        return (
            f"The store may throw whole games away when memory is short: maxmemory-policy is {policy}, not noeviction."
        )
    if aof != "1":
        return "The store keeps no append-only file, so that a restart loses events: set appendonly yes."
    return None


def _facts(wire: Wire, node: Any) -> Facts:
    """Ask INFO, and CONFIG for what it does not tell."""
    facts = {**_told(wire, node, "INFO", "memory"), **_told(wire, node, "INFO", "persistence")}
    if "maxmemory_policy" not in facts:
        facts.update(_told(wire, node, "CONFIG GET", "maxmemory-policy"))
    if "aof_enabled" not in facts:
        facts.update(_told(wire, node, "CONFIG GET", "appendonly"))
    return facts


def _told(wire: Wire, node: Any, *command: str) -> Facts:
    """Send a question; the answer is empty where it is forbidden."""
    options = {} if node is None else {"target_nodes": node}

    def ask(client: Client) -> Any:
        try:
            return client.execute_command(*command, **options)
        except ResponseError:
            return {}

    names = {"maxmemory-policy": "maxmemory_policy", "appendonly": "aof_enabled"}
    values = {"yes": "1", "no": "0"}
    answer = {_text(name): _text(value) for name, value in wire.run(ask).items()}
    return {names.get(name, name): values.get(value, value) for name, value in answer.items()}


def _text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
