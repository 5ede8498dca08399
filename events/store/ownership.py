"""What a store was first used with: the number of buckets, and the server key."""

from events.store.errors import WrongBuckets
from events.store.keys import BUCKETS, BUCKETS_KEY, OWNER_KEY
from events.store.wire import Wire


class Ownership:
    """Claims a new store, and checks one that was claimed.

    Attributes:
        claimed: This process knows that the store has the right number of buckets.
    """

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self.claimed = False

    def claim(self) -> None:
        """Write the number of buckets into a new store, or check it. Done by itself before the first append.

        Raises:
            WrongBuckets: The store was written with another number.
        """
        if not self.is_claimed():
            self._wire.ask("SET", BUCKETS_KEY, BUCKETS, "NX")
            self.is_claimed()
        self.claimed = True

    def is_claimed(self) -> bool:
        """Return whether the number of buckets was ever written; writes nothing.

        Raises:
            WrongBuckets: It was, and is another number.
        """
        found = self._wire.ask("GET", BUCKETS_KEY)
        if found not in (None, b"%d" % BUCKETS):
            number = found.decode(errors="replace")
            message = f"the store spreads its games over {number} buckets, this program over {BUCKETS}"
            raise WrongBuckets(message)
        return found is not None

    def claim_key(self, fingerprint: str) -> str:
        """Write the fingerprint of a server key into a store that has none; return the one that is there."""
        if (found := self.claimed_key()) is not None:
            return found
        self._wire.ask("SET", OWNER_KEY, fingerprint, "NX")
        return self.claimed_key() or fingerprint

    def claimed_key(self) -> str | None:
        """Return the fingerprint of the server key that the store was first used with; None before that."""
        found = self._wire.ask("GET", OWNER_KEY)
        return found.decode() if found is not None else None
