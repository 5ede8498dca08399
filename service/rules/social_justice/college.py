"""College: aid, tuition and the degree (SJG-48 to SJG-51, SJG-54)."""

from events.base import BANK, seat_account
from events.social_justice.events import AidAnswered, RoleChanged
from events.social_justice.tasks import Ask, Transfers
from service.rules import actions_social_justice as a
from service.rules.social_justice.parameters import value
from service.rules.social_justice.shorthand import SjPlay, State, board_of, cash_of, citizen_of, number
from service.rules.violations import Refusal

RULES = {"unemployed": "SJG-49", "employee": "SJG-50"}


def may_attend(state: State, seat: int) -> bool:
    """Return whether a seat's role has a degree before it (SJG-48)."""
    return bool(board_of(state).roles[state.citizens[seat].held()].degree) and bool(number(state, "college.enabled"))


def arrive(play: SjPlay, seat: int) -> None:
    """Ask for an application first, where one is left, then for the tuition (SJG-48, SJG-51)."""
    if not may_attend(play.state, seat):
        return
    may_apply = citizen_of(play, seat).aid_used < number(play.state, "college.aid_max")
    tuition = Ask(seat=seat, kind="tuition")
    play.push(*((Ask(seat=seat, kind="aid"), tuition) if may_apply else (tuition,)))


def apply_for_aid(play: SjPlay, seat: int, action: a.ApplyForAid) -> None:
    """Throw a die for aid; the application is used up whatever it shows (SJG-51)."""
    play.answer(action.prompt)
    used = citizen_of(play, seat).aid_used + 1
    (face,) = play.roll(seat, "aid", seat, used, count=1)
    charges = value(play.state, "college.aid_charge")
    assert isinstance(charges, list)
    charge = charges[face - 1]
    assert isinstance(charge, int)
    play.record(AidAnswered(seat=seat, face=face, charge=charge, used=used))


def tuition_of(state: State, seat: int) -> int:
    """Return the tuition after aid, and after the GI Bill for a veteran; each rounded down (SJG-51, SJG-54)."""
    citizen = state.citizens[seat]
    tuition = number(state, f"college.tuition.{citizen.held()}") * citizen.aid_charge // 100
    return tuition * number(state, "college.gi_pct") // 100 if citizen.veteran else tuition


def why_not_tuition(state: State, seat: int) -> Refusal | None:
    """Return why the tuition cannot be paid right now; a loan may be taken first."""
    tuition = tuition_of(state, seat)
    if cash_of(state, seat) < tuition:
        return Refusal("cash_too_short", f"The tuition is ${tuition:,} (SJG-49, SJG-50).")
    return None


def pay_tuition(play: SjPlay, seat: int, action: a.PayTuition) -> None:
    """Pay, and hold the next role at once (SJG-7, SJG-49, SJG-50)."""
    play.answer(action.prompt)
    citizen = citizen_of(play, seat)
    before = citizen.held()
    role = board_of(play.state).roles[before].degree
    assert role, "only who may attend is asked"
    rule = RULES[before]
    play.move_cash(seat_account(seat), BANK, tuition_of(play.state, seat), reason="tuition", rule=rule, ref="square:10")
    play.record(RoleChanged(seat=seat, role=role, before=before, why="degree", floor=citizen.role_floor, rule=rule))
    play.push(Transfers(trigger="degree", actor=seat))
