"""Writing a bundle from a store, in pieces, so that a game of any length passes through little memory."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from events import chain, codec
from events.data_files import bytes_of
from events.lobby import DataPin, GameCreated
from events.store import Entry, Head, StreamDamaged
from projections.merkle import Frontier
from service.audit.bundle.lines import FORMAT, Data, End, Header, Text, write_entry, write_line
from service.audit.verify.history import History
from service.games.texts import digests_in_bytes

BATCH = 300
"""Events in a piece."""

Checkpointer = Callable[[int, bytes, bytes], str]
"""Signs a size, the tree's root there and the chain link of the last event."""


def write(history: History, game: str, head: Head, *, checkpoint: Checkpointer | None = None) -> Iterator[bytes]:
    """Write a game up to a head, in pieces of whole lines; a damaged one is written as far as it can be read.

    Args:
        history: The store that holds it.
        game: Its id.
        head: Its head when the bundle was requested.
        checkpoint: Signs it; None leaves that out, and so does a history that does not fit its chain.

    Raises:
        StoreError: The store does not answer.
    """
    header = Header(bundle=FORMAT, game=game, head=head.link.hex(), sealed=head.sealed, version=head.version)
    yield write_line(header) + b"".join(_data(history, game))
    tree, version, link, written, fits = Frontier(), 0, chain.genesis(game), set[str](), True
    while entries := _read(history, game, version, head.version):
        yield b"".join(_lines(entries, _texts(history, game, entries), written))
        for entry in entries:
            tree.append(chain.leaf(entry.data))
            link = chain.link(link, entry.data)
            fits = fits and link == entry.link
        version += len(entries)
    root, whole = tree.root(), fits and (version, link) == (head.version, head.link)
    signed = checkpoint(version, root, link) if checkpoint and whole else ""
    yield write_line(End(checkpoint=signed, end=version, tree=root.hex()))


def _read(history: History, game: str, after: int, upto: int) -> list[Entry]:
    """Read the next entries; at a hole nothing more is read, and the last line shows it."""
    try:
        return history.read(game, after=after, upto=upto, count=BATCH)
    except StreamDamaged:
        return []


def _data(history: History, game: str) -> Iterator[bytes]:
    """Write the data files that the first event pins, as far as this release has them."""
    for pinned in _pins(history, game):
        try:
            content = bytes_of(pinned.name, pinned.version).decode()
        except (OSError, ValueError):
            continue
        yield write_line(Data(content=content, data=pinned.name, sha256=pinned.sha256, version=pinned.version))


def _pins(history: History, game: str) -> Sequence[DataPin]:
    try:
        event = codec.decode(history.read(game, after=0, count=1)[0].data).data
    except (StreamDamaged, codec.DamagedEntry, IndexError):
        return ()
    return event.pins if isinstance(event, GameCreated) else ()


def _texts(history: History, game: str, entries: Sequence[Entry]) -> Mapping[str, bytes]:
    named = {digest for entry in entries for digest in digests_in_bytes(entry.data)}
    try:
        return history.texts(game, named) if named else {}
    except StreamDamaged:
        return {}


def _lines(entries: Sequence[Entry], texts: Mapping[str, bytes], written: set[str]) -> Iterator[bytes]:
    """Write entries, each after the texts that it is the first to name."""
    for entry in entries:
        for digest in digests_in_bytes(entry.data):
            if digest in texts and digest not in written:
                written.add(digest)
                yield write_line(Text(record=texts[digest], text=digest))
        yield write_entry(entry)
