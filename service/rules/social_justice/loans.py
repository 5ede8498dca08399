"""Loans: who may borrow from whom, what is due and when, early repayment, and what becomes of loans in an estate.

Rule: SJG-4a, SJG-4b, SJG-11 to SJG-16. Interest is flat. A loan is due at the start of the borrower's own turn with a
number; until it is repaid it keeps its place at its lender, so that nobody refinances at the same one.
"""

from events.base import BANK, Account, seat_account
from events.social_justice.deals import LoanGranted, LoanInherited, LoanPaid, LoanTerms, LoanWrittenOff
from events.social_justice.tasks import CloseLoan, DueLoan
from projections.ledger.chart import loan_account
from projections.state.deals import LOAN, Loan
from service.rules.social_justice import money
from service.rules.social_justice.banker import banker_of
from service.rules.social_justice.shorthand import SjPlay, State, account_of, cash_of, limit, number, roles_in
from service.rules.violations import Refusal

MOST_PRINCIPAL = 1_000_000
MOST_PCT = 1000
MOST_TERM = 50


def places_taken(state: State, borrower: int, lender: int) -> int:
    """Count a borrower's open loans at a lender; one owed to an estate is no bank loan (SJG-4b, SJG-11, SJG-12)."""
    return sum(loan.lender == lender for loan in state.deals.owed_by(borrower))


def why_no_place(state: State, borrower: int, lender: int) -> Refusal | None:
    """Return why a borrower has no place for another loan at a lender; a due loan keeps its place until repaid."""
    most = number(state, "loan.max_per_lender" if lender else "loan.max_bank")
    if places_taken(state, borrower, lender) >= most:
        where = f"seat {lender}" if lender else "the bank"
        return Refusal("loan_open", f"At most {most} open at {where} (SJG-11, SJG-12).", "lender")
    return None


def why_not_bank(state: State, seat: int) -> Refusal | None:
    """Return why a seat may not ask the bank for a loan right now (SJG-11, SJG-13, SJG-15)."""
    if not number(state, "loan.bank_enabled"):
        return Refusal("bank_lends_nothing", "By a rule in force the bank lends to nobody.", "lender")
    role = state.citizens[seat].role
    if role not in roles_in(state, "loan.bank_roles"):
        return Refusal("role_refused", f"The bank lends nothing to {role} players (SJG-13, SJG-15).", "lender")
    return why_no_place(state, seat, 0)


def why_not_lend(state: State, terms: LoanTerms) -> Refusal | None:
    """Return why a loan on these terms is not possible, whatever cash there is."""
    if terms.lender and terms.lender not in state.alive():
        return Refusal("not_in_game", f"Seat {terms.lender} is not in the game.", "lender")
    if terms.lender and money.window_of(state, terms.lender):
        return Refusal("in_debt", f"Seat {terms.lender} has a debt to meet before lending (SJG-9).")
    cap = limit(state, "loan.usury_cap")
    if cap is not None and terms.pct is not None and terms.pct > cap:
        return Refusal("usury", f"By a rule in force interest is at most {cap} %.", "pct")
    return why_no_place(state, terms.borrower, terms.lender)


def most_pct(state: State) -> int:
    """Return the highest interest that a lender may set now."""
    cap = limit(state, "loan.usury_cap")
    return MOST_PCT if cap is None else min(cap, MOST_PCT)


def amount_due(principal: int, pct: int) -> int:
    """Compute principal and flat interest, rounded down (SJG-14, SJG-16)."""
    return principal + principal * pct // 100


def declined_by_banker(state: State, seat: int) -> set[int]:
    """Return what a banker's seat declined in a debtor's open window: squares of titles, and `LOAN` (SJG-9)."""
    window = money.window_of(state, seat)
    return {refused.square for refused in state.deals.refused if window and refused.window == window.prompt}


def policy_cap(state: State, seat: int) -> int:
    """Return the most that the automatic bank lends to a seat of this role: some salaries."""
    salary = number(state, f"payday.salary.{state.citizens[seat].role}")
    return salary * number(state, "loan.bank_max_salary_x")


def bank_loan_cap(state: State, seat: int) -> int:
    """Return how much a seat could borrow from the automatic bank right now; 0 when it may not (SJG-9)."""
    if LOAN in declined_by_banker(state, seat) or why_not_bank(state, seat):
        return 0
    return policy_cap(state, seat)


def bank_is_automatic_for(state: State, seat: int) -> bool:
    """Return whether the policy answers a seat's requests at once: there is no banker, or the banker asks (SJG-9)."""
    return banker_of(state) in (0, seat)


def creditor_of(loan: Loan) -> Account:
    """Return the account that a loan is repaid to; what an estate is repaid passes to the bank (SJG-4b)."""
    return seat_account(loan.lender) if loan.kind == "player" else BANK


def ref_of(loan: Loan) -> str:
    """Return how a posting refers to a loan, as its account in the ledger."""
    return loan_account(loan.borrower, loan.loan)


def number_of(ref: str) -> int:
    """Read the number of a loan out of what `ref_of` gives."""
    return int(ref.rpartition(":")[2])


