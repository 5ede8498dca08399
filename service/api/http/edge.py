"""What every request passes before anything else, and what every answer carries.

The gate counts the requests in flight and how fast they come, for this process, for each game, address and token, and
refuses those beyond the limits (`service.limits`).

Pages from elsewhere may do what the origins of CORS allow. No cookies: tokens are bearer tokens.

Every answer under a game names the game's head: `Rollbook-Head: <version> <chain link in hex>`. Anyone who keeps
these lines can hold them against a checkpoint later. A private game's head is shown only to a caller who may know of
the game.
"""

import contextlib
import gzip
import ipaddress
import math
import re
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import wraps
from typing import Any, cast

from flask import Flask, Request, Response, current_app, request
from werkzeug.wsgi import ClosingIterator

from events.store import StoreError
from service.api.http.answers import JSON
from service.api.http.context import reader
from service.api.http.problems import Problem, respond
from service.games.games import Games
from service.limits import Limits

ALLOWED_HEADERS = "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID"
EXPOSED_HEADERS = "ETag, Idempotency-Hit, Location, Retry-After, Rollbook-Head"
PREFLIGHT_SECONDS = 600
POLICY = "default-src 'none'; frame-ancestors 'none'"
HEAD = "Rollbook-Head"
LONG = 2048  # bytes of JSON above which compressing is worth it
GZIP_LEVEL = 5
PATIENCE = 5.0
"""Seconds for which a heavy read waits its turn."""
SECONDS = 10
"""Of a limit of requests by time."""
HEALTH = frozenset({"/healthz", "/readyz"})
"""Paths that are answered however much there is to do."""
GAMES = "/v1/games/"
WORDS = {
    "requests": "requests in flight",
    "streams": "live streams",
    "polls": "requests waiting for events",
    "connections": "connections",
}
"""Kinds of what is counted, in words."""
WHOSE = {"game": " for this game", "address": " from this address", "token": " with this token"}
_HOST = re.compile(r"[\w.~%!$&'()*+;=:\[\]-]*", re.ASCII)


class Crowd:
    """All that is in flight of one kind: counted for the process, and for each game, address and token.

    Args:
        kind: One of `WORDS`.
        limits: The most of each.
    """

    def __init__(self, kind: str, limits: Limits) -> None:
        self.kind = kind
        self.most = limits.of(kind)
        self._lock = threading.Lock()
        self._counts: Counter[tuple[str, str]] = Counter()

    def enter(self, owners: Iterable[tuple[str, str]]) -> None:
        """Count one more for each owner.

        Raises:
            Problem: One of them has as many as it may; nothing was counted.
        """
        with self._lock:
            for owner in owners:
                if self._counts[owner] >= self.most[owner[0]]:
                    raise _crowded(self.kind, owner[0])
            for owner in owners:
                self._counts[owner] += 1

    def leave(self, owners: Iterable[tuple[str, str]]) -> None:
        """Count one less for each owner."""
        with self._lock:
            for owner in owners:
                self._counts[owner] -= 1
                if not self._counts[owner]:
                    del self._counts[owner]

    @property
    def used(self) -> int:
        """How many there are in this process."""
        return self._counts["process", ""]


def _crowded(kind: str, scope: str) -> Problem:
    detail = f"There are as many {WORDS[kind]}{WHOSE.get(scope, '')} as this process takes; send it again."
    if scope in ("address", "token"):
        return Problem("too_many_requests", detail, headers={"Retry-After": "1"})
    return Problem("too_many_watchers" if kind in ("streams", "polls") else "overloaded", detail)


class Rates:
    """How many requests came in the last ten seconds: those of this window, and a share of those of the last one.

    Whole windows are thrown away, so that a request costs the same however many others there were. The memory storage
    of the library `limits` looks through all it has every hundredth of a second: with 20,000 tokens, which anyone can
    make up, this takes a quarter of a process's time.

    Args:
        most: Of each scope; 0 for any number.
    """

    def __init__(self, most: dict[str, int]) -> None:
        self.most = most
        self._lock = threading.Lock()
        self._window = 0
        self._now: Counter[tuple[str, str]] = Counter()
        self._before: Counter[tuple[str, str]] = Counter()

    def wait(self, owner: tuple[str, str], most: int) -> int:
        """Count a request; return 0, or in how many seconds another one may come, and count none."""
        at = time.monotonic() / SECONDS
        window, left = int(at), 1 - at % 1
        with self._lock:
            if window != self._window:
                self._before = self._now if window == self._window + 1 else Counter()
                self._now, self._window = Counter(), window
            if self._before[owner] * left + self._now[owner] >= most:
                return math.ceil(left * SECONDS)
            self._now[owner] += 1
            return 0


