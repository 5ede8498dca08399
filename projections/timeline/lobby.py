"""Sentences for events before and after play, and for forks."""

from events import lobby
from events.forks import GameForked
from events.social_justice.board import SocialJusticeBoard
from projections.timeline.scene import Scene, Sentences, settings, words
from projections.timeline.words import counted, money


def _created(event: lobby.GameCreated, _scene: Scene) -> str:
    opened = f"A {'private ' if event.private else ''}game of {words(event.rulebook).title()} is opened"
    parent, _, version = event.parent.partition("@")
    origin = f", from event {version} of game {parent} on" if version else f", after game {parent}" if parent else ""
    test = " Its secret is known: it is a test." if event.known_secret else ""
    return f"{opened}{origin}, for up to {counted(event.places, 'seat')}: {settings(event.options)}.{test}"


def _taken(event: lobby.SeatTaken, scene: Scene) -> str:
    who = f"A bot ({event.level})" if event.kind == "bot" else scene.who(event.seat)
    return f"{who} takes seat {event.seat}{' as the host' if event.host else ''}."


def _left(event: lobby.SeatLeft, scene: Scene) -> str:
    if event.playing:
        return f"{scene.who(event.seat)} leaves the game."
    sent = ", sent away by the host" if scene.actor == "host" else ""
    return f"{scene.who(event.seat)} stands up before the start{sent}."


def _named(event: lobby.CustodianNamed, scene: Scene) -> str:
    why = "" if event.why == "start" else ", the one before having left"
    return f"{scene.who(event.seat)} answers for the public purse from here on{why}."


_REASONS = {
    "completed": "the agreed end was reached",
    "abandoned": "too few players are left",
    "last_standing": "all others are out",
    "motion": "a vote has ended it",
}


def _finished(event: lobby.GameFinished, scene: Scene) -> str:
    why = _REASONS[event.reason]
    won = f" {scene.all(event.winners)} {'win' if len(event.winners) > 1 else 'wins'}." if event.winners else ""
    return f"The game is over: {why}.{won} Result: {'; '.join(_standing(line, scene) for line in event.standings)}."


def _standing(line: lobby.Standing, scene: Scene) -> str:
    if not line.rank:
        return f"{scene.who(line.seat)} {'is out' if isinstance(scene.board, SocialJusticeBoard) else 'left'}"
    tax = f" after {money(line.tax)} tax" if line.tax else ""
    return f"{line.rank}. {scene.who(line.seat)} with {money(line.score)}{tax}"


def _forked(event: GameForked, _scene: Scene) -> str:
    chance = f"with the chance of game {event.chance}" if event.chance else "with chance of its own"
    return f"What was before happened in game {event.parent}. From step {event.step} on this game goes on {chance}."


FORKS: Sentences = {GameForked: _forked}

SENTENCES: Sentences = {
    lobby.GameCreated: _created,
    lobby.SeatTaken: _taken,
    lobby.SeatLeft: _left,
    lobby.OptionsChanged: lambda e, _: f"The options change (edition {e.number}): {settings(e.options)}.",
    lobby.CredentialRenewed: lambda e, s: f"{s.who(int(e.credential[5:]))} gets a new token; the old one is dead.",
    lobby.SeatReady: lambda e, s: f"{s.who(e.seat)} agrees to edition {e.number} of the options.",
    lobby.NonceOpened: lambda e, s: f"{s.who(e.seat)} opens a share in chance.",
    lobby.GameStarted: lambda e, s: f"The game starts with {s.all(e.seats)}.",
    lobby.CustodianNamed: _named,
    lobby.GameFinished: _finished,
    lobby.SecretRevealed: lambda e, _: f"The secret behind chance is revealed: {e.secret}.",
}
