"""The streams: append and read.

An append is one script that checks before it writes (`append.lua`); here its arguments are packed and its answer is
put into words. Not here: what lies next to a stream (`sidecar.py`), and the index of games (`index.py`).
"""

from collections.abc import Iterator, Sequence
from typing import Any

from redis.cluster import RedisCluster
from redis.exceptions import ResponseError

from events.store import errors
from events.store.keys import BUCKETS, CHANNEL, bucket_keys, game_keys
from events.store.ownership import Ownership
from events.store.records import Appended, Entry, Head, SidecarUpdate, Tail, entry_of
from events.store.wire import Asked, Client, Script, Wire

PAGE = 1000  # most entries in one answer
BATCH = 250  # entries that are read at once where a game is gone through: they stay in the processor's cache meanwhile
FEED_LENGTH = 10_000  # about so many appends of a bucket stay in its feed
LAST_VERSION = 2**53 - 1
LINK_BYTES = 32
ERASED_REQUEST = b"erased"  # in the place of a request's digest, when what was typed into it was erased

_APPEND = Script("append.lua")
_TAIL = Script("tail.lua")
_RENEW = Script("renew.lua")


class Streams:
    """One gapless stream of opaque entries for each game."""

    def __init__(self, wire: Wire, ownership: Ownership) -> None:
        self._wire = wire
        self._ownership = ownership

    def append(
        self,
        game: str,
        entries: Sequence[Entry],
        *,
        action: str,
        request: str,
        expected: int,
        previous: bytes,
        sidecar: SidecarUpdate,
    ) -> Appended:
        """Append the entries of one action and what belongs to them, or nothing.

        Safe to call again with the same action, and called again by itself after a lost reply.

        Args:
            game: Its id, 1 to 40 digits and small letters.
            entries: At least one.
            action: The action id, kept as long as the stream.
            request: Digest of what was asked for; another one under the same action id is refused.
            expected: Version that the entries follow, 0 for a new game.
            previous: Chain link at that version; not compared for a new game.
            sidecar: What is written with them.

        Raises:
            ActionMismatch: The action id is known for another request.
            StreamSealed: The game takes no more entries.
            StreamFrozen: Its history was found to be wrong.
            VersionConflict: The stream is at another version; holds the entries missed.
            HistoryForked: The link at the expected version is another.
            StreamDamaged: Stream and head record disagree, or a key has a wrong type.
            StoreFull: Refused for want of memory. Nothing was written.
            StoreUnavailable: No certain answer: send the same action again.
        """
        keys = game_keys(game)
        args = _packed(game, entries, (action, request, expected, previous), sidecar)
        if not self._ownership.claimed:
            self._ownership.claim()
        try:
            answer = self._wire.run(_APPEND, keys, args)
        except errors.StoreError as error:
            if isinstance(error.__cause__, ResponseError) and "equal or smaller" in str(error):
                message = f"game {game}: the stream had entries beyond its head record"
                raise errors.StreamDamaged(message) from error
            raise
        if answer[0] == b"appended":
            return Appended(int(answer[1]), int(answer[2]), repeated=False)
        if answer[0] == b"known":
            return _known(answer[1], action, request)
        raise _refusal(game, expected, answer)

    def tail(self, game: str, *, action: str | None, request: str | None, after: int) -> Tail:
        """Read in one round trip what an action was given, where the stream is, and what came after a version.

        Raises:
            ActionMismatch: The action id is known for another request.
            StreamDamaged: Stream and head record disagree.
        """
        own = game_keys(game)
        keys = [own.stream, own.head, own.actions, own.tokens]
        known, record, top, length, acted, tokens, rows = self._wire.run(_TAIL, keys, (action or "", after, PAGE))
        head = _head(record)
        version = head.version if head else 0
        if top != b"%d-0" % version or length != version or bool(acted) != bool(head):
            raise _damaged(game, version, top, length)
        return Tail(
            known=_known(known, action or "", request) if known else None,
            head=head,
            entries=_entries(rows),
            complete=after + len(rows) == version,
            tokens=_tokens(tokens) if tokens else None,
        )

    def renew(self, game: str, credential: str, token: bytes, *, action: str, request: str) -> Appended | bool:
        """Replace the hash of a token beside a sealed stream.

        Returns:
            Whether this action did it before; or what it appended, before the stream was sealed.

        Raises:
            ActionMismatch: The action id is known for another request.
            StreamDamaged: A key is missing, or the stream is not sealed.
        """
        own = game_keys(game)
        match answer := self._wire.run(
            _RENEW, [own.head, own.actions, own.tokens], (action, request, credential, token)
        ):
            case [b"known", stored]:
                return _known(stored, action, request)
            case [b"renewed", stored, repeated]:
                if stored != request.encode():
                    raise errors.ActionMismatch(f"action {action} was used for another request")
                return bool(repeated == b"1")
            case [b"open"]:
                raise errors.StreamDamaged(f"game {game} is over, and its stream is not sealed")
        raise errors.refusal(answer)

    def read(self, game: str, *, after: int = 0, upto: int | None = None, count: int = PAGE) -> list[Entry]:
        """Read at most `count` entries of the versions above `after`, up to and with `upto`.

        Raises:
            StreamDamaged: A version among them is missing.
        """
        return self._between(game, after, _last(after, count, upto), [])

    def stream(
        self, game: str, *, after: int = 0, upto: int | None = None, batch: int = BATCH, ahead: bool = False
    ) -> Iterator[list[Entry]]:
        """Read in batches, so that no game is held in memory whole.

        Args:
            game: Its id.
            after: The version before the first wanted.
            upto: The last version wanted, which the game has come to; None for all that there are.
            batch: Most entries of a batch.
            ahead: Ask for the next batch before one is returned, so that the store reads while that one is worked on.
                It holds a connection: not for a caller that waits for others between batches.

        Raises:
            StreamDamaged: A version among them is missing, or the stream ends before the last one wanted.
        """
        asked: list[Asked] = []
        try:
            while entries := self._between(game, after, _last(after, batch, upto), asked):
                after += len(entries)
                if ahead and len(entries) == batch and after != upto:
                    asked = self._wire.ahead(*_xrange(game, after, _last(after, batch, upto)))
                yield entries
        finally:
            for left in asked:
                left.give_up()
        if upto is not None and after < upto:
            raise errors.StreamDamaged(f"game {game}: the stream ends at {after}, before {upto}")

    def _between(self, game: str, after: int, last: int, asked: list[Asked]) -> list[Entry]:
        """Read the versions above `after`, up to and with `last`; at first from what was asked for, if anything was."""
        if last <= after:
            return []
        rows = self._wire.run(lambda client: asked.pop().reply() if asked else _range(client, game, after, last))
        if rows and not _gapless(rows, after + 1):
            message = f"game {game}: versions are missing between {after + 1} and {rows[-1][0].decode()}"
            raise errors.StreamDamaged(message)
        return _entries(rows)

    def freeze(self, game: str, why: str) -> None:
        """Stop a game for every process: nothing may be appended any more; the first reason stands."""
        self._wire.ask("HSETNX", game_keys(game).frozen, game, why)

    def thaw(self, game: str) -> None:
        """Allow a game to go on."""
        self._wire.ask("HDEL", game_keys(game).frozen, game)

    def why_frozen(self, game: str) -> str:
        """Return why nothing may follow in a game; empty when it may."""
        return (self._wire.ask("HGET", game_keys(game).frozen, game) or b"").decode()

    def frozen(self) -> dict[str, str]:
        """Return every game in which nothing may follow, with the reason."""
        found = self._wire.ask_many([("HGETALL", bucket_keys(bucket).frozen) for bucket in range(BUCKETS)])
        return {game.decode(): why.decode() for games in found for game, why in sorted(games.items())}

    def head(self, game: str) -> Head | None:
        """Return where the stream is; None while there is none."""
        return _head(self._wire.ask("HMGET", game_keys(game).head, "v", "h", "s"))

    def heads_of(self, games: Sequence[str]) -> list[Head | None]:
        """Return where many streams are, in the order asked for."""
        commands = [("HMGET", game_keys(game).head, "v", "h", "s") for game in games]
        return [_head(record) for record in self._wire.ask_many(commands, lenient=True)]

    def lengths_of(self, games: Sequence[str]) -> list[int]:
        """Count the entries of many streams, in the order asked for."""
        found = self._wire.ask_many([("XLEN", game_keys(game).stream) for game in games], lenient=True)
        return [length or 0 for length in found]

    def links_at(self, places: Sequence[tuple[str, int]]) -> list[bytes | None]:
        """Return the chain link of each (game, version), None where there is no such entry."""
        commands = [("XRANGE", game_keys(game).stream, f"{version}-0", f"{version}-0") for game, version in places]
        return [rows[0][1].get(b"h") if rows else None for rows in self._wire.ask_many(commands, lenient=True)]


