"""The one pass over a stream that verifies it, in batches, so that a game of any length fits into memory.

Nothing here raises on bad data. After an entry that cannot be read or does not fit the game, bytes and chain are
checked to the end, and what needs the game's state is not: the report says from where on. Keyframes and other caches
are never read: everything follows from the first entry on.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from events import chain, codec
from events.base import Envelope, Event
from events.data_files import pin
from events.forks import GameForked
from events.lobby import GameCreated, SecretRevealed
from events.play import ActionTaken
from events.store import Entry, Head, StreamDamaged
from projections.merkle import Frontier
from service.audit.verify.canonical import oddities
from service.audit.verify.fairness import Fairness
from service.audit.verify.history import History
from service.audit.verify.parent import Parent
from service.audit.verify.pins import Pin, Pins
from service.audit.verify.reexecution import Reexecution
from service.audit.verify.replay_pass import ReplayPass
from service.audit.verify.report import Findings, Report, name_of
from service.audit.verify.texts import Texts
from service.rules.rulebooks import RULES

Progress = Callable[[int, int], None]
"""Called with events done and events in all."""

PARENT = re.compile(r"(?:[0-9a-z]{1,40}(?:@([1-9][0-9]{0,15}))?)?")

NO_PIN = "pinned: no kept checkpoint was given; without one, a whole history that was made again cannot be noticed"

BATCH = 300
"""Events between two reads, while the process serves no other request: 10 to 20 ms of work without execution."""


def verify(
    history: History,
    game: str,
    *,
    pins: Sequence[Pin] = (),
    execute: bool = True,
    progress: Progress | None = None,
) -> Report:
    """Check everything about a game's history that its bytes can prove.

    Args:
        history: The store or the bundle that holds it.
        game: Its id.
        pins: Kept checkpoints, which the history must still have.
        execute: Decide every recorded action again; this takes most of the time.
        progress: Called after each batch.

    Raises:
        StoreError: The store does not answer. Bad data is a finding, never an exception.
    """
    findings = Findings()
    head, why = _head(history, game)
    if head is None:
        findings.add(0, "stream", "a stream of this game", why)
        return Report(game, 0, "", sealed=False, findings=findings.listed(), checks=[])
    fairness = Fairness(game, _secret(history, game, head), findings)
    replay = ReplayPass(history, findings, fairness, Reexecution(findings, wanted=execute))
    audit = _Audit(history, game, head, findings, replay, Pins(game, pins, findings))
    while batch := audit.read():
        for entry in batch:
            audit.take(entry)
        if progress:
            progress(audit.version, head.version)
    audit.end()
    return audit.report(executes=execute)


def _head(history: History, game: str) -> tuple[Head | None, str]:
    """Return the head record, or None and the reason."""
    try:
        return history.head(game), "none"
    except StreamDamaged as error:
        return None, str(error)


def _secret(history: History, game: str, head: Head) -> bytes | None:
    """Return the secret that the last event of a finished game reveals."""
    try:
        last = history.read(game, after=head.version - 1, count=1) if head.version else []
        event = codec.decode(last[0].data).data if last else None
        return bytes.fromhex(event.secret) if isinstance(event, SecretRevealed) else None
    except (StreamDamaged, codec.DamagedEntry):
        return None


@dataclass
class _Audit:
    """The state of the pass. It ends at the head that the game had when it began: a running game goes on meanwhile."""

    history: History
    game: str
    head: Head
    findings: Findings
    replay: ReplayPass
    pins: Pins
    version: int = 0
    link: bytes = b""
    tree: Frontier = field(default_factory=Frontier)
    shift: int = 0
    at: int = 0
    action: str = ""
    actor: str = ""
    revealed: bool = False
    texts: Texts = field(init=False)
    parent: Parent = field(init=False)

    def __post_init__(self) -> None:
        self.parent = Parent(self.history, self.findings)
        self.texts = Texts(self.history, self.game, self.findings)
        self.link = chain.genesis(self.game)

    def read(self) -> list[Entry]:
        """Read the next entries with their texts; at a hole, read up to it."""
        try:
            entries = self.history.read(self.game, after=self.version, upto=self.head.version, count=BATCH)
        except StreamDamaged:
            entries = self._up_to_hole()
        self.texts.read(entries)
        return entries

    def _up_to_hole(self) -> list[Entry]:
        entries: list[Entry] = []
        while len(entries) < BATCH:
            try:
                after = self.version + len(entries)
                one = self.history.read(self.game, after=after, upto=self.head.version, count=1)
            except StreamDamaged:
                break
            if not one:
                break
            entries += one
        if not entries:
            self.findings.add(self.version + 1, "gapless", f"version {self.version + 1}", "nothing, and entries after")
            self.replay.lose(self.version + 1, "there is a hole")
        return entries

    def take(self, entry: Entry) -> None:
        """Check one entry."""
        self.version += 1
        computed = chain.link(self.link, entry.data)
        if computed != entry.link:
            self.findings.add(self.version, "chain", computed.hex(), entry.link.hex())
        self.tree.append(chain.leaf(entry.data))
        self.link = entry.link  # so that one changed entry is one finding
        self.pins.take(entry)
        try:
            envelope = codec.decode(entry.data)
        except codec.DamagedEntry as error:
            self.findings.add(self.version, "readable", "an event", str(error))
            self.replay.lose(self.version, "it cannot be read")
            return
        for odd in oddities(entry.data, envelope):
            self.findings.add(self.version, "canonical", "canonical JSON", odd)
        self._check_envelope(envelope)
        self.parent.take(self.version, entry, envelope)
        self.texts.take(self.version, entry.data, envelope.data)
        self.replay.take(envelope)

    def _check_envelope(self, envelope: Envelope[Event]) -> None:
        event, add = envelope.data, self.findings.add
        if envelope.version != self.version + self.shift:
            found = f"event {envelope.version}; this and all after it was not compared with the game"
            add(self.version, "gapless", f"event {self.version + self.shift}", found)
            # From here on versions are counted from this one, so that one lost event is one finding.
            self.shift = envelope.version - self.version
            self.replay.lose(self.version, "versions have a gap")
        if envelope.at < self.at:
            add(self.version, "time", f"a time from {self.at} on", envelope.at)
        begins = envelope.action != self.action
        if begins != isinstance(event, ActionTaken | GameCreated | GameForked):
            add(self.version, "action", "an action begun by action_taken, and only by it", name_of(event))
        elif not begins and self.version > 1 and envelope.at != self.at:
            add(self.version, "time", f"the time of its action, {self.at}", envelope.at)
        self._check_actor(envelope, begins=begins)
        if self.revealed:
            add(self.version, "end", "nothing after the revealed secret", name_of(event))
        self.at, self.action = max(self.at, envelope.at), envelope.action
        self.revealed = self.revealed or isinstance(event, SecretRevealed)
        self._check_place(envelope)

    def _check_actor(self, envelope: Envelope[Event], *, begins: bool) -> None:
        """Check that one actor causes a whole action; the secret is revealed by the system."""
        expected = envelope.actor if begins else self.actor
        if isinstance(envelope.data, SecretRevealed):
            expected = "system"
        if envelope.actor != expected:
            self.findings.add(self.version, "action", f"the actor {expected}", envelope.actor)
        self.actor = envelope.actor

    def _check_place(self, envelope: Envelope[Event]) -> None:
        event = envelope.data
        if isinstance(event, GameCreated) != (self.version == 1):
            wanted = "game_created as the first event and nowhere else"
            self.findings.add(self.version, "creation", wanted, name_of(event))
            self.replay.lose(self.version, "the game was not created there")
        elif isinstance(event, GameCreated):
            self._check_creation(event, envelope.actor)

    def _check_creation(self, event: GameCreated, actor: str) -> None:
        rules, parent = RULES[event.rulebook], PARENT.fullmatch(event.parent)
        pairs: list[tuple[str, object, object]] = [
            ("game", self.game, event.game),
            ("the actor", "host", actor),
            (f"places from 1 to {rules.places}, that is", True, 1 <= event.places <= rules.places),
            ("a parent GAME or GAME@VERSION, if any, that is", True, parent is not None),
            ("data files of the rulebook,", [one.name for one in rules.pins()], [one.name for one in event.pins]),
        ]
        self.findings.compare(1, "creation", pairs)
        for pinned in event.pins:
            try:
                digest = pin(pinned.name, pinned.version).sha256
            except (OSError, ValueError):
                self.replay.reexecution.lack(f"the data file {pinned.name} v{pinned.version}")
                continue
            self.findings.compare(1, "data", [(f"{pinned.name} v{pinned.version}", digest, pinned.sha256)])
        self.texts.copied = int((parent and parent[1]) or 0)
        self.replay.reexecution.opened_by(event.code)
        self.replay.fairness.commit(event.commitment, known=event.known_secret)

    def end(self) -> None:
        """Compare the end of the stream with the head record, as it was and as it is now, and with the game."""
        self.replay.complete_action()
        self.texts.end()
        self.findings.sort()
        pairs: list[tuple[str, object, object]] = [
            ("a head record of version", self.version, self.head.version),
            ("a head record of link", self.link.hex(), self.head.link.hex()),
            ("a sealed game once its secret is revealed, that is", self.revealed, self.head.sealed),
        ]
        self.findings.compare(self.version, "head", pairs)
        self.pins.end()
        self.parent.end(self.version)
        try:
            self.history.tail(self.game, action=None, request=None, after=self.head.version)
        except StreamDamaged as error:  # such as entries after the head, which were not appended by the service
            self.findings.add(self.version, "head", "a stream that ends at its head record", str(error))
        self._check_over()

    def _check_over(self) -> None:
        state = self.replay.state
        if state is not None and not self.replay.lost and state.over() and not self.revealed:
            self.findings.add(
                self.version, "end", "the secret, revealed as the last event of a game that is over", "none"
            )

    def report(self, *, executes: bool) -> Report:
        """Return the report."""
        reexecution, fairness, far = (
            self.replay.reexecution,
            self.replay.fairness,
            self.replay.lost or "after every event",
        )
        lost = f"; {self.replay.lost}" if self.replay.lost else ""
        checks = [
            f"bytes: {self.version:,} entries without gaps, readable, canonical and in order of time",
            "chain: every link from the first entry to the last, and the head record",
            "data: boards and decks are those of this release, by content",
            self.texts.checked(),
            f"facts: who acted and when, and what was attested, {far}",
            f"books: accounts sum to zero, nobody is below zero, ledger and game agree, {far}",
            f"{fairness.checked()}{lost}",
            f"{reexecution.checked()}{lost}" if reexecution.checked() else "",
            self.parent.checked(),
            *self.pins.sentences(),
        ]
        gone = self.texts.unchecked()
        elsewhere = [fairness.elsewhere(), self.parent.unchecked()]
        pinned = "" if self.pins.sentences() else NO_PIN
        unchecked = [fairness.unchecked(), *elsewhere, *gone, pinned]
        missing = [reexecution.unchecked(), fairness.unbound(), self.replay.unknown]
        return Report(
            game=self.game,
            version=self.version,
            head_hex=self.link.hex(),
            sealed=self.head.sealed,
            findings=self.findings.listed(),
            checks=[sentence for sentence in checks if sentence],
            unchecked=[sentence for sentence in unchecked if sentence],
            missing=[sentence for sentence in missing if sentence],
            execution=reexecution.verdict(),
            tree_hex=self.tree.root().hex(),
            executes=executes,
        )
