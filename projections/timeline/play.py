"""Sentences for what both games share while they are played."""

from collections.abc import Callable, Mapping

from events import play
from events.base import Opaque
from projections.timeline.scene import Scene, Sentences, because, quoted, settings, shares_of, words
from projections.timeline.words import counted, listed, money

_CLOSED = {"answered": "is answered", "defaulted": "takes its default", "void": "falls away"}


def _acted(event: play.ActionTaken, scene: Scene) -> str:
    if said := _ABOUT_SEATS.get(event.name):
        return said(event, scene)
    shown = {name: value for name, value in event.params.items() if _readable(value)}
    params = f" ({settings(shown)})" if shown else ""
    return f"{scene.doer(event.seat)} acts: {words(event.name)}{params}."


def _sat(event: play.ActionTaken, scene: Scene) -> str:
    who = "The host" if scene.actor == "host" else "Someone with the join code"
    return f"{who} seats a bot." if event.params.get("kind") == "bot" else f"{who} sits down."


def _retook(event: play.ActionTaken, scene: Scene) -> str:
    who = "The host" if scene.actor == "host" else "Someone with a join code"
    return f"{who} takes the open seat of {_named(event, scene)}."


def _named(event: play.ActionTaken, scene: Scene) -> str:
    """Return the name of the seat that an action without a seat of its own is about."""
    seat = event.params.get("seat")
    return scene.who(seat if isinstance(seat, int) else event.seat)


def _about_own(own: str, others: str) -> Callable[[play.ActionTaken, Scene], str]:
    """Return the sentence for what a seat does to itself, or the host does to it."""
    return lambda event, scene: (
        f"The host {others.format(scene.who(event.seat))}."
        if scene.actor == "host"
        else f"{scene.doer(event.seat)} {own}."
    )


_ABOUT_SEATS: Mapping[str, Callable[[play.ActionTaken, Scene], str]] = {
    "take_seat": _sat,
    "retake": _retook,
    "leave": _about_own("gives up the seat", "sends {} away"),
    "hand_over": _about_own("hands the seat to a bot", "hands the seat of {} to a bot"),
    "reopen": lambda e, s: f"The host opens the seat of {_named(e, s)} to others.",
    "renew": lambda e, s: f"The host has the token of {_named(e, s)} renewed.",
}
"""Where one acts and it happens to another: who does it, and to whom."""


def _readable(value: object) -> bool:
    """Return whether a parameter is worth reading: no digest, not empty, and no list."""
    # The items of a list are in the events that follow.
    if isinstance(value, str):
        return value != "" and len(value) != 64
    return isinstance(value, int) and value is not False


def _asked(event: play.PromptOpened, scene: Scene) -> str:
    why = f", because of {words(event.why)}" if event.why else ""
    return f"{scene.who(event.seat)} may decide: {words(event.kind)}{why}{scene.within(event.deadline)}."


def _rolled(event: play.DiceRolled, scene: Scene) -> str:
    faces = listed([str(face) for face in event.faces])
    total = f", {sum(event.faces)} in all" if len(event.faces) > 1 else ""
    return f"{scene.who(event.seat)} rolls {faces}{total} ({words(event.purpose)})."


def _drawn(event: play.CardDrawn, scene: Scene) -> str:
    return f"{scene.who(event.seat)} draws a card of the {words(event.deck)} deck: {quoted(event.text)}."


def _returned(event: play.CardReturned, scene: Scene) -> str:
    hand = f"{scene.who(event.seat)} gives up" if event.kept else f"{scene.who(event.seat)} puts back"
    return f"{hand} {scene.card(event.card)}: it goes under the {words(event.deck)} deck."


def _paid(event: play.MoneyMoved, scene: Scene) -> str:
    why = because(event.reason, event.rule, event.ref, shares_of(event.breakdown))
    return f"{scene.account(event.payer)} pays {scene.to_account(event.payee)} {money(event.amount)} {why}."


def _forgiven(event: play.DebtForgiven, scene: Scene) -> str:
    why = because(event.reason, event.rule, event.ref)
    payer, payee = scene.account(event.payer), scene.to_account(event.payee)
    return f"{payer} cannot pay {payee} {money(event.amount)} more {why}; it is let go."


SENTENCES: Sentences = {
    play.ActionTaken: _acted,
    play.TurnStarted: lambda e, s: f"Turn {e.turn} begins: {s.who(e.seat)} is to play.",
    play.TurnEnded: lambda e, s: f"The turn of {s.who(e.seat)} is over.",
    play.PromptOpened: _asked,
    play.PromptClosed: lambda e, _: f"The decision {e.prompt} {_CLOSED[e.how]}.",
    play.DiceRolled: _rolled,
    play.CardDrawn: _drawn,
    play.CardKept: lambda e, s: f"{s.who(e.seat)} keeps {s.card(e.card)}.",
    play.CardReturned: _returned,
    play.MoneyMoved: _paid,
    play.DebtForgiven: _forgiven,
    play.BooksAttested: lambda e, s: (
        f"{s.who(e.seat)} attests the books up to event {e.version} (digest {e.digest[:8]}…)."
    ),
    play.ChainStopped: lambda e, s: f"The moves of {s.who(e.seat)} stop after {counted(e.moves, 'link')} of one chain.",
    Opaque: lambda e, _: f"An event of a later release ({e.name}, schema {e.schema}).",
}
