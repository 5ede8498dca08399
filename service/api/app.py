"""`create_app`: the API as a Flask application, on whatever services it is given."""

from collections.abc import Collection
from importlib.metadata import PackageNotFoundError, version

from flask import Flask

from service.api.docs import openapi, reference
from service.api.http import converters, edge, problems
from service.api.http.parser import MOST_BYTES
from service.api.resources import RESOURCES, health
from service.bootstrap import Services
from service.limits import Limits


def create_app(services: Services, *, cors_origins: Collection[str] = (), limits: Limits | None = None) -> Flask:
    """Return the application.

    Args:
        services: What it runs on.
        cors_origins: Origins whose pages may call it; `*` for all.
        limits: What it takes at once; None for the usual limits.
    """
    app = Flask("service.api", static_folder=None)
    app.config.update(MAX_CONTENT_LENGTH=MOST_BYTES + 1, PROPAGATE_EXCEPTIONS=False)
    app.url_map.merge_slashes = False
    app.extensions["rollbook"] = services
    converters.register(app)
    problems.register(app)
    edge.register(app, origins=cors_origins, limits=limits or Limits())
    for blueprint in (*RESOURCES, health.blueprint):
        app.register_blueprint(blueprint)
    reference.register(app, openapi.document(RESOURCES, version=_version()))
    return app


def _version() -> str:
    try:
        return version("rollbook")
    except PackageNotFoundError:
        # Run from a folder that was never installed.
        return "0"
