"""What the event store may answer instead of a result.

```
StoreError
├── VersionConflict   someone appended first: fold `missed`, decide again
├── ActionMismatch    the action id was used for another request
├── StreamSealed      the game is over
├── StreamFrozen      the game's history is not what was acknowledged; nothing is appended until a person has looked
├── HistoryForked     the version is right, the previous link wrong: the writer saw another history
├── StreamDamaged     the stream and its head record disagree; nothing is appended
├── VersionLimit      no version is left below 2^53
├── StoreFull         the store is at its memory limit; reads still work
├── StoreUnavailable  not reachable, loading, failing over; the same action id may be sent again
├── WrongBuckets      written with another number of buckets
└── VolatileStore     may evict, or has no append-only file
```
"""

from collections.abc import Sequence
from typing import Any

from events.store.records import Entry, Head


class StoreError(Exception):
    """Any refusal or failure of the event store."""


class VersionConflict(StoreError):
    """The stream is not at the expected version.

    Attributes:
        head: Where the stream is. Below `expected` when the caller's fold is ahead of the store.
        missed: The entries after the expected version, in order, at most 1,000.
        complete: Whether `missed` reaches the head.
    """

    def __init__(self, game: str, *, expected: int, head: Head, missed: Sequence[Entry]) -> None:
        super().__init__(f"game {game} is at version {head.version}, not {expected}")
        self.head = head
        self.missed = list(missed)
        self.complete = expected + len(missed) == head.version


class ActionMismatch(StoreError):
    """The action id is known, and was given with another request."""


class StreamSealed(StoreError):
    """The stream takes no more entries."""

    def __init__(self, game: str, head: Head) -> None:
        super().__init__(f"game {game} was sealed at version {head.version}")
        self.head = head


class StreamFrozen(StoreError):
    """Nothing is appended: some process found that the history is not what was acknowledged. Its text says why."""


class HistoryForked(StoreError):
    """The expected version is right, but the writer's link to it is not the stored one."""


class StreamDamaged(StoreError):
    """The stream lost entries, or its keys are not what they should be. A person must look at it."""


class VersionLimit(StoreError):
    """A version beyond 2^53 - 1, which not every reader can tell from its neighbours."""


class StoreFull(StoreError):
    """The store had no memory left for the write, and nothing was written."""


class StoreUnavailable(StoreError):
    """No certain answer came. The same action id, sent again, shows whether an append happened."""


class WrongBuckets(StoreError):
    """The store was written with another number of buckets: its games would not be found."""


class VolatileStore(StoreError):
    """The store may lose acknowledged events by its configuration."""


def refusal(answer: list[Any]) -> StoreError:
    """Return the error for what each script checks before it writes: types of keys, and permissions."""
    match answer:
        case [b"wrongtype", key, found, wanted]:
            return StreamDamaged(f"key {key.decode()} is a {found.decode()}, not a {wanted.decode()}")
        case [b"denied", command, key]:
            return StoreError(f"the store's user may not {command.decode()} {key.decode()}")
    raise AssertionError(answer)
