"""The one way to move cash in both games: no other code records `money_moved`.

What happens when there is not enough of it is a matter of each rulebook; see its `money`.
"""

from typing import Any

from events.base import Account
from events.play import MoneyMoved, Part
from service.rules.play import Play


def move_cash(
    play: Play[Any],
    payer: Account,
    payee: Account,
    amount: int,
    *,
    reason: str,
    rule: str,
    ref: str = "",
    breakdown: tuple[Part, ...] = (),
) -> None:
    """Move cash that is there. An amount of 0 makes no posting."""
    assert amount >= 0, "an amount is never negative"
    if amount:
        assert payer != payee, "nobody pays themselves"
        play.record(
            MoneyMoved(payer=payer, payee=payee, amount=amount, reason=reason, rule=rule, ref=ref, breakdown=breakdown)
        )
