"""The replay of a game, step by step: one step is one action with all events that came of it.

Step 1 is the game's creation; `state.steps` counts them. The cost of a page does not grow with the game: it begins at
the nearest keyframe. When the stream holds an event of a later release, everything before it is as always; from
there on steps have sentences, and neither postings nor state: see `Step.unknown`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

import msgspec

from events import chain, codec
from events.base import Envelope, Event, Json, Opaque
from events.forks import GameForked
from events.play import ActionTaken
from events.public_assistance.board import public_assistance_board
from events.store import StreamDamaged
from projections import evolve as fold
from projections.changes import Change, changes
from projections.evolve import AnyState, UnfitEvent, UnknownEvent
from projections.ledger.books import Books
from projections.ledger.chart import LedgerEntry
from projections.replay import BrokenChain, Replayed
from projections.rules_in_force import HANDLERS
from projections.timeline.lines import board_of, card_texts, say
from projections.timeline.scene import AnyBoard
from service.errors import Frozen, NoSuchVersion
from service.games.loading import Loader, damaged
from service.games.texts import digests_in

TROUBLES = (Frozen, StreamDamaged, UnfitEvent, codec.DamagedEntry)
"""Errors that end a reader at the last good step."""

VOTES = tuple(HANDLERS)
"""Events of politics: proposals, ballots, rules, presidencies."""

CREATION = "create"
"""Name of the first step, which is no action of a seat."""

FORK = "fork"
"""Name of the step with which a fork leaves its parent."""


@dataclass(frozen=True, slots=True)
class Step:
    """One action and what came of it.

    Attributes:
        number: From 1; step 1 is the game's creation.
        first: Version of its first event.
        last: Version of its last event: the cursor after it.
        turn: Turn that it began in; 0 before the first.
        at: When it was recorded (UTC, ms).
        actor: Who caused it, as in the envelope.
        name: The action's name.
        seat: Who acted; 0 for the host, the clock or the system.
        prompt: Prompt that it answers; empty for none.
        asked: Whose prompt that is, also when the clock answers it by its default; 0 for none.
        params: Its other parameters.
        lines: One sentence for each event.
        entries: What it did to the books.
        envelopes: Its events.
        unknown: Wire name of the first event, here or before, of a type that this release does not know; else empty.
    """

    number: int
    first: int
    last: int
    turn: int
    at: int
    actor: str
    name: str
    seat: int
    prompt: str
    asked: int
    params: Mapping[str, Json]
    lines: list[str]
    entries: list[LedgerEntry]
    envelopes: list[Envelope[Event]]
    unknown: str = ""

    @property
    def kinds(self) -> list[str]:
        """Wire name of each event, one for each line."""
        return [kind_of(envelope.data) for envelope in self.envelopes]

    @property
    def votes(self) -> list[Envelope[Event]]:
        """What was proposed, voted, adopted, declared or elected."""
        return [envelope for envelope in self.envelopes if isinstance(envelope.data, VOTES)]


@dataclass(frozen=True, slots=True)
class StepView:
    """A step with the game as it was right after it; None for what cannot be known (`step.unknown`).

    Attributes:
        step: The step.
        state: The game.
        books: The ledger.
        changes: What leads to that state from the one that it is compared with.
    """

    step: Step
    state: AnyState | None
    books: Books | None
    changes: list[Change] | None = None


def page(loader: Loader, game: str, *, after: int, limit: int, upto: int) -> list[Step]:
    """List whole steps in order.

    Args:
        loader: Reads games.
        game: Id of the game.
        after: Version after which to begin: 0, or `last` of a step; inside a step, that step is left out.
        limit: Most steps.
        upto: Version that the steps end by; one that goes on beyond it is left out.

    Raises:
        NoSuchVersion: `after` is beyond the end of the stream.
        Frozen, UnfitEvent, DamagedEntry: The very next step is damaged; before it, a page ends at the last good one.
    """
    if after >= upto:
        return []
    reader = StepReader(loader, game, start_at(loader, game, after))
    found: list[Step] = []
    try:
        found.extend(islice((step for step in reader.steps(upto=upto) if step.first > after), limit))
    except TROUBLES:
        if not found:
            raise
    return found


def one(loader: Loader, game: str, number: int, *, since: int | None = None) -> StepView:
    """Return a step, state and books after it, and what changed.

    Args:
        loader: Reads games.
        game: Id of the game.
        number: Of the step.
        since: Step after which the state is compared, before or after this one; 0 for none, by default the one before.

    Raises:
        NoSuchVersion: The game has not come to this step.
        Frozen: The stream is damaged.
    """
    since = number - 1 if since is None else since
    before: Json = None
    if since not in (0, number - 1):
        before = _plain(_after(loader, game, since)[0].state)
    view, just_before = _after(loader, game, number)
    if since == number - 1:
        before = just_before
    after = _plain(view.state)
    known = after is not None and (before is not None or not since)
    return replace(view, changes=list(changes(before, after)) if known else None)


def _after(loader: Loader, game: str, number: int) -> tuple[StepView, Json]:
    """Return a step with state and books right after it, and the state right before it."""
    head = loader.head(game)
    if number >= 1 and head is not None:
        reader = StepReader(loader, game, _before(loader, game, max(1, number - 1), head.version))
        before: Json = None
        for step in reader.steps(upto=head.version):
            known = not step.unknown
            if step.number == number:
                return StepView(step, reader.state if known else None, reader.books if known else None), before
            before = _plain(reader.state) if known and step.number == number - 1 else None
    raise NoSuchVersion(f"Game {game} has no step {number}.")


def _plain(state: AnyState | None) -> Json:
    """Return a state as plain JSON."""
    plain: Json = msgspec.json.decode(msgspec.json.encode(state))
    return plain


def kind_of(event: Event) -> str:
    """Return an event's wire name."""
    return event.name if isinstance(event, Opaque) else str(event.__struct_config__.tag)


