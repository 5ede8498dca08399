"""Health, outside /v1: whether this process lives, and whether the service can work."""

from flask import Blueprint, Response

from events.store import VolatileStore
from service.api.http.answers import reply
from service.api.http.context import services
from service.api.http.problems import Problem
from service.hosting.health import background_faults

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz")
def health() -> Response:
    """Answer that this process lives; the store is not asked."""
    return reply({"status": "alive"}, secret=True)


@blueprint.get("/readyz")
def readiness() -> Response:
    """Answer whether the store answers and keeps what it is given, and what is missing in the background."""
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
        "background": list(background_faults(services().store.heartbeats, clock.now(), workers, apart=clock.apart)),
    }
    return reply(content, secret=True)
