"""Every static code of a problem document, with its HTTP status and its title; `docs/errors.md` lists them.

Codes of the rules are not here: they are 409 and stand where the rule is, but for the three that find fault with
input.
"""

from http import HTTPStatus
from typing import NamedTuple


class Code(NamedTuple):
    """What a code stands for.

    Attributes:
        status: HTTP status.
        title: The kind of problem in a few words; the same every time.
    """

    status: int
    title: str


CODES: dict[str, Code] = {
    "bad_request": Code(400, "The request cannot be read"),
    "malformed_json": Code(400, "The body is not JSON as it is taken here"),
    "body_required": Code(400, "A body is required"),
    "malformed_header": Code(400, "A header cannot be read"),
    "unauthorized": Code(401, "A token is missing or wrong"),
    "forbidden": Code(403, "The token is good for something else"),
    "not_found": Code(404, "There is no such path"),
    "no_such_game": Code(404, "There is no such game"),
    "no_such_seat": Code(404, "Nobody sits there"),
    "no_such_account": Code(404, "The ledger has no such account"),
    "no_such_version": Code(404, "The game has no such version or step"),
    "no_such_board": Code(404, "There is no such board or deck"),
    "no_such_text": Code(404, "There is no such text"),
    "no_audit": Code(404, "The game was not audited yet"),
    "no_page": Code(404, "The page was not made"),
    "no_such_job": Code(404, "There is no such job"),
    "method_not_allowed": Code(405, "The path does not take this method"),
    "name_taken": Code(409, "Someone at the table has this name"),
    "not_forkable": Code(409, "No game can go on from there"),
    "not_recordable": Code(409, "What it leads to cannot be recorded"),
    "secret_kept": Code(409, "The secret is not revealed yet"),
    "not_over": Code(409, "The game is not over"),
    "unsupported_rules": Code(409, "This release does not hold the rules of the game"),
    "page_not_ready": Code(409, "It is being made"),
    "made_by_other_code": Code(409, "Another release opened the game"),
    "body_timeout": Code(408, "The body did not come in time"),
    "stale": Code(412, "The game has moved on"),
    "body_too_large": Code(413, "The body is too large"),
    "unsupported_media_type": Code(415, "The body must be application/json"),
    "invalid_input": Code(422, "A value cannot be taken"),
    "idempotency_key_reused": Code(422, "The idempotency key was used for another request"),
    "unknown_option": Code(422, "There is no such option"),
    "option_out_of_bounds": Code(422, "An option cannot have this value"),
    "unknown_preset": Code(422, "There is no such preset"),
    "too_many_requests": Code(429, "The caller asks for too much"),
    "internal_error": Code(500, "The service has a fault"),
    "busy": Code(503, "The game is busy"),
    "overloaded": Code(503, "The service has as much to do as it can"),
    "game_frozen": Code(503, "The game takes no actions"),
    "store_unavailable": Code(503, "The store does not answer"),
    "store_full": Code(503, "The store is full"),
    "store_error": Code(503, "The store refused"),
    "queue_unavailable": Code(503, "Background jobs cannot be handed to workers"),
    "too_many_watchers": Code(503, "Too many requests are waiting"),
}

RULE = Code(409, "The rules do not allow it")
"""Every code that is not in `CODES` comes from the rules."""


def type_of(code: str) -> str:
    """Return the type of a problem: its place on the reference page. Refusals of the rules share one."""
    return f"/docs#error-{code if code in CODES else 'of_the_rules'}"


def look_up(code: str) -> Code:
    """Return status and title of a code."""
    return CODES.get(code, RULE)


def of_status(status: int) -> str:
    """Return the code for a refusal of the HTTP machinery itself."""
    known = {404: "not_found", 405: "method_not_allowed", 413: "body_too_large", 415: "unsupported_media_type"}
    if status in known:
        return known[status]
    return "bad_request" if status < HTTPStatus.INTERNAL_SERVER_ERROR else "internal_error"