class Place:
    """What one request is counted as, from its beginning until its answer was sent."""

    def __init__(self, crowds: dict[str, Crowd], owners: list[tuple[str, str]]) -> None:
        self._crowds = crowds
        self._owners = owners
        self._crowd: Crowd | None = crowds["requests"]
        self._crowd.enter(owners)

    def become(self, kind: str) -> None:
        """Count the request as of another kind from now on.

        Raises:
            Problem: There are as many of it as there may be.
        """
        self._crowds[kind].enter(self._owners)
        self.leave()
        self._crowd = self._crowds[kind]

    def leave(self) -> None:
        """Count the request no more."""
        if self._crowd is not None:
            self._crowd.leave(self._owners)
            self._crowd = None


class Gate:
    """Stands before an application and lets in what the limits allow.

    Args:
        app: The WSGI application.
        limits: The limits.

    Attributes:
        crowds: What is in flight, by kind.
        heavy: Permits for reads of a whole game.
    """

    def __init__(self, app: Callable[..., Iterable[bytes]], limits: Limits) -> None:
        self.limits = limits
        self.crowds = {kind: Crowd(kind, limits) for kind in WORDS}
        self.heavy = threading.BoundedSemaphore(limits.heavy)
        self._app = app
        self._rates = Rates({"address": limits.rate_per_address, "token": limits.rate_per_token})

    def __call__(self, environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
        """Pass a request on, or refuse it."""
        if environ["PATH_INFO"] in HEALTH:
            return self._app(environ, start_response)
        owners = list(_owners(environ))
        try:
            self._hurry(owners)
            place = Place(self.crowds, owners)
        except Problem as problem:
            return respond(problem)(environ, start_response)
        environ["rollbook.place"] = place
        try:
            return ClosingIterator(self._app(environ, start_response), place.leave)
        except BaseException:
            place.leave()
            raise

    def connect(self, address: str) -> bytes:
        """Count a connection from an address, empty if unknown; return nothing, or the answer to one not served."""
        try:
            self.crowds["connections"].enter(_ends(address))
        except Problem as problem:
            refused = respond(problem)
            refused.headers["Connection"] = "close"
            head = "".join(f"{name}: {value}\r\n" for name, value in refused.headers)
            return f"HTTP/1.1 {refused.status}\r\n{head}\r\n".encode("latin-1") + refused.get_data()
        return b""

    def disconnect(self, address: str) -> None:
        """Count a connection from an address no more."""
        self.crowds["connections"].leave(_ends(address))

    def use(self) -> dict[str, dict[str, int]]:
        """Return how much of each kind there is in this process, and the limit."""
        return {kind: {"used": crowd.used, "limit": crowd.most["process"]} for kind, crowd in self.crowds.items()}

    def _hurry(self, owners: list[tuple[str, str]]) -> None:
        """Count requests by time.

        Raises:
            Problem: They come too fast.
        """
        for owner in owners:
            most = self._rates.most.get(owner[0])
            if most and (wait := self._rates.wait(owner, most)):
                detail = f"There were {most:,} requests{WHOSE[owner[0]]} in {SECONDS} seconds; wait a little."
                raise Problem("too_many_requests", detail, headers={"Retry-After": str(wait)})


def _owners(environ: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield for whom a request counts: scope and name."""
    yield "process", ""
    yield "address", _network(environ.get("REMOTE_ADDR", ""))
    path: str = environ["PATH_INFO"]
    if path.startswith(GAMES):
        yield "game", path[len(GAMES) :].partition("/")[0]
    # However it is written: what comes last is the token. Of one that was made up nothing long is kept.
    if words := environ.get("HTTP_AUTHORIZATION", "").split():
        yield "token", str(hash(words[-1]))


def _ends(address: str) -> list[tuple[str, str]]:
    """Return for whom a connection counts: scope and name."""
    return [("process", "")] + ([("address", _network(address))] if address else [])


def _network(address: str) -> str:
    """Return what counts as one address: of IPv6 the network of 64 bits, all of which one person has."""
    if ":" in address:
        with contextlib.suppress(ValueError):
            whole = ipaddress.IPv6Address(address.partition("%")[0])
            # As a socket for both shows it: each of these is another caller's.
            if whole.ipv4_mapped:
                return str(whole.ipv4_mapped)
            return str(ipaddress.IPv6Network((whole, 64), strict=False))
    return address


def become(kind: str) -> None:
    """Count the current request as a live stream (`streams`) or as one that waits for events (`polls`).

    Raises:
        Problem: There are as many of it as there may be.
    """
    request.environ["rollbook.place"].become(kind)


def heavy(view: Callable[..., Response]) -> Callable[..., Response]:
    """Wrap a view so that few of its answers are made at a time; the next waits its turn, but not for long."""

    @wraps(view)
    def called(*args: Any, **named: Any) -> Response:
        permits = gate().heavy
        if not permits.acquire(timeout=PATIENCE):
            raise Problem("overloaded", "Others read whole games just now; send it again.")
        try:
            return view(*args, **named)
        finally:
            permits.release()

    return called


def gate() -> Gate:
    """Return the gate before this application."""
    return cast("Gate", current_app.extensions["rollbook.gate"])


def register(app: Flask, *, origins: Collection[str], limits: Limits) -> None:
    """Set up the gate, check every request's host, and put headers on every answer.

    Args:
        app: The application.
        origins: Pages of these may read the answers; `*` for all.
        limits: What the gate lets in.
    """
    app.extensions["rollbook.gate"] = gate = Gate(app.wsgi_app, limits)
    app.wsgi_app = gate  # type: ignore[method-assign] # Flask's own way to put something before it

    @app.before_request
    def check_host() -> None:
        # RFC 9112, 3.2: a request of HTTP/1.1 has one, and no request has two; gunicorn puts a comma between them.
        host = request.environ.get("HTTP_HOST")
        missing = host is None and request.environ.get("SERVER_PROTOCOL") == "HTTP/1.1"
        if missing or not _HOST.fullmatch(host or ""):
            raise Problem("bad_request", "A request names its host once, in the header Host.")

    @app.after_request
    def complete(response: Response) -> Response:
        # Once, as in `context.ask`.
        sent: Request = cast("Any", request)._get_current_object()
        _compress(sent, response)
        game = (sent.view_args or {}).get("game")
        games = app.extensions["rollbook"].games
        if game is not None and sent.method != "OPTIONS" and (head := _head(games, game, response)):
            response.headers.add(HEAD, head)
        response.headers.setdefault("Content-Security-Policy", POLICY)
        response.headers["X-Content-Type-Options"] = "nosniff"
        response.headers["Referrer-Policy"] = "no-referrer"
        if origins:
            _share(sent, response, origins)
        return response


def _head(games: Games, game: str, response: Response) -> str:
    """Return the head line; empty where there is none to show."""
    loaded = games.loader.cached(game)
    if loaded is not None:
        state = loaded.state
        known = not state.private or games.gate.identify(reader(), loaded.tokens).knows_game
        return f"{state.version} {loaded.link.hex()}" if known else ""
    if response.status_code >= 400:
        return ""
    # A game that cannot be folded to its end has its head in the store; the view has let the caller in.
    with contextlib.suppress(StoreError):
        if head := games.loader.head(game):
            return f"{head.version} {head.link.hex()}"
    return ""


def _compress(sent: Request, response: Response) -> None:
    """Compress a long JSON answer on request. Not one with a token: its length would tell about what is in it."""
    if response.is_streamed or response.mimetype != JSON or "no-store" in response.headers.get("Cache-Control", ""):
        return
    data = response.get_data()
    if len(data) <= LONG:
        return
    response.vary.add("Accept-Encoding")
    if sent.accept_encodings["gzip"] > 0:
        response.set_data(gzip.compress(data, GZIP_LEVEL, mtime=0))
        response.headers["Content-Encoding"] = "gzip"


def _share(sent: Request, response: Response, origins: Collection[str]) -> None:
    """Allow pages of these origins to read an answer."""
    everywhere = "*" in origins
    if not everywhere:
        response.vary.add("Origin")
    origin = sent.headers.get("Origin")
    if origin is None or not (everywhere or origin in origins):
        return
    response.headers["Access-Control-Allow-Origin"] = "*" if everywhere else origin
    response.headers["Access-Control-Expose-Headers"] = EXPOSED_HEADERS
    if sent.method == "OPTIONS" and "Access-Control-Request-Method" in sent.headers:
        response.headers["Access-Control-Allow-Methods"] = response.headers.get("Allow", "")
        response.headers["Access-Control-Allow-Headers"] = ALLOWED_HEADERS
        response.headers["Access-Control-Max-Age"] = str(PREFLIGHT_SECONDS)
