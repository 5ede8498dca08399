"""The accountants' own tools, called as an accountant would, and the books of whole games for them."""

import csv
import io
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from beancount import loader
from beancount.core import realization
from msgspec.structs import replace

from events.base import Account, Envelope, Event
from events.lobby import GameCreated
from projections.ledger.books import Books
from service.ledger.exports import FORMATS
from service.ledger.exports.accounts import COMMODITY, tool_name
from service.ledger.exports.source import Source
from tests.properties import games, games_social_justice

HOUR = 3_600_000
KINDS = {
    "public_assistance": {"custodian", "seat:n", "escrow", "loan:n", "claims"},
    "social_justice": {"bank", "seat:n", "loan:n:n", "claims", "claims:n"},
}
"""What a game must show to be one of these; an estate is too rare in random games."""

PLAYED = {"public_assistance": games.play, "social_justice": games_social_justice.play}
MOST_PLAYED = 80
NUMBERS = range(3)


@cache
def whole_game(rulebook: str, number: int) -> list[Envelope[Event]]:
    """Return one of the first random games in which every kind of account is seen, played to its end.

    Each step is an action of its own, eleven hours after the last. What a seed plays changes with the rules; what these
    games show does not.
    """
    return next(islice(_found(rulebook), number, None))


def _found(rulebook: str) -> Iterator[list[Envelope[Event]]]:
    for seed in range(MOST_PLAYED):
        envelopes, seen = _spread(rulebook, seed)
        if seen == KINDS[rulebook]:
            yield envelopes
    raise AssertionError(f"no more games of {rulebook} show every kind of account")


@cache
def _spread(rulebook: str, seed: int) -> tuple[list[Envelope[Event]], set[str]]:
    envelopes: list[Envelope[Event]] = []
    books = Books()
    for envelope in PLAYED[rulebook](seed).envelopes:
        books.fold(envelope)
        later = envelope.at + 11 * HOUR * books.step
        envelopes.append(replace(envelope, at=later, action=f"{books.step:064x}"))
    return envelopes, {re.sub(r"\d+", "n", account) for account in books.balances}


def source_of(envelopes: Sequence[Envelope[Event]], *, names: Mapping[int, str] | None = None) -> Source:
    """Stand ready to export a stream that is in memory."""
    created = envelopes[0].data
    assert isinstance(created, GameCreated)
    books = Books()
    for envelope in envelopes:
        books.fold(envelope)
    return Source(
        game="abc123",
        rulebook=created.rulebook,
        version=books.version,
        opened=envelopes[0].at,
        closed=envelopes[-1].at,
        names=names or {1: "Ann", 2: "[erased]"},
        balances=books.balances,
        envelopes=lambda: iter(envelopes),
    )


def text_of(kind: str, *sources: Source) -> str:
    """Write an export; what every one of them keeps is seen here."""
    raw = b"".join(FORMATS[kind].pieces(*sources, many=len(sources) > 1))
    assert raw.endswith(b"\n")
    assert not raw.startswith(b"\xef\xbb\xbf")
    return raw.decode("utf-8", "strict")


def named(balances: Mapping[Account, int], root: str = "") -> dict[str, int]:
    """Return balances by the tools' names, those at zero left out as the tools do."""
    found = {tool_name(account, root): balance for account, balance in balances.items() if balance}
    assert len(found) == sum(balance != 0 for balance in balances.values())
    return found


def bean_check(text: str, folder: Path) -> tuple[int, str]:
    """Run `bean-check` on a file; gives exit code and words."""
    path = folder / "books.beancount"
    path.write_text(text, encoding="utf-8")
    done = subprocess.run(
        [Path(sys.executable).with_name("bean-check"), "--no-cache", path], capture_output=True, text=True, check=False
    )
    return done.returncode, done.stdout + done.stderr


def beancount_balances(text: str) -> dict[str, int]:
    """Load a file with Beancount and give what every account stands at."""
    entries, errors, _ = loader.load_string(text)
    assert errors == []
    found: dict[str, int] = {}
    untyped: Any = realization
    for account in untyped.iter_children(untyped.realize(entries)):
        amount = account.balance.get_currency_units(COMMODITY).number
        assert amount == int(amount)
        if amount:
            found[account.account] = int(amount)
    return found


def hledger(text: str, *command: str) -> tuple[int, str]:
    """Run hledger on a journal; gives exit code and words."""
    found = shutil.which("hledger")
    if found is None:
        pytest.skip("hledger is not installed")
    done = subprocess.run([found, "-f", "-", *command], input=text.encode(), capture_output=True, check=False)
    return done.returncode, (done.stdout + done.stderr).decode()


def hledger_check(text: str) -> tuple[int, str]:
    """Run `hledger check`, strictly and for order."""
    return hledger(text, "check", "--strict", "ordereddates")


def hledger_balances(text: str) -> dict[str, int]:
    """Return what `hledger bal` prints."""
    code, printed = hledger(text, "bal", "--flat", "--no-total", "-O", "csv")
    assert code == 0, printed
    rows = list(csv.DictReader(io.StringIO(printed)))
    return {row["account"]: int(row["balance"].removesuffix(f" {COMMODITY}")) for row in rows}


def cuts(envelopes: Sequence[Envelope[Event]]) -> Iterable[int]:
    """Return the whole length and three versions on the way: early, in the middle, late."""
    length = len(envelopes)
    return (length // 7, length // 2, length - length // 9, length)
