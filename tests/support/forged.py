"""Histories forged behind the store's back: what a verification must find."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from events import chain
from events.store import Entry, Erased, Head, Tail
from events.store.keys import game_keys
from service.audit.verify import Finding, StoredHistory, verify
from tests.support.played import Table

Json = dict[str, Any]


def stored(table: Table) -> list[tuple[bytes, bytes]]:
    return [(entry.data, entry.link) for batch in table.store.streams.stream(table.game) for entry in batch]


def plain(table: Table) -> list[Json]:
    return [json.loads(data) for data, _ in stored(table)]


def written(entry: Json) -> bytes:
    return json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def chained(game: str, entries: Sequence[Json | bytes]) -> list[tuple[bytes, bytes]]:
    """Write entries and make the whole chain again, as the owner of the server could."""
    datas = [entry if isinstance(entry, bytes) else written(entry) for entry in entries]
    return list(zip(datas, chain.links(chain.genesis(game), datas), strict=True))


def put(table: Table, entries: Sequence[tuple[bytes, bytes]], *, head: bool = True, first: int = 1) -> None:
    """Put entries in place of a game's stream; with `head`, the head record is made to fit."""
    client = table.store.client
    keys = game_keys(table.game)
    client.execute_command("DEL", keys.stream)
    for version, (data, link) in enumerate(entries, start=first):
        client.execute_command("XADD", keys.stream, f"{version}-0", "e", data, "h", link)
    if head:
        client.execute_command("HSET", keys.head, "v", len(entries), "h", entries[-1][1])


def verdict(table: Table, entries: Sequence[tuple[bytes, bytes]], *, head: bool = True) -> list[Finding]:
    put(table, entries, head=head)
    return verify(StoredHistory(table.store), table.game).findings


def forged(table: Table, change: Callable[[list[Json]], object]) -> list[Finding]:
    """Change a game's events, make chain and head again, and verify."""
    entries = plain(table)
    change(entries)
    return verdict(table, chained(table.game, entries))


def leaves(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """Return the path of every value in an event."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and value:
        yield from leaves(value[0], (*path, 0))
    else:
        yield path


def changed(value: Any) -> Any:
    """Return another value of the same kind, as near as can be."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    if isinstance(value, str):
        return value[:-1] + ("0" if value[-1:] != "0" else "1")
    return 7 if value is None else [1] if isinstance(value, list) else {"x": 1}


def change_at(entry: Json, path: tuple[str | int, ...]) -> None:
    inner: Any = entry
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = changed(inner[path[-1]])


class Held:
    """A history of one forged game in memory, for thousands of forgeries."""

    def __init__(self, table: Table, entries: Sequence[tuple[bytes, bytes]]) -> None:
        self._entries = [Entry(*pair) for pair in entries]
        self._texts = table.store.sidecar.texts

    def head(self, game: str) -> Head:
        del game
        return Head(len(self._entries), self._entries[-1].link, sealed=True)

    def read(self, game: str, *, after: int = 0, upto: int | None = None, count: int = 1000) -> list[Entry]:
        del game
        return self._entries[after : after + count][: None if upto is None else max(0, upto - after)]

    def tail(self, game: str, *, action: str | None, request: str | None, after: int) -> Tail:
        del action, request
        return Tail(known=None, head=self.head(game), entries=self._entries[after:], complete=True)

    def texts(self, game: str, digests: Iterable[str]) -> dict[str, bytes]:
        return self._texts(game, digests)

    def erased(self, game: str) -> dict[str, Erased]:
        del game
        return {}