def _tokens(flat: Sequence[bytes]) -> dict[str, bytes]:
    """Return hashes of tokens by the name of the credential, from names and hashes in turn."""
    return {name.decode(): digest for name, digest in zip(flat[::2], flat[1::2], strict=True)}


def _packed(
    game: str, entries: Sequence[Entry], order: tuple[str, str, int, bytes], sidecar: SidecarUpdate
) -> list[str | bytes | int]:
    """Flatten an append into the arguments of the script.

    Raises:
        ValueError: The caller broke the contract; nothing was sent.
    """
    action, request, expected, previous = order
    if not action or {len(entry.link) for entry in entries} != {LINK_BYTES}:
        message = "an append has an action id and at least one entry with a link of 32 bytes"
        raise ValueError(message)
    times = (sidecar.due or 0, sidecar.created or 0)
    if expected < 0 or min(times) < 0 or max(times) > LAST_VERSION:
        message = "versions and times are not negative, and times are milliseconds below 2^53"
        raise ValueError(message)
    args: list[str | bytes | int] = [game, action, request, expected, previous]
    args += [PAGE, CHANNEL, FEED_LENGTH, "1" if sidecar.seal else "0"]
    args += [
        sidecar.created or 0,
        "" if sidecar.due is None else sidecar.due,
        sidecar.about or b"",
        sidecar.secret or b"",
    ]
    args += [len(entries), len(sidecar.texts), len(sidecar.tokens)]
    for pairs in (entries, sidecar.texts.items(), sidecar.tokens.items()):
        for left, right in pairs:
            args += (left, right)
    return args


