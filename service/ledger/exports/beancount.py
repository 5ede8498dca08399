"""Beancount: every account opened, every leg with its amount, and balances asserted at the start of each new day.

A `balance` of Beancount holds before the day's first transaction. So when the game comes to another day (UTC), that day
begins with what every account stands at, and the whole file ends with the same for the day after the last.
"""

from collections.abc import Iterator, Mapping

from events.base import Account
from projections.ledger.chart import LedgerEntry
from service.ledger.exports.accounts import COMMODITY, owner, tool_name
from service.ledger.exports.source import Source
from service.ledger.exports.text import day_of, facts, line, parts, written


def write(source: Source) -> Iterator[str]:
    """Yield the file, entry by entry."""
    today = day_of(source.opened)
    balances: dict[Account, int] = {}
    yield _head(source, written(today))
    for entry in source.entries():
        if (day := day_of(entry.at)) > today:
            today = day
            yield _asserted(balances, written(today))
        balances |= {posting.account: posting.balance for posting in entry.postings}
        yield _transaction(source, entry, written(today)) if entry.postings else _forgiven(entry, written(today))
    yield _asserted(source.balances, written(max(today, day_of(source.closed)) + 1))


def quoted(text: str) -> str:
    """Write a text as a string of Beancount, on one line."""
    escaped = line(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _head(source: Source, day: str) -> str:
    title = f"Rollbook: {source.rulebook}, game {source.game} at version {source.version}"
    lines = [
        f'option "title" {quoted(title)}',
        f'option "operating_currency" "{COMMODITY}"',
        "",
        f"{day} commodity {COMMODITY}",
        '  name: "Play money in whole dollars"',
        "",
    ]
    for account in sorted(source.balances):
        lines += [f"{day} open {tool_name(account)} {COMMODITY}", f"  account: {quoted(account)}"]
        if name := owner(source, account):
            lines.append(f"  name: {quoted(name)}")
    return "\n".join(lines) + "\n"


def _transaction(source: Source, entry: LedgerEntry, day: str) -> str:
    legs = [f"  {tool_name(posting.account)}  {posting.amount} {COMMODITY}" for posting in entry.postings]
    head = f"{day} * {quoted(entry.reason)} ^{source.game}-{entry.version}"
    return "\n".join(["", head, *_facts(entry), *legs]) + "\n"


def _forgiven(entry: LedgerEntry, day: str) -> str:
    """Write a debt that was forgiven: no account changes."""
    who = f"{quoted(entry.credited)} {quoted(entry.debited)} {entry.amount} {COMMODITY}"
    return "\n".join(["", f'{day} custom "debt-forgiven" {who}', *_facts(entry)]) + "\n"


def _facts(entry: LedgerEntry) -> list[str]:
    found = {**facts(entry), **{f"part-{number}": part for number, part in enumerate(parts(entry), start=1)}}
    return [f"  {key}: {quoted(value) if isinstance(value, str) else value}" for key, value in found.items()]


def _asserted(balances: Mapping[Account, int], day: str) -> str:
    lines = [f"{day} balance {tool_name(account)}  {held} {COMMODITY}" for account, held in sorted(balances.items())]
    return "\n".join(["", *lines]) + "\n"
