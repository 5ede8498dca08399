"""What every answer carries, and what a browser from elsewhere may do (CORS). No cookies: tokens are bearer tokens."""

from collections.abc import Collection

from flask import Flask, Response, request

ALLOWED_HEADERS = "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
EXPOSED_HEADERS = "ETag, Idempotency-Hit, Location, Retry-After, Rollbook-Head"
PREFLIGHT_SECONDS = 600
POLICY = "default-src 'none'; frame-ancestors 'none'"


def register(app: Flask, *, origins: Collection[str]) -> None:
    """Put headers on every answer of an application; pages of these origins may read them (`*`: of all)."""

    @app.after_request
    def headers(response: Response) -> Response:
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        if origins:
            _share(response, origins)
        return response


def _share(response: Response, origins: Collection[str]) -> None:
    everywhere = "*" in origins
    if not everywhere:
        response.vary.add("Origin")
    origin = request.headers.get("Origin")
    if origin is None or not (everywhere or origin in origins):
        return
    response.headers["Access-Control-Allow-Origin"] = "*" if everywhere else origin
    response.headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
    if request.method == "OPTIONS" and "Access-Control-Request-Method" in request.headers:
        response.headers["Access-Control-Allow-Methods"] = response.headers.get("Allow", "")
        response.headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
        response.headers["Access-Control-Max-Age"] = str(PREFLIGHT_SECONDS)