def _known(stored: bytes, action: str, request: str | None) -> Appended:
    first, last, digest = stored.split(b":", 2)
    if request is not None and digest not in (request.encode(), ERASED_REQUEST):
        message = f"action {action} was used for another request"
        raise errors.ActionMismatch(message)
    return Appended(int(first), int(last), repeated=True)


def _refusal(  # noqa: PLR0911 # one line for each word of the script
    game: str, expected: int, answer: list[Any]
) -> errors.StoreError:
    """Return the error for a refusal of the script."""
    match answer:
        case [b"conflict", version, link, rows]:
            head = Head(int(version), link, sealed=False)
            return errors.VersionConflict(game, expected=expected, head=head, missed=_entries(rows))
        case [b"frozen", why]:
            return errors.StreamFrozen(why.decode())
        case [b"sealed", version, link]:
            return errors.StreamSealed(game, Head(int(version), link, sealed=True))
        case [b"forked", version, link]:
            return errors.HistoryForked(f"game {game}: the stored link at version {int(version)} is {link.hex()}")
        case [b"limit", version]:
            return errors.VersionLimit(f"game {game} is at version {version.decode()}: no more below 2^53")
        case [b"damaged", version, top, length]:
            return _damaged(game, version.decode(errors="replace"), top, length)
    return errors.refusal(answer)


def _damaged(game: str, version: int | str, top: bytes, length: int) -> errors.StreamDamaged:
    text = f"the head record says version {version}, the stream ends at {top.decode()} with {length} entries"
    if str(version) == "0" and length == 0:
        text = "version 0, without stream and head record, but the game's actions are still known"
    return errors.StreamDamaged(f"game {game}: {text}")


def _head(record: Sequence[bytes | None] | None) -> Head | None:
    """Read a head record. One that cannot be read is version 0: no stream agrees with that, and all reads go on."""
    if record is None:
        return Head(0, b"", sealed=False)
    version, link, sealed = record
    if version is None:
        return None
    return Head(int(version) if version.isdigit() else 0, link or b"", sealed == b"1")


def _last(after: int, count: int, upto: int | None) -> int:
    """Return the last version of a batch."""
    return after + count if upto is None else min(upto, after + count)


def _xrange(game: str, after: int, last: int) -> tuple[bytes, str, str, str]:
    """Write the command that reads a range as rows of [id, [b"e", data, b"h", link]].

    A name in bytes is not found among redis-py's callbacks, which would make a dict of every entry: reading is half
    as fast again without.
    """
    return b"XRANGE", game_keys(game).stream, f"{after + 1}-0", f"{last}-0"


def _range(client: Client, game: str, after: int, last: int) -> list[Any]:
    """Read a range. A cluster client wants the command's name as text, to choose the node by."""
    name, *rest = _xrange(game, after, last)
    if not isinstance(client, RedisCluster):
        return list(client.execute_command(name, *rest))
    cluster: Client = client
    rows = cluster.execute_command(name.decode(), *rest)
    return [(number, (b"e", fields.get(b"e", b""), b"h", fields.get(b"h", b""))) for number, fields in rows]


def _gapless(rows: Sequence[Any], first: int) -> bool:
    """Return whether the ids are versions without gaps. They rise, so both ends and the form of all show it."""
    ends = (b"%d-0" % first, b"%d-0" % (first + len(rows) - 1))
    return (rows[0][0], rows[-1][0]) == ends and all(row[0].endswith(b"-0") for row in rows)


def _entries(rows: Sequence[Any]) -> list[Entry]:
    try:
        return [entry_of((fields[1], fields[3])) for _, fields in rows]
    except IndexError as error:
        raise errors.StreamDamaged("an entry of a stream lacks its data or its link") from error