def grant(play: SjPlay, terms: LoanTerms) -> None:
    """Make a loan whose terms are complete and whose lender has the cash (SJG-14, SJG-16)."""
    assert terms.pct is not None
    assert terms.term is not None
    borrower = play.state.citizens[terms.borrower]
    rule = "SJG-16" if borrower.role == "unemployed" else "SJG-14"
    number = play.state.deals.last_loan + 1
    play.record(
        LoanGranted(
            loan=number, borrower=terms.borrower, lender=terms.lender, principal=terms.principal, pct=terms.pct,
            amount=amount_due(terms.principal, terms.pct), term=terms.term, due=borrower.own + terms.term, rule=rule,
        )
    )  # fmt: skip
    payer, payee, ref = account_of(terms.lender), account_of(terms.borrower), ref_of(play.state.deals.loans[number])
    play.move_cash(payer, payee, terms.principal, reason="loan", rule=rule, ref=ref)


def bank_terms(state: State, seat: int, principal: int) -> LoanTerms:
    """Return the automatic bank's terms for a loan (SJG-14)."""
    return LoanTerms(
        borrower=seat,
        lender=0,
        principal=principal,
        pct=number(state, "loan.bank_interest"),
        term=number(state, "loan.bank_term"),
    )


def borrow_from_policy(play: SjPlay, seat: int, principal: int) -> None:
    """Lend by the automatic bank what it may (SJG-9, SJG-14)."""
    assert 0 < principal <= policy_cap(play.state, seat), "beyond the policy"
    grant(play, bank_terms(play.state, seat, principal))


def due_tasks(state: State, seat: int) -> tuple[DueLoan, ...]:
    """List the loans that a seat must repay at the start of its own turn, oldest first (SJG-14, SJG-16)."""
    own = state.citizens[seat].own
    return tuple(DueLoan(seat=seat, loan=loan.loan) for loan in state.deals.owed_by(seat) if loan.due <= own)


def fall_due(play: SjPlay, task: DueLoan) -> None:
    """Take what is due from the borrower; short of cash, it must be raised (SJG-4a)."""
    loan = play.state.deals.loans.get(task.loan)
    if loan is None:
        return
    play.push(CloseLoan(seat=task.seat, loan=task.loan))
    money.owe(play, task.seat, creditor_of(loan), loan.owed, reason="loan_due", rule=loan.rule, ref=ref_of(loan))


def paid(play: SjPlay, task: CloseLoan) -> None:
    """Note that a due loan was paid in full."""
    loan = play.state.deals.loans[task.loan]
    record_payment(play, task.loan, loan.owed, loan.rule)


def record_payment(play: SjPlay, number: int, amount: int, rule: str) -> None:
    """Note what was paid on a loan; the cash has moved."""
    loan = play.state.deals.loans[number]
    play.record(
        LoanPaid(
            loan=number, borrower=loan.borrower, lender=loan.lender, estate=loan.estate, amount=amount,
            left=loan.owed - amount, rule=rule,
        )
    )  # fmt: skip


def pay(play: SjPlay, number: int, amount: int, *, reason: str, rule: str) -> None:
    """Pay on a loan; the borrower has the cash."""
    loan = play.state.deals.loans[number]
    if amount:
        payer, payee = seat_account(loan.borrower), creditor_of(loan)
        play.move_cash(payer, payee, amount, reason=reason, rule=rule, ref=ref_of(loan))
        record_payment(play, number, amount, rule)


def payable(state: State, seat: int) -> list[int]:
    """List the loans that a seat's cash can repay in full right now."""
    cash = cash_of(state, seat)
    return [loan.loan for loan in state.deals.owed_by(seat) if loan.owed <= cash]


def share_out(play: SjPlay, seat: int, first: int = 0) -> None:
    """Pay a triggering loan out of an estate's cash, then the other lenders pro rata, rounded down (SJG-4b).

    Args:
        play: The play.
        seat: Whose estate it is.
        first: The loan whose default brought this about; 0 for none.
    """
    state = play.state
    if first in state.deals.loans:
        pay(play, first, min(cash_of(state, seat), state.deals.loans[first].owed), reason="estate", rule="SJG-4b")
    loans = [loan for loan in state.deals.owed_by(seat) if loan.loan != first]
    shares = pro_rata(cash_of(state, seat), [loan.owed for loan in loans])
    for loan, share in zip(loans, shares, strict=True):
        pay(play, loan.loan, share, reason="estate", rule="SJG-4b")


def pro_rata(cash: int, dues: list[int]) -> list[int]:
    """Divide cash among dues in their proportion, each share rounded down and never more than is due."""
    total = sum(dues)
    return [due if cash >= total else cash * due // total for due in dues]


def write_off(play: SjPlay, seat: int) -> None:
    """Write off what an estate still owes (SJG-4b)."""
    for loan in play.state.deals.owed_by(seat):
        play.record(
            LoanWrittenOff(
                loan=loan.loan, borrower=seat, lender=loan.lender, estate=loan.estate, amount=loan.owed, rule="SJG-4b"
            )
        )


def assign_to_estate(play: SjPlay, seat: int) -> None:
    """Assign what was owed to a seat that is out to its estate, on the same terms (SJG-4b)."""
    for loan in play.state.deals.owed_to(seat):
        play.record(LoanInherited(loan=loan.loan, borrower=loan.borrower, lender=seat, amount=loan.owed, rule="SJG-4b"))
