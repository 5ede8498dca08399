"""The one pass over a stream that verifies it, in batches, so that a game of any length fits into memory.

Nothing here raises on bad data. After an entry that cannot be read or does not fit the game, bytes and chain are
checked to the end, and what needs the game's state is not: the report says from where on.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any

from events import chain, codec
from events.base import Envelope, Event, Opaque
from events.boards import pin
from events.clocks import SeatRetaken
from events.lobby import GameCreated, NonceOpened, SeatTaken, SecretRevealed
from events.play import ActionTaken
from events.store import Entry, EventStore, Head, StoreError, StreamDamaged
from projections import game as fold
from projections import ledger_check
from projections.debts import debts_of
from projections.game import AnyState
from projections.ledger import Books
from projections.state import GameState, PublicAssistanceState
from projections.state_social_justice import SocialJusticeState
from service.verify.canonical import oddities
from service.verify.draws import Draws
from service.verify.draws_social_justice import SocialJusticeDraws
from service.verify.facts import claims
from service.verify.fairness import Fairness, check_nonce
from service.verify.report import Findings, Report

Progress = Callable[[int, int], None]
"""Called with events done and events in all."""

BATCH = 300
"""Events between two reads, in which nobody else in the process is served: 10 to 20 ms of work."""


def verify(store: EventStore, game: str, *, progress: Progress | None = None) -> Report:
    """Check everything about a game's history that its bytes can show.

    Raises:
        StoreError: The store does not answer. Bad data is a finding, never an exception.
    """
    findings = Findings()
    head = store.head(game)
    if head is None:
        findings.add(0, "stream", "a stream of this game", "none")
        return Report(game, 0, "", sealed=False, findings=findings.kept, checks=[])
    audit = _Audit(store, game, head, findings, Fairness(game, _secret(store, game, head), findings))
    while batch := audit.read():
        for entry in batch:
            audit.take(entry)
        if progress:
            progress(audit.version, head.version)
    audit.end()
    if findings.left_out:
        findings.kept.append(type(findings.kept[0])(0, "findings", "a list of all", f"{findings.left_out:,} more"))
    return Report(game, audit.version, audit.link.hex(), head.sealed, findings.kept, audit.sentences())


def _secret(store: EventStore, game: str, head: Head) -> bytes | None:
    """Look for the secret where a finished game has it: in the last event."""
    try:
        last = store.read(game, after=head.version - 1, count=1) if head.version else []
        event = codec.decode(last[0].data).data if last else None
        return bytes.fromhex(event.secret) if isinstance(event, SecretRevealed) else None
    except (StreamDamaged, codec.DamagedEntry):
        return None


@dataclass
class _Audit:
    """Where the pass stands. It ends at the head that the game had when it began: a running game goes on meanwhile."""

    store: EventStore
    game: str
    head: Head
    findings: Findings
    fairness: Fairness
    version: int = 0
    link: bytes = b""
    at: int = 0
    action: str = ""
    actor: str = ""
    state: AnyState | None = None
    books: Books = field(default_factory=Books)
    draws: Mapping[type[GameState], Draws | SocialJusticeDraws] = field(
        default_factory=lambda: {PublicAssistanceState: Draws(), SocialJusticeState: SocialJusticeDraws()}
    )
    wrong: frozenset[str] = frozenset()
    lost: str = ""
    revealed: bool = False

    def __post_init__(self) -> None:
        self.link = chain.genesis(self.game)

    def read(self) -> list[Entry]:
        """Read on; at a hole, read up to it."""
        try:
            return self.store.read(self.game, after=self.version, upto=self.head.version, count=BATCH)
        except StreamDamaged:
            return self._up_to_hole()

    def _up_to_hole(self) -> list[Entry]:
        entries: list[Entry] = []
        while len(entries) < BATCH:
            one = self.store.read(self.game, after=self.version + len(entries), upto=self.head.version, count=1)
            if not one:
                break
            entries += one
        if not entries:
            self.findings.add(self.version + 1, "gapless", f"version {self.version + 1}", "nothing, and entries after")
        return entries

    def take(self, entry: Entry) -> None:
        """Check one entry."""
        self.version += 1
        computed = chain.link(self.link, entry.data)
        if computed != entry.link:
            self.findings.add(self.version, "chain", computed.hex(), entry.link.hex())
        self.link = entry.link  # so that one changed entry is one finding
        try:
            envelope = codec.decode(entry.data)
        except codec.DamagedEntry as error:
            self.findings.add(self.version, "readable", "an event", str(error))
            self._lose("it cannot be read")
            return
        for odd in oddities(entry.data, envelope):
            self.findings.add(self.version, "canonical", "canonical JSON", odd)
        self._check_envelope(envelope)
        if not self.lost:
            self._happen(envelope)

    def _check_envelope(self, envelope: Envelope[Event]) -> None:
        event, add = envelope.data, self.findings.add
        if envelope.version != self.version:
            add(self.version, "gapless", f"version {self.version}", envelope.version)
            self._lose("versions have a gap")
        if envelope.at < self.at:
            add(self.version, "time", f"a time from {self.at} on", envelope.at)
        begins = envelope.action != self.action
        if begins != isinstance(event, ActionTaken | GameCreated):
            add(self.version, "action", "an action begun by action_taken, and only by it", type(event).__name__)
        elif not begins and self.version > 1 and envelope.at != self.at:
            add(self.version, "time", f"the time of its action, {self.at}", envelope.at)
        self._check_actor(envelope, begins=begins)
        if self.revealed:
            add(self.version, "end", "nothing behind the revealed secret", type(event).__name__)
        self.at, self.action = max(self.at, envelope.at), envelope.action
        self.revealed = self.revealed or isinstance(event, SecretRevealed)
        self._check_place(event)

    def _check_actor(self, envelope: Envelope[Event], *, begins: bool) -> None:
        """See that one actor causes a whole action; the secret is revealed by the system."""
        expected = envelope.actor if begins else self.actor
        if isinstance(envelope.data, SecretRevealed):
            expected = "system"
        if envelope.actor != expected:
            self.findings.add(self.version, "action", f"the actor {expected}", envelope.actor)
        self.actor = envelope.actor

    def _check_place(self, event: Event) -> None:
        if isinstance(event, GameCreated) != (self.version == 1):
            what = type(event).__name__
            self.findings.add(self.version, "creation", "game_created as the first event and nowhere else", what)
            self._lose("the game was not created there")
        elif isinstance(event, GameCreated):
            self._check_creation(event)

    def _check_creation(self, event: GameCreated) -> None:
        if event.game != self.game:
            self.findings.add(1, "creation", f"game {self.game}", f"game {event.game}")
        for pinned in event.pins:
            try:
                digest = pin(pinned.name, pinned.version).sha256
            except (OSError, ValueError):
                digest = "of a data file of this release"
            self.findings.compare(1, "data", [(f"{pinned.name} v{pinned.version}", digest, pinned.sha256)])
        self.fairness.commit(event.commitment)

    def _happen(self, envelope: Envelope[Event]) -> None:
        """Let the event happen to game and books, and check what can be checked before and after."""
        if isinstance(envelope.data, Opaque):
            self.findings.add(self.version, "known", "an event type of this release", envelope.data.name)
            self._lose("its type is not known")
            return
        try:
            if self.state is not None:
                self._before(self.state, envelope)
            self.state = fold.advance(self.state, envelope)
            self.books.fold(envelope)
        except StoreError:
            raise
        except Exception as error:  # whatever bad data makes of the code that folds good data
            self.findings.add(self.version, "fold", "an event that fits the game", f"{type(error).__name__}: {error}")
            self._lose("it does not fit the game")
            return
        self._after(self.state, envelope)

    def _before(self, state: AnyState, envelope: Envelope[Event]) -> None:
        if isinstance(envelope.data, NonceOpened):
            check_nonce(self.store, state, envelope, self.findings)  # type: ignore[arg-type] # its data was looked at
        self.findings.compare(self.version, "facts", claims(state, self.books, envelope))
        draws: Any = self.draws[type(state)]
        self.findings.compare(self.version, "facts", draws.claims(state, envelope))
        draws.happen(state, envelope)
        self.fairness.check(state, envelope)

    def _after(self, state: AnyState, envelope: Envelope[Event]) -> None:
        if envelope.turn != state.turn:
            self.findings.add(self.version, "facts", f"turn {state.turn} in the envelope", envelope.turn)
        if isinstance(envelope.data, SeatTaken | SeatRetaken) and envelope.data.name:
            self._check_text(envelope.data.name)
        wrong = frozenset(ledger_check.check(self.books, state.cash, debts_of(state)))
        for sentence in sorted(wrong - self.wrong):
            self.findings.add(self.version, "books", "balanced books that agree with the game", sentence)
        self.wrong = wrong

    def _check_text(self, digest: str) -> None:
        """See that a text beside the stream, while it is kept, is the one that the event has the digest of."""
        record = self.store.texts(self.game, [digest]).get(digest)
        if record is not None:
            self.findings.compare(self.version, "text", [("a text of digest", digest, sha256(record).hexdigest())])

    def _lose(self, why: str) -> None:
        self.lost = self.lost or f"up to event {self.version}, where {why}"

    def end(self) -> None:
        """Compare the end of the stream with the head record, as it was and as it is now."""
        pairs: list[tuple[str, object, object]] = [
            ("a head record of version", self.version, self.head.version),
            ("a head record of link", self.link.hex(), self.head.link.hex()),
            ("a sealed game once its secret is revealed, that is", self.revealed, self.head.sealed),
        ]
        self.findings.compare(self.version, "head", pairs)
        try:
            self.store.look(self.game, action=None, request=None, after=self.head.version)
        except StreamDamaged as error:  # such as entries behind the head, which nobody appended
            self.findings.add(self.version, "head", "a stream that ends at its head record", str(error))

    def sentences(self) -> list[str]:
        """Say what was checked."""
        far = self.lost or "after every event"
        return [
            f"bytes: {self.version:,} entries without gaps, readable, canonical and in order of time",
            "chain: every link from the first entry to the last, and the head record",
            "data: boards and decks are those of this release, by content",
            f"facts: what events repeat of the game, {far}",
            f"books: accounts sum to zero, nobody is below zero, ledger and game agree, {far}",
            f"{self.fairness.sentence()}{f'; {self.lost}' if self.lost else ''}",
        ]
