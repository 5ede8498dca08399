"""Wires the real things together; tests call the same with fakes."""

import logging
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import redis
from rq import Queue
from rq.serializers import JSONSerializer

from events import catalogue
from events.store import Client, EventStore, HeadLog, Keyframes, LostTail, check_durable, connect
from service.clock import Clock
from service.credentials import ServerKey
from service.games import Games
from service.games.loading import Loader
from service.games.writing import no_queue
from service.watch import Watcher

QUEUE = "rollbook"
QUEUE_PATIENCE = 2  # seconds that an action may lose to a queue that does not answer
_log = logging.getLogger("rollbook.start")


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that an application runs on.

    Attributes:
        games: The games.
        store: The streams, the same that `games` uses.
        client: The connection to the store.
        watcher: Tells of games that have moved on.
        allow_volatile: A store that may forget is accepted.
        lost: Games that lost their tail, which take no actions.
    """

    games: Games
    store: EventStore
    client: Client
    watcher: Watcher
    allow_volatile: bool = False
    lost: list[LostTail] = field(default_factory=list)

    def durability(self) -> str:
        """Say in a sentence what the store keeps.

        Raises:
            VolatileStore: It may forget, and that was not allowed.
            StoreUnavailable: It does not answer.
        """
        return check_durable(self.client, allow_volatile=self.allow_volatile)


def build(
    *,
    redis_url: str,
    server_key: bytes,
    operator_token: str = "",
    heads_path: Path | None = None,
    queue_url: str | None = None,
    allow_volatile: bool = False,
) -> Services:
    """Connect to a store, check it, and put the games on it.

    Args:
        redis_url: The store, see `events.store.connect`.
        server_key: At least 32 bytes; the same on every machine that serves this store.
        operator_token: Token of whoever runs the service; empty for none.
        heads_path: Log of heads outside the store; None keeps none.
        queue_url: Redis of the background jobs; None has none.
        allow_volatile: Accept a store that may forget.

    Raises:
        StoreError: The store does not answer, may forget, or was written with another number of buckets.
        CatalogueError: This program cannot read every event that was ever written.
    """
    client = connect(redis_url)
    enqueue = partial(_enqueue, _queue(queue_url)) if queue_url else no_queue
    heads = HeadLog(heads_path) if heads_path else None
    return assemble(
        client,
        server_key=server_key,
        operator_token=operator_token,
        heads=heads,
        enqueue=enqueue,
        allow_volatile=allow_volatile,
    )


def assemble(
    client: Client,
    *,
    server_key: bytes,
    operator_token: str = "",
    heads: HeadLog | None = None,
    enqueue: Callable[[str, str], None] = no_queue,
    allow_volatile: bool = False,
) -> Services:
    """Check a store and put the games on it; see `build`."""
    catalogue.check()
    check_durable(client, allow_volatile=allow_volatile)
    store = EventStore(client)
    store.claim()
    lost = heads.compare(store) if heads else []
    for tail in lost:
        _log.error("game %s lost its tail: %d events acknowledged, %d there", tail.game, tail.logged, tail.found)
    games = Games(
        Loader(store, Keyframes(client)),
        key=ServerKey(server_key),
        clock=Clock(store.now),
        operator_token=operator_token,
        heads=heads,
        frozen={tail.game: _why(tail) for tail in lost},
        enqueue=enqueue,
    )
    source: Any = client
    watcher = Watcher(store, source.pubsub)
    return Services(games, store, client, watcher, allow_volatile, lost)


def _why(tail: LostTail) -> str:
    return (
        f"The store has lost events of game {tail.game} that were acknowledged: it had {tail.logged}, and what is there"
        f" ends at {tail.found}. Nothing more happens in it until the operator has looked at it."
    )


def _queue(url: str) -> Queue:
    connection = redis.Redis.from_url(url, socket_timeout=QUEUE_PATIENCE, socket_connect_timeout=QUEUE_PATIENCE)
    return Queue(QUEUE, connection=connection, serializer=JSONSerializer)


def _enqueue(queue: Queue, job: str, game: str) -> None:
    """Hand a job over. It may be lost: nothing depends on it but speed, and no action fails for it."""
    try:
        queue.enqueue(job, game, job_id=f"{job.rpartition('.')[2]}-{game}", result_ttl=0, failure_ttl=3600)
    except redis.RedisError:
        _log.warning("the queue does not answer; the job %s was left out", job)
