"""The page itself: one HTML file with everything in it, that requests nothing from anywhere.

Its own script and style are the only ones that run: the policy in the page names them by their hashes. What people
typed stands in it as data alone, and is shown as text alone.
"""

import html
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from importlib.resources import files
from typing import Any

import msgspec

from events.base import Json
from events.clocks import SeatRetaken
from events.lobby import SeatTaken
from projections.changes import changes
from projections.timeline.layout import spots
from projections.timeline.lines import board_of
from service.games.loading import Loader
from service.games.texts import digests_in
from service.replay.steps import TROUBLES, Step, StepReader

Progress = Callable[[int, int], None]
"""Called with events done and events in all."""


def _file(name: str) -> str:
    return files("service.replay").joinpath("page_files", name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


SCRIPT, STYLE, PAGE = _file("page.js"), _file("page.css"), _file("page.html")
ALONE = "default-src 'none'; base-uri 'none'; form-action 'none'"
POLICY = f"{ALONE}; script-src {_hash(SCRIPT)}; style-src {_hash(STYLE)}"

"""The page's Content-Security-Policy: it may only run its own script."""


def write_page(
    loader: Loader, game: str, *, upto: int, verification: Mapping[str, Any], progress: Progress | None = None
) -> Iterator[bytes]:
    """Write the page of a game up to a version, piece by piece; up to the last good step, if one is damaged.

    Args:
        loader: Reads games.
        game: Id of the game.
        upto: Version of its last event.
        verification: What a verification of it came to, as the API answers it.
        progress: Called after each step.
    """
    head, _, tail = PAGE.partition("{{game}}")
    filled = {"policy": html.escape(POLICY), "style": STYLE, "script": SCRIPT, "title": html.escape(game)}
    for name, text in filled.items():
        head, tail = head.replace(f"{{{{{name}}}}}", text), tail.replace(f"{{{{{name}}}}}", text)
    yield head.encode()
    yield from _data(loader, game, upto, verification, progress)
    yield tail.encode()


def _data(
    loader: Loader, game: str, upto: int, verification: Mapping[str, Any], progress: Progress | None
) -> Iterator[bytes]:
    """Yield the game as JSON that is safe within a script element."""
    reader = StepReader(loader, game, loader.at(game, 0))
    before: Json = None
    digests: dict[str, None] = {}
    yield b'{"game":' + _json(game) + b',"upto":' + _json(upto) + b',"steps":['
    try:
        for step in reader.steps(upto=upto):
            after: Json = msgspec.json.decode(msgspec.json.encode(reader.state)) if not step.unknown else before
            yield (b"," if step.number > 1 else b"") + _json(_step(step, before, after))
            before = after
            digests.update(dict.fromkeys(_typed(step)))
            if progress:
                progress(step.last, upto)
    except TROUBLES:  # the page ends at the last good step
        pass
    texts = loader.texts(game, list(digests))
    board = spots(board_of(reader.state.pins)) if reader.state else []
    yield b'],"verification":' + _json(verification)
    yield b',"texts":' + _json(texts) + b',"spots":' + _json(board) + b"}"


def _json(value: Any) -> bytes:
    return msgspec.json.encode(value).replace(b"<", b"\\u003c").replace(b">", b"\\u003e").replace(b"&", b"\\u0026")


def _step(step: Step, before: Json, after: Json) -> dict[str, Any]:
    return {
        "n": step.number,
        "turn": step.turn,
        "at": step.at,
        "actor": step.actor,
        "name": step.name,
        "seat": step.seat,
        "lines": step.lines,
        "entries": [
            {"reason": entry.reason, "rule": entry.rule, "postings": [[p.account, p.amount] for p in entry.postings]}
            for entry in step.entries
        ],
        "votes": [envelope.data for envelope in step.votes],
        "changes": [[one.op, one.path, one.before, one.value] for one in changes(before, after)],
        "unknown": step.unknown,
    }


def _typed(step: Step) -> Iterator[str]:
    """List the digests of what people typed in a step, names too."""
    for envelope in step.envelopes:
        yield from digests_in(envelope.data)
        name = getattr(envelope.data, "name", "") if isinstance(envelope.data, SeatTaken | SeatRetaken) else ""
        if name:
            yield name
