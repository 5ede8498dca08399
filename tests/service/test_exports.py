"""The exports, held against the tools that accountants use; whole games of both kinds, and versions on the way."""

import csv
import dataclasses
import io
import json
import re
import tracemalloc
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from events import codec
from events.base import CUSTODIAN, ESCROW, seat_account
from events.play import DebtForgiven, MoneyMoved, Part
from events.social_justice.deals import LoanGranted, LoanInherited, LoanPaid
from events.store.keys import game_keys
from projections.ledger.chart import kind_of
from service.ledger.exports import FORMATS
from service.ledger.exports.accounts import tool_name
from service.ledger.exports.source import Source, of_game
from service.ledger.exports.text import MOST, line, moment
from tests.projections.streams import enveloped, long_game, moved, opening
from tests.support.accounting import (
    KINDS,
    NUMBERS,
    bean_check,
    beancount_balances,
    cuts,
    hledger,
    hledger_balances,
    hledger_check,
    named,
    source_of,
    text_of,
    whole_game,
)
from tests.support.played import empty, games_on, sit_down, start

GAMES = [(rulebook, number) for rulebook in KINDS for number in NUMBERS]
HOSTILE = {
    "quotes": 'Ann "the \\" \\\\ bank"',
    "newline": 'Ann\n2026-01-01 open Assets:Mine\n  name: "x',
    "carriage": "Ann\r\n    Assets:Cash:Seat1  5 MNY",
    "separators": "Ann\u2028include /etc/passwd\u2029\x85\x0b\x0c\x1e",
    "directives": '"\n\noption "title" "mine"\nplugin "os"\ninclude "x"\n',
    "comments": "; date:2020-13-45, [2020-01-01] | payee ; #tag ^link",
    "block": "Ann\ncomment\nend comment\n",
    "formula": '=HYPERLINK("http://example.org")',
    "turned": "Ann\u202enna\u2066",
    "emoji": "👩‍👩‍👧 Ann 🎲",
    "long": "x" * 65_536,
    "long lines": "x\n" * 32_768,
    "zero": "Ann\x00\x1b[31m",
    "erased": "[erased]",
}


@pytest.mark.parametrize(
    ("rulebook", "number"), [pytest.param(*game, marks=[pytest.mark.long] * (game[1] != NUMBERS[0])) for game in GAMES]
)
def test_beancount_and_hledger_accept_whole_games_and_reach_our_balances(
    rulebook: str, number: int, tmp_path: Path
) -> None:
    """Account by account, at the end and at three versions on the way."""
    envelopes = whole_game(rulebook, number)
    for version in cuts(envelopes):
        source = source_of(envelopes[:version])
        wanted = named(source.balances)
        beans = text_of("beancount", source)
        assert bean_check(beans, tmp_path) == (0, ""), version
        assert beancount_balances(beans) == wanted
        journal = text_of("hledger", source)
        assert hledger_check(journal) == (0, ""), version
        assert hledger_balances(journal) == wanted
        assert wanted


def test_many_games_are_one_journal(tmp_path: Path) -> None:
    """The accounts of each lie under its own root, so that none collide; entries stand in the order of days."""
    games = [
        dataclasses.replace(source_of(whole_game(rulebook, NUMBERS[0])), game=f"{number}abc{rulebook[:3]}")
        for number, rulebook in enumerate([*KINDS, *KINDS])
    ]
    wanted: dict[str, int] = {}
    for game in games:
        wanted |= named(game.balances, f"Game-{game.game}")
    beans, journal = text_of("beancount", *games), text_of("hledger", *games)
    assert bean_check(beans, tmp_path) == (0, "")
    assert hledger_check(journal) == (0, "")
    assert beancount_balances(beans) == hledger_balances(journal) == wanted
    rows = list(csv.DictReader(io.StringIO(text_of("csv", *games))))
    assert {row["game"] for row in rows} == {game.game for game in games}
    documents = json.loads(text_of("json", *games))
    assert documents == [json.loads(text_of("json", game)) for game in games]


def source(rulebook: str, number: int) -> Source:
    return source_of(whole_game(rulebook, number))


