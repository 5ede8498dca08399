"""What is left of a turn of The Social Justice Game, as data: a stack of tasks, the next one on top (last).

A chain (roll, walk, pass Payday, pay, land, draw …) may stop at any point for a prompt, a debt or a vote, and goes on
exactly there. Tasks are small and read the state when they are done; only an amount that is already due stands in one.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from events.base import Account, Amount, Count, Event, RuleId, Seat
from events.play import Part


class Task(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="task"):
    """Something that is still to be done."""


class DealRoles(Task, frozen=True, tag="deal_roles"):
    """Ask the next seat for a role; with none waiting, deal what nobody picked and begin (SJG-2)."""

    waiting: tuple[Seat, ...]


class NextTurn(Task, frozen=True, tag="next_turn"):
    """Start the turn of the next seat after a seat; 0 for the first turn."""

    after: Count


class DueLoans(Task, frozen=True, tag="due_loans"):
    """Collect a seat's loans that are due, oldest first (SJG-14)."""

    seat: Seat


class DueLoan(Task, frozen=True, tag="due_loan"):
    """Collect one loan that is due (SJG-14)."""

    seat: Seat
    loan: int


class CloseLoan(Task, frozen=True, tag="close_loan"):
    """Note that a due loan was paid in full (SJG-14)."""

    seat: Seat
    loan: int


class Scheduled(Task, frozen=True, tag="scheduled"):
    """Make the payments that a seat agreed to make now (SJG-31)."""

    seat: Seat
    when: Literal["turn", "payday"]


class JailOrStart(Task, frozen=True, tag="jail_or_start"):
    """Miss the turn of a prisoner; ask any other seat how to begin it."""

    seat: Seat


class Transfers(Task, frozen=True, tag="transfers"):
    """Run the adopted transfers of a trigger.

    Attributes:
        trigger: As in a proposal: `each_payday`, `land:hospital`, `rent_paid` …; a utility's square is `land:enron`.
        actor: Seat that it is about; 0 for none.
        last_payment: What was paid right before, for `rent_paid`.
    """

    trigger: str
    actor: Count
    last_payment: Count = 0


class RunTransfer(Task, frozen=True, tag="run_transfer"):
    """Run one adopted transfer.

    Attributes:
        rule: The rule that it belongs to.
        number: Which of its transfers, from 0.
        actor: Seat that it is about; 0 for none.
        last_payment: What was paid right before, for `rent_paid`.
    """

    rule: str
    number: Count
    actor: Count
    last_payment: Count = 0


class AfterVote(Task, frozen=True, tag="after_vote"):
    """Do what a vote decided (SJG-33, SJG-79).

    Attributes:
        kind: What it was about.
        seat: Who called it.
    """

    kind: Literal["proposal", "presidency"]
    seat: Seat


class Ask(Task, frozen=True, tag="ask"):
    """Ask a seat something."""

    seat: Seat
    kind: str
    why: str = ""


class Combat(Task, frozen=True, tag="combat"):
    """Throw the combat die for a seat in harm's way (SJG-57)."""

    seat: Seat


class MoveRoll(Task, frozen=True, tag="move_roll"):
    """Throw the movement die of a seat's role (SJG-18)."""

    seat: Seat


class Walk(Task, frozen=True, tag="walk"):
    """Move a token forward, then land.

    Attributes:
        seat: Whose token.
        left: Squares that are left to go.
        how: By the die, with stops offered on the way, or by a card.
        chained: Directed moves of this chain so far.
    """

    seat: Seat
    left: Count
    how: Literal["roll", "card"]
    chained: Count = 0


class Land(Task, frozen=True, tag="land"):
    """Do what the square under a token says."""

    seat: Seat
    chained: Count = 0


class PayUtility(Task, frozen=True, tag="pay_utility"):
    """Charge a seat at Payday for a utility (SJG-67)."""

    seat: Seat
    utility: str


class EndTour(Task, frozen=True, tag="end_tour"):
    """End a tour of duty at Payday (SJG-58)."""

    seat: Seat


class Charge(Task, frozen=True, tag="charge"):
    """Charge a seat for what is not yet due; it is owed when this is done, unless the seat is out by then."""

    seat: Seat
    payee: Account
    amount: Amount
    reason: str
    rule: RuleId
    ref: str


class Owe(Task, frozen=True, tag="owe"):
    """A debt above cash, with the raise-funds window open: everything below waits until it is paid (SJG-9)."""

    seat: Seat
    creditor: Account
    amount: Amount
    reason: str
    rule: RuleId
    ref: str
    breakdown: tuple[Part, ...] = ()


class Draw(Task, frozen=True, tag="draw"):
    """Draw Change cards, while the token stands where they were to be drawn.

    Attributes:
        seat: Who draws.
        left: Cards that are left to draw.
        square: Where the token must stand.
        chained: Directed moves of this chain so far.
    """

    seat: Seat
    left: Count
    square: Count
    chained: Count = 0


class Arrest(Task, frozen=True, tag="arrest"):
    """Send a seat to jail, unless a pass or bail avoids it (SJG-61 to SJG-64).

    Attributes:
        seat: Who is sent.
        tried: What was asked already.
    """

    seat: Seat
    tried: Literal["", "pass", "bail"] = ""


class CloseTurn(Task, frozen=True, tag="close_turn"):
    """End a seat's turn."""

    seat: Seat


class CloseRound(Task, frozen=True, tag="close_round"):
    """End the round, and the game if it was the last (SJG-3)."""


AnyTask: TypeAlias = (
    DealRoles | NextTurn | DueLoans | DueLoan | CloseLoan | Scheduled | JailOrStart | Transfers | RunTransfer
    | AfterVote | Ask | Combat | MoveRoll | Walk | Land | PayUtility | EndTour | Charge | Owe | Draw | Arrest
    | CloseTurn | CloseRound
)  # fmt: skip


class AgendaSet(Event, frozen=True, tag="agenda_set"):
    """What is left of the turn at the end of an action; recorded when it differs from before.

    Attributes:
        tasks: The stack, the next task last.
        schema: Number of this shape.
    """

    tasks: tuple[AnyTask, ...]
    schema: Literal[1] = 1
