"""Doing what is left of the turn, task by task, until somebody is asked something or the game is over.

Every action ends here. The stack is data (`events.social_justice.tasks`): where it stops, it is recorded, and the next
action goes on exactly there.
"""

from collections.abc import Callable, Mapping
from typing import Any

from events.social_justice.tasks import (
    AfterVote,
    AgendaSet,
    Arrest,
    Ask,
    Charge,
    CloseLoan,
    CloseRound,
    CloseTurn,
    Combat,
    DealRoles,
    Draw,
    DueLoan,
    DueLoans,
    EndTour,
    JailOrStart,
    Land,
    MoveRoll,
    NextTurn,
    Owe,
    PayUtility,
    RunTransfer,
    Scheduled,
    Task,
    Transfers,
    Walk,
)
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
from service.rules.social_justice.table import OF_THE_GAME, SjPlay

Run = Callable[[SjPlay, Any], None]


def conclude(play: SjPlay) -> None:
    """Do all that can be done now, and record what is left."""
    if play.state.status == "playing":
        run(play)
    if play.state.status == "playing" and tuple(play.agenda) != play.state.agenda:
        play.record(AgendaSet(tasks=tuple(play.agenda)))


def run(play: SjPlay) -> None:
    """Do task after task; a debt that cash covers by now is paid first."""
    dealing.drop_moot(play)
    landing.drop_moot(play)
    settle(play)
    while play.agenda and play.state.status == "playing" and not play.state.prompts:
        task = play.agenda.pop()
        if is_void(play, task):
            continue
        RUN[type(task)](play, task)
        settle(play)


def settle(play: SjPlay) -> None:
    """Pay the debt that waits, if cash covers it; the debtor's open offers lapse with the window (SJG-10)."""
    debt = play.agenda[-1] if play.agenda else None
    if isinstance(debt, Owe) and money.settle_debt(play, debt):
        play.agenda.pop()
        offers.lapse(play, debt.seat)


def is_void(play: SjPlay, task: Task) -> bool:
    """Tell whether a task is of somebody who is out: what was not yet asked is not owed (SJG-9)."""
    seat = getattr(task, "seat", 0)
    return bool(seat) and not isinstance(task, OF_THE_GAME) and bool(play.state.citizens[seat].out)


def _ask(play: SjPlay, task: Ask) -> None:
    play.open_prompt(task.seat, task.kind, task.why)


def _charge(play: SjPlay, task: Charge) -> None:
    money.owe(play, task.seat, task.payee, task.amount, reason=task.reason, rule=task.rule, ref=task.ref)


def _after_vote(play: SjPlay, task: AfterVote) -> None:
    (proposals.after_vote if task.kind == "proposal" else white_house.after_vote)(play, task)


RUN: Mapping[type[Task], Run] = {
    AfterVote: _after_vote,
    Arrest: jail.arrest,
    Ask: _ask,
    Charge: _charge,
    Combat: military.fight,
    DealRoles: start.deal,
    Draw: cards.draw,
    DueLoan: loans.fall_due,
    DueLoans: lambda play, task: play.push(*loans.due_tasks(play.state, task.seat)),
    EndTour: military.end_tour,
    CloseTurn: turn.end,
    JailOrStart: turn.jail_or_start,
    Land: landing.land,
    CloseLoan: loans.paid,
    MoveRoll: movement.roll,
    NextTurn: turn.start_next,
    PayUtility: payday.pay_utility,
    RunTransfer: transfers.run_one,
    Scheduled: agreements.pay_scheduled,
    CloseRound: turn.close_round,
    Transfers: transfers.run,
    Walk: movement.walk,
}
"""What each kind of task does; `Owe` alone waits."""