def test_an_estate_has_an_account_that_is_not_its_seats(tmp_path: Path) -> None:
    """What is owed to a player who is out; a random game seldom comes to that."""
    loan = LoanGranted(loan=3, lender=1, borrower=2, principal=100, pct=50, amount=150, term=3, due=3, rule="SJG-16")
    inherited = LoanInherited(loan=3, lender=1, borrower=2, amount=150, rule="SJG-4b")
    paid = LoanPaid(loan=3, lender=1, borrower=2, amount=40, left=110, estate=True, rule="SJG-4b")
    books = source_of(enveloped([*opening()[:1], loan, inherited, paid]))
    beans, journal = text_of("beancount", books), text_of("hledger", books)
    assert bean_check(beans, tmp_path) == (0, "")
    assert hledger_check(journal) == (0, "")
    wanted = {"Assets:Claims:Estate1": 110, "Liabilities:Loans:Seat2:No3": -110}
    assert beancount_balances(beans) == hledger_balances(journal) == named(books.balances) == wanted


@pytest.mark.parametrize("change", [1, pytest.param(-1, marks=pytest.mark.long)])
def test_an_amount_that_is_one_off_is_refused(change: int, tmp_path: Path) -> None:
    """By both tools, wherever it is: one leg, both legs, or a balance."""
    envelopes = whole_game("public_assistance", 1)
    books = source_of(envelopes)
    beans, journal = text_of("beancount", books), text_of("hledger", books)
    last = next(e.data for e in reversed(envelopes) if isinstance(e.data, MoneyMoved) and e.data.amount + change > 0)
    legs = (f"  {tool_name(last.payer)}  -{last.amount} MNY", f"  {tool_name(last.payee)}  {last.amount} MNY")
    more = (
        f"  {tool_name(last.payer)}  -{last.amount + change} MNY",
        f"  {tool_name(last.payee)}  {last.amount + change} MNY",
    )
    for text, check in ((beans, lambda t: bean_check(t, tmp_path)), (journal, hledger_check)):
        assert check(text)[0] == 0
        assert check(_last(text, legs[0], more[0]))[0] != 0
        assert check(_last(_last(text, legs[0], more[0]), legs[1], more[1]))[0] != 0


def _last(text: str, old: str, new: str) -> str:
    """Change the last occurrence."""
    before, found, after = text.rpartition(old)
    assert found
    return before + new + after


