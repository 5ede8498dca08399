"""The end of the game, taxes and the winner (PA-48 to PA-51)."""

from typing import Literal

from events.base import CUSTODIAN, seat_account
from events.lobby import GameFinished, Standing
from events.public_assistance.events import EndReached
from service.rules.public_assistance.custodian import ask_for_result
from service.rules.public_assistance.money import price_of_note, redeem
from service.rules.public_assistance.shorthand import PaPlay, State, cash_of
from service.rules.standings import ranked

TAX_TABLE = ((35_000, 50), (20_000, 40), (10_000, 30), (5_000, 20), (0, 10))
"""(least money total, percent of the whole total). Rule: PA-50."""


def tax_on(total: int) -> int:
    """Compute the flat tax on a money total, rounded down; nothing on a negative one (PA-50)."""
    return next((total * percent // 100 for least, percent in TAX_TABLE if total >= least), 0)


def whose_marker_ends(state: State) -> list[int]:
    """List the seats whose marker may end the game (`end_on`; once the first seat has left, any)."""
    staying = state.staying()
    if state.options["end_on"] == "first_seat" and state.order[0] in staying:
        return [state.order[0]]
    return staying


def test_end(play: PaPlay) -> None:
    """End the game if a marker has reached the agreed months (PA-48); with `finish_turn`, only note it."""
    if play.state.end_reached:
        return
    months = play.option("months")
    done = [seat for seat, player in play.state.players.items() if player.month >= months]
    ending = next((seat for seat in whose_marker_ends(play.state) if seat in done), None) if done else None
    if ending is None:
        return
    play.record(EndReached(seat=ending, month=play.state.players[ending].month))
    if not play.option("finish_turn"):
        finish(play, "completed")


def finish(play: PaPlay, reason: Literal["completed", "abandoned"]) -> None:
    """Redeem, tax and rank; every open prompt is void. The custodian may be asked to attest the result."""
    play.void_prompts()
    lines = [_result_of(play, seat) for seat in play.state.staying()]
    lines += [_frozen(play, seat) for seat in sorted(play.state.players) if play.state.seats[seat].left]
    standings = ranked(lines)
    winners = tuple(line.seat for line in standings if line.rank == 1)
    play.record(GameFinished(reason=reason, standings=standings, winners=winners))
    ask_for_result(play)


def _result_of(play: PaPlay, seat: int) -> Standing:
    """Redeem a seat's notes as far as cash goes, then let a working player pay tax (PA-49, PA-50)."""
    track = play.state.players[seat].track
    total = money_total(play, seat)
    redeem_at_end(play, seat)
    tax = tax_on(total) if track == "rut" else 0
    account = seat_account(seat)
    play.move_cash(account, CUSTODIAN, tax, reason="income_tax", rule="PA-50", ref=f"tax:{seat}")
    return Standing(seat=seat, rank=1, total=total, tax=tax, score=total - tax, track=track)


def _frozen(play: PaPlay, seat: int) -> Standing:
    """List a seat that left, unranked, with what it had."""
    total = money_total(play, seat)
    return Standing(seat=seat, rank=0, total=total, tax=0, score=total, track=play.state.players[seat].track)


def money_total(play: PaPlay, seat: int) -> int:
    """Compute cash less what all notes cost, on every track; may be negative (PA-50)."""
    return cash_of(play.state, seat) - price_of_note(play.state) * play.state.players[seat].notes


def redeem_at_end(play: PaPlay, seat: int) -> None:
    """Redeem notes as far as cash goes; the rest stays open on the loan account (PA-50)."""
    amount = min(cash_of(play.state, seat), price_of_note(play.state) * play.state.players[seat].notes)
    if amount:
        redeem(play, seat, amount, rule="PA-50")
