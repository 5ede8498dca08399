"""The beginning: roles from one bag, the first salary, and the Owner's first turn (SJG-2, SJG-17, SJG-46)."""

from collections import Counter

from events.play import OrderDecided
from events.social_justice.board import RoleName
from events.social_justice.events import RoleTaken, RoundStarted, TitlePassed
from events.social_justice.tasks import DealRoles, NextTurn
from service.rules import actions_social_justice as a
from service.rules.bounds import Bound, OneOf
from service.rules.social_justice.money import collect
from service.rules.social_justice.shorthand import SjPlay, State, board_of, number

BAG: tuple[RoleName, ...] = (
    "owner", "unemployed", "employee", "manager", "unemployed", "employee", "manager", "unemployed",
)  # fmt: skip
"""As many of these as there are seats, from the first on (SJG-2)."""


def begin(play: SjPlay) -> None:
    """Begin with dealing the roles: asked for in seat order, or drawn from the bag."""
    chosen = play.state.options["assignment"] == "choose"
    play.push(DealRoles(waiting=tuple(play.state.alive()) if chosen else ()))


def bag(state: State) -> list[RoleName]:
    """List the roles that nobody has yet; the last seat without one takes the Owner if nobody did."""
    alive = state.alive()
    left: Counter[RoleName] = Counter(BAG[: len(alive)])
    left.subtract(state.citizens[seat].held() for seat in alive if state.citizens[seat].role)
    without = sum(not state.citizens[seat].role for seat in alive)
    roles = sorted((+left).elements(), key=BAG.index)
    return ["owner"] if without == 1 and "owner" in roles else roles


def deal(play: SjPlay, task: DealRoles) -> None:
    """Ask the next seat that waits; with none waiting, deal the rest and begin to play."""
    waiting = [seat for seat in task.waiting if seat in play.state.alive()]
    if waiting:
        play.push(DealRoles(waiting=tuple(waiting[1:])))
        play.open_prompt(waiting[0], "choose_role")
        return
    chosen = play.state.options["assignment"] == "choose"
    for seat in play.state.alive():
        if not play.state.citizens[seat].role:
            left = bag(play.state)
            (face,) = play.roll(seat, "role", seat, count=1, sides=len(left))
            play.record(RoleTaken(seat=seat, role=left[face - 1], how="dealt" if chosen else "drawn"))
    _ensure_an_owner(play)
    _open(play)


def _ensure_an_owner(play: SjPlay) -> None:
    """Make the last seat the Owner where that role's seat has left: exactly one begins (SJG-2)."""
    seats = play.state.alive()
    if all(play.state.citizens[seat].role != "owner" for seat in seats):
        play.record(RoleTaken(seat=seats[-1], role="owner", how="dealt"))


def _open(play: SjPlay) -> None:
    """Pay the first salaries, hand the Owner the utilities and the first turn; no utility is charged (SJG-46)."""
    seats, citizens = play.state.alive(), play.state.citizens
    owner = next(seat for seat in seats if citizens[seat].role == "owner")
    every_seat = sorted(citizens)
    order = [seat for seat in every_seat if seat >= owner] + [seat for seat in every_seat if seat < owner]
    play.record(OrderDecided(order=tuple(order)))
    for seat in [seat for seat in order if seat in seats]:
        salary = number(play.state, f"payday.salary.{citizens[seat].held()}")
        collect(play, seat, salary, reason="first_salary", rule="SJG-46", ref="square:0")
    for square in board_of(play.state).kind("utility"):
        if square.start_holder == "owner":
            rule = "SJG-66" if square.key == "enron" else "SJG-69"
            play.record(TitlePassed(square=square.i, seller=0, holder=owner, why="start", rule=rule))
    play.record(RoundStarted(round=1))
    play.push(NextTurn(after=0))


def role_bounds(state: State, _seat: int) -> dict[str, Bound]:
    """Bound the role: what is left in the bag."""
    return {"role": OneOf(tuple(dict.fromkeys(bag(state))))}


def choose_role(play: SjPlay, seat: int, action: a.ChooseRole) -> None:
    """Take a role out of the bag."""
    play.answer(action.prompt)
    play.record(RoleTaken(seat=seat, role=action.role, how="chosen"))
