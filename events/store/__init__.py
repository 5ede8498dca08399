"""The event store: one gapless stream of opaque bytes for each game, in Redis or Valkey.

The one rule to know: an append names its action id, and after any doubtful failure the same id is sent again. Not
here: what an event means (`events.codec`) and how links are made (`events.chain`).
"""

from events.store.durable import check_durable
from events.store.erasing import Erased, Rewrite
from events.store.errors import (
    ActionMismatch,
    HistoryForked,
    StoreError,
    StoreFull,
    StoreUnavailable,
    StreamDamaged,
    StreamSealed,
    VersionConflict,
    VersionLimit,
    VolatileStore,
    WrongBuckets,
)
from events.store.figures import Added, Figures, Kept, Mark
from events.store.headlog import HeadLog, LostTail
from events.store.index import EventStore
from events.store.keyframes import Keyframe, Keyframes
from events.store.keys import CHANNEL
from events.store.records import Appended, Beside, Entry, Head, Listed, Look, entry_of
from events.store.reports import Reports
from events.store.tickets import Tickets
from events.store.wire import Client, connect

__all__ = [
    "CHANNEL",
    "ActionMismatch",
    "Added",
    "Appended",
    "Beside",
    "Client",
    "Entry",
    "Erased",
    "EventStore",
    "Figures",
    "Head",
    "HeadLog",
    "HistoryForked",
    "Kept",
    "Keyframe",
    "Keyframes",
    "Listed",
    "Look",
    "LostTail",
    "Mark",
    "Reports",
    "Rewrite",
    "StoreError",
    "StoreFull",
    "StoreUnavailable",
    "StreamDamaged",
    "StreamSealed",
    "Tickets",
    "VersionConflict",
    "VersionLimit",
    "VolatileStore",
    "WrongBuckets",
    "check_durable",
    "connect",
    "entry_of",
]
