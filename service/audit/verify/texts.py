"""Texts and nonces, compared with their digests in the stream.

One that was erased is reported, and is no finding. One that is gone without a record of it is, but where it cannot be
known: in a bundle, which has no such record, and among the events that a fork copied.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from events.base import Event
from events.lobby import NonceOpened
from events.store import Entry, Erased
from service.audit.verify.history import History, is_of
from service.audit.verify.report import Findings
from service.games.texts import digests_in_bytes, typed_into


@dataclass
class Texts:
    """Collects which texts are there, and which are gone."""

    history: History
    game: str
    findings: Findings
    compared: set[str] = field(default_factory=set)
    gone: set[str] = field(default_factory=set)
    nonces: set[str] = field(default_factory=set)
    copied: int = 0
    _named: dict[str, int] = field(default_factory=dict)
    _beside: Mapping[str, bytes] = field(default_factory=dict)

    def read(self, entries: Sequence[Entry]) -> None:
        """Read the texts and nonces of the next entries."""
        named = {digest for entry in entries for digest in digests_in_bytes(entry.data)}
        self._beside = self.history.texts(self.game, named) if named else {}

    def take(self, version: int, stored: bytes, event: Event) -> None:
        """Compare what an event names; what is gone is noted."""
        named = digests_in_bytes(stored)
        for digest in named:
            if digest not in self.compared and (record := self._beside.get(digest)) is not None:
                self.compared.add(digest)
                if not is_of(digest, record):
                    self.findings.add(version, "text", f"what {digest} is the digest of", "something else")
        if named:
            missing = {digest for digest in typed_into(event) if digest not in self._beside}
            self._named.update((digest, version) for digest in missing if digest not in self._named)
            (self.nonces if isinstance(event, NonceOpened) else self.gone).update(missing)

    def end(self) -> None:
        """Look for what is gone without a record of its erasure."""
        gone = {digest: version for digest, version in self._named.items() if version > self.copied}
        notes = self.history.erased(self.game) if gone else None
        lost = [] if notes is None else [gone[digest] for digest in gone.keys() - notes.keys()]
        if lost:
            found = f"{len(lost):,} of them without either"
            self.findings.add(min(lost), "text", "each text that events name, or a record of its erasure", found)

    def checked(self) -> str:
        """Return the sentence about what was compared."""
        return f"texts: {len(self.compared):,} beside the stream have the digests in it; an erased one is not missed"

    def unchecked(self) -> list[str]:
        """List sentences about what is gone and could not be compared, since when and by whom."""
        missing = self.gone | self.nonces
        if not missing:
            return []
        notes = self.history.erased(self.game) or {}
        groups = Counter(notes.get(digest) for digest in missing)
        sentences = [
            f"texts: {count:,} {_erased(note)}, so not compared with the digest in the stream"
            for note, count in sorted(groups.items(), key=lambda group: group[0] or Erased(0, ""))
        ]
        if self.nonces:
            sentences.append(
                f"nonces: {len(self.nonces):,} that were opened are gone; each counts as the input that its event"
                " recorded, and that it is the one committed to was not checked"
            )
        return sentences


def _erased(note: Erased | None) -> str:
    if note is None:
        return "that events name are not here, and no record of an erasure"
    at = datetime.fromtimestamp(note.at // 1000, UTC)
    return f"erased at {at:%Y-%m-%d %H:%M:%S} UTC by {note.by.replace(':', ' ')}"
