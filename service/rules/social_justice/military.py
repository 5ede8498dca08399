"""The military: enlisting, the combat die, the end of a tour (SJG-43, SJG-44, SJG-52 to SJG-58)."""

from events.social_justice.events import Enlisted, RoleChanged, TourEnded
from events.social_justice.tasks import Combat, EndTour, Transfers
from service.rules import actions_social_justice as a
from service.rules.social_justice import estate
from service.rules.social_justice.money import collect
from service.rules.social_justice.shorthand import SjPlay, State, board_of, citizen_of, number


def may_enlist(state: State, seat: int) -> bool:
    """Return whether a seat may join: by its role, and not while it serves (SJG-52)."""
    citizen = state.citizens[seat]
    by_role = bool(board_of(state).roles[citizen.held()].enlists_to)
    return by_role and not citizen.serving and bool(number(state, "military.enabled"))


def enlist(play: SjPlay, seat: int, action: a.Enlist) -> None:
    """Join: promoted at once and for good, in harm's way until Payday (SJG-52, SJG-53)."""
    play.answer(action.prompt)
    citizen = citizen_of(play, seat)
    play.record(Enlisted(seat=seat))
    role = board_of(play.state).roles[citizen.held()].enlists_to
    if role and number(play.state, "military.promotes"):
        play.record(RoleChanged(seat=seat, role=role, before=citizen.held(), why="enlisted", floor=role, rule="SJG-53"))
    collect(play, seat, number(play.state, "military.bonus"), reason="bonus", rule="SJG-53", ref="square:30")
    play.push(Transfers(trigger="enlist", actor=seat))


def fight(play: SjPlay, task: Combat) -> None:
    """Throw the combat die, once more after each 1; as many as kill in a row are the end (SJG-57)."""
    seat, citizen = task.seat, citizen_of(play, task.seat)
    if not citizen.harms_way or not number(play.state, "military.combat_enabled"):
        return
    for throw in range(1, number(play.state, "military.combat_hits") + 1):
        (face,) = play.roll(seat, "combat", seat, citizen.own, throw, count=1)
        if face != 1:
            return
    estate.settle(play, seat, why="killed", rule="SJG-57")


def end_tour(play: SjPlay, task: EndTour) -> None:
    """End a tour at Payday; what it earned stays (SJG-58)."""
    if citizen_of(play, task.seat).serving:
        play.record(TourEnded(seat=task.seat))
