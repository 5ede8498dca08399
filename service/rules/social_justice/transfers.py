"""Adopted transfers: money that moves by itself whenever something happens.

One trigger sets off every transfer on it, in the order of adoption, each a task of its own, so that a debt can suspend
them anywhere. The figures of one transfer are taken before its first payment. Transfers never set off transfers.
"""

from dataclasses import dataclass

from events.social_justice.operations import AddTransfer, OnShort, Sum, Trigger, Where
from events.social_justice.politics import TransferLeftOut, TransferShort
from events.social_justice.tasks import Charge, RunTransfer, Transfers
from service.rules.social_justice import parameters
from service.rules.social_justice.parties import THE_BANK, houses_of, members, party_of
from service.rules.social_justice.shorthand import SjPlay, State, account_of, cash_of, number

MOST_EVENTS = 8_000
"""A transfer that could take one action beyond this many events is left out, and an event records that."""

RULE = "SJG-33"
REASON = "transfer"


@dataclass(frozen=True, slots=True)
class Bill:
    """What one payer is to pay: parts of one amount, or an amount of its own.

    Attributes:
        payer: Seat, or 0 for the bank.
        parts: Payee and amount, in the order of payment.
        shared: The parts are shares of one amount: there is enough for all of it, or not.
    """

    payer: int
    parts: tuple[tuple[int, int], ...]
    shared: bool

    def total(self) -> int:
        """Add up the parts."""
        return sum(amount for _, amount in self.parts)


def triggers_of(trigger: str) -> frozenset[str]:
    """Return every trigger that an occasion is: a utility's square is that utility's and any utility's."""
    if trigger in ("land:enron", "land:flint", "land:froogle"):
        return frozenset({trigger, "land:utility"})
    return frozenset({trigger})


def run(play: SjPlay, task: Transfers) -> None:
    """Set off every transfer that waits for a trigger."""
    if _is_out(play.state, task.actor):
        return
    wanted = triggers_of(task.trigger)
    due = [
        RunTransfer(rule=rule.rule, number=number, actor=task.actor, last_payment=task.last_payment)
        for rule in play.state.politics.stack
        for number, transfer in enumerate(rule.transfers)
        if transfer.trigger in wanted
    ]
    play.push(*due)


def run_one(play: SjPlay, task: RunTransfer) -> None:
    """Carry out one transfer, unless its actor is out, its condition fails, or it would pass the bound of an action."""
    if _is_out(play.state, task.actor):
        return
    (transfer,) = (rule.transfers[task.number] for rule in play.state.politics.stack if rule.rule == task.rule)
    if not _holds(play.state, transfer.where, task.actor):
        return
    bills = _bills(play, transfer, task)
    payments = sum(len(bill.parts) for bill in bills)
    if len(play.envelopes) + 2 * payments > MOST_EVENTS:
        _leave_out(play, task, transfer.trigger, payments)
    elif transfer.on_short == "obligation":
        _charge(play, task, bills)
    else:
        for bill in bills:
            _pay(play, task, bill, on_short=transfer.on_short)


def _is_out(state: State, actor: int) -> bool:
    """Return whether the actor is out by now: the move lapses, and what was not yet asked is not owed (SJG-9)."""
    return bool(actor) and bool(state.citizens[actor].out)


def _leave_out(play: SjPlay, task: RunTransfer, trigger: Trigger, payments: int) -> None:
    play.record(TransferLeftOut(rule=task.rule, number=task.number, trigger=trigger, payments=payments))


def _holds(state: State, where: Where | None, actor: int) -> bool:
    """Return whether a transfer's conditions on its actor hold."""
    if where is None:
        return True
    citizen, cash = state.citizens[actor], cash_of(state, actor)
    return (
        (where.role is None or citizen.role in where.role)
        and (where.cash_at_least is None or cash >= where.cash_at_least)
        and (where.cash_at_most is None or cash <= where.cash_at_most)
        and (where.serving is None or citizen.serving == where.serving)
        and (where.houses_at_least is None or houses_of(state, actor) >= where.houses_at_least)
    )


def _bills(play: SjPlay, transfer: AddTransfer, task: RunTransfer) -> list[Bill]:
    """Work out who owes whom how much, on the figures as they are now."""
    state = play.state
    payer, payee = party_of(transfer.payer), party_of(transfer.payee)
    assert payer, "checked when it was proposed"
    assert payee, "checked when it was proposed"
    order = play.in_order()
    payees = members(state, payee, actor=task.actor, order=order)
    bills: list[Bill] = []
    for pays in members(state, payer, actor=task.actor, order=order):
        paid = [seat for seat in payees if seat != pays]
        sums = {seat: _amount(state, transfer.amount, pays or seat, task.last_payment) for seat in paid}
        if transfer.split == "share":
            shares = tuple((seat, amount // len(paid)) for seat, amount in sums.items())
            bills.append(Bill(pays, shares, shared=True))
        else:
            bills += [Bill(pays, ((seat, amount),), shared=False) for seat, amount in sums.items()]
    return [bill for bill in bills if bill.total()]


def _amount(state: State, amount: Sum, seat: int, last_payment: int) -> int:
    """Work out an amount for the seat whose figure counts, in whole dollars rounded down."""
    if amount.fixed is not None:
        found = amount.fixed
    else:
        assert amount.pct is not None
        found = _figure(state, amount, seat, last_payment) * amount.pct // 100
    return parameters.capped(max(found, amount.min or 0), amount.max)


def _figure(state: State, amount: Sum, seat: int, last_payment: int) -> int:
    match amount.of:
        case "salary":
            return number(state, f"payday.salary.{state.citizens[seat].role}")
        case "cash":
            return cash_of(state, seat)
        case "last_payment":
            return last_payment
        case rate:
            assert rate is not None
            utility, when = rate.removeprefix("rate:").split(".")
            return number(state, f"utility.{utility}.{when}_rate")


def _ref(task: RunTransfer) -> str:
    return f"{task.rule}:{task.number}"


def _charge(play: SjPlay, task: RunTransfer, bills: list[Bill]) -> None:
    """Charge each part as a debt of its own, to be raised where cash is short (SJG-9); the bank is never short."""
    for bill in bills:
        if bill.payer == THE_BANK:
            _pay(play, task, bill, on_short="partial")
    debts = [(bill.payer, account_of(seat), amount) for bill in bills if bill.payer for seat, amount in bill.parts]
    play.push(
        *(
            Charge(seat=payer, payee=payee, amount=amount, reason=REASON, rule=RULE, ref=_ref(task))
            for payer, payee, amount in debts
            if amount
        )
    )


def _pay(play: SjPlay, task: RunTransfer, bill: Bill, *, on_short: OnShort) -> None:
    """Pay a bill as far as cash goes, or not at all; what is not paid is let go, and an event records that."""
    parts, missing = bill.parts, 0
    if bill.payer != THE_BANK:
        missing = max(0, bill.total() - cash_of(play.state, bill.payer))
    if missing:
        left = 0 if on_short == "skip" else bill.total() - missing
        parts = tuple((seat, left // len(parts)) for seat, _ in parts)
        payee = "" if bill.shared else account_of(bill.parts[0][0])
        lost = bill.total() - sum(amount for _, amount in parts)
        play.record(
            TransferShort(rule=task.rule, number=task.number, payer=account_of(bill.payer), payee=payee, missing=lost)
        )
    for seat, amount in parts:
        payer, payee = account_of(bill.payer), account_of(seat)
        play.move_cash(payer, payee, amount, reason=REASON, rule=RULE, ref=_ref(task))
