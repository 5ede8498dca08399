"""Jail: who is sent, who avoids it, how long, and the way out to Payday (SJG-61 to SJG-64)."""

from typing import Literal

from events.base import BANK, seat_account
from events.play import CardReturned
from events.social_justice.events import JailAvoided, Jailed, JailLeft, TourEnded
from events.social_justice.tasks import Arrest, Transfers
from service.rules import actions_social_justice as a
from service.rules.social_justice.money import collect
from service.rules.social_justice.shorthand import (
    SjPlay,
    State,
    card_of,
    cash_of,
    citizen_of,
    limit,
    number,
    roles_in,
)
from service.rules.violations import Refusal


def passes(state: State, seat: int) -> list[str]:
    """List the kept cards that avoid jail once, the one held longest first."""
    return [card for card in state.citizens[seat].kept if card_of(state, card).kind == "keep_jail_pass"]


def arrest(play: SjPlay, task: Arrest) -> None:
    """Send a seat to jail: by its role it stays, a pass is asked for before bail, else it is sentenced."""
    seat = task.seat
    if not number(play.state, "jail.enabled"):
        play.record(JailAvoided(seat=seat, how="no_jail"))
    elif citizen_of(play, seat).role in roles_in(play.state, "jail.immune_roles"):
        play.record(JailAvoided(seat=seat, how="role"))
    elif not task.tried and passes(play.state, seat):
        play.push(Arrest(seat=seat, tried="pass"))
        play.open_prompt(seat, "jail_pass")
    elif task.tried != "bail" and limit(play.state, "jail.bail") is not None:
        play.push(Arrest(seat=seat, tried="bail"))
        play.open_prompt(seat, "bail")
    else:
        _sentence(play, seat)


def _sentence(play: SjPlay, seat: int) -> None:
    """Throw for the turns to be missed, unless a number was set; none at all is a release at once (SJG-61)."""
    turns = limit(play.state, "jail.fixed_turns")
    if turns is None:
        sides = number(play.state, "jail.die")
        (turns,) = play.roll(seat, "jail", seat, citizen_of(play, seat).own, count=1, sides=sides)
    play.record(Jailed(seat=seat, turns=turns))
    if not turns:
        release(play, seat, how="served")


def release(play: SjPlay, seat: int, *, how: Literal["served", "pardoned"]) -> None:
    """Release a prisoner to Payday; without pay unless a rule sets one; a tour ends there (SJG-58, SJG-62)."""
    play.record(JailLeft(seat=seat, how=how))
    salary = number(play.state, f"payday.salary.{citizen_of(play, seat).held()}")
    paid = salary * number(play.state, "jail.release_pay_pct") // 100
    collect(play, seat, paid, reason="release_pay", rule="SJG-62", ref="square:0")
    if citizen_of(play, seat).serving:
        play.record(TourEnded(seat=seat))
    play.push(Transfers(trigger="jail_release", actor=seat))


def use_pass(play: SjPlay, seat: int, action: a.UsePass) -> None:
    """Avoid jail by the pass held longest; the token stays where it is (SJG-64)."""
    play.answer(action.prompt)
    card = passes(play.state, seat)[0]
    play.record(CardReturned(seat=seat, deck="change", card=card, kept=True))
    _avoid(play, seat, how="pass")


def why_not_bail(state: State, seat: int) -> Refusal | None:
    """Return why bail cannot be paid right now."""
    bail = limit(state, "jail.bail") or 0
    if cash_of(state, seat) < bail:
        return Refusal("cash_too_short", f"The bail is ${bail:,} (SJG-64).")
    return None


def pay_bail(play: SjPlay, seat: int, action: a.PayBail) -> None:
    """Pay and stay where one is."""
    play.answer(action.prompt)
    bail = limit(play.state, "jail.bail") or 0
    play.move_cash(seat_account(seat), BANK, bail, reason="bail", rule="SJG-61", ref="square:35")
    _avoid(play, seat, how="bail")


def _avoid(play: SjPlay, seat: int, *, how: Literal["pass", "bail"]) -> None:
    assert isinstance(play.agenda[-1], Arrest), "the arrest waits for the answer"
    play.agenda.pop()
    play.record(JailAvoided(seat=seat, how=how))
