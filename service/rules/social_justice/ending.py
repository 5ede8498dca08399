"""The end: what each seat is worth, the ranking, and the way through the roles (SJG-3)."""

from typing import Literal

from events.lobby import GameFinished, Standing
from events.social_justice.events import WorthCounted, WorthLine
from service.rules.social_justice import votes, white_house, worth
from service.rules.social_justice.shorthand import SjPlay, State, cash_of
from service.rules.standings import ranked

Reason = Literal["completed", "abandoned", "last_standing", "motion"]


def finish(play: SjPlay, reason: Reason) -> None:
    """Count and rank; prompts, a vote and a presidency end with the game, and nothing is left to do."""
    votes.lapse(play)
    white_house.leave_office(play)
    play.void_prompts()
    lines = tuple(_line(play.state, seat) for seat in sorted(play.state.citizens))
    play.record(WorthCounted(lines=lines))
    play.record(
        GameFinished(reason=reason, standings=ranked([_standing(play.state, line) for line in lines]), winners=())
    )
    play.agenda.clear()


def _line(state: State, seat: int) -> WorthLine:
    citizen, titles = state.citizens[seat], worth.titles_of(state, seat)
    return WorthLine(
        seat=seat,
        cash=cash_of(state, seat),
        titles=sum(worth.list_price(state, square) for square in titles),
        houses=sum(worth.houses_cost(state, square) for square in titles),
        owed=sum(loan.owed for loan in state.deals.owed_by(seat)),
        receivable=sum(loan.owed for loan in state.deals.owed_to(seat)),
        worth=worth.net_worth(state, seat),
        roles=citizen.roles,
        out=citizen.out,
    )


def _standing(state: State, line: WorthLine) -> Standing:
    rank, role = 0 if line.out else 1, state.citizens[line.seat].role
    return Standing(seat=line.seat, rank=rank, total=line.worth, tax=0, score=line.worth, track=role)
