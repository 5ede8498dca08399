"""The matrix of planted changes: what each verifier finds of each, over both games and without any signature."""

import io
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from functools import cache

from events import chain
from events.store import Head
from service.audit.bundle import BadBundle, verify_bundle, write
from service.rules import versions
from tests.golden.record import read
from tests.support.clocks import SetClock
from tests.support.events_planted import EVENTS
from tests.support.forged import Held, Json, change_at, leaves, written
from tests.support.lines_planted import LINES
from tests.support.played import empty, games_on, play, sit_down, start
from tests.support.social import lively
from tests.support.tampered import Case, case, second


class Stepping(SetClock):
    """A clock that goes on by ten milliseconds whenever it is read, so that every run plays the same games."""

    def now(self) -> int:
        self.at += 10
        return super().now()


def _finished() -> Case:
    return case(play(start(sit_down(games_on(empty(), clock=Stepping()), months=1))))


GAMES: dict[str, Callable[[], Case]] = {
    "Public Assistance": cache(_finished),
    "The Social Justice Game": cache(lambda: case(lively(empty(), seed=3, events=200, clock=Stepping()))),
}
FIELD_GAMES = ("four_presence", "four_leaving", "three_forked", "sj_eight", "sj_five_presidency", "sj_six_bankruptcy")
"""Recorded games in which nearly every type of event is; each is cut after the action that has the first one."""


@dataclass(frozen=True)
class Found:
    """What both verifiers make of a changed bundle.

    Attributes:
        ours: The check that names the cause; or `not verified`, `no bundle`, or empty for nothing.
        theirs: The same of docs/verify_bundle.py.
    """

    ours: str
    theirs: str


def found(bundle: bytes) -> Found:
    """Ask both."""
    return Found(_ours(bundle), _theirs(bundle))


def _ours(bundle: bytes) -> str:
    try:
        report = verify_bundle(io.BytesIO(bundle))
    except BadBundle:
        return "no bundle"
    if report.causes:
        return report.causes[0].check
    return "" if report.verdict == "verified" else report.verdict


def _theirs(bundle: bytes) -> str:
    try:
        faults = second().check(io.BytesIO(bundle)).faults
    except second().NoBundle:
        return "no bundle"
    return min(faults, key=lambda fault: fault[0])[1] if faults else ""


def bundle_of(whole: Case, entries: list[Json]) -> bytes:
    """Write the bundle of other events, with chain, tree and first line that fit them."""
    datas = [written(entry) for entry in entries]
    links = chain.links(chain.genesis(whole.game), datas)
    head = Head(len(datas), links[-1], sealed=entries[-1]["data"]["type"] == "secret_revealed")
    return b"".join(write(Held(whole.table, list(zip(datas, links, strict=True))), whole.game, head))


def of_lines(name: str, game: str) -> bytes:
    """The bundle of a game with changed lines."""
    whole = GAMES[game]()
    lines = bundle_of(whole, whole.plain()).splitlines(keepends=True)
    LINES[name](lines)
    return b"".join(lines)


def of_events(group: str, name: str, game: str) -> bytes:
    """The bundle of a game with changed events, with all made again that can be."""
    whole = GAMES[game]()
    entries = deepcopy(whole.plain())
    EVENTS[group][name](entries)
    return bundle_of(whole, entries)


@dataclass(frozen=True)
class Recorded:
    """The beginning of a recorded game, up to the end of an action."""

    game: str
    entries: list[Json]

    def bundle(self, entries: list[Json]) -> bytes:
        """Write it; what people typed is not there."""
        datas = [written(entry) for entry in entries]
        links = chain.links(chain.genesis(self.game), datas)
        head = Head(len(datas), links[-1], sealed=entries[-1]["data"]["type"] == "secret_revealed")
        table = GAMES["Public Assistance"]().table
        return b"".join(write(Held(table, list(zip(datas, links, strict=True))), self.game, head))


@cache
def _recorded(name: str) -> list[Json]:
    import json  # noqa: PLC0415 -- here alone

    entries: list[Json] = [json.loads(entry.data) for entry in read(name)]
    entries[0]["data"]["code"] = versions.fingerprint()
    return entries


@cache
def types() -> dict[str, tuple[str, int]]:
    """Each type of event of the recorded games → the game in which the first one is soonest, and its place."""
    places: dict[str, tuple[str, int]] = {}
    for name in FIELD_GAMES:
        for place, entry in enumerate(_recorded(name)):
            kind = entry["data"]["type"]
            if kind not in places or (place < places[kind][1] and name == places[kind][0]):
                places[kind] = (name, place)
    return dict(sorted(places.items()))


def fields_of(kind: str) -> Iterator[tuple[str, Found]]:
    """Change each field of the first event of a type, alone, with the chain made again."""
    name, place = types()[kind]
    entries = _recorded(name)
    action, end = entries[place]["action"], place
    while end < len(entries) and entries[end]["action"] == action:
        end += 1
    # Some events more, since many a change shows only in what comes of it.
    end = min(max(end + 30, 80), len(entries))
    begun = Recorded(entries[0]["data"]["game"], entries[:end])
    for path in leaves(entries[place]):
        entry = deepcopy(entries[place])
        change_at(entry, path)
        label = ".".join(str(step) for step in (path[1:] if path[0] == "data" else path) if not isinstance(step, int))
        yield label, found(begun.bundle([*entries[:place], entry, *entries[place + 1 : end]]))
