"""`Store`: one connection, and everything that lies in the store, each part by a collaborator of its own."""

from events.store.due import DueIndex
from events.store.figures import Figures
from events.store.heartbeats import Heartbeats
from events.store.index import GameIndex
from events.store.keyframes import Keyframes
from events.store.keys import BUCKETS_KEY
from events.store.ownership import Ownership
from events.store.reports import Reports
from events.store.sidecar import Sidecar
from events.store.streams import Streams
from events.store.tickets import Tickets
from events.store.wire import PATIENCE, Client, Wire


class Store:
    """The whole store.

    Args:
        client: From `connect`. Nothing is sent twice that may not be sent twice.
        patience: Seconds in which a safe command is sent again after a failure that passes.
        cache_key: Proves that a cached value was made by this service; without one, nothing is cached.

    Attributes:
        client: The same client.
        ownership: What the store was first used with.
        streams: One stream of events for each game.
        sidecar: Typed-in texts, hashes of credentials and secrets, next to the streams.
        index: The list of games and the feed of appends.
        due_index: Which game waits for what moment.
        heartbeats: When processes were last there.
        keyframes: Values of projections at some versions; caches only.
        figures: Statistics over all games.
        reports: The last audit of each game.
        tickets: What opens one live stream, once.
    """

    def __init__(self, client: Client, *, patience: float = PATIENCE, cache_key: bytes = b"") -> None:
        self.client = client
        self._wire = wire = Wire(client, patience=patience)
        self.ownership = Ownership(wire)
        self.streams = Streams(wire, self.ownership)
        self.sidecar = Sidecar(wire)
        self.index = GameIndex(wire, self.streams)
        self.due_index = DueIndex(wire)
        self.heartbeats = Heartbeats(wire)
        self.keyframes = Keyframes(wire, cache_key)
        self.figures = Figures(wire)
        self.reports = Reports(wire)
        self.tickets = Tickets(wire)

    def now(self) -> int:
        """Read the store's clock, in milliseconds since 1970."""
        seconds, micros = self._wire.ask("TIME", **self._wire.node_of(BUCKETS_KEY))
        return int(seconds) * 1000 + int(micros) // 1000
