"""Statements, explanations, the bank's policy and exports, as an auditor's program sees them."""

import json
from typing import Any

import pytest

from service.ledger import entries as books
from service.ledger import explain as explaining
from tests.api.checked import Api, ok, refused
from tests.api.conftest import OPERATOR, application
from tests.api.tables import Table, play, started
from tests.support.accounting import beancount_balances, hledger_balances, hledger_check, named

RULEBOOKS = ("public_assistance", "social_justice")


@pytest.fixture(scope="module")
def api() -> Api:
    return application("public_assistance")


@pytest.fixture(scope="module", params=RULEBOOKS)
def table(api: Api, request: pytest.FixtureRequest) -> Table:
    """A game after some turns."""
    played = started(api, seats=3, secret="5e" * 32, rulebook=request.param)
    for number in range(80):
        if played.state()["state"]["status"] != "playing":
            break
        seat, body = played.active(), played.body("buy")
        ok(played.act(seat, body))
        if number % 10 == 9 and request.param == "social_justice":
            answer = played.act(played.active(), {"action": "pay", "to": 0, "amount": 7})
            assert answer.status_code in (201, 409), answer.data  # a player who has a debt, or no cash, pays nothing
    return played


def get(table: Table, path: str) -> Any:
    return ok(table.api.get(f"{table.path}/ledger/{path}"))


def pages(table: Table, path: str, name: str) -> tuple[Any, list[Any]]:
    """Follow `next` to the end; gives the first page and everything listed."""
    page = first = get(table, path)
    found = list(page[name])
    while page["next"] is not None:
        page = get(table, f"{path}&cursor={page['next']}")
        found += page[name]
    return first, found


def balances(table: Table, at: int) -> dict[str, int]:
    return {account["account"]: account["balance"] for account in get(table, f"accounts?at={at}")["accounts"]}


def test_accounts_come_in_pages_of_one_version(table: Table) -> None:
    whole = get(table, "accounts")["accounts"]
    for limit in (1, 2, 500):
        assert pages(table, f"accounts?limit={limit}", "accounts")[1] == whole
    assert [a["account"] for a in get(table, "accounts?kind=seat")["accounts"]] == ["seat:1", "seat:2", "seat:3"]
    assert {a["account"] for a in get(table, "accounts?seat=2")["accounts"]} >= {"seat:2"}
    page = get(table, "accounts?limit=1")
    before = table.version
    table.step()
    rest = get(table, f"accounts?limit=500&cursor={page['next']}")
    assert rest["version"] == before
    assert page["accounts"] + rest["accounts"] == whole


