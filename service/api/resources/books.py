"""For auditors: why a balance is what it is, what the bank did, and files for other tools."""

from typing import Any

from flask import Response

from projections.ledger.chart import kind_of
from service.api.http import cursors
from service.api.http.answers import entries, private, reply
from service.api.http.context import games, reader, version_of
from service.api.http.resource import Resource
from service.api.schemas import ledger as schemas
from service.ledger import entries as reading
from service.ledger import explain as explaining
from service.ledger.exports import FORMATS, PLAIN
from service.ledger.exports.source import of_game

FILE: dict[str, Any] = {"type": "string", "description": "A file in UTF-8; docs/ledger.md describes what is in it."}
EXPLAIN_FILTERS = ("account", "at", "time")

books = Resource("books", "For auditors: explanations, the bank's policy, files for other tools.")


@books.operation(
    "GET",
    "/games/<game:game>/ledger/explain",
    schemas.ExplainAnswer,
    query=schemas.ExplainQuery,
    refuses=("no_such_account",),
    heavy=True,
)
def explain_balance(query: dict[str, Any], game: str) -> Response:
    """Explain a balance: by reason, and posting by posting down to event, action and rule.

    The sums by reason add up to the balance, and so do the postings of all pages. All pages are of the version that
    the first one was of.
    """
    newest, account = version_of(game, query), query["account"]
    filters = cursors.of(query, EXPLAIN_FILTERS)
    version, after = cursors.read(query["cursor"], tuple[int, int], filters) if "cursor" in query else (newest, 0)
    version = min(max(version, 1), newest)
    balance = reading.balance_of(games().loader, game, account, at=version)
    causes, last = explaining.causes(
        games().loader, game, account, after=min(max(after, 0), version), upto=version, limit=query["limit"]
    )
    return reply(
        {
            "game": game,
            "version": version,
            "account": account,
            "kind": kind_of(account),
            "balance": balance,
            "reasons": [share.as_dict() for share in explaining.shares_of(games().loader, game, account, upto=version)],
            "postings": [_cause(cause) for cause in causes],
            "next": cursors.write((version, last), filters) if last is not None else None,
        }
    )


def _cause(cause: explaining.Cause) -> dict[str, Any]:
    event, action = entries([cause.stored, cause.action])
    return {
        "amount": cause.amount,
        "balance": cause.balance,
        "rule": cause.entry.rule,
        "entry": cause.entry,
        "event": event,
        "action": action,
    }


@books.operation("GET", "/games/<game:game>/ledger/policy", schemas.PolicyAnswer, query=schemas.PeriodQuery, heavy=True)
def get_policy(query: dict[str, Any], game: str) -> Response:
    """Show what the public purse or the bank did: money created and taken back by reason, and who attested it."""
    version = version_of(game, query)
    after = min(query["after"], version)
    policy = explaining.policy_of(games().loader, game, after=after, upto=version)
    return reply({"game": game, "version": version, "after": after, **policy.as_dict()})


@books.operation(
    "GET",
    "/games/<game:game>/ledger/export",
    schemas.LedgerDocumentAnswer,
    query=schemas.ExportQuery,
    also=[(200, PLAIN, FILE), (200, FORMATS["csv"].media_type, FILE)],
)
def export_ledger(query: dict[str, Any], game: str) -> Response:
    """Export the ledger as a file for Beancount, hledger, a spreadsheet (CSV) or a program (JSON).

    The file is streamed; the connection of one that breaks off ends without its last piece. Its end shows it too: the
    balances of all accounts for Beancount and hledger, the last bracket of JSON. The rows of CSV are to be counted.
    """
    version = version_of(game, query)
    made = FORMATS[query["format"]]
    source = of_game(games().loader, game, at=version)
    response = Response(made.pieces(source), mimetype=made.media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{game}-{version}.{made.extension}"'
    return private(response)


@books.operation(
    "GET",
    "/ledger/export",
    {"type": "array", "items": {"$ref": "#/components/schemas/LedgerDocument"}},
    query=schemas.ExportManyQuery,
    also=[(200, PLAIN, FILE), (200, FORMATS["csv"].media_type, FILE)],
    refuses=("unauthorized", "no_such_game", "game_frozen"),
)
def export_ledgers(query: dict[str, Any]) -> Response:
    """Export the ledgers of many games as one file, at their newest versions.

    The accounts of each lie under a root of its own, such as `Assets:Game-a35vd…:Cash:Seat1`, and JSON is a list of
    documents. For public games without a token, for all games with the operator's.
    """
    wanted = dict.fromkeys(query["games"].split(","))
    versions = {game: games().enter(game, reader()).version for game in wanted}
    sources = [of_game(games().loader, game, at=version) for game, version in versions.items()]
    made = FORMATS[query["format"]]
    response = Response(made.pieces(*sources, many=True), mimetype=made.media_type)
    response.headers["Content-Disposition"] = f'attachment; filename="games.{made.extension}"'
    return private(response)
