"""Outside /v1: the OpenAPI document, and a page that shows it."""

from typing import Any

import msgspec
from flask import Blueprint, Flask, Response, redirect, render_template
from werkzeug.wrappers import Response as AnyResponse

from service.api.docs.openapi import METHODS
from service.api.http.answers import JSON
from service.api.http.codes import CODES, RULE

PAGE_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'"


def register(app: Flask, document: dict[str, Any]) -> None:
    """Serve a document and its page; both are written once, here."""
    docs = Blueprint("docs", __name__, template_folder="templates")

    @docs.get("/")
    def index() -> AnyResponse:
        return redirect("/docs")

    @docs.get("/docs")
    def reference() -> Response:
        response = Response(page, mimetype="text/html")
        response.headers["Content-Security-Policy"] = PAGE_POLICY
        return response

    @docs.get("/openapi.json")
    def openapi() -> Response:
        return Response(written, mimetype=JSON)

    app.register_blueprint(docs)
    written = msgspec.json.encode(document)
    with app.app_context():
        page = render_template("docs.html", document=document, operations=_operations(document), codes=CODES, rule=RULE)


def _operations(document: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the operations by tag, each with its method and path."""
    found: dict[str, list[dict[str, Any]]] = {tag["name"]: [] for tag in document["tags"]}
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                doc = item[method]
                parameters = [*item.get("parameters", []), *doc.get("parameters", [])]
                found[doc["tags"][0]].append({**doc, "method": method.upper(), "path": path, "parameters": parameters})
    return found
