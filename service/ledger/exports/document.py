"""JSON: one document with the accounts, their balances and every entry, in the shape of the API's answers."""

from collections.abc import Iterator, Sequence

import msgspec

from projections.ledger.chart import kind_of
from service.ledger.exports.source import Source
from service.ledger.exports.text import line


def write(sources: Sequence[Source]) -> Iterator[str]:
    """Yield the file, entry by entry; of several games it is a list of their documents."""
    if not sources[0].root:
        yield from _game(sources[0])
        return
    before = "[\n"
    for source in sources:
        yield before
        yield from _game(source)
        before = ",\n"
    yield "]\n"


def _game(source: Source) -> Iterator[str]:
    head = {
        "game": source.game,
        "rulebook": source.rulebook,
        "version": source.version,
        "names": {f"{seat}": line(name) for seat, name in sorted(source.names.items()) if name},
        "accounts": [
            {"account": account, "kind": kind_of(account), "balance": balance}
            for account, balance in sorted(source.balances.items())
        ],
    }
    yield msgspec.json.encode(head).decode().removesuffix("}") + ',"entries":['
    before = "\n"
    for entry in source.entries():
        yield before + msgspec.json.encode(entry).decode()
        before = ",\n"
    yield "\n]}\n"
