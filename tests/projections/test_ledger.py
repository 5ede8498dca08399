"""The books: what each event of money does, and what holds of any sequence of them."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.base import CUSTODIAN, ESCROW, Envelope, Event, Opaque, seat_account
from events.lobby import CustodianNamed
from events.play import DebtForgiven, MoneyMoved, Part, TurnEnded
from events.public_assistance.events import LoanRepaid, NotesWritten
from projections import evolve as game
from projections.ledger import books as ledger
from projections.ledger.books import Books, UnreadableBooks
from projections.ledger.chart import CLAIMS, LedgerEntry, Posting, is_cash, kind_of, loan_account
from projections.ledger.check import check, trial_balance
from tests.projections.streams import ZERO, enveloped, long_game, moved
from tests.support.packed import books_from, packed

ANN, BOB = seat_account(1), seat_account(2)


def books_of(*events: Event) -> Books:
    books = Books()
    for envelope in enveloped(events):
        books.fold(envelope)
    return books


def entries_of(*events: Event) -> list[LedgerEntry]:
    return list(ledger.entries(enveloped(events)))


def test_a_transfer_credits_the_payer_and_debits_the_payee() -> None:
    event = MoneyMoved(
        payer=CUSTODIAN, payee=ANN, amount=700, reason="monthly_grant", rule="PA-11", ref="promenade:0",
        breakdown=(Part(what="basic", amount=500), Part(what="children", amount=200)),
    )  # fmt: skip
    envelope: Envelope[Event] = Envelope(version=1, at=9, turn=4, actor="clock", action=ZERO, data=event)
    assert Books().post(envelope) == LedgerEntry(
        version=1, at=9, turn=4, step=0, actor="clock", action=ZERO, kind="transfer", reason="monthly_grant",
        rule="PA-11", ref="promenade:0", breakdown=event.breakdown, custodian=0, credited=CUSTODIAN, debited=ANN,
        amount=700,
        postings=(Posting(CUSTODIAN, -700, -700), Posting(ANN, 700, 700)),
    )  # fmt: skip


def test_notes_stand_at_what_redeeming_them_costs() -> None:
    """Two notes are owed at $3,000; the cash lent is another event's."""
    notes = NotesWritten(seat=1, notes=2, principal=2000, due=3000, rule="PA-40")
    assert books_of(notes).balances == {loan_account(1): -3000, CLAIMS: 3000}
    (entry,) = entries_of(notes)
    assert (entry.kind, entry.rule, entry.ref) == ("loan", "PA-40", "loan:1")
    assert entry.breakdown == (Part(what="principal", amount=2000), Part(what="interest", amount=1000))


def test_a_repayment_leaves_what_is_still_owed() -> None:
    """A last payment may redeem part of a note: the rest stays open."""
    books = books_of(
        NotesWritten(seat=1, notes=2, principal=2000, due=3000, rule="PA-40"),
        LoanRepaid(seat=1, notes=1, amount=1500, rule="PA-50"),
        LoanRepaid(seat=1, notes=0, amount=40, rule="PA-50"),
    )
    assert books.balances == {loan_account(1): -1460, CLAIMS: 1460}


def test_a_forgiven_debt_is_listed_and_moves_nothing() -> None:
    forgiven = DebtForgiven(payer=ANN, payee=CUSTODIAN, amount=60, reason="block", rule="PA-28", ref="promenade:12")
    (entry,) = entries_of(forgiven)
    assert (entry.kind, entry.postings, entry.amount) == ("forgiven", (), 60)
    assert books_of(forgiven).balances == {}


def test_an_entry_names_the_custodian_of_record_at_its_time() -> None:
    pay = moved(CUSTODIAN, ANN, 5)
    events = [pay, CustodianNamed(seat=2, why="start"), pay, CustodianNamed(seat=1, why="succession"), pay]
    assert [entry.custodian for entry in entries_of(*events)] == [0, 2, 1]


