"""Beancount: every account opened, every leg with its amount, and balances asserted at the start of each new day.

A `balance` of Beancount holds before the day's first transaction. So when the game comes to another day (UTC), that day
begins with what every account stands at, and the whole file ends with the same for the day after the last.
"""

from collections.abc import Iterator, Mapping, Sequence

from events.base import Account
from projections.ledger.chart import LedgerEntry
from service.ledger.exports.accounts import COMMODITY, owner, tool_name
from service.ledger.exports.source import Source, by_day, title
from service.ledger.exports.text import day_of, details, line, parts, written


def write(sources: Sequence[Source]) -> Iterator[str]:
    """Yield the file, entry by entry."""
    yield _head(sources)
    yield from by_day(sources, _dated)


def _dated(source: Source) -> Iterator[tuple[int, str]]:
    today = day_of(source.opened)
    balances: dict[Account, int] = {}
    for entry in source.entries():
        if (day := day_of(entry.at)) > today:
            today = day
            yield today, _asserted(source, balances, written(today))
        balances |= {posting.account: posting.balance for posting in entry.postings}
        write_one = _transaction if entry.postings else _forgiven
        yield today, write_one(source, entry, written(today))
    last = max(today, day_of(source.closed)) + 1
    yield last, _asserted(source, source.balances, written(last))


def quoted(text: str) -> str:
    """Write a text as a string of Beancount, on one line."""
    escaped = line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _head(sources: Sequence[Source]) -> str:
    day = written(min(day_of(source.opened) for source in sources))
    lines = [
        f'option "title" {quoted(title(sources))}',
        f'option "operating_currency" "{COMMODITY}"',
        "",
        f"{day} commodity {COMMODITY}",
        '  name: "Play money in whole dollars"',
        "",
    ]
    for source in sources:
        day = written(day_of(source.opened))
        for account in sorted(source.balances):
            lines += [f"{day} open {tool_name(account, source.root)} {COMMODITY}", f"  account: {quoted(account)}"]
            if name := owner(source, account):
                lines.append(f"  name: {quoted(name)}")
    return "\n".join(lines) + "\n"


def _transaction(source: Source, entry: LedgerEntry, day: str) -> str:
    legs = [f"  {tool_name(posting.account, source.root)}  {posting.amount} {COMMODITY}" for posting in entry.postings]
    head = f"{day} * {quoted(entry.reason)} ^{source.game}-{entry.version}"
    return "\n".join(["", head, *_facts(source, entry), *legs]) + "\n"


def _forgiven(source: Source, entry: LedgerEntry, day: str) -> str:
    """Write a debt that was forgiven: no account changes."""
    who = f"{quoted(entry.credited)} {quoted(entry.debited)} {entry.amount} {COMMODITY}"
    return "\n".join(["", f'{day} custom "debt-forgiven" {who}', *_facts(source, entry)]) + "\n"


def _facts(source: Source, entry: LedgerEntry) -> list[str]:
    game = {"game": source.game} if source.root else {}
    found = {**game, **details(entry), **{f"part-{number}": part for number, part in enumerate(parts(entry), start=1)}}
    return [f"  {key}: {quoted(value) if isinstance(value, str) else value}" for key, value in found.items()]


def _asserted(source: Source, balances: Mapping[Account, int], day: str) -> str:
    lines = [
        f"{day} balance {tool_name(account, source.root)}  {held} {COMMODITY}"
        for account, held in sorted(balances.items())
    ]
    return "\n".join(["", *lines]) + "\n"
