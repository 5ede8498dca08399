"""One example of every event about time and presence; see `events.examples.events`."""

from hashlib import sha256

from events import clocks
from events.base import Event

CLOCKS: tuple[Event, ...] = (
    clocks.GamePaused(left={"p17": 12_345}),
    clocks.GameResumed(paused_for=600_000, deadlines={"p17": 1_767_226_260_345}),
    clocks.OutageCredited(since=1_767_225_600_000, until=1_767_226_200_000, deadlines={"p17": 1_767_226_860_345}),
    clocks.BotTookOver(seat=2, level="sensible", why="absent"),
    clocks.SeatHandedBack(seat=2),
    clocks.SeatReopened(seat=2),
    clocks.SeatRetaken(seat=2, name=sha256(b"Eve").hexdigest()),
)