def test_an_export_that_lost_its_middle_is_refused(tmp_path: Path) -> None:
    books = source("social_justice", 1)
    for kind, check in (("beancount", lambda t: bean_check(t, tmp_path)), ("hledger", hledger_check)):
        blocks = text_of(kind, books).split("\n\n")
        lost = next(n for n in range(len(blocks) // 2, len(blocks)) if "  Equity:Bank  " in blocks[n])
        assert check("\n\n".join(blocks[:lost] + blocks[lost + 1 :]))[0] != 0


def test_a_game_over_midnight_has_its_balances_dated_right(tmp_path: Path) -> None:
    """S89: a Beancount balance holds at the start of its day. 23:59:59.999 and 00:00:00.000 are two days."""
    midnight = 1_767_312_000_000
    stream = [replace(e, at=midnight - 1) for e in enveloped([*opening(), moved(CUSTODIAN, seat_account(1), 7)])]
    stream += [replace(e, at=midnight) for e in enveloped([moved(seat_account(1), ESCROW, 3)], len(stream) + 1)]
    beans = text_of("beancount", source_of(stream))
    assert bean_check(beans, tmp_path) == (0, "")
    asserted = re.findall(r"^(\S+) balance Assets:Cash:Seat1  (\d+) MNY$", beans, re.MULTILINE)
    assert asserted == [("2026-01-02", "507"), ("2026-01-03", "504")]
    assert hledger_check(text_of("hledger", source_of(stream))) == (0, "")
    assert hledger_balances(text_of("hledger", source_of(stream))) == beancount_balances(beans)


def test_whole_games_cross_midnight_many_times() -> None:
    """Else the tests over whole games would show nothing of it."""
    for rulebook, number in GAMES:
        assert len(set(re.findall(r"^(\S+) balance", text_of("beancount", source(rulebook, number)), re.MULTILINE))) > 5


def test_times_that_no_calendar_has_are_the_last_day(tmp_path: Path) -> None:
    stream = [replace(e, at=2**53 - 1) for e in enveloped([*opening(), moved(CUSTODIAN, seat_account(1), 7)])]
    assert bean_check(text_of("beancount", source_of(stream)), tmp_path) == (0, "")
    assert hledger_check(text_of("hledger", source_of(stream))) == (0, "")


def test_a_game_without_money_is_a_file_too(tmp_path: Path) -> None:
    lobby = source_of(enveloped(opening()[:2]))
    assert bean_check(text_of("beancount", lobby), tmp_path) == (0, "")
    assert hledger_check(text_of("hledger", lobby)) == (0, "")
    assert json.loads(text_of("json", lobby))["entries"] == []
    assert len(text_of("csv", lobby).splitlines()) == 1


def test_a_forgiven_debt_is_told_and_moves_nothing(tmp_path: Path) -> None:
    ann = seat_account(1)
    forgiven = DebtForgiven(payer=ann, payee=CUSTODIAN, amount=60, reason="block", rule="PA-28", ref="promenade:12")
    books = source_of(enveloped([*opening(), forgiven]))
    beans, journal = text_of("beancount", books), text_of("hledger", books)
    assert '"debt-forgiven" "seat:1" "custodian" 60 MNY' in beans
    assert "; forgiven: seat:1 owed custodian 60 MNY" in journal
    assert bean_check(beans, tmp_path) == (0, "")
    assert hledger_check(journal) == (0, "")
    (row,) = (r for r in csv.DictReader(io.StringIO(text_of("csv", books))) if r["kind"] == "forgiven")
    assert (row["forgiven"], row["debit"], row["credit"], row["balance"]) == ("60", "0", "0", "")


def test_a_breakdown_is_written_share_by_share() -> None:
    grant = MoneyMoved(
        payer=CUSTODIAN, payee=seat_account(1), amount=700, reason="monthly_grant", rule="PA-11", ref="promenade:0",
        breakdown=(Part(what="basic", amount=500), Part(what="card:b7", amount=200)),
    )  # fmt: skip
    books = source_of(enveloped([*opening(), grant]))
    assert '  part-1: "basic: 500"\n  part-2: "card:b7: 200"\n' in text_of("beancount", books)
    assert "    ; part-2: card:b7: 200\n" in text_of("hledger", books)
    assert "basic: 500; card:b7: 200" in text_of("csv", books)


@pytest.mark.parametrize("name", HOSTILE.values(), ids=list(HOSTILE))
def test_no_name_injects_a_line(name: str) -> None:
    """The files have as many lines as with a plain name, the tools read the same from them, and no line is long."""
    envelopes = enveloped([*opening(), moved(CUSTODIAN, seat_account(1), 7)])
    plain, hostile = source_of(envelopes), source_of(envelopes, names={1: name, 2: name})
    for kind in FORMATS:
        text, expected = text_of(kind, hostile), text_of(kind, plain)
        assert len(text.splitlines()) == len(expected.splitlines()), kind
        assert max(map(len, text.splitlines())) < 1_000
    beans, journal = text_of("beancount", hostile), text_of("hledger", hostile)
    assert hledger_check(journal) == (0, "")
    assert beancount_balances(beans) == hledger_balances(journal) == named(hostile.balances)
    assert json.loads(text_of("json", hostile))["names"] == {"1": line(name), "2": line(name)}


@pytest.mark.parametrize("name", HOSTILE.values(), ids=list(HOSTILE))
def test_a_hostile_name_at_the_table_stays_in_its_line_and_goes_when_it_is_erased(name: str) -> None:
    """Through the store: what was typed in lies beside the stream, and the export reads it there."""
    table = start(sit_down(games_on(empty())))
    digest = table.state.seats[2].name
    keys = game_keys(table.game)
    table.store.client.execute_command("HSET", keys.texts, digest, b"s" * 16 + name.encode())
    texts = {kind: text_of(kind, of_game(table.games.loader, table.game, at=table.version)) for kind in FORMATS}
    table.store.sidecar.erase_texts(table.game, [digest], at=1, by="operator")
    for kind, text in texts.items():
        erased = text_of(kind, of_game(table.games.loader, table.game, at=table.version))
        assert len(erased.splitlines()) == len(text.splitlines()), kind
        assert ("[erased]" in erased) == (kind != "csv")
        assert line(name) == "[erased]" or line(name) not in erased
    assert beancount_balances(texts["beancount"]) == hledger_balances(texts["hledger"])


@pytest.mark.parametrize("word", HOSTILE.values(), ids=list(HOSTILE))
def test_no_word_of_a_forged_event_injects_a_line(word: str) -> None:
    """Reasons, rules and references are ours; in a forged stream they may be anything."""
    event = MoneyMoved(
        payer=word, payee=seat_account(1), amount=7, reason=word, rule=word, ref=word,
        breakdown=(Part(what=word, amount=7),),
    )  # fmt: skip
    stream = enveloped([*opening(), event])
    stream[-1] = replace(stream[-1], actor=word)
    books = source_of(stream)
    beans, journal = text_of("beancount", books), text_of("hledger", books)
    if len(word) < 1_000:  # else the account's own name is as long as a line can be
        assert hledger_check(journal) == (0, "")
        assert beancount_balances(beans) == hledger_balances(journal) == named(books.balances)
    assert hledger(journal, "tags")[1].split() == TAGS
    rows = list(csv.reader(io.StringIO(text_of("csv", books), newline="")))
    assert {len(row) for row in rows} == {18}
    assert not any(re.match(r"[=+@\t\r]", cell) for row in rows for cell in row)


TAGS = ["action", "actor", "at", "custodian", "kind", "part-1", "ref", "rule", "step", "turn", "version"]


def test_a_line_is_cut_where_it_is_too_long() -> None:
    assert line("  Ann\t and\nBob ") == "Ann and Bob"
    assert line("x" * MOST) == "x" * MOST
    assert line("x" * (MOST + 1)) == "x" * (MOST - 1) + "…"
    assert line(" " * 5_000 + "Ann").endswith("…")


def test_times_are_written_in_utc_to_the_millisecond() -> None:
    assert moment(1_767_312_000_000 - 1) == "2026-01-01T23:59:59.999Z"
    assert moment(1_767_312_000_000) == "2026-01-02T00:00:00.000Z"


def test_every_account_has_a_name_of_its_own_that_is_nobodys_parent() -> None:
    """A Beancount balance takes in what lies below."""
    seats = range(1, 9)
    accounts = ["custodian", "bank", "escrow", "claims", "nosuch", "seat:9", "seat:1\n", "Seat:1", ""]
    accounts += [text.format(n) for n in seats for text in ("seat:{}", "loan:{}", "claims:{}", "claims:{}:estate")]
    accounts += [f"loan:{n}:{loan}" for n in seats for loan in (1, 2, 12, 345)]
    names = [tool_name(account) for account in accounts]
    assert len(set(names)) == len(accounts)
    assert not any(other.startswith(f"{name}:") for name in names for other in names)
    assert {kind_of(a) for a in accounts} == {"purse", "seat", "escrow", "loan", "claims"}


def test_the_sheet_sums_to_the_balances() -> None:
    books = source("social_justice", 2)
    sums: dict[str, int] = {}
    for row in csv.DictReader(io.StringIO(text_of("csv", books), newline="")):
        sums[row["account"]] = sums.get(row["account"], 0) + int(row["debit"]) - int(row["credit"])
        if row["balance"]:
            assert sums[row["account"]] == int(row["balance"])
    assert {a: s for a, s in sums.items() if s} == {a: s for a, s in books.balances.items() if s}


def test_the_document_holds_what_the_books_hold() -> None:
    books = source("public_assistance", 2)
    told = json.loads(text_of("json", books))
    assert {a["account"]: a["balance"] for a in told["accounts"]} == books.balances
    assert told["entries"] == [json.loads(msgspec.json.encode(entry)) for entry in books.entries()]
    assert (told["game"], told["version"], told["names"]) == (books.game, books.version, {"1": "Ann", "2": "[erased]"})


@pytest.mark.parametrize(
    "kind", ["hledger", *(pytest.param(k, marks=pytest.mark.long) for k in FORMATS if k != "hledger")]
)
def test_a_longer_game_needs_no_more_memory(kind: str) -> None:
    """Eight times the events, read from where they are stored; what is held is the accounts and a piece of the file."""
    assert held_for(kind, turns=1_600) < 1.25 * held_for(kind, turns=200)


def held_for(kind: str, *, turns: int) -> int:
    envelopes = long_game(turns)
    data = [codec.encode(envelope) for envelope in envelopes]
    books = replace_envelopes(source_of(envelopes), data)
    tracemalloc.start()
    try:
        size = sum(len(piece) for piece in FORMATS[kind].pieces(books))
        assert size > 500 * turns
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def replace_envelopes(books: Source, data: list[bytes]) -> Source:
    return dataclasses.replace(books, envelopes=lambda: (codec.decode(entry) for entry in data))


@pytest.mark.parametrize("hidden", ["\x1b[2J", "\x00", "\x7f", "\u202e", "\u200b", "\x85", "\u2028"])
def test_what_hides_or_turns_a_line_is_a_space(hidden: str) -> None:
    """In a short text that looks like any other, too."""
    assert hidden[0] not in line(f"Ann{hidden}Bob")
    assert line(f"Ann{hidden}Bob").startswith("Ann ")