def start_at(loader: Loader, game: str, version: int) -> Replayed:
    """Return the game at a version, or before an unknown event that comes earlier."""
    try:
        return loader.at(game, version)
    except UnknownEvent as unknown:
        return loader.at(game, unknown.version - 1)


def _before(loader: Loader, game: str, number: int, head: int) -> Replayed:
    """Return the game at the newest keyframe before a step, else at the beginning."""
    start = loader.at(game, loader.frame_before_step(game, number, head=head))
    return start if start.state is None or start.state.steps < number else loader.at(game, 0)


@dataclass
class _Words:
    """What the sentences of one game refer to."""

    loader: Loader
    game: str
    names: dict[int, str] = field(default_factory=dict)
    seats: dict[int, str] = field(default_factory=dict)
    board: AnyBoard = field(default_factory=public_assistance_board)
    cards: Mapping[str, str] = field(default_factory=dict)

    def learn(self, state: AnyState) -> None:
        """Update the names of seats; a seat that was given up keeps its name until it is taken again."""
        if not self.cards:
            self.cards = card_texts(state.pins)
            self.board = board_of(state.pins)
        seats = {seat: sitter.name for seat, sitter in state.seats.items()}
        if seats != self.seats:
            self.seats = seats
            self.names.update(self.loader.names_of(state))

    def line(self, envelope: Envelope[Event]) -> str:
        texts = self.loader.texts(self.game, digests_in(envelope.data))
        return say(envelope, self.names, self.board, self.cards, texts)


class StepReader:
    """Reads a game from a version on, step by step; state and books are always those after the last step.

    Args:
        loader: Reads games.
        game: Id of the game.
        start: Where it begins; it is changed in place.
    """

    def __init__(self, loader: Loader, game: str, start: Replayed) -> None:
        self.state = start.state
        self.books = start.books
        self._loader = loader
        self._game = game
        self._link = start.link
        self.number = start.state.steps if start.state else 0
        self._unknown = ""
        self._words = _Words(loader, game)
        if start.state:
            self._words.learn(start.state)

    def steps(self, *, upto: int) -> Iterator[Step]:
        """Yield the steps that begin after the start and end by a version."""
        start = self.books.version
        before = self._loader.read(self._game, after=start - 1, count=1) if start else []
        action = codec.decode(before[0].data).action if before else ""
        group: list[Envelope[Event]] = []
        for envelope in self._envelopes(start, upto):
            if envelope.action != action and group:
                yield self._step(group)
                group = []
            if envelope.action != action or group:
                action = envelope.action
                group.append(envelope)
            else:  # the rest of a step that began before the start
                self._fold(envelope)
        beyond = self._loader.read(self._game, after=upto, count=1) if group else []
        if group and (not beyond or codec.decode(beyond[0].data).action != action):
            yield self._step(group)

    def _envelopes(self, after: int, upto: int) -> Iterator[Envelope[Event]]:
        for batch in self._loader.stream(self._game, after=after, upto=upto):
            for entry in batch:
                after += 1
                self._link = chain.link(self._link, entry.data)
                if self._link != entry.link:
                    raise damaged(self._game, BrokenChain(after))
                yield codec.decode(entry.data)

    def _step(self, group: list[Envelope[Event]]) -> Step:
        """Fold a step's events and write their sentences."""
        self.number += 1
        first, event = group[0], group[0].data
        action = event if isinstance(event, ActionTaken) else None
        asked = self.state.prompts.get(action.prompt) if self.state and action else None
        lines, entries = [], []
        for envelope in group:
            entry = self._fold(envelope)
            lines.append(self._words.line(envelope))
            if entry:
                entries.append(entry)
        return Step(
            number=self.number,
            first=first.version,
            last=group[-1].version,
            turn=first.turn,
            at=first.at,
            actor=first.actor,
            name=action.name if action else FORK if isinstance(event, GameForked) else CREATION,
            seat=action.seat if action else 0,
            prompt=action.prompt if action else "",
            asked=asked.seat if asked else 0,
            params=action.params if action else {},
            lines=lines,
            entries=entries,
            envelopes=group,
            unknown=self._unknown,
        )

    def _fold(self, envelope: Envelope[Event]) -> LedgerEntry | None:
        """Fold an event into state and books, unless an unknown event came before it."""
        if self._unknown:
            return None
        try:
            self.state = fold.advance(self.state, envelope)
        except UnknownEvent as unknown:
            self._unknown = unknown.name
            return None
        self._words.learn(self.state)
        return self.books.post(envelope)
