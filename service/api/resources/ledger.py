"""The ledger: accounts, entries, the trial balance."""

from typing import Any

from flask import Response

from projections.ledger import Books
from projections.ledger_chart import kind_of
from projections.ledger_check import trial_balance
from service import books
from service.api import answer_schemas as a
from service.api import cursors, schemas
from service.api.answers import reply
from service.api.context import games, reader
from service.api.resource import Resource
from service.errors import NoSuchVersion

FILTERS = ("account", "seat", "reason", "rule")

ledger = Resource("ledger", "The ledger: accounts, entries, the trial balance.")


@ledger.operation("GET", "/games/<game:game>/ledger/accounts", a.AccountsAnswer, query=schemas.AtQuery)
def list_accounts(query: dict[str, Any], game: str) -> Response:
    """List every account with its balance, at the newest version or at any other."""
    found = _books(game, query)
    accounts = [
        {"account": account, "kind": kind_of(account), "balance": balance}
        for account, balance in sorted(found.balances.items())
    ]
    return reply({"game": game, "version": found.version, "accounts": accounts})


@ledger.operation("GET", "/games/<game:game>/ledger/entries", a.EntriesAnswer, query=schemas.EntriesQuery)
def list_entries(query: dict[str, Any], game: str) -> Response:
    """List the entries of the ledger, in order.

    A page may be short, or empty, and still have a next one: the end is where `next` is null.
    """
    version = games().enter(game, reader()).version
    filters = {name: query[name] for name in FILTERS if name in query}
    after = cursors.read(query["cursor"], int, filters) if "cursor" in query else 0
    found, last = books.page(
        games(), game, books.Wanted(**filters), after=min(max(after, 0), version), upto=version, limit=query["limit"]
    )
    following = cursors.write(last, filters) if last is not None else None
    return reply({"game": game, "version": version, "entries": found, "next": following})


@ledger.operation("GET", "/games/<game:game>/ledger/trial-balance", a.TrialBalanceAnswer, query=schemas.AtQuery)
def get_trial_balance(query: dict[str, Any], game: str) -> Response:
    """Give the trial balance, at the newest version or at any other."""
    balance = trial_balance(_books(game, query))
    return reply(
        {
            "game": game,
            "version": balance.version,
            "rows": balance.rows,
            "debit": balance.debit,
            "credit": balance.credit,
        }
    )


def _books(game: str, query: dict[str, Any]) -> Books:
    version = games().enter(game, reader()).version
    at = query.get("at", version)
    if at > version:
        raise NoSuchVersion(f"Game {game} has no version {at}.")
    return games().loader.at(game, at).books
