"""The ledger: accounts, entries, statements, the trial balance."""

from typing import Any

from flask import Response

from projections.ledger.chart import belongs_to, kind_of
from projections.ledger.check import trial_balance
from service.api.http import cursors
from service.api.http.answers import reply
from service.api.http.context import games, version_of
from service.api.http.resource import Resource
from service.api.schemas import ledger as schemas
from service.api.schemas.base import AtQuery
from service.ledger import entries as books

ACCOUNT_FILTERS = ("kind", "seat", "at", "time")
ENTRY_FILTERS = ("account", "seat", "reason", "rule", "turn", "least", "most")
STATEMENT_FILTERS = ("account", "after", "at", "time")

ledger = Resource("ledger", "The ledger: accounts, entries, statements, the trial balance.")


@ledger.operation("GET", "/games/<game:game>/ledger/accounts", schemas.AccountListAnswer, query=schemas.AccountsQuery)
def list_accounts(query: dict[str, Any], game: str) -> Response:
    """List the accounts with their balances, at the newest version or at any other.

    All pages are of the version that the first one was of.
    """
    newest = version_of(game, query)
    filters = cursors.of(query, ACCOUNT_FILTERS)
    version, last = cursors.read(query["cursor"], tuple[int, str], filters) if "cursor" in query else (newest, "")
    balances = games().loader.at(game, min(max(version, 1), newest)).books.balances
    found = [account for account in sorted(balances) if account > last and _taken(account, query)]
    shown = found[: query["limit"]]
    accounts = [{"account": name, "kind": kind_of(name), "balance": balances[name]} for name in shown]
    following = cursors.write((version, shown[-1]), filters) if len(found) > len(shown) else None
    return reply({"game": game, "version": version, "accounts": accounts, "next": following})


def _taken(account: str, query: dict[str, Any]) -> bool:
    kind, seat = query.get("kind"), query.get("seat")
    return kind in (None, kind_of(account)) and (seat is None or belongs_to(account, seat))


@ledger.operation("GET", "/games/<game:game>/ledger/entries", schemas.LedgerEntryListAnswer, query=schemas.EntriesQuery)
def list_entries(query: dict[str, Any], game: str) -> Response:
    """List the entries of the ledger, in order; each posting has the balance after it.

    A page may be short, or empty, and still have a next one: the end is where `next` is null.
    """
    version = version_of(game, query)
    wanted = cursors.of(query, ENTRY_FILTERS)
    filters = cursors.of(query, (*ENTRY_FILTERS, "at", "time"))
    after = cursors.read(query["cursor"], int, filters) if "cursor" in query else 0
    found, last = books.page(
        games().loader,
        game,
        books.EntryFilter(**wanted),
        after=min(max(after, 0), version),
        upto=version,
        limit=query["limit"],
    )
    following = cursors.write(last, filters) if last is not None else None
    return reply({"game": game, "version": version, "entries": found, "next": following})


@ledger.operation("GET", "/games/<game:game>/ledger/trial-balance", schemas.TrialBalanceAnswer, query=AtQuery)
def get_trial_balance(query: dict[str, Any], game: str) -> Response:
    """Show the trial balance, at the newest version or at any other."""
    balance = trial_balance(games().loader.at(game, version_of(game, query)).books)
    return reply(
        {
            "game": game,
            "version": balance.version,
            "rows": balance.rows,
            "debit": balance.debit,
            "credit": balance.credit,
        }
    )


@ledger.operation(
    "GET",
    "/games/<game:game>/ledger/statement",
    schemas.StatementAnswer,
    query=schemas.StatementQuery,
    refuses=("no_such_account",),
)
def get_statement(query: dict[str, Any], game: str) -> Response:
    """Show the statement of an account: its first balance, every entry with the balance after it, its last balance.

    All pages end at the version that the first one ended at.
    """
    newest, account = version_of(game, query), query["account"]
    filters = cursors.of(query, STATEMENT_FILTERS)
    begin = (newest, query["after"])
    version, after = cursors.read(query["cursor"], tuple[int, int], filters) if "cursor" in query else begin
    version = min(max(version, 1), newest)
    after, start = min(max(after, 0), version), min(query["after"], version)
    closing = books.balance_of(games().loader, game, account, at=version)
    found, last = books.page(
        games().loader, game, books.EntryFilter(account=account), after=after, upto=version, limit=query["limit"]
    )
    before = games().loader.at(game, after).books.balances.get(account, 0)
    return reply(
        {
            "game": game,
            "version": version,
            "account": account,
            "kind": kind_of(account),
            "after": start,
            "opening": games().loader.at(game, start).books.balances.get(account, 0),
            "closing": closing,
            "lines": [line._asdict() for line in books.statement(found, account, before)],
            "next": cursors.write((version, last), filters) if last is not None else None,
        }
    )
