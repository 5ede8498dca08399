"""Sentences for Public Assistance alone."""

from events.play import OrderDecided
from events.public_assistance import events as pa
from projections.timeline.scene import Scene, Sentences, track_name
from projections.timeline.words import counted, listed, money

_HOW = {
    "roll": "moves",
    "cheat": "cheats and moves",
    "advance": "is directed",
    "job": "goes to work, moving",
    "welfare": "goes on welfare, moving",
    "lockup": "is taken to lock-up,",
    "emergency": "is out of money and goes",
    "bump": "is pushed",
}


def _moved(event: pa.PieceMoved, scene: Scene) -> str:
    here, there = scene.block(event.from_track, event.from_block), scene.block(event.to_track, event.to_block)
    return f"{scene.who(event.seat)} {_HOW[event.how]} from {here} to {there}."


def _side_left(event: pa.SideTrackLeft, scene: Scene) -> str:
    how = "is caught on" if event.how == "caught" else "is through with"
    return f"{scene.who(event.seat)} {how} the side track {track_name(event.track)}."


def _noted(event: pa.NotesWritten, scene: Scene) -> str:
    sums = f"{money(event.principal)} now, {money(event.due)} to pay back"
    return f"{scene.who(event.seat)} borrows on {counted(event.notes, 'note')}: {sums}."


def _repaid(event: pa.LoanRepaid, scene: Scene) -> str:
    what = counted(event.notes, "note") if event.notes else "part of a note"
    return f"{scene.who(event.seat)} redeems {what} for {money(event.amount)}."


def _partner_gone(event: pa.PartnerRemoved, scene: Scene) -> str:
    why = "struck by conscience" if event.how == "conscience" else "with the seat"
    return f"The partner of {scene.who(event.seat)} leaves the Cake Walk, {why}."


def _bet(event: pa.BetPlaced, scene: Scene) -> str:
    pick = f"horse {event.pick}" if event.game == "horses" else f"the number {event.pick}"
    return f"{scene.who(event.seat)} bets {money(event.stake)} on {pick} with {scene.to_account(event.taker)}."


def _offered(event: pa.BetsOffered, scene: Scene) -> str:
    games = listed([name for name, taken in (("horses", event.horses), ("the lottery", event.lottery)) if taken])
    return f"{scene.who(event.seat)} takes bets on {games or 'nothing'}, up to {money(event.max_stake)} each."


SENTENCES: Sentences = {
    OrderDecided: lambda e, s: f"The order of turns is {s.all(e.order)}.",
    pa.PieceMoved: _moved,
    pa.MonthCounted: lambda e, s: f"The marker of {s.who(e.seat)} shows month {e.month}.",
    pa.ChildGained: lambda e, s: (
        f"A child joins {s.who(e.seat)}, who has {counted(e.children, 'child', 'children')} now."
    ),
    pa.ChildrenTurnedIn: lambda e, s: f"{s.who(e.seat)} turns in {counted(e.children, 'child', 'children')}.",
    pa.SideTrackEntered: lambda e, s: f"{s.who(e.seat)} enters the side track {track_name(e.track)}.",
    pa.SideTrackMoved: lambda e, s: f"{s.who(e.seat)} goes on {s.side(e.track, e.to_block)} of {track_name(e.track)}.",
    pa.SideTrackLeft: _side_left,
    pa.CheatGranted: lambda e, s: f"{s.who(e.seat)} may name a block instead of rolling, next turn.",
    pa.CheatEnded: lambda e, s: f"The right of {s.who(e.seat)} to name a block is {e.how}.",
    pa.SkipAdded: lambda e, s: f"{s.who(e.seat)} will miss a turn ({e.rule}); {e.skips} pending.",
    pa.TurnSkipped: lambda e, s: f"{s.who(e.seat)} misses this turn; {e.skips} pending.",
    pa.NotesWritten: _noted,
    pa.LoanRepaid: _repaid,
    pa.PartnerPlaced: lambda e, s: f"The partner of {s.who(e.seat)} starts on the Cake Walk.",
    pa.PartnerMoved: lambda e, s: f"The partner of {s.who(e.seat)} walks on to {s.walk(e.to_block)}.",
    pa.PartnerRemoved: _partner_gone,
    pa.BetPlaced: _bet,
    pa.BetSettled: lambda e, s: f"{s.who(e.seat)} {'wins' if e.won else 'loses'} the bet.",
    pa.BetsOffered: _offered,
    pa.BetsWithdrawn: lambda e, s: f"{s.who(e.seat)} takes no more bets.",
    pa.WaiverUsed: lambda e, s: f"{s.who(e.seat)} gets out of a job with {s.card(e.card)}.",
    pa.Bumped: lambda e, s: f"{s.who(e.by)} arrives and {s.who(e.seat)} must make room.",
    pa.EndReached: lambda e, s: f"{s.who(e.seat)} is first to complete {counted(e.month, 'month')}: the game ends.",
}
