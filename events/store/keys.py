"""The names of all keys in the store.

Games are spread over 64 buckets by the CRC-32 of their id. A bucket's tag is the keys' hash tag, so one bucket lies
in one cluster slot and one script may write a game and its bucket's indexes together. The number of buckets can
therefore never change once a store has been written.
"""

import re
from functools import lru_cache
from typing import NamedTuple
from zlib import crc32

BUCKETS = 64
BUCKETS_KEY = "rb:buckets"
OWNER_KEY = "rb:key"  # fingerprint of the server key that ids and tokens are derived from
HEARTBEAT_KEYS = ("rb:{signs}:seen", "rb:{signs}:outages")  # hash: kind of process -> when last there; sorted set
CHANNEL = "rb:appended"  # "game version" is published here after each append

_GAME = re.compile(r"[0-9a-z]{1,40}", re.ASCII)


class BucketKeys(NamedTuple):
    """What the games of one bucket share."""

    due: str  # sorted set: game by the milliseconds of its next deadline
    games: str  # sorted set: game by the milliseconds of its creation
    about: str  # hash: game -> what lists show of it
    feed: str  # stream of (game, version), trimmed
    parked: str  # hash: what stood in the due index and was no game -> its score
    mark: str  # hash: how far the statistics are: e edition, n number of the last change, p position in the feed
    counted: str  # hash: game -> version that the statistics have counted it to
    figures: str  # hash: what is counted -> how often
    days: str  # hash: what is counted by day -> how often
    frozen: str  # hash: game -> why nothing may follow


class GameKeys(NamedTuple):
    """What is kept of one game."""

    stream: str
    head: str  # hash: v version, h link, s sealed
    actions: str  # hash: action id -> first:last:request digest
    texts: str
    tokens: str
    secret: str
    due: str
    games: str
    about: str
    feed: str
    frozen: str


def bucket_of(game: str) -> int:
    """Return the bucket of a game, 0 to 63.

    Raises:
        ValueError: The id is not 1 to 40 digits and small letters; `{` in a key would choose the slot.
    """
    if not _GAME.fullmatch(game):
        message = f"not a game id: {game!r}"
        raise ValueError(message)
    return crc32(game.encode()) % BUCKETS


@lru_cache(maxsize=BUCKETS)
def bucket_keys(bucket: int) -> BucketKeys:
    """Return the keys of a bucket."""
    return BucketKeys._make(f"rb:{{{bucket:02d}}}:{name}" for name in BucketKeys._fields)


@lru_cache(maxsize=10_000)
def game_keys(game: str) -> GameKeys:
    """Return the keys of a game and of its bucket."""
    bucket = bucket_of(game)
    own = (f"rb:{{{bucket:02d}}}:{game}:{kind}" for kind in ("ev", "hd", "op", "tx", "tk", "sk"))
    shared = bucket_keys(bucket)
    return GameKeys._make((*own, shared.due, shared.games, shared.about, shared.feed, shared.frozen))


def report_key(game: str) -> str:
    """Return the key of the last report of a game's audit."""
    return f"rb:{{{bucket_of(game):02d}}}:{game}:au"


def erased_key(game: str) -> str:
    """Return the key of the hash of a game's erased texts: digest -> when:by whom."""
    return f"rb:{{{bucket_of(game):02d}}}:{game}:er"


def keyframe_key(game: str, projection: str) -> str:
    """Return the key of the hash of a game's keyframes of one projection."""
    return f"rb:{{{bucket_of(game):02d}}}:{game}:kf:{projection}"


def ticket_key(game: str, digest: str) -> str:
    """Return the key of a ticket that opens a stream of a game, by its digest."""
    return f"rb:{{{bucket_of(game):02d}}}:{game}:ti:{digest}"
