"""Events about time and presence: pauses, credited outages, bots that play for an absent person."""

from collections.abc import Mapping
from typing import Literal

from events.base import Count, Event, Millis, Seat


class GamePaused(Event, frozen=True, tag="game_paused"):
    """The host stopped the game's clocks; nobody plays until they run again.

    Attributes:
        left: Milliseconds left until each deadline, by prompt; 0 where only grace was left.
        schema: Number of this shape.
    """

    left: Mapping[str, int]
    schema: Literal[1] = 1


class GameResumed(Event, frozen=True, tag="game_resumed"):
    """The game's clocks run again, with the same time left as before.

    Attributes:
        paused_for: Milliseconds that it was paused.
        deadlines: The deadline of each prompt from here on (UTC, ms), by prompt.
        schema: Number of this shape.
    """

    paused_for: Count
    deadlines: Mapping[str, Millis]
    schema: Literal[1] = 1


class OutageCredited(Event, frozen=True, tag="outage_credited"):
    """Time in which the service was away was given back to every open prompt.

    Attributes:
        since: When the service was last seen (UTC, ms).
        until: When it was there again (UTC, ms).
        deadlines: The deadline of each prompt that was moved (UTC, ms), by prompt.
        schema: Number of this shape.
    """

    since: Millis
    until: Millis
    deadlines: Mapping[str, Millis]
    schema: Literal[1] = 1


class BotTookOver(Event, frozen=True, tag="bot_took_over"):
    """A bot keeps a person's seat for now; what it does is marked by the actor `bot:<n>`.

    Attributes:
        seat: The place.
        level: How the bot plays.
        why: Its person let too many deadlines pass in a row, it was asked for, or the seat is to be taken again.
        schema: Number of this shape.
    """

    seat: Seat
    level: str
    why: Literal["absent", "asked", "reopened"]
    schema: Literal[1] = 1


class SeatHandedBack(Event, frozen=True, tag="seat_handed_back"):
    """A person plays their own seat again.

    Attributes:
        seat: The place.
        schema: Number of this shape.
    """

    seat: Seat
    schema: Literal[1] = 1


class SeatReopened(Event, frozen=True, tag="seat_reopened"):
    """Someone else may take a seat that a bot keeps; its old token is void. The new code is nowhere on the stream.

    Attributes:
        seat: The place.
        schema: Number of this shape.
    """

    seat: Seat
    schema: Literal[1] = 1


class SeatRetaken(Event, frozen=True, tag="seat_retaken"):
    """Someone else took a seat that was open, with all that belongs to it.

    Attributes:
        seat: The place.
        name: Digest of the typed-in name, which lies beside the stream and can be erased; empty without one.
        schema: Number of this shape.
    """

    seat: Seat
    name: str
    schema: Literal[1] = 1
