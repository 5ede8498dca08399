"""What things are worth: means to meet a debt (SJG-9), net worth (SJG-3), shares of an estate (SJG-4b)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.rules.social_justice import loans, worth
from tests.scenarios.social_justice.dealers import ann, bob
from tests.scenarios.social_justice.deals import Table, deals
from tests.support.rules import rule


def table(**told: object) -> Table:
    titles = {6: (ann, 2), 1: (ann, 0), 25: (ann, 0), 3: (bob, 0)}
    return deals(ann="employee", bob="owner", cid="manager", titles=titles, **told)  # type: ignore[arg-type] # told by name


@rule("SJG-9")
def test_means_are_cash_titles_at_the_banks_price_and_a_bank_loan() -> None:
    """1,000 cash, 300 for Check-Cashing Corner with its houses, 100, 250 for Froogle, and two salaries of 500."""
    assert worth.means(table().state, 1) == 1000 + 300 + 100 + 250 + 1000
    assert worth.means(table().state, 2) == 1000 + 100 + 6000


@rule("SJG-9")
@pytest.mark.parametrize(
    ("options", "means"),
    [
        ({"loan.bank_enabled": False}, 1650),
        ({"loan.bank_roles": ["owner"]}, 1650),
        ({"loan.max_bank": 0}, 1650),
        ({"payday.salary.employee": 700}, 3050),
        ({"property.resale_pct": 100}, 1000 + 300 + 150 + 200 + 500 + 1000),
        ({"property.house_resale_pct": 0}, 2500),
    ],
)
def test_means_follow_the_rules_in_force(options: dict[str, object], means: int) -> None:
    """What the bank pays and lends, as agreed on or voted."""
    assert worth.means(table(options=options).state, 1) == means


@rule("SJG-9", "SJG-11")
def test_who_has_a_bank_loan_has_no_other_in_her_means() -> None:
    """She keeps the 10 that she borrowed, and nothing more can be borrowed."""
    assert worth.means(table().when(ann.borrows(10)).state, 1) == 1660


@rule("SJG-9")
def test_titles_are_raised_on_in_the_order_of_their_list_prices() -> None:
    """The lower square on a tie."""
    game = deals(ann="employee", bob="owner", titles={19: (ann, 0), 25: (ann, 0), 16: (ann, 0), 1: (ann, 3)})
    assert worth.saleable(game.state, 1) == [1, 16, 19, 25]


@rule("SJG-3")
def test_net_worth_counts_titles_and_houses_at_list_price_and_loans_at_what_is_due() -> None:
    """Ann: 1,000 and 300 + 300 + 200 + 500; she borrows 400 from bob and owes 500, which he is worth more."""
    assert worth.net_worth(table().state, 1) == 2300
    game = table().when(ann.requests(bob, 400, 25, 5)).when(bob.accepts(1))
    assert [worth.net_worth(game.state, seat) for seat in (1, 2, 3)] == [2200, 1300, 1000]


@rule("SJG-3", "SJG-4b")
def test_what_is_owed_to_an_estate_is_nobodys_worth() -> None:
    """Bob is out; ann still owes."""
    game = table().when(ann.requests(bob, 400, 25, 5)).when(bob.accepts(1)).when(bob.leaves())
    assert [worth.net_worth(game.state, seat) for seat in (1, 2, 3)] == [2200, 0, 1000]


@rule("SJG-4b")
@pytest.mark.parametrize(
    ("cash", "dues", "shares"),
    [
        (100, [200, 100, 33], [60, 30, 9]),
        (0, [5, 5], [0, 0]),
        (10, [5, 5], [5, 5]),
        (999, [5, 5], [5, 5]),
        (1, [1, 1, 1], [0, 0, 0]),
        (7, [], []),
    ],
)
def test_an_estate_is_shared_in_proportion(cash: int, dues: list[int], shares: list[int]) -> None:
    """By what is due to each, rounded down."""
    assert loans.pro_rata(cash, dues) == shares


@rule("SJG-4b")
@given(st.integers(0, 10**7), st.lists(st.integers(1, 10**7), max_size=8))
def test_shares_never_exceed_what_is_due_or_there(cash: int, dues: list[int]) -> None:
    """And a dollar for each lender at most is left to the bank while anything is owed."""
    shares = loans.pro_rata(cash, dues)
    assert all(0 <= share <= due for share, due in zip(shares, dues, strict=True))
    assert sum(shares) <= cash
    assert min(cash, sum(dues)) - sum(shares) <= max(len(dues) - 1, 0)
