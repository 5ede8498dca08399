"""What a game state says of loans, as balances of loan accounts and claims, for `ledger_check`."""

from collections import Counter

from events.base import Account
from projections.ledger.chart import claims_account, loan_account
from projections.state.base import GameState
from projections.state.social_justice import SocialJusticeState


def debts_of(state: GameState) -> dict[Account, int] | None:
    """Return the balances that the books should show; None where the state does not hold amounts.

    The notes of Public Assistance are equal counters: what they cost depends on its options, which only rules read.
    """
    if not isinstance(state, SocialJusticeState):
        return None
    balances: Counter[Account] = Counter()
    for loan in state.deals.loans.values():
        balances[loan_account(loan.borrower, loan.loan)] -= loan.owed
        balances[claims_account(loan.lender, estate=loan.estate)] += loan.owed
    return dict(balances)
