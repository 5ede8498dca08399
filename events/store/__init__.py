"""The event store: one gapless stream of opaque bytes for each game, in Redis or Valkey.

The one rule to know: an append names its action id, and after any doubtful failure the same id is sent again. Not
here: what an event means (`events.codec`) and how links are made (`events.chain`).
"""

from events.store.due import DueIndex
from events.store.durable import check_durable
from events.store.errors import (
    ActionMismatch,
    HistoryForked,
    StoreError,
    StoreFull,
    StoreUnavailable,
    StreamDamaged,
    StreamFrozen,
    StreamSealed,
    VersionConflict,
    VersionLimit,
    VolatileStore,
    WrongBuckets,
)
from events.store.figures import Delta, Figures, Offset, StoredFigures
from events.store.headlog import HeadLog, LostTail
from events.store.heartbeats import Heartbeats
from events.store.index import GameIndex, Place
from events.store.keyframes import Keyframe, Keyframes
from events.store.keys import CHANNEL
from events.store.ownership import Ownership
from events.store.records import Appended, Entry, Head, Listed, SidecarUpdate, Tail, entry_of
from events.store.reports import Reports
from events.store.sidecar import Erased, Rewrite, Sidecar
from events.store.store import Store
from events.store.streams import Streams
from events.store.tickets import Tickets
from events.store.wire import Client, connect, connections_of

__all__ = [
    "CHANNEL",
    "ActionMismatch",
    "Appended",
    "Client",
    "Delta",
    "DueIndex",
    "Entry",
    "Erased",
    "Figures",
    "GameIndex",
    "Head",
    "HeadLog",
    "Heartbeats",
    "HistoryForked",
    "Keyframe",
    "Keyframes",
    "Listed",
    "LostTail",
    "Offset",
    "Ownership",
    "Place",
    "Reports",
    "Rewrite",
    "Sidecar",
    "SidecarUpdate",
    "Store",
    "StoreError",
    "StoreFull",
    "StoreUnavailable",
    "StoredFigures",
    "StreamDamaged",
    "StreamFrozen",
    "StreamSealed",
    "Streams",
    "Tail",
    "Tickets",
    "VersionConflict",
    "VersionLimit",
    "VolatileStore",
    "WrongBuckets",
    "check_durable",
    "connect",
    "connections_of",
    "entry_of",
]
