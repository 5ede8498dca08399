"""The refusals of the service; the HTTP edge gives each its status and its problem document.

```
ServiceError
├── NoSuchGame          404  no such game, or none that the caller may know of
├── NoSuchVersion       404  the game has no such version or step
├── NoSuchSeat          404  the seat is not taken
├── NoSuchAccount       404  nothing was ever posted to an account of that name
├── NoSuchBoard         404  this release has no board or deck of that name and version
├── NoSuchText          404  the game never had such a typed-in text
├── Unauthorized        401  no token, or a wrong one
├── Forbidden           403  a valid token, for something else
├── Stale               412  the state named by If-Match is not the current one
├── KeyReused           422  the idempotency key was used for another request
├── Busy                503  other processes were faster, many times running; send it again
├── NameTaken           409  someone at the table has a name that looks like it
├── NotForkable         409  no game can go on from that moment
├── NotRecordable       409  what the action leads to could not be read back
├── SecretKept          409  the same chance would show the future of a running game
├── NotOver             409  a rematch comes after the end
├── NoAudit             404  the game was not audited yet
├── NoSuchJob           404  there is no such job, or none that the caller may know of
├── NoPage              404  the page that replays the game was not made
├── NotReady            409  it is being made
├── QueueUnavailable    503  background jobs cannot be handed to workers
├── BodyTimeout         408  the body of the request did not come in time
├── UnsupportedRules    409  the game's rules version is not one that this release can play
├── MadeByOtherCode     409  other code under the same number of the rules opened the game
└── Frozen              503  the game's history is damaged; a person must look at it
    └── AheadOfStore    503  this process has seen events that the store has lost
```
`RuleViolation` (409, or 422 for bad options) comes from the rules, `StoreUnavailable` and `StoreFull` (503) from the
store.
"""

from collections.abc import Sequence

from events.store import Entry


class ServiceError(Exception):
    """Any refusal of the service itself.

    Attributes:
        code: Stable word for programs.
        detail: One sentence for people.
    """

    code = "service_error"

    def __init__(self, detail: str) -> None:
        super().__init__(detail)
        self.detail = detail


class NoSuchGame(ServiceError):
    """There is no such game, or the caller may not know of it."""

    code = "no_such_game"


class NoSuchVersion(ServiceError):
    """The game has not come to this version or step."""

    code = "no_such_version"


class NoSuchAccount(ServiceError):
    """Nothing was posted to an account of this name, up to the version asked for."""

    code = "no_such_account"


class NoSuchSeat(ServiceError):
    """The seat is not taken."""

    code = "no_such_seat"


class NoSuchBoard(ServiceError):
    """There is no board or deck of this name and version."""

    code = "no_such_board"


class NoSuchText(ServiceError):
    """The game never had a typed-in text of this digest."""

    code = "no_such_text"


class Unauthorized(ServiceError):
    """A token is missing or wrong."""

    code = "unauthorized"


class Forbidden(ServiceError):
    """The token is valid, but not for this."""

    code = "forbidden"


class Stale(ServiceError):
    """The caller's state is not the current one.

    Attributes:
        etag: Tag of the current state.
        missed: What happened since the state that the caller named; empty when it named none of this game's.
    """

    code = "stale"

    def __init__(self, detail: str, etag: str, missed: Sequence[Entry]) -> None:
        super().__init__(detail)
        self.etag = etag
        self.missed = list(missed)


class NotRecordable(ServiceError):
    """What an action leads to could not be read back, so nothing of it was written."""

    code = "not_recordable"


class KeyReused(ServiceError):
    """The idempotency key came with another request before."""

    code = "idempotency_key_reused"


class Busy(ServiceError):
    """The game moved on during every attempt to decide."""

    code = "busy"


class NameTaken(ServiceError):
    """Someone at the table has this name, or one that looks like it."""

    code = "name_taken"


class NotForkable(ServiceError):
    """No game can go on from there."""

    code = "not_forkable"


class SecretKept(ServiceError):
    """The answer would show the future of a game."""

    code = "secret_kept"


class NotOver(ServiceError):
    """The game is not over."""

    code = "not_over"


class NoAudit(ServiceError):
    """The game was not audited yet."""

    code = "no_audit"


class NoSuchJob(ServiceError):
    """There is no such job, or the caller may not know of it."""

    code = "no_such_job"


class NoPage(ServiceError):
    """The page was not made."""

    code = "no_page"


class NotReady(ServiceError):
    """The page is being made.

    Attributes:
        status: Where the job is.
        done: Events done.
        total: Events in all; 0 while that is not known.
    """

    code = "page_not_ready"

    def __init__(self, detail: str, status: str, done: int, total: int) -> None:
        super().__init__(detail)
        self.status = status
        self.done = done
        self.total = total


class QueueUnavailable(ServiceError):
    """No job can be handed to a worker now."""

    code = "queue_unavailable"


class UnsupportedRules(ServiceError):
    """The game is played under rules that this release does not hold."""

    code = "unsupported_rules"


class MadeByOtherCode(ServiceError):
    """The game was opened by other code under the same number of the rules."""

    code = "made_by_other_code"


class Frozen(ServiceError):
    """The game takes no actions, since its history cannot be trusted."""

    code = "game_frozen"


class AheadOfStore(Frozen):
    """This process has seen events of the game that the store has lost."""


class BodyTimeout(ServiceError):
    """The body of a request did not come in time."""

    code = "body_timeout"