def test_entries_have_the_balance_of_every_account_after_them(table: Table) -> None:
    _, entries = pages(table, "entries?limit=7", "entries")
    assert len(entries) > 5
    moved = [entry for entry in entries if entry["postings"]]  # a forgiven debt moves nothing
    for entry in moved[:: len(moved) // 5 or 1]:
        found = balances(table, entry["version"])
        assert [(p["account"], p["balance"]) for p in entry["postings"]] == [
            (account, found[account]) for account in (entry["credited"], entry["debited"])
        ]


def test_entries_are_filtered_by_turn_amount_and_version(table: Table) -> None:
    _, whole = pages(table, "entries?limit=500", "entries")
    turn, amounts = whole[-1]["turn"], sorted({entry["amount"] for entry in whole})
    middle = amounts[len(amounts) // 2]
    assert len(amounts) > 2
    for query, wanted in (
        (f"turn={turn}", [e for e in whole if e["turn"] == turn]),
        (f"least={middle}", [e for e in whole if e["amount"] >= middle]),
        (f"most={middle}", [e for e in whole if e["amount"] <= middle]),
        (f"least={middle}&most={middle}", [e for e in whole if e["amount"] == middle]),
        (f"at={whole[3]['version']}", whole[:4]),
    ):
        assert pages(table, f"entries?limit=2&{query}", "entries")[1] == wanted, query
        assert wanted
    assert [e["turn"] for e in get(table, "entries?turn=0")["entries"]] == [e["turn"] for e in whole if e["turn"] == 0]


def test_a_statement_leads_from_what_was_to_what_is(table: Table) -> None:
    after, at = table.version // 3, table.version - 5
    for account in ("seat:1", "seat:3"):
        for limit in (1, 500):
            told, lines = pages(table, f"statement?account={account}&after={after}&at={at}&limit={limit}", "lines")
            assert told["opening"] == balances(table, after).get(account, 0)
            assert told["closing"] == balances(table, at)[account]
            running = told["opening"]
            for line in lines:
                running += line["amount"]
                assert line["balance"] == running
            assert running == told["closing"]
            assert [line["entry"]["version"] for line in lines] == [
                e["version"] for e in pages(table, f"entries?account={account}&at={at}", "entries")[1]
                if e["version"] > after
            ]  # fmt: skip


def test_an_explanation_sums_to_the_balance_down_to_event_action_and_rule(table: Table) -> None:
    at = table.version - 1
    stored = {e["event"]["version"]: e for e in ok(table.api.get(f"{table.path}/events?limit=1000"))["events"]}
    for account, balance in balances(table, at).items():
        told, postings = pages(table, f"explain?account={account}&at={at}&limit=3", "postings")
        assert told["balance"] == balance
        assert sum(share["sum"] for share in told["reasons"]) == balance
        assert sum(posting["amount"] for posting in postings) == balance
        assert sum(share["entries"] for share in told["reasons"]) == len(postings)
        for posting in postings:
            entry, action = posting["entry"], posting["action"]["event"]
            assert posting["event"] == stored[entry["version"]]
            assert posting["action"] == stored[action["version"]]
            assert action["action"] == entry["action"]
            assert action["data"]["type"] == "action_taken"
            assert posting["rule"] == entry["rule"] != ""


def test_the_purse_gave_what_is_in_play(table: Table) -> None:
    told = get(table, "policy")
    purse = "custodian" if table.state()["state"]["rulebook"] == "public_assistance" else "bank"
    assert told["account"] == purse
    assert told["in_play"] == -balances(table, told["version"])[purse] == told["created"] - told["taken_back"]
    assert sum(share["created"] for share in told["reasons"]) == told["created"] > 0
    assert sum(share["taken_back"] for share in told["reasons"]) == told["taken_back"]
    middle = told["version"] // 2
    before, behind = get(table, f"policy?at={middle}"), get(table, f"policy?after={middle}&at={told['version']}")
    assert before["created"] + behind["created"] == told["created"]
    assert behind["in_play"] == told["in_play"]


def test_the_policy_shows_what_the_custodian_attested(api: Api) -> None:
    table = started(api, seats=2, secret="5e" * 32)
    play(table, 12)
    custodian = table.state()["state"]["custodian"]
    before = table.version
    ok(table.act(custodian, {"action": "attest_books"}))
    told = get(table, "policy")
    (word,) = told["attestations"]
    assert (word["seat"], word["agrees"]) == (custodian, True)
    assert word["digest"] == word["found"]
    assert before < word["version"] <= told["version"]
    assert [named["seat"] for named in told["custodians"]] == [custodian]
    assert get(table, f"policy?at={before}")["attestations"] == []


def test_every_export_is_what_the_tools_take(table: Table) -> None:
    for at in (table.version // 2, table.version):
        wanted = named(balances(table, at))
        texts = {kind: export(table, kind, at) for kind in ("beancount", "hledger", "csv", "json")}
        assert beancount_balances(texts["beancount"]) == wanted
        assert hledger_check(texts["hledger"]) == (0, "")
        assert hledger_balances(texts["hledger"]) == wanted
        told = json.loads(texts["json"])
        assert told["entries"] == pages(table, f"entries?at={at}&limit=500", "entries")[1]
        assert told["names"] == {"1": "Ann", "2": "Bob", "3": "Cem"}
        legs = sum(max(1, len(entry["postings"])) for entry in told["entries"])
        assert texts["csv"].count("\r\n") == legs + 1


def export(table: Table, kind: str, at: int) -> str:
    answer = table.api.get(f"{table.path}/ledger/export?format={kind}&at={at}")
    assert answer.status_code == 200
    extension = "journal" if kind == "hledger" else kind
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{table.game}-{at}.{extension}"'
    return bytes(answer.data).decode()


def test_what_cannot_be_answered_is_refused(table: Table) -> None:
    path = f"{table.path}/ledger"
    for query in ("statement?account=nosuch", "explain?account=nosuch", "explain?account=seat:1&at=1"):
        refused(table.api.get(f"{path}/{query}"), 404, "no_such_account")
    for query in ("statement", "explain", "export", "export?format=qif", "accounts?kind=none", "entries?least=-1"):
        refused(table.api.get(f"{path}/{query}"), 422, "invalid_input")
    for query in ("export?format=csv&", "statement?account=seat:1&", "explain?account=seat:1&", "policy?", "entries?"):
        refused(table.api.get(f"{path}/{query}at={table.version + 1}"), 404, "no_such_version")
    cursor = get(table, "explain?account=seat:1&limit=1")["next"]
    refused(table.api.get(f"{path}/explain?account=seat:2&cursor={cursor}"), 422, "invalid_input")


def test_long_games_are_paged_by_what_was_looked_at(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page ends after so many events; the pages together are the same, whatever the limit is."""
    queries = (("entries?", "entries"), ("statement?account=seat:2", "lines"), ("explain?account=seat:2", "postings"))
    at = table.version
    told = [pages(table, f"{query}&at={at}&limit=100", name) for query, name in queries]
    monkeypatch.setattr(books, "MOST_SCANNED", 40)
    monkeypatch.setattr(explaining, "MOST_SCANNED", 40)
    for (query, name), (first, whole) in zip(queries, told, strict=True):
        shorter, found = pages(table, f"{query}&at={at}&limit=100", name)
        assert len(shorter[name]) < len(first[name])
        assert found == whole


def test_many_games_are_one_file(api: Api) -> None:
    """Public ones for anyone; one that the caller may not see is refused as it is on its own, with all others."""
    one, two, hidden = started(api), started(api), started(api, private=True)
    path = f"/v1/ledger/export?format=json&games={one.game},{two.game},{one.game}"
    assert [document["game"] for document in ok(api.get(path))] == [one.game, two.game]
    (alone,) = ok(api.get(f"/v1/ledger/export?format=json&games={one.game}"))
    assert alone == ok(api.get(f"{one.path}/ledger/export?format=json"))
    journal = api.get(path.replace("json", "hledger")).text
    assert f"Game-{one.game}:" in journal
    assert f"Game-{two.game}:" in journal
    refused(api.get(f"{path},{hidden.game}"), 404, "no_such_game")
    refused(api.get(path, token=one.watch), 401, "unauthorized")
    assert len(ok(api.get(f"{path},{hidden.game}", token=OPERATOR))) == 3
    for wrong in ("", ",", "a,", "A", ",".join(f"g{number}" for number in range(51))):
        refused(api.get(f"/v1/ledger/export?format=json&games={wrong}"), 422, "invalid_input")


def test_a_page_of_an_explanation_does_not_sum_up_again(api: Api) -> None:
    """The sums by reason are those of the first page, until something happens: what was written never changes."""
    table = started(api, seats=3)
    play(table, 20)
    path = f"{table.path}/ledger/explain?account=seat:1&limit=1"
    first = ok(api.get(path))
    summed = explaining._summed.cache_info().misses
    second = ok(api.get(f"{path}&cursor={first['next']}"))
    assert second["reasons"] == first["reasons"]
    assert explaining._summed.cache_info().misses == summed
    table.step()
    ok(api.get(path))
    assert explaining._summed.cache_info().misses == summed + 1