def test_other_events_only_advance_the_version() -> None:
    (envelope,) = enveloped([TurnEnded(seat=1)])
    books = Books()
    assert books.post(envelope) is None
    assert books == Books(version=1)


def test_books_stop_at_an_event_of_a_later_release() -> None:
    stream = enveloped([moved(CUSTODIAN, ANN, 5), Opaque(name="tax_refunded", schema=1, fields={})])
    books = Books()
    books.fold(stream[0])
    with pytest.raises(UnreadableBooks) as stop:
        books.fold(stream[1])
    assert (stop.value.version, stop.value.name) == (2, "tax_refunded")
    assert books == books_of(moved(CUSTODIAN, ANN, 5))


def test_a_gap_in_the_versions_is_a_bug() -> None:
    with pytest.raises(AssertionError, match="gaps"):
        Books().fold(enveloped([TurnEnded(seat=1)], first=2)[0])


def test_a_statement_runs_through_one_account() -> None:
    """Bob gets 500, pays 200, is forgiven 50; Ann's money is not his."""
    events = [
        moved(CUSTODIAN, BOB, 500),
        moved(CUSTODIAN, ANN, 300),
        moved(BOB, ANN, 200),
        DebtForgiven(payer=BOB, payee=ANN, amount=50, reason="block", rule="PA-28", ref=""),
    ]
    lines = [(entry.version, amount, balance) for entry, amount, balance in ledger.statement(enveloped(events), BOB)]
    assert lines == [(1, 500, 500), (3, -200, 300), (4, 0, 300)]


def test_a_statement_goes_on_from_books() -> None:
    stream = enveloped([moved(CUSTODIAN, BOB, 500), moved(BOB, ANN, 200)])
    before = books_of(moved(CUSTODIAN, BOB, 500))
    assert [line[1:] for line in ledger.statement(stream[1:], BOB, before)] == [(-200, 300)]


def test_the_trial_balance_has_two_equal_columns() -> None:
    trial = trial_balance(
        books_of(moved(CUSTODIAN, BOB, 500), NotesWritten(seat=1, notes=1, principal=1000, due=1500, rule="PA-40"))
    )
    assert [(row.account, row.debit, row.credit) for row in trial.rows] == [
        ("claims", 1500, 0), ("custodian", 0, 500), ("loan:1", 0, 1500), ("seat:2", 500, 0),
    ]  # fmt: skip
    assert (trial.version, trial.debit, trial.credit) == (2, 2000, 2000)


def test_the_chart_knows_every_account() -> None:
    kinds = {name: kind_of(name) for name in (CUSTODIAN, "bank", ANN, ESCROW, loan_account(1), CLAIMS)}
    assert list(kinds.values()) == ["purse", "purse", "seat", "escrow", "loan", "claims"]
    assert [name for name in kinds if not is_cash(name)] == [loan_account(1), CLAIMS]


def test_the_ledger_is_computed_apart_from_the_state() -> None:
    program = "import sys, projections.ledger.check; print([m for m in sys.modules if m.startswith('projections.')])"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "projections.ledger.books" in loaded
    assert "projections.evolve" not in loaded
    assert "projections.state.base" not in loaded


class TestCheck:
    def test_right_books_have_no_finding(self) -> None:
        assert check(books_of(moved(CUSTODIAN, ANN, 5)), {CUSTODIAN: -5, ANN: 5, ESCROW: 0, BOB: 0}) == []

    def test_cash_that_the_game_sees_otherwise(self) -> None:
        findings = check(books_of(moved(CUSTODIAN, ANN, 1250)), {CUSTODIAN: -1250, ANN: 1200, BOB: 50})
        assert findings == [
            "Account seat:1 stands at $1,250 in the ledger and at $1,200 in the game.",
            "Account seat:2 stands at $0 in the ledger and at $50 in the game.",
        ]

    def test_a_seat_and_escrow_below_zero(self) -> None:
        books = books_of(moved(ANN, CUSTODIAN, 40), moved(ESCROW, CUSTODIAN, 7))
        assert check(books, books.cash()) == [
            "Account escrow stands at -$7 and may not be negative.",
            "Account seat:1 stands at -$40 and may not be negative.",
        ]

    def test_more_paid_back_than_owed(self) -> None:
        books = books_of(LoanRepaid(seat=2, notes=1, amount=1500, rule="PA-50"))
        assert check(books, {}) == [
            "Account claims stands at -$1,500 and may not be negative.",
            "Account loan:2 stands at $1,500: more was paid back than was owed.",
        ]

    def test_sums_that_are_not_zero(self) -> None:
        books = Books(balances={CUSTODIAN: -5, ANN: 6, CLAIMS: 3})
        assert check(books, books.cash()) == [
            "The accounts of cash sum to $1 and not to $0.",
            "The loan accounts and claims sum to $3 and not to $0.",
        ]


