"""Outside /v1: the OpenAPI document, and a page that shows it."""

from base64 import b64encode
from hashlib import sha256
from importlib.resources import files
from typing import Any

import msgspec
from flask import Blueprint, Flask, Response, redirect, render_template
from markupsafe import Markup
from werkzeug.wrappers import Response as AnyResponse

from service.api.docs.examples import request_of
from service.api.docs.openapi import METHODS
from service.api.http.answers import JSON
from service.api.http.codes import CODES, RULE

SCRIPT = (files("service.api.docs") / "templates" / "docs.js").read_text("utf-8")
SCRIPT_HASH = b64encode(sha256(SCRIPT.encode()).digest()).decode()
PAGE_POLICY = (
    f"default-src 'none'; script-src 'sha256-{SCRIPT_HASH}'; style-src 'unsafe-inline'; base-uri 'none';"
    " frame-ancestors 'none'"
)


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
        page = render_template(
            "docs.html",
            document=document,
            operations=_operations(document),
            codes=CODES,
            rule=RULE,
            script=Markup(SCRIPT),  # noqa: S704 # a file of ours
        )


def _operations(document: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the operations by tag, each with its method and path."""
    found: dict[str, list[dict[str, Any]]] = {tag["name"]: [] for tag in document["tags"]}
    for path, item in document["paths"].items():
        for method in METHODS:
            if method in item:
                doc = item[method]
                parameters = [*item.get("parameters", []), *doc.get("parameters", [])]
                example = request_of(method.upper(), path, doc, document["components"]["schemas"])
                more = {"method": method.upper(), "path": path, "parameters": parameters, "example": example}
                found[doc["tags"][0]].append({**doc, **more})
    return found
