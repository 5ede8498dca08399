"""One settlement for every seat that goes: bankrupt, killed or leaving (SJG-4b)."""

from events.base import BANK, Account, seat_account
from events.play import CardReturned
from events.social_justice.events import CitizenOut, HousesRemoved, Out, TitlePassed
from events.social_justice.tasks import AnyTask, Charge, Owe
from service.rules.social_justice import agreements, ending, loans, offers, votes
from service.rules.social_justice.shorthand import OF_THE_GAME, SjPlay, cash_of, citizen_of, held_by

RULE = "SJG-4b"


def settle(play: SjPlay, seat: int, *, why: Out, rule: str, debt: Owe | None = None) -> None:
    """Pay what there is, give everything back and take the seat out; the last one standing ends the game.

    Args:
        play: The play.
        seat: Who goes.
        why: Why.
        rule: The rule that demands it.
        debt: The debt that brought it about, whose creditor comes first; None for none.
    """
    play.void_prompts(seat)
    loan = loans.number_of(debt.ref) if debt and debt.reason == "loan_due" else 0
    if debt and not loan:
        _pay_first(play, debt)
    loans.share_out(play, seat, first=loan)
    play.move_cash(seat_account(seat), BANK, cash_of(play.state, seat), reason="estate", rule=RULE, ref=f"seat:{seat}")
    _return_titles(play, seat)
    loans.write_off(play, seat)
    loans.assign_to_estate(play, seat)
    for card in citizen_of(play, seat).kept:
        play.record(CardReturned(seat=seat, deck="change", card=card, kept=True))
    offers.end_all_of(play, seat)
    agreements.end_all_of(play, seat)
    play.record(CitizenOut(seat=seat, why=why, rule=rule))
    _clear_agenda(play, seat)
    if len(play.state.alive()) < 2:
        ending.finish(play, "abandoned" if why == "left" else "last_standing")
    else:
        votes.voter_gone(play, seat)


def _pay_first(play: SjPlay, debt: Owe) -> None:
    """Pay the creditor whose debt could not be paid, as far as cash goes."""
    paid = min(debt.amount, cash_of(play.state, debt.seat))
    play.move_cash(seat_account(debt.seat), debt.creditor, paid, reason=debt.reason, rule=RULE, ref=debt.ref)


def _return_titles(play: SjPlay, seat: int) -> None:
    """Return titles and utilities to the bank, without their houses; donors stay exempt (SJG-28)."""
    for square in held_by(play.state, seat):
        return_title(play, square.i)


def return_title(play: SjPlay, square: int) -> None:
    """Return one title to the bank."""
    title = play.state.titles[square]
    if title.houses:
        play.record(HousesRemoved(square=square, houses=title.houses))
    play.record(TitlePassed(square=square, seller=title.holder, holder=0, why="estate", rule=RULE))


def _clear_agenda(play: SjPlay, seat: int) -> None:
    """Drop what waits for the seat; its own turn ends, another's goes on, and its claims are the bank's.

    What another was asked for in that turn stays owed: a debt outlives the turn that it arose in.
    """
    kept = [task for task in play.agenda if not (isinstance(task, Owe) and task.seat == seat)]
    if play.state.active == seat:
        kept = [task for task in kept if isinstance(task, (*OF_THE_GAME, Owe))]
    play.agenda[:] = [_owed_to_bank(task, seat_account(seat)) for task in kept]


def _owed_to_bank(task: AnyTask, account: Account) -> AnyTask:
    if isinstance(task, Owe) and task.creditor == account:
        return Owe(seat=task.seat, creditor=BANK, amount=task.amount, reason=task.reason, rule=task.rule, ref=task.ref)
    if isinstance(task, Charge) and task.payee == account:
        return Charge(seat=task.seat, payee=BANK, amount=task.amount, reason=task.reason, rule=task.rule, ref=task.ref)
    return task