accounts = st.sampled_from([CUSTODIAN, ESCROW, *(seat_account(seat) for seat in range(1, 5))])
amounts = st.integers(1, 2**53 - 1)
seats = st.integers(1, 4)
transfers = st.lists(accounts, min_size=2, max_size=2, unique=True).flatmap(
    lambda pair: st.builds(lambda amount: moved(pair[0], pair[1], amount), amounts)
)
loans = st.builds(
    lambda seat, notes: NotesWritten(seat=seat, notes=notes, principal=1000 * notes, due=1500 * notes, rule="PA-40"),
    seats,
    st.integers(1, 9),
)
repayments = st.builds(lambda seat, amount: LoanRepaid(seat=seat, notes=1, amount=amount, rule="PA-50"), seats, amounts)
others = st.one_of(
    st.builds(lambda seat: CustodianNamed(seat=seat, why="start"), seats),
    st.builds(lambda seat: TurnEnded(seat=seat), seats),
    st.builds(
        lambda amount: DebtForgiven(payer=ANN, payee=CUSTODIAN, amount=amount, reason="block", rule="PA-28", ref=""),
        amounts,
    ),
)
sequences: st.SearchStrategy[list[Event]] = st.lists(st.one_of(transfers, loans, repayments, others), max_size=40)


@given(sequences)
def test_everything_always_sums_to_zero(events: list[Event]) -> None:
    books = Books()
    for envelope in enveloped(events):
        books.fold(envelope)
        assert sum(books.balances.values()) == 0
        assert sum(books.cash().values()) == 0
    trial = trial_balance(books)
    assert trial.debit == trial.credit


@given(sequences)
def test_the_entries_alone_give_the_balances(events: list[Event]) -> None:
    """The journal and the balances are written by different functions and must agree."""
    totals: dict[str, int] = {}
    for entry in entries_of(*events):
        assert sum(posting.amount for posting in entry.postings) == 0
        for posting in entry.postings:
            totals[posting.account] = totals.get(posting.account, 0) + posting.amount
    assert totals == books_of(*events).balances


@given(sequences, st.integers(0, 40))
def test_books_of_a_prefix_go_on_to_the_books_of_all(events: list[Event], cut: int) -> None:
    stream = enveloped(events)
    books = Books()
    for envelope in stream[:cut]:
        books.fold(envelope)
    kept = packed(books)
    resumed = books_from(kept)
    for envelope in stream[cut:]:
        resumed.fold(envelope)
    assert resumed == books_of(*events)
    assert books == books_from(kept)


@given(sequences, accounts)
def test_a_statement_ends_at_the_balance(events: list[Event], account: str) -> None:
    running = 0
    for _, amount, balance in ledger.statement(enveloped(events), account):
        running += amount
        assert balance == running
    assert books_of(*events).balances.get(account, 0) == running


def test_ledger_and_state_agree_after_every_event_of_a_game() -> None:
    state, books = None, Books()
    for envelope in long_game(20):
        state = game.advance(state, envelope)
        books.fold(envelope)
        assert check(books, state.cash) == []
    assert books.cash() == {CUSTODIAN: -2000, ANN: 1000, BOB: 1000}
