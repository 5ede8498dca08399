"""`rollbook ledger --explain` and `--policy`: why a balance is what it is, and what the bank did."""

from collections.abc import Iterator
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from events import codec
from events.base import Account
from events.play import ActionTaken
from service.cli import display
from service.cli.display import plain
from service.games.loading import Loader
from service.ledger import entries as books
from service.ledger import explain as explaining

PAGE = 500


def explanation(loader: Loader, game: str, account: Account, *, at: int) -> dict[str, Any]:
    """Return what explains a balance, in the shape of the API's answer, with every posting.

    Raises:
        NoSuchAccount: Nothing was posted to it up to that version.
    """
    return {
        "game": game,
        "version": at,
        "account": account,
        "balance": books.balance_of(loader, game, account, at=at),
        "reasons": [share.as_dict() for share in explaining.shares_of(loader, game, account, upto=at)],
        "postings": [_posting(cause) for cause in _causes(loader, game, account, at=at)],
    }


def _causes(loader: Loader, game: str, account: Account, *, at: int) -> Iterator[explaining.Cause]:
    after: int | None = 0
    while after is not None:
        found, after = explaining.causes(loader, game, account, after=after, upto=at, limit=PAGE)
        yield from found


def _posting(cause: explaining.Cause) -> dict[str, Any]:
    action = codec.decode(cause.action.data).data
    return {
        "amount": cause.amount,
        "balance": cause.balance,
        "rule": cause.entry.rule,
        "entry": msgspec.to_builtins(cause.entry),
        "action": action.name if isinstance(action, ActionTaken) else "create",
        "event": msgspec.json.decode(cause.stored.data),
    }


def show_explanation(console: Console, found: dict[str, Any]) -> None:
    """Print an explanation for people."""
    headers = ("reason", "rule", "entries", "debit", "credit", "sum")
    sums = display.table(*headers, title=f"{found['account']} at version {found['version']}", show_footer=True)
    sums.columns[-1].footer = f"{found['balance']:,}"
    for share in found["reasons"]:
        numbers = (f"{share[name]:,}" for name in ("entries", "debit", "credit", "sum"))
        sums.add_row(plain(share["reason"]), plain(share["rule"]), *numbers)
    console.print(_postings(found))
    console.print(sums)


def _postings(found: dict[str, Any]) -> Table:
    table = display.table("event", "turn", "step", "actor", "action", "amount", "reason", "rule", "about", "balance")
    for posting in found["postings"]:
        entry = posting["entry"]
        table.add_row(
            f"{entry['version']}", f"{entry['turn']}", f"{entry['step']}", plain(entry["actor"]),
            plain(posting["action"]), f"{posting['amount']:,}", plain(entry["reason"]), plain(entry["rule"]),
            plain(entry["ref"]), f"{posting['balance']:,}",
        )  # fmt: skip
    return table


def show_policy(console: Console, found: dict[str, Any]) -> None:
    """Print what the purse or the bank did, for people."""
    title = f"{found['account']} up to version {found['version']}"
    table = display.table("reason", "rule", "entries", "created", "taken back", title=title, show_footer=True)
    table.columns[-2].footer, table.columns[-1].footer = f"{found['created']:,}", f"{found['taken_back']:,}"
    for share in found["reasons"]:
        numbers = (f"{share[name]:,}" for name in ("entries", "created", "taken_back"))
        table.add_row(plain(share["reason"]), plain(share["rule"]), *numbers)
    console.print(table)
    console.print(f"In play: ${found['in_play']:,}")
    for named in found["custodians"]:
        console.print(f"Event {named['version']}: seat {named['seat']} is custodian of record ({named['why']}).")
    for word in found["attestations"]:
        verdict = "as the ledger has them" if word["agrees"] else "[red]but the ledger has others[/]"
        console.print(
            f"Event {word['version']}: seat {word['seat']} attests the books up to {word['upto']}, {verdict}."
        )
