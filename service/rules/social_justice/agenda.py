"""Doing what is left of the turn, task by task, until a seat is asked something or the game is over.

Every action ends here. The stack is data (`events.social_justice.tasks`): where it stops, it is recorded, and the next
action goes on exactly there.
"""

from collections.abc import Callable, Mapping
from typing import Any

from events.social_justice import tasks
from service.rules.social_justice import (
    agreements,
    cards,
    dealing,
    jail,
    landing,
    loans,
    military,
    money,
    movement,
    offers,
    payday,
    proposals,
    start,
    transfers,
    turn,
    white_house,
)
from service.rules.social_justice.shorthand import OF_THE_GAME, SjPlay

Run = Callable[[SjPlay, Any], None]


def conclude(play: SjPlay) -> None:
    """Do all that can be done now, and record what is left."""
    if play.state.status == "playing":
        run(play)
    if play.state.status == "playing" and tuple(play.agenda) != play.state.agenda:
        play.record(tasks.AgendaSet(tasks=tuple(play.agenda)))


def run(play: SjPlay) -> None:
    """Do task after task; a debt that cash covers by now is paid first."""
    if play.state.deals.offers:
        dealing.drop_moot(play)
    landing.drop_moot(play)
    pay_waiting_debt(play)
    while play.agenda and play.state.status == "playing" and not play.state.prompts:
        task = play.agenda.pop()
        if is_void(play, task):
            continue
        RUN[type(task)](play, task)
        pay_waiting_debt(play)


def pay_waiting_debt(play: SjPlay) -> None:
    """Pay the debt that waits, if cash covers it; the debtor's open offers lapse with the window (SJG-10)."""
    debt = play.agenda[-1] if play.agenda else None
    if isinstance(debt, tasks.Owe) and money.settle_debt(play, debt):
        play.agenda.pop()
        offers.lapse(play, debt.seat)


def is_void(play: SjPlay, task: tasks.Task) -> bool:
    """Return whether a task is of a seat that is out: what was not yet asked is not owed (SJG-9)."""
    seat = getattr(task, "seat", 0)
    return bool(seat) and not isinstance(task, OF_THE_GAME) and bool(play.state.citizens[seat].out)


def _ask(play: SjPlay, task: tasks.Ask) -> None:
    play.open_prompt(task.seat, task.kind, task.why)


def _charge(play: SjPlay, task: tasks.Charge) -> None:
    money.owe(play, task.seat, task.payee, task.amount, reason=task.reason, rule=task.rule, ref=task.ref)


def _after_vote(play: SjPlay, task: tasks.AfterVote) -> None:
    (proposals.after_vote if task.kind == "proposal" else white_house.after_vote)(play, task)


RUN: Mapping[type[tasks.Task], Run] = {
    tasks.AfterVote: _after_vote,
    tasks.Arrest: jail.arrest,
    tasks.Ask: _ask,
    tasks.Charge: _charge,
    tasks.Combat: military.fight,
    tasks.DealRoles: start.deal,
    tasks.Draw: cards.draw,
    tasks.DueLoan: loans.fall_due,
    tasks.DueLoans: lambda play, task: play.push(*loans.due_tasks(play.state, task.seat)),
    tasks.EndTour: military.end_tour,
    tasks.CloseTurn: turn.end,
    tasks.JailOrStart: turn.jail_or_start,
    tasks.Land: landing.land,
    tasks.CloseLoan: loans.paid,
    tasks.MoveRoll: movement.roll,
    tasks.NextTurn: turn.start_next,
    tasks.PayUtility: payday.pay_utility,
    tasks.RunTransfer: transfers.run_one,
    tasks.Scheduled: agreements.pay_scheduled,
    tasks.CloseRound: turn.close_round,
    tasks.Transfers: transfers.run,
    tasks.Walk: movement.walk,
}
"""What each kind of task does; `Owe` alone waits."""
