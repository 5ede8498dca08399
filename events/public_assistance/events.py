"""Events of *Public Assistance* alone."""

from typing import Literal, TypeAlias

from events.base import Amount, Count, Event, RuleId, Seat

Track: TypeAlias = Literal["promenade", "rut", "jail"]


class PieceMoved(Event, frozen=True, tag="piece_moved"):
    """A piece went to another block.

    Attributes:
        seat: Whose piece.
        from_track: Track that it left.
        from_block: Index of the block that it left.
        to_track: Track that it is on now.
        to_block: Index of the block that it stands on now.
        how: What moved it.
        rule: Rule that moved it.
        schema: Number of this shape.
    """

    seat: Seat
    from_track: Track
    from_block: Count
    to_track: Track
    to_block: Count
    how: Literal["roll", "cheat", "advance", "job", "welfare", "lockup", "emergency", "bump"]
    rule: RuleId
    schema: Literal[1] = 1


class MonthCounted(Event, frozen=True, tag="month_counted"):
    """A seat completed a time around (PA-5).

    Attributes:
        seat: Whose marker advanced.
        month: What the marker shows now.
        schema: Number of this shape.
    """

    seat: Seat
    month: Count
    schema: Literal[1] = 1


class ChildGained(Event, frozen=True, tag="child_gained"):
    """A child joined the seat's household (PA-15).

    Attributes:
        seat: Whose household.
        children: How many there are now.
        schema: Number of this shape.
    """

    seat: Seat
    children: Count
    schema: Literal[1] = 1


class ChildrenTurnedIn(Event, frozen=True, tag="children_turned_in"):
    """All children of a seat left its household (PA-31).

    Attributes:
        seat: Whose household.
        children: How many there were.
        schema: Number of this shape.
    """

    seat: Seat
    children: Count
    schema: Literal[1] = 1


class SideTrackEntered(Event, frozen=True, tag="side_track_entered"):
    """A seat must roll all the way through a side track now (PA-16, PA-36).

    Attributes:
        seat: Who.
        track: Name of the side track.
        schema: Number of this shape.
    """

    seat: Seat
    track: str
    schema: Literal[1] = 1


class SideTrackMoved(Event, frozen=True, tag="side_track_moved"):
    """One die moved the seat along its side track.

    Attributes:
        seat: Who.
        track: Name of the side track.
        from_block: Block left; 0 before the first.
        to_block: Block reached; one more than the last when it is past the end.
        schema: Number of this shape.
    """

    seat: Seat
    track: str
    from_block: Count
    to_block: Count
    schema: Literal[1] = 1


class SideTrackLeft(Event, frozen=True, tag="side_track_left"):
    """The side track is over: finished, or interrupted by arrest.

    Attributes:
        seat: Who.
        track: Name of the side track.
        how: How it ended.
        schema: Number of this shape.
    """

    seat: Seat
    track: str
    how: Literal["finished", "caught"]
    schema: Literal[1] = 1


class CheatGranted(Event, frozen=True, tag="cheat_granted"):
    """On its next turn the seat names its block instead of rolling (PA-26).

    Attributes:
        seat: Who.
        schema: Number of this shape.
    """

    seat: Seat
    schema: Literal[1] = 1


class CheatEnded(Event, frozen=True, tag="cheat_ended"):
    """The right to name a block is gone.

    Attributes:
        seat: Who.
        how: It was used, or something cancelled it.
        schema: Number of this shape.
    """

    seat: Seat
    how: Literal["used", "cancelled"]
    schema: Literal[1] = 1


class SkipAdded(Event, frozen=True, tag="skip_added"):
    """A later turn of the seat will be missed (PA-28, PA-57).

    Attributes:
        seat: Who.
        skips: How many are pending now.
        rule: Rule that took the turn.
        schema: Number of this shape.
    """

    seat: Seat
    skips: Count
    rule: RuleId
    schema: Literal[1] = 1


class TurnSkipped(Event, frozen=True, tag="turn_skipped"):
    """A pending skip was used up instead of a turn (PA-57).

    Attributes:
        seat: Who.
        skips: How many are pending now.
        schema: Number of this shape.
    """

    seat: Seat
    skips: Count
    schema: Literal[1] = 1


class NotesWritten(Event, frozen=True, tag="notes_written"):
    """The custodian lent money against notes (PA-40); its cash moves by a `money_moved` of its own.

    Attributes:
        seat: Who borrowed.
        notes: How many notes were written.
        principal: Cash lent on them.
        due: What redeeming them costs.
        rule: Rule that lent it.
        schema: Number of this shape.
    """

    seat: Seat
    notes: Count
    principal: Amount
    due: Amount
    rule: RuleId
    schema: Literal[1] = 1


