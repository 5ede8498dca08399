"""Wiring: from settings to a service that works on a real store. Tests wire their own from the same parts."""

import logging
from collections.abc import Callable
from dataclasses import dataclass

from events import catalogue
from events.store import Client, EventStore, HeadLog, Keyframes, LostTail, check_durable, connect
from service.clock import Clock
from service.credentials import ServerKey
from service.games import Games
from service.games.loading import Loader
from service.games.writing import no_queue
from service.keyfiles import operator_token, server_key
from service.queueing import JobQueue
from service.settings import OperatorError, Settings

HEADS_LOG = "heads.log"
_log = logging.getLogger("rollbook.start")


@dataclass(frozen=True, slots=True)
class Services:
    """What a process works with.

    Attributes:
        settings: How it runs.
        client: The store's client.
        games: Every game.
        lost: Games whose stream is shorter than what was acknowledged; they take no actions.
    """

    settings: Settings
    client: Client
    games: Games
    lost: list[LostTail]


def build(
    settings: Settings, *, redis_url: str | None = None, enqueue: Callable[[str, str], None] | None = None
) -> Services:
    """Wire a process, and check on the way that nothing was lost.

    Args:
        settings: How it runs.
        redis_url: The store's address, when it is not the one in the settings: the embedded store's.
        enqueue: Hands jobs to workers; by default through the queue that the settings name.

    Raises:
        OperatorError: A key file cannot be used.
        StoreError: The store may forget, or belongs to another layout.
    """
    catalogue.check()
    url = redis_url or settings.redis_url
    if url is None:
        raise OperatorError("No store: set ROLLBOOK_REDIS_URL, or start it with `rollbook serve`")
    client = connect(url)
    check_durable(client, allow_volatile=settings.allow_volatile)
    store = EventStore(client)
    store.claim()
    heads = HeadLog(settings.data / HEADS_LOG)
    lost = heads.compare(store)
    for tail in lost:
        _log.error("%s", _lost(tail))
    games = Games(
        Loader(store, Keyframes(client)),
        key=ServerKey(server_key(settings)),
        clock=Clock(store.now),
        operator_token=operator_token(settings),
        heads=heads,
        frozen={tail.game: _lost(tail) for tail in lost},
        enqueue=enqueue or _queue(settings, url),
    )
    return Services(settings, client, games, lost)


def _lost(tail: LostTail) -> str:
    return f"Game {tail.game} lost its tail: {tail.logged} events were acknowledged, the store holds {tail.found}."


def _queue(settings: Settings, url: str) -> Callable[[str, str], None]:
    """Find the queue of the settings; a store that is a cluster and no queue of its own leaves long jobs undone."""
    try:
        return JobQueue(settings.jobs_url() or url).enqueue
    except OperatorError as error:
        _log.warning("%s; long jobs are left undone", error)
        return no_queue
