"""What a game waits for next, read off its state: a deadline that passes, or a bot that is to move.

The script that appends writes the moment into the bucket's due index, and a process that looks then does what is due.
Nothing is remembered anywhere else, so nothing is lost with a process or a queue.
"""

from typing import Literal
from zlib import crc32

from msgspec import Struct

from projections.evolve import AnyState
from projections.state.base import Prompt
from service.bots.offers import answers_bot, waiting_seats
from service.rules import versions
from service.rules.timing import expires_at, last_moment

LEAST_PAUSE_MS = 800
MORE_PAUSE_MS = 1200
"""A bot thinks for a moment before it moves; what another bot has offered it answers at once."""

HASTE_MS = 3000
"""A bot moves so long before its last moment, however short its pause is then: two looks of the clock, of which the
second makes what no worker has made."""


class Due(Struct, frozen=True, order=True):
    """Something that is to be done.

    Attributes:
        at: When (UTC, ms).
        kind: What: take a prompt's default, or make a bot's move.
        seat: Whose prompt it is, or whose bot.
        moves: What had been done on that seat when it was planned: a bot's move happens once.
        prompt: The prompt whose default is due; empty for a bot.
        deadline: Its deadline (UTC, ms); 0 for a bot.
        last: Last moment at which a bot's move is in time; 0 where no clock runs.
    """

    at: int
    kind: Literal["bot", "deadline"]
    seat: int
    moves: int
    prompt: str = ""
    deadline: int = 0
    last: int = 0


def dues_of(state: AnyState) -> list[Due]:
    """List everything that a game waits for, the next one first; nothing while it is paused, or not played on here."""
    if state.paused or not versions.plays_on(state.rules, state.code):
        return []
    clocked = [prompt for prompt in state.prompts.values() if prompt.deadline is not None]
    deadlines = [due for prompt in clocked if (due := _expiry(state, prompt))]
    return sorted([*deadlines, *_bots(state)])


def due_of(state: AnyState) -> int | None:
    """Return when something is to be done next (UTC, ms); None when the game waits for nothing but persons."""
    dues = dues_of(state)
    return dues[0].at if dues else None


def bot_due(state: AnyState, seat: int) -> Due | None:
    """Return when the bot of a seat is to move; None when it is not to move, or is no bot."""
    return next((due for due in dues_of(state) if due.kind == "bot" and due.seat == seat), None)


def _expiry(state: AnyState, prompt: Prompt) -> Due | None:
    at = expires_at(state, prompt)
    if prompt.deadline is None or at is None:
        return None
    return Due(at, "deadline", prompt.seat, state.seats[prompt.seat].moves, prompt.prompt, prompt.deadline)


def _bots(state: AnyState) -> list[Due]:
    bots = [number for number, seat in state.seats.items() if seat.kind == "bot" or seat.keeper]
    if not bots:
        return []
    asked: dict[int, int] = {}
    last: dict[int, int] = {}
    for prompt in state.prompts.values():
        seat, moment = prompt.seat, last_moment(state, prompt)
        asked[seat] = max(prompt.opened, asked.get(seat, 0))
        if moment is not None:
            last[seat] = min(moment, last.get(seat, moment))
    for seat in waiting_seats(state):
        asked.setdefault(seat, state.at)
    return [_move(state, seat, since, last.get(seat)) for seat, since in asked.items() if seat in bots]


def _move(state: AnyState, seat: int, since: int, last: int | None) -> Due:
    sitter = state.seats[seat]
    thinks = LEAST_PAUSE_MS + crc32(f"{state.game}/{seat}/{sitter.moves}".encode()) % MORE_PAUSE_MS
    if answers_bot(state, seat):
        thinks = 0
    free = max(since, sitter.acted)
    at = free + thinks if last is None else min(free + thinks, max(free, last - HASTE_MS))
    return Due(at, "bot", seat, sitter.moves, last=last or 0)
