"""Erasing what people typed in: who wrote a text, which texts go, and what no erasure reaches.

No event is written and none is changed, so a sealed game is as good as another: chain, proofs, dice and books stay as
they are. The author of a text is the actor of the first event with its digest; later events may name it too, as by
taking an offer.
"""

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, TypeAlias

from events import codec
from events.base import Envelope, Event
from events.clocks import SeatRetaken
from events.lobby import SeatTaken
from events.store import Erased, Store, StreamDamaged
from service.errors import Forbidden, NoSuchText, Unauthorized
from service.games.games import Games
from service.games.loading import HISTORY
from service.games.permissions import seat_exists
from service.games.records import RequestContext
from service.games.texts import digests_in_bytes
from service.jobs import REWRITE_JOB, JobQueue

Rewrite: TypeAlias = Literal["started", "queued", "left"]
"""The rewrite of the store's file: started, to be started by a worker, or left to the operator of the store."""

NOT_REACHED = (
    "bundles, exports and answers that were fetched before, and what browsers and other programs keep of them",
    "backups of the data folder that were made before",
    "files of the store's replicas, until each is rewritten there",
    "files of a store for background jobs of its own, where pages that replay the game lay, until it rewrites them",
    "snapshots of a store that is set up to make them, until the next one, and keyframes made by other code than this",
)
"""What an erasure cannot reach; reported with every erasure."""


@dataclass(frozen=True, slots=True)
class Typed:
    """Where a text comes from.

    Attributes:
        seat: Who typed it in; 0 when that is not on the stream.
        action: Id of the action that it was typed into; empty when that is not on the stream.
    """

    seat: int = 0
    action: str = ""


@dataclass(frozen=True, slots=True)
class Erasure:
    """What was erased.

    Attributes:
        game: Id of the game.
        texts: Every text that was asked for, by its digest, with when it was erased and by whom: now or before.
    """

    game: str
    texts: Mapping[str, Erased]


def typed(store: Store, game: str) -> dict[str, Typed]:
    """Return for every text of a game, erased ones too, where it comes from.

    Raises:
        StreamDamaged: The stream has a hole, so that not all of it is read.
    """
    found = dict.fromkeys(sorted(store.sidecar.kept_texts(game) | set(store.sidecar.erased(game))), Typed())
    for entries in store.streams.stream(game):
        for entry in entries:
            named = [digest for digest in digests_in_bytes(entry.data) if digest in found and not found[digest].seat]
            if named:
                origin = _origin(entry.data)
                found.update((digest, Typed(origin.seat, found[digest].action or origin.action)) for digest in named)
    return found


def _origin(stored: bytes) -> Typed:
    """Return who caused an event; the actor of a seat that is being taken is not that seat yet."""
    try:
        envelope: Envelope[Event] = codec.decode(stored)
    except codec.DamagedEntry:
        return Typed()
    if isinstance(envelope.data, SeatTaken | SeatRetaken):
        return Typed(envelope.data.seat, envelope.action)
    kind, _, seat = envelope.actor.partition(":")
    return Typed(int(seat) if kind == "seat" and seat.isdigit() else 0, envelope.action)


def erase_own(games: Games, store: Store, game: str, seat: int, ask: RequestContext, *, text: str = "") -> Erasure:
    """Erase what a seat typed in, or one text of it, for the holder of the seat. A repeat changes nothing.

    Raises:
        NoSuchGame, Unauthorized: As `Games.enter`.
        NoSuchSeat: The seat is not taken.
        Forbidden: The seat, or the text, belongs to another seat.
        NoSuchText: The game never had such a text.
        StreamDamaged: The authors of the texts cannot be found.
    """
    caller = games.enter(game, ask).caller
    if caller.seat != seat:
        why_not = "Only the holder of a seat may erase what was typed in there."
        if not caller.given:
            raise Unauthorized(f"{why_not} Send its token as a bearer token.")
        with contextlib.suppress(*HISTORY):  # of a damaged game the seats are not known
            seat_exists(games.current(game).state, seat)
        raise Forbidden(why_not)
    found = typed(store, game)
    if text and _known(found, game, text).seat != seat:
        raise Forbidden("This was typed in at another seat.")
    chosen = [text] if text else [digest for digest, origin in found.items() if origin.seat == seat]
    return _erase(games, store, game, chosen, found, by=f"seat:{seat}")


def erase_seat(games: Games, store: Store, game: str, seat: int) -> Erasure:
    """Erase what was typed in at a seat, for the operator.

    Raises:
        StreamDamaged: The authors of the texts cannot be found.
    """
    found = typed(store, game)
    return _erase(games, store, game, (digest for digest, origin in found.items() if origin.seat == seat), found)


def erase_text(games: Games, store: Store, game: str, text: str) -> Erasure:
    """Erase one text, for the operator; of a damaged game too.

    Raises:
        NoSuchText: The game never had such a text.
    """
    found = _as_far_as_known(store, game)
    _known(found, game, text)
    return _erase(games, store, game, [text], found)


def erase_all(games: Games, store: Store, game: str) -> Erasure:
    """Erase every text of a game, for the operator; of a damaged game too."""
    found = _as_far_as_known(store, game)
    return _erase(games, store, game, found, found)


def _as_far_as_known(store: Store, game: str) -> dict[str, Typed]:
    try:
        return typed(store, game)
    except StreamDamaged:
        return dict.fromkeys(sorted(store.sidecar.kept_texts(game) | set(store.sidecar.erased(game))), Typed())


def _known(found: Mapping[str, Typed], game: str, text: str) -> Typed:
    if text not in found:
        raise NoSuchText(f"Game {game} has no text {text}.")
    return found[text]


def _erase(
    games: Games, store: Store, game: str, chosen: Iterable[str], found: Mapping[str, Typed], *, by: str = "operator"
) -> Erasure:
    digests = list(chosen)
    actions = sorted({found[digest].action for digest in digests} - {""})
    store.sidecar.erase_texts(game, digests, actions=actions, at=games.clock.now(), by=by)
    erased = store.sidecar.erased(game)
    return Erasure(game, {digest: erased[digest] for digest in digests})


def rewrite_soon(store: Store, game: str, jobs: JobQueue | None) -> Rewrite:
    """Start a rewrite of the store's file, without waiting; while another rewrite runs, a worker waits for that.

    Pages that replay the game are in that file, too: they are removed first (`service.replay.pages.forget_pages`).
    """
    started = store.sidecar.start_rewrite(game)
    if started == "running" and jobs is not None and jobs.enqueue(REWRITE_JOB, game):
        return "queued"
    return "started" if started == "started" else "left"
