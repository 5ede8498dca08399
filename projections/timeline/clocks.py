"""Sentences for time and presence."""

from collections.abc import Mapping

from events import clocks
from projections.timeline.scene import Scene, Sentences

_WHY = {
    "absent": "who let too many deadlines pass",
    "asked": "as was asked for",
    "reopened": "until someone else sits down",
}


def seconds(millis: int) -> str:
    """Write a span of time: `12.345 s`."""
    sign = "-" if millis < 0 else ""
    return f"{sign}{abs(millis) // 1000:,}.{abs(millis) % 1000:03d} s"


def _left(spans: Mapping[str, int]) -> str:
    left = ", ".join(f"{seconds(span)} for {prompt}" for prompt, span in sorted(spans.items()))
    return f"; left are {left}" if left else ""


def _took_over(event: clocks.BotTookOver, scene: Scene) -> str:
    why = "as the host asked" if event.why == "asked" and scene.actor == "host" else _WHY[event.why]
    return f"A bot ({event.level}) plays for {scene.who(event.seat)}, {why}."


def _resumed(event: clocks.GameResumed, scene: Scene) -> str:
    left = {prompt: deadline - scene.at for prompt, deadline in event.deadlines.items()}
    return f"The game goes on after {seconds(event.paused_for)}{_left(left)}."


SENTENCES: Sentences = {
    clocks.GamePaused: lambda e, _: f"The game is paused{_left(e.left)}.",
    clocks.GameResumed: _resumed,
    clocks.OutageCredited: lambda e, _: f"The service was away for {seconds(e.until - e.since)}: deadlines are moved.",
    clocks.BotTookOver: _took_over,
    clocks.SeatHandedBack: lambda e, s: f"{s.who(e.seat)} is back.",
    clocks.SeatReopened: lambda e, s: f"The seat of {s.who(e.seat)} may be taken by someone else.",
    clocks.SeatRetaken: lambda e, s: f"Someone else takes the seat of {s.who(e.seat)}.",
}
