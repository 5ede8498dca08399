"""`create_app`: the API as a Flask application, on whatever services it is given."""

from collections.abc import Collection
from importlib.metadata import PackageNotFoundError, version

from flask import Flask
from flask_smorest import Api

from service.api.docs import openapi, reference
from service.api.http import converters, edge, head, problems
from service.api.http.json_reader import MOST_BYTES
from service.api.resources import RESOURCES, health
from service.bootstrap import Services

ABOUT = (
    "An event-sourced board-game service with an audit log. Every roll, draw, payment and vote is an event on a"
    " stream; anybody can replay a game and check its books and its history."
)


class Edge(Api):  # type: ignore[misc] # flask-smorest has no types
    """flask-smorest without errors of its own: ours are problem documents."""

    def _register_error_handlers(self) -> None:
        """Leave errors to `problems`."""


def create_app(services: Services, *, cors_origins: Collection[str] = ()) -> Flask:
    """Make the application.

    Args:
        services: What it runs on.
        cors_origins: Origins whose pages may call it; `*` for all.
    """
    app = Flask("service.api", static_folder=None)
    app.config.update(
        API_TITLE="Rollbook",
        API_VERSION=_version(),
        OPENAPI_VERSION="3.1.0",
        MAX_CONTENT_LENGTH=MOST_BYTES + 1,
        PROPAGATE_EXCEPTIONS=False,
    )
    app.url_map.merge_slashes = False
    app.extensions["rollbook"] = services
    converters.register(app)
    problems.register(app)
    edge.register(app, origins=cors_origins)
    head.register(app)
    api = Edge(app, spec_kwargs={"info": {"description": ABOUT, "license": {"name": "MIT", "identifier": "MIT"}}})
    api.ma_plugin.converter.add_attribute_function(openapi.component)
    for kind in converters.CONVERTERS.values():
        api.register_converter(kind, lambda converter: dict(converter.schema))
    for resource in RESOURCES:
        api.register_blueprint(resource)
    app.register_blueprint(health.blueprint)
    reference.register(app, openapi.complete(api.spec.to_dict(), RESOURCES))
    return app


def _version() -> str:
    try:
        return version("rollbook")
    except PackageNotFoundError:  # run from a folder that was never installed
        return "0"
