"""Problem details (RFC 9457): one document for every refusal, and which exception makes which.

A detail is a sentence for people and never holds a token, a secret, an address or a traceback.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from flask import Flask, Response, request
from werkzeug.exceptions import HTTPException, MethodNotAllowed
from werkzeug.routing import RequestRedirect

from events import codec
from events.store import HistoryForked, StoreError, StoreFull, StoreUnavailable, StreamDamaged
from projections.evolve import UnfitEvent, UnknownEvent
from projections.ledger.books import UnreadableBooks
from projections.replay import BrokenChain
from service.api.http.answers import entries
from service.api.http.codes import look_up, of_status, type_of
from service.errors import NotReady, ServiceError, Stale
from service.live.watch import ShuttingDown
from service.rules.violations import Refusal, RuleViolation

MEDIA_TYPE = "application/problem+json"
RETRY_AFTER = {
    "busy": 1,
    "store_unavailable": 1,
    "store_error": 5,
    "store_full": 30,
    "too_many_watchers": 5,
    "overloaded": 1,
    "queue_unavailable": 5,
    "page_not_ready": 1,
}
RETRY_AFTER_FROZEN = 300
DAMAGED = "The game's history in the store is damaged; a person must look at it."
_log = logging.getLogger("rollbook.api")

Errors = Sequence[Mapping[str, str]]
"""What is wrong with single values: `detail`, and where: `pointer` into the body, `query` or `header` by name."""


class Problem(Exception):
    """A refusal that the HTTP edge itself finds.

    Attributes:
        code: One of `codes.CODES`.
        detail: One sentence.
        errors: Single values that are at fault.
        headers: Headers of the answer.
        extra: Further members of the document.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        errors: Errors = (),
        headers: Mapping[str, str] | None = None,
        extra: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.errors = errors
        self.headers = headers or {}
        self.extra = extra or {}


MOST_ERRORS = 20
"""More faults of one request are not listed."""


def invalid(errors: Errors) -> Problem:
    """Return the problem for values that cannot be taken, each with its place."""
    first, errors = errors[0], errors[:MOST_ERRORS]
    place = first.get("pointer") or first.get("query") or first.get("header") or "the body"
    return Problem("invalid_input", f"{place}: {first['detail']}", errors=errors)


def respond(problem: Problem) -> Response:
    """Return the answer for a problem."""
    status, title = look_up(problem.code)
    document: dict[str, Any] = {
        "type": type_of(problem.code),
        "title": title,
        "status": status,
        "detail": problem.detail,
        "code": problem.code,
        **({"errors": list(problem.errors)} if problem.errors else {}),
        **problem.extra,
    }
    response = Response(msgspec.json.encode(document), status, mimetype=MEDIA_TYPE)
    response.headers.extend(problem.headers)
    response.headers["Cache-Control"] = "no-store"
    wait = RETRY_AFTER_FROZEN if problem.code == "game_frozen" else RETRY_AFTER.get(problem.code)
    if wait:
        response.headers["Retry-After"] = str(wait)
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    return response


def of_service(error: ServiceError) -> Problem:
    """Return the problem for a refusal of the service, with what a stale caller missed or how far a job is."""
    if isinstance(error, NotReady):
        progress = {"status": error.status, "done": error.done, "total": error.total}
        return Problem(error.code, error.detail, extra={"progress": progress})
    if not isinstance(error, Stale):
        return Problem(error.code, error.detail)
    return Problem(
        error.code,
        error.detail,
        headers={"ETag": f'"{error.etag}"'},
        extra={"etag": error.etag, "missed": entries(error.missed)},
    )


def of_rules(violation: RuleViolation) -> Problem:
    """Return the problem for a refusal of the rules, with a pointer to the parameter that is at fault."""
    refusal = violation.refusal
    return Problem(refusal.code, refusal.detail, errors=_at_field(refusal))


def _at_field(refusal: Refusal) -> Errors:
    if not refusal.field:
        return ()
    # An option's own name may have dots.
    dots = 1 if refusal.field.startswith("options.") else -1
    return [{"pointer": "/" + escaped(refusal.field).replace(".", "/", dots), "detail": refusal.detail}]


def escaped(key: str) -> str:
    """Return a key as a step of a JSON pointer, shortened and fit for JSON."""
    plain = key[:80].encode("utf-8", "replace").decode()
    return plain.replace("~", "~0").replace("/", "~1")


def of_store(error: StoreError) -> Problem:
    """Return the problem for a failure of the store; it does not show where the store is."""
    if isinstance(error, StreamDamaged | HistoryForked):
        return Problem("game_frozen", DAMAGED)
    if isinstance(error, StoreFull):
        return Problem("store_full", "The store is at its memory limit: nothing was written, and reading goes on.")
    if isinstance(error, StoreUnavailable):
        return Problem("store_unavailable", "The store does not answer; send the request again with the same key.")
    _log.error("the store refused", exc_info=error)
    return Problem("store_error", "The store refused a command.")


def of_history(error: Exception) -> Problem:
    """Return the problem for a stream that this release cannot replay from some event on."""
    version = getattr(error, "version", 0)
    since = f"cannot be replayed from event {version} on" if version else "cannot be replayed"
    return Problem("game_frozen", f"The game's history {since}; what is before can be read. A person must look at it.")


def of_http(error: HTTPException) -> Problem:
    """Return the problem for a refusal of Flask or Werkzeug."""
    code = of_status(error.code or 500)
    headers = {}
    if isinstance(error, MethodNotAllowed) and error.valid_methods:
        headers["Allow"] = ", ".join(sorted(error.valid_methods))
    details = {
        "not_found": "There is nothing under this path.",
        "method_not_allowed": "This path does not take this method.",
        "body_too_large": "The body has more than 65,536 bytes.",
        "unsupported_media_type": "Send the body as application/json.",
        "bad_request": "The request cannot be read.",
    }
    return Problem(code, details.get(code, "The service has a fault; it was noted."), headers=headers)


def unexpected(error: Exception) -> Response:
    """Log a fault with its traceback, and answer without any of it."""
    # The rule, not the path: neither headers nor bodies nor ids belong in a log.
    _log.error("fault in %s %s", request.method, request.url_rule, exc_info=error)
    return respond(Problem("internal_error", "The service has a fault; it was noted."))


def register(app: Flask) -> None:
    """Make every refusal of an application a problem document."""

    def http(error: HTTPException) -> Response | HTTPException:
        return error if isinstance(error, RequestRedirect) else respond(of_http(error))

    ending = Problem("too_many_watchers", "This process ends; another one will answer.")
    app.register_error_handler(Problem, respond)
    app.register_error_handler(ServiceError, lambda error: respond(of_service(error)))
    app.register_error_handler(RuleViolation, lambda error: respond(of_rules(error)))
    app.register_error_handler(StoreError, lambda error: respond(of_store(error)))
    app.register_error_handler(ShuttingDown, lambda _error: respond(ending))
    for history in (BrokenChain, UnfitEvent, UnknownEvent, UnreadableBooks, codec.DamagedEntry):
        app.register_error_handler(history, lambda error: respond(of_history(error)))
    app.register_error_handler(HTTPException, http)
    app.register_error_handler(Exception, unexpected)
