"""Health, outside /v1: whether this process lives, and whether the service can work."""

from flask import Blueprint, Response

from events.store import VolatileStore, connections_of
from service.api.http.answers import reply
from service.api.http.context import services
from service.api.http.edge import WORDS, gate
from service.api.http.problems import Problem
from service.hosting.health import background_faults

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def health() -> Response:
    """Answer that this process lives; the store is not asked."""
    return reply({"status": "alive"}, secret=True)


@blueprint.get("/readyz")
def readiness() -> Response:
    """Answer whether a request would succeed now, what is missing in the background, and how near the limits are."""
    store = connections_of(services().client)
    use = gate().use() | ({"store_connections": store} if store else {})
    for kind in ("requests", "connections"):
        if use[kind]["used"] >= use[kind]["limit"]:
            raise Problem("overloaded", f"This process has as many {WORDS[kind]} as it takes: {use[kind]['limit']:,}.")
    if fault := services().watcher.fault():
        raise Problem("store_unavailable", fault)
    try:
        durability = services().durability()
    except VolatileStore as error:
        raise Problem("store_error", str(error)) from error
    jobs, clock = services().jobs, services().games.clock
    workers = jobs.workers if jobs is not None else lambda: None
    content = {
        "status": "ready",
        "store": durability,
        "time": services().store.now(),
        "frozen": len(services().store.streams.frozen()),
        "limits": use,
        "background": list(background_faults(services().store.heartbeats, clock.now(), workers, apart=clock.apart)),
    }
    return reply(content, secret=True)
