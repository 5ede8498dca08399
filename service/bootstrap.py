"""Wires the real things together; tests call the same with fakes."""

import logging
import secrets
from dataclasses import dataclass
from typing import Any

from events import catalogue
from events.store import (
    Client,
    HeadLog,
    LostTail,
    Store,
    check_durable,
    connect,
)
from service.audit.proofs.merkle_tree import Trees
from service.audit.proofs.proofs import Proofs
from service.games.appending import no_queue
from service.games.clock import Clock
from service.games.credentials import ServerKey
from service.games.games import Games
from service.games.heads import HEADS_LOG, damaged_log, open_heads
from service.games.integrity import lost_tail
from service.games.uptime import Uptime
from service.jobs import JobQueue
from service.keys.claim import claim_key
from service.keys.files import operator_token, server_key
from service.keys.signing import KeyRing, key_ring, throwaway
from service.live.streams import Live
from service.live.watch import Watcher
from service.settings import OperatorError, Settings

_log = logging.getLogger("rollbook.start")


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that an application runs on.

    Attributes:
        games: The games.
        store: The streams, the same that `games` uses.
        client: The connection to the store.
        proofs: Checkpoints and proofs of the games.
        watcher: Wakes those who watch a game that has moved on.
        live: Opens live streams.
        uptime: Whether the API was there, when it mattered.
        jobs: The queue of background jobs; None where there is none.
        allow_volatile: A store that may forget is accepted.
    """

    games: Games
    store: Store
    client: Client
    proofs: Proofs
    watcher: Watcher
    live: Live
    uptime: Uptime
    jobs: JobQueue | None = None
    allow_volatile: bool = False

    def hand(self, job: str, game: str, seat: int, moves: int) -> None:
        """Hand a job about a seat's move to the workers; without a queue the clock does it."""
        if self.jobs is not None:
            self.jobs.hand(job, game, seat, moves)

    def durability(self) -> str:
        """Return in a sentence what the store keeps.

        Raises:
            VolatileStore: It may forget, and that was not allowed.
            StoreUnavailable: It does not answer.
        """
        return check_durable(self.client, allow_volatile=self.allow_volatile)


def build(settings: Settings, *, redis_url: str | None = None, clock: Clock | None = None) -> Services:
    """Connect to a store, check it, and put the games on it.

    Args:
        settings: How this process runs.
        redis_url: The store's address, when it is not the one in the settings: the embedded store's.
        clock: The time; None takes the store's.

    Raises:
        OperatorError: No store is named, or a key file cannot be used.
        StoreError: The store does not answer, may forget, or was written with another number of buckets.
        CatalogueError: This program cannot read every event that was ever written.
    """
    url = redis_url or settings.redis_url
    if url is None:
        raise OperatorError("No store: set ROLLBOOK_REDIS_URL, or start the embedded one with `rollbook serve`")
    client, key = connect(url, max_connections=settings.limits.store_connections), server_key(settings)
    claim_key(Store(client).ownership, key, path=settings.secret_file)
    return assemble(
        client,
        server_key=key,
        operator_token=operator_token(settings),
        keys=key_ring(settings),
        heads=open_heads(settings),
        jobs=open_queue(settings, url),
        clock=clock,
        allow_volatile=settings.allow_volatile,
    )


def build_for_reading(settings: Settings, *, redis_url: str, game: str | None = None) -> Services:
    """Put the games on a store to read them: nothing is written or made in the data folder, keys neither.

    Args:
        settings: How Rollbook runs here.
        redis_url: The store.
        game: The only one that is read, so that what others lost is of no interest; None for all.

    Raises:
        OperatorError: The log of heads cannot be read.
        StoreError: The store does not answer, may forget, or was written with another number of buckets.
        CatalogueError: This program cannot read every event that was ever written.
    """
    logged = (settings.data / HEADS_LOG).exists()
    return assemble(
        connect(redis_url),
        heads=open_heads(settings, reading=True, only=game) if logged else None,
        allow_volatile=settings.allow_volatile,
    )


def open_queue(settings: Settings, url: str) -> JobQueue | None:
    """Find the queue; with a store that is a cluster, and no queue of its own, long jobs are left undone."""
    try:
        return JobQueue.at(settings.jobs_url() or url)
    except OperatorError as error:
        _log.warning("%s; long jobs are left undone", error)
        return None


def _lost(heads: HeadLog | None, store: Store) -> list[LostTail]:
    """Find games that lost their tail, and log it."""
    if heads is None:
        return []
    if heads.damaged:
        _log.error("%s", damaged_log(heads))
    lost = heads.compare(store.streams)
    for tail in lost:
        _log.error("%s", lost_tail(tail))
    return lost


def assemble(
    client: Client,
    *,
    server_key: bytes | None = None,
    operator_token: str = "",
    keys: KeyRing | None = None,
    heads: HeadLog | None = None,
    jobs: JobQueue | None = None,
    clock: Clock | None = None,
    allow_volatile: bool = False,
) -> Services:
    """Check a store and put the games on it; see `build`.

    Args:
        client: The store's client.
        server_key: At least 32 bytes; the same on every machine that serves this store. Only new games and seats and
            what is cached need the real one; None is for reading.
        operator_token: Token of the person who runs the service; empty for none.
        keys: Who signs checkpoints; None makes a key that ends with the process.
        heads: Log of heads outside the store; None keeps none.
        jobs: Hands jobs to workers; None leaves them undone.
        clock: The time; None takes the store's.
        allow_volatile: Accept a store that may forget.
    """
    catalogue.check()
    check_durable(client, allow_volatile=allow_volatile)
    key = ServerKey(server_key or secrets.token_bytes(32))
    store = Store(client, cache_key=key.cache_key() if server_key else b"")
    store.ownership.claim()
    lost = _lost(heads, store)
    clock = clock or Clock(store.now)
    clock.follow(store.heartbeats.newest())
    uptime = Uptime(store.heartbeats, clock)
    games = Games(
        store,
        key=key,
        clock=clock,
        operator_token=operator_token,
        heads=heads,
        frozen={tail.game: lost_tail(tail) for tail in lost},
        enqueue=jobs.enqueue if jobs else no_queue,
        uptime=uptime,
    )
    if server_key:
        games.guard.write_down_all()
    proofs = Proofs(games, Trees(store.streams, store.keyframes), keys or throwaway())
    source: Any = client
    watcher = Watcher(store.streams, source.pubsub)
    live = Live(games, watcher)
    return Services(
        games,
        store,
        client,
        proofs,
        watcher,
        live,
        uptime,
        jobs,
        allow_volatile,
    )
