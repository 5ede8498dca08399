"""The custodian of record: who it is, and attesting the books (PA-10).

The custodian pays nothing by hand: postings are made by the rules, and the purse has no limit. What the custodian may
do is to attest the books: at any time in play, and once more after the result where that was agreed on (`attest`).
"""

from events.lobby import CustodianNamed, SeatLeft
from events.play import BooksAttested
from projections.ledger.chart import digest_of
from service.rules.actions import AttestBooks, AttestResult, DeclineResult
from service.rules.public_assistance.shorthand import PaPlay, State
from service.rules.violations import Refusal

RESULT_SECONDS = 24 * 3600
"""Time to attest a result where no clock was agreed on: a game must not stay unsealed for ever."""


def name_first(play: PaPlay) -> int:
    """Choose the custodian: the seat agreed on, else the host's, else the first (PA-10)."""
    seats = play.state.seats
    chosen = play.option("custodian")
    if chosen and chosen not in seats:
        raise play.refusal(
            "no_such_custodian", f"Nobody sits at {chosen}, which is to be custodian.", "options.custodian"
        )
    return chosen or next((n for n, seat in seats.items() if seat.host), min(seats))


def succeed(play: PaPlay, leaver: int) -> None:
    """Make the next seat the custodian when the custodian has left, if there is any (PA-10)."""
    staying = play.state.staying()
    if staying and play.state.custodian == leaver:
        heir = next((other for other in staying if other > leaver), staying[0])
        play.record(CustodianNamed(seat=heir, why="succession"))


def why_not_attest(state: State, seat: int) -> Refusal | None:
    """Return why a seat may not attest the books right now."""
    if state.custodian != seat:
        return Refusal("not_custodian", f"The books are attested by the custodian, seat {state.custodian} (PA-10).")
    if state.attested == digest_of(state.cash):
        return Refusal("already_attested", "The books are as they were when they were attested last (PA-10).")
    return None


def attest_books(play: PaPlay, seat: int, _action: AttestBooks) -> None:
    """Attest the books as they stand."""
    _attest(play, seat)


def ask_for_result(play: PaPlay) -> None:
    """Ask the custodian to attest the result; the seal waits for the answer, or for the deadline.

    A game that was created before there was such an option has none of it.
    """
    seat = play.state.custodian
    if play.state.options.get("attest") and not play.state.seats[seat].left:
        play.open_prompt(seat, "attest", without_clock=RESULT_SECONDS)


def attest_result(play: PaPlay, seat: int, action: AttestResult) -> None:
    """Attest the result."""
    play.answer(action.prompt)
    _attest(play, seat)


def decline_result(play: PaPlay, _seat: int, action: DeclineResult) -> None:
    """Leave the result without an attestation."""
    play.answer(action.prompt)


def leave_result(play: PaPlay, seat: int) -> None:
    """Leave as the custodian before an answer: the next seat that is there inherits purse and question."""
    play.void_prompts(seat)
    play.record(SeatLeft(seat=seat, playing=True))
    succeed(play, seat)
    ask_for_result(play)


def _attest(play: PaPlay, seat: int) -> None:
    play.record(BooksAttested(seat=seat, version=play.state.version, digest=digest_of(play.state.cash)))
