"""The end: what everybody is worth, the ranking, and the way through the roles (SJG-3)."""

from typing import Literal

from events.lobby import GameFinished, Standing
from events.social_justice.events import WorthCounted, WorthLine
from service.rules.social_justice import votes, white_house, worth
from service.rules.social_justice.table import SjPlay, State, cash_of

Reason = Literal["completed", "abandoned", "last_standing", "motion"]


def finish(play: SjPlay, reason: Reason) -> None:
    """Count and rank; prompts, a vote and a presidency end with the game, and nothing is left to do."""
    votes.lapse(play)
    white_house.leave_office(play)
    for prompt in list(play.state.prompts.values()):
        play.close_prompt(prompt, "void")
    lines = tuple(_line(play.state, seat) for seat in sorted(play.state.citizens))
    play.record(WorthCounted(lines=lines))
    play.record(GameFinished(reason=reason, standings=_rank(play.state, lines), winners=()))
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


def _rank(state: State, lines: tuple[WorthLine, ...]) -> tuple[Standing, ...]:
    """Order the survivors by net worth, equal ones sharing a rank; who is out comes last with rank 0."""
    alive = sorted((line for line in lines if not line.out), key=lambda line: (-line.worth, line.seat))
    worths = [line.worth for line in alive]
    placed = [_standing(state, line, worths.index(line.worth) + 1) for line in alive]
    return (*placed, *(_standing(state, line, 0) for line in lines if line.out))


def _standing(state: State, line: WorthLine, rank: int) -> Standing:
    role = state.citizens[line.seat].role
    return Standing(seat=line.seat, rank=rank, total=line.worth, tax=0, score=line.worth, track=role)
