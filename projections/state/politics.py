"""What is true of politics at one version: rules in force, the open vote, the presidency."""

from typing import Literal

from msgspec import Struct, field

from events.social_justice.operations import AddTransfer, AnyOperation, Area, Value
from events.social_justice.politics import Ballot, Setting, Threshold


class Rule(Struct, kw_only=True, frozen=True):
    """One entry of the stack of adopted and declared rules.

    Attributes:
        rule: Its id.
        origin: A proposal that passed, or a President.
        vote: The vote that adopted it, or that elected the President.
        seat: Who proposed or declared it.
        area: The President's power; empty for an adopted rule.
        turn: Turn since which it holds.
        version: Version of the event that put it here.
        settings: Parameters that it sets.
        transfers: Transfers that it adds.
        texts: Digests of its house rules in words.
    """

    rule: str
    origin: Literal["vote", "presidency"]
    vote: str
    seat: int
    area: str = ""
    turn: int
    version: int
    settings: tuple[Setting, ...]
    transfers: tuple[AddTransfer, ...] = ()
    texts: tuple[str, ...] = ()


class BallotOfVote(Struct, kw_only=True, frozen=True):
    """A ballot that was cast in the open vote.

    Attributes:
        seat: Who cast it.
        ballot: What was cast.
    """

    seat: int
    ballot: Ballot


class Vote(Struct, kw_only=True, frozen=True):
    """The open vote.

    Attributes:
        vote: Its id.
        kind: What it is about.
        seat: Who called it.
        eligible: Who may vote, in seat order.
        threshold: How the number needed was found.
        needed: How many must affirm.
        ballots: What was cast, in the order in which it was cast.
    """

    vote: str
    kind: Literal["proposal", "presidency"]
    seat: int
    eligible: tuple[int, ...]
    threshold: Threshold
    needed: int
    ballots: tuple[BallotOfVote, ...] = ()

    def cast_by(self, ballot: Ballot) -> tuple[int, ...]:
        """List who cast a ballot, in seat order."""
        return tuple(sorted(cast.seat for cast in self.ballots if cast.ballot == ballot))

    def missing(self) -> tuple[int, ...]:
        """List who has not voted, in seat order."""
        voted = {cast.seat for cast in self.ballots}
        return tuple(seat for seat in self.eligible if seat not in voted)


class Presidency(Struct, kw_only=True, frozen=True):
    """The presidency of the current turn.

    Attributes:
        seat: The President.
        vote: The vote that elected the seat.
        promised: Areas that the speech named.
        declared: Areas used so far.
    """

    seat: int
    vote: str
    promised: tuple[Area, ...]
    declared: tuple[Area, ...] = ()


class Politics(Struct, kw_only=True):
    """Politics of one game. Every part is replaced as a whole, never changed in place.

    Attributes:
        votes: Votes called so far.
        rules: Rules adopted or declared so far.
        stack: Rules in force, newest last.
        values: Value of each parameter that the stack sets: that of the topmost rule.
        vote: The open vote.
        outcome: How the last vote ended; empty before the first, and while one is open.
        proposed: Operations of the last proposal.
        proposed_turn: Turn in which it was made; 0 for never.
        promises: Areas promised in the last speech.
        speech: Digest of what was said in it; empty when nothing was.
        presidency: The presidency of this turn.
        terms: Presidencies that ended.
    """

    votes: int = 0
    rules: int = 0
    stack: tuple[Rule, ...] = ()
    values: dict[str, Value] = field(default_factory=dict)
    vote: Vote | None = None
    outcome: Literal["", "passed", "failed", "lapsed"] = ""
    proposed: tuple[AnyOperation, ...] = ()
    proposed_turn: int = 0
    promises: tuple[Area, ...] = ()
    speech: str = ""
    presidency: Presidency | None = None
    terms: tuple[Presidency, ...] = ()