class LoanRepaid(Event, frozen=True, tag="loan_repaid"):
    """Something was paid back on a seat's notes; its cash moves by a `money_moved` of its own.

    Attributes:
        seat: Who paid.
        notes: How many notes that redeemed whole; the last payment of a game may redeem part of one.
        amount: What was paid.
        rule: Rule that redeemed it: during play or at the end.
        schema: Number of this shape.
    """

    seat: Seat
    notes: Count
    amount: Amount
    rule: RuleId
    schema: Literal[1] = 1


class PartnerPlaced(Event, frozen=True, tag="partner_placed"):
    """The partner piece went to the start of the Government Cake Walk (PA-45).

    Attributes:
        seat: Whose partner.
        schema: Number of this shape.
    """

    seat: Seat
    schema: Literal[1] = 1


class PartnerMoved(Event, frozen=True, tag="partner_moved"):
    """The partner moved along the walk.

    Attributes:
        seat: Whose partner.
        from_block: Block left.
        to_block: Block reached.
        schema: Number of this shape.
    """

    seat: Seat
    from_block: Count
    to_block: Count
    schema: Literal[1] = 1


class PartnerRemoved(Event, frozen=True, tag="partner_removed"):
    """The partner left the walk: conscience stricken, or with its seat (PA-47).

    Attributes:
        seat: Whose partner.
        how: Why.
        schema: Number of this shape.
    """

    seat: Seat
    how: Literal["conscience", "left"]
    schema: Literal[1] = 1


class BetPlaced(Event, frozen=True, tag="bet_placed"):
    """A stake was laid on a horse or a number (PA-22, PA-24); it waits in escrow.

    Attributes:
        seat: Who bets.
        game: Horses or lottery.
        pick: The horse (2–12), or the number announced (111–666).
        stake: Whole dollars.
        taker: Account that takes the bet: the custodian or a seat (PA-54).
        schema: Number of this shape.
    """

    seat: Seat
    game: Literal["horses", "lottery"]
    pick: Count
    stake: Amount
    taker: str
    schema: Literal[1] = 1


class BetSettled(Event, frozen=True, tag="bet_settled"):
    """The bet was decided; cash moves by `money_moved`.

    Attributes:
        seat: Who bet.
        game: Horses or lottery.
        pick: The horse, or the number announced.
        stake: Whole dollars that were laid.
        taker: Account that took the bet.
        won: The pick came up.
        prize: What the taker pays in addition to the stake; 0 for a lost bet.
        schema: Number of this shape.
    """

    seat: Seat
    game: Literal["horses", "lottery"]
    pick: Count
    stake: Amount
    taker: str
    won: bool
    prize: Count
    schema: Literal[1] = 1


class BetsOffered(Event, frozen=True, tag="bets_offered"):
    """A seat takes other players' bets from here on (PA-54).

    Attributes:
        seat: The bookmaker.
        horses: It takes bets on horses.
        lottery: It takes bets on the lottery.
        max_stake: Largest stake that it takes.
        schema: Number of this shape.
    """

    seat: Seat
    horses: bool
    lottery: bool
    max_stake: Amount
    schema: Literal[1] = 1


class BetsWithdrawn(Event, frozen=True, tag="bets_withdrawn"):
    """A seat takes no more bets.

    Attributes:
        seat: The bookmaker.
        schema: Number of this shape.
    """

    seat: Seat
    schema: Literal[1] = 1


class WaiverUsed(Event, frozen=True, tag="waiver_used"):
    """A kept card cancelled one Get a Job (PA-30).

    Attributes:
        seat: Who held it.
        card: Id of the card.
        schema: Number of this shape.
    """

    seat: Seat
    card: str
    schema: Literal[1] = 1


class Bumped(Event, frozen=True, tag="bumped"):
    """A seat was bumped off its block by another's arrival (PA-52); its own move follows.

    Attributes:
        seat: Who is bumped.
        by: Who arrived.
        schema: Number of this shape.
    """

    seat: Seat
    by: Seat
    schema: Literal[1] = 1


class EndReached(Event, frozen=True, tag="end_reached"):
    """A marker reached the agreed months: the game ends by PA-48.

    Attributes:
        seat: Whose marker.
        month: What it shows.
        schema: Number of this shape.
    """

    seat: Seat
    month: Count
    schema: Literal[1] = 1
