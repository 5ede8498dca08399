"""Outside /v1: the document, a page that shows it, and whether the service lives and can work."""

from dataclasses import dataclass
from typing import Any

import msgspec
from flask import Blueprint, Flask, Response, current_app, redirect, render_template
from werkzeug.wrappers import Response as AnyResponse

from events.store import VolatileStore
from service.api.docs.openapi import METHODS
from service.api.http.answers import JSON, reply
from service.api.http.codes import CODES, RULE
from service.api.http.context import services
from service.api.http.problems import Problem

service = Blueprint("service", __name__, template_folder="templates")
PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"


@dataclass(frozen=True, slots=True)
class Pages:
    """The document and its page, written once for each application."""

    document: bytes
    page: str


def publish(app: Flask, document: dict[str, Any]) -> None:
    """Serve a document and its page."""
    app.register_blueprint(service)
    with app.app_context():
        page = render_template("docs.html", document=document, operations=_operations(document), codes=CODES, rule=RULE)
    app.extensions["rollbook.pages"] = Pages(msgspec.json.encode(document), page)


def _operations(document: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Sort the operations by tag, each with its method and path."""
    found: dict[str, list[dict[str, Any]]] = {tag["name"]: [] for tag in document["tags"]}
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                doc = item[method]
                parameters = [*item.get("parameters", []), *doc.get("parameters", [])]
                found[doc["tags"][0]].append({**doc, "method": method.upper(), "path": path, "parameters": parameters})
    return found


def _pages() -> Pages:
    pages: Pages = current_app.extensions["rollbook.pages"]
    return pages


@service.get("/")
def index() -> AnyResponse:
    """Lead to the reference page."""
    return redirect("/docs")


@service.get("/docs")
def reference() -> Response:
    """Show the reference page; it needs nothing from anywhere else."""
    response = Response(_pages().page, mimetype="text/html")
    response.headers["Content-Security-Policy"] = PAGE_POLICY
    return response


@service.get("/openapi.json")
def openapi() -> Response:
    """Give the OpenAPI document."""
    return Response(_pages().document, mimetype=JSON)


@service.get("/healthz")
def health() -> Response:
    """Tell that this process lives; the store is not asked."""
    return reply({"status": "alive"}, secret=True)


@service.get("/readyz")
def readiness() -> Response:
    """Tell that the store answers and keeps what it is given, and what is missing in the background."""
    try:
        durability = services().durability()
    except VolatileStore as error:
        raise Problem("store_error", str(error)) from error
    now = services().store.now()
    content = {
        "status": "ready",
        "store": durability,
        "time": now,
        "frozen": len(services().lost),
        "background": services().background_faults(),
    }
    return reply(content, secret=True)
