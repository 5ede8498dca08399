"""Given, when, then: the words that scenarios of Public Assistance are written in.

    given(public_assistance(ann="promenade:0", bob="rut:3")).when(ann.rolls(1, 1, 2)).then(paid(bob, ann, 50))

`when` decides one action on scripted dice, and sees besides that books, decks and prompts are in order and that the
events alone lead to the same state. `refuses` sees that a refusal has its code, asks no die and leaves no trace.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import pytest

from events.base import Event
from projections import evolve as game
from projections.evolve import AnyState
from service.rules import actions as a
from service.rules.decide import Command, decide
from service.rules.dice import Dice
from service.rules.violations import RuleViolation
from tests.scenarios.dice import Draw, ScriptedDice
from tests.scenarios.table import NOW, State, Told, lay_out
from tests.support.invariants import after_any_event, between_actions
from tests.support.kinds import pa
from tests.support.packed import packed

E = TypeVar("E", bound=Event)
Check: TypeAlias = Callable[["Game"], None]


@dataclass(frozen=True)
class Step:
    """A player's action, and what chance says to it."""

    seat: int
    make: Callable[[str], a.AnyAction]
    draws: tuple[Draw, ...] = ()
    prompt: str = ""

    def under(self, prompt: str) -> "Step":
        """Return the action for another prompt than the open one."""
        return Step(self.seat, self.make, self.draws, prompt)

    def command(self, state: State) -> Command:
        """Return the command that it is in this state."""
        prompt = self.prompt or next(iter(state.prompts), "p1")
        return Command(self.make(prompt), self.seat, f"seat:{self.seat}", "0" * 64, NOW)


@dataclass(frozen=True)
class Who:
    """A player at the table, or the purse."""

    seat: int
    account: str

    def rolls(self, *faces: int) -> Step:
        return Step(self.seat, lambda p: a.Roll(prompt=p), (("movement", faces),))

    def rolls_in_jail(self, face: int) -> Step:
        return Step(self.seat, lambda p: a.Roll(prompt=p), (("jail", (face,)),))

    def cheats_to(self, block: int) -> Step:
        return Step(self.seat, lambda p: a.CheatMove(prompt=p, block=block))

    def bets(self, horse: int, stake: int, *faces: int, taker: int = 0) -> Step:
        return Step(
            self.seat, lambda p: a.BetHorses(prompt=p, horse=horse, stake=stake, taker=taker), (("horses", faces),)
        )

    def announces(self, number: str, stake: int, *faces: int, taker: int = 0) -> Step:
        return Step(
            self.seat, lambda p: a.BetLottery(prompt=p, number=number, stake=stake, taker=taker), (("lottery", faces),)
        )

    def borrows(self, amount: int) -> Step:
        return Step(self.seat, lambda p: a.Borrow(prompt=p, amount=amount))

    def repays(self, notes: int) -> Step:
        return Step(self.seat, lambda p: a.Repay(prompt=p, notes=notes))

    def uses_waiver(self) -> Step:
        return Step(self.seat, lambda p: a.UseWaiver(prompt=p))

    def takes_job(self) -> Step:
        return Step(self.seat, lambda p: a.TakeJob(prompt=p))

    def rolls_for_partner(self, face: int) -> Step:
        return Step(self.seat, lambda p: a.RollPartner(prompt=p), (("partner", (face,)),))

    def declines(self) -> Step:
        return Step(self.seat, lambda p: a.DeclinePartner(prompt=p))

    def offers(self, max_stake: int, *, horses: bool = True, lottery: bool = True) -> Step:
        return Step(self.seat, lambda _p: a.OfferBets(horses=horses, lottery=lottery, max_stake=max_stake))

    def withdraws(self) -> Step:
        return Step(self.seat, lambda _p: a.WithdrawBets())

    def attests(self) -> Step:
        return Step(self.seat, lambda _p: a.AttestBooks())

    def attests_result(self) -> Step:
        return Step(self.seat, lambda p: a.AttestResult(prompt=p))

    def declines_result(self) -> Step:
        return Step(self.seat, lambda p: a.DeclineResult(prompt=p))

    def leaves(self) -> Step:
        return Step(self.seat, lambda _p: a.Leave())


ann, bob, cid, dee = (Who(seat, f"seat:{seat}") for seat in (1, 2, 3, 4))
purse = Who(0, "custodian")
escrow = Who(0, "escrow")


class Game:
    """A game in the middle of play, and what the last action led to."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []

    def when(self, step: Step, *more: list[Draw]) -> "Game":
        """Act; `more` is what chance says after the action's own dice."""
        dice = ScriptedDice([*step.draws, *(draw for draws in more for draw in draws)], self.state)
        self.decide(step.command(self.state), dice)
        dice.check_used_up()
        return self

    def decide(self, command: Command, dice: Dice) -> None:
        """Decide a command; see that it kept every promise."""
        decision = decide(self.state, command, dice, at=NOW)
        folded: AnyState = self.state.copy()
        for envelope in decision.envelopes:
            folded = game.advance(folded, envelope)
            assert after_any_event(folded, envelope.data) == [], envelope.data
        assert packed(folded) == packed(decision.state), "events and decision differ"
        assert between_actions(folded) == []
        self.state = pa(folded)
        self.events = [envelope.data for envelope in decision.envelopes]

    def expires(self, *draws: Draw) -> "Game":
        """Pass the deadline of the open prompt."""
        (prompt,) = self.state.prompts.values()
        assert prompt.deadline is not None, "a clock needs turn_seconds"
        action = a.Expire(prompt=prompt.prompt, deadline=prompt.deadline)
        dice = ScriptedDice(draws, self.state)
        self.decide(Command(action, 0, "clock", "0" * 64, NOW), dice)
        dice.check_used_up()
        return self

    def then(self, *checks: Check) -> "Game":
        """Check what came of it."""
        for check in checks:
            check(self)
        return self

    def refuses(self, step: Step, code: str, field: str = "") -> "Game":
        """Check that an action is refused, with no die asked and no trace."""
        before, dice = packed(self.state), ScriptedDice(step.draws, self.state)
        with pytest.raises(RuleViolation) as refused:
            decide(self.state, step.command(self.state), dice, at=NOW)
        refusal = refused.value.refusal
        assert (refusal.code, refusal.field) == (code, field or refusal.field)
        assert refusal.detail.endswith("."), "a refusal is a sentence"
        assert (packed(self.state), dice.used) == (before, 0)
        return self

    def found(self, kind: type[E], **fields: Any) -> list[E]:
        """List the events of the last action that are of a type and have these fields."""
        events = [event for event in self.events if isinstance(event, kind)]
        return [e for e in events if all(getattr(e, name) == value for name, value in fields.items())]


def given(told: Told) -> Game:
    """Lay out a position."""
    return Game(lay_out(told))
