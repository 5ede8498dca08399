"""Events of politics in The Social Justice Game: proposals, votes, rules, transfers, the White House.

A rule that was adopted or declared stands here in full: every parameter that it sets by name, so that a reader fills in
nothing. What a vote is about and how it ended are events of their own.
"""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from events.base import Account, Count, Digest, Event, Seat
from events.social_justice.operations import AddTransfer, AnyOperation, Area, Trigger, Value

VoteId = Annotated[str, Meta(pattern=r"^v[1-9][0-9]{0,15}(?![\s\S])")]
RuleName = Annotated[str, Meta(pattern=r"^r[1-9][0-9]{0,15}(?![\s\S])")]
Ballot = Literal["yes", "no", "abstain"]
Threshold = Literal["majority", "two_thirds", "unanimous"]


class Setting(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One parameter and the value that a rule gives it."""

    param: str
    value: Value


class ProposalMade(Event, frozen=True, tag="proposal_made"):
    """A seat proposed to change the rules (SJG-32).

    Attributes:
        seat: Who proposed.
        vote: Id of the vote on it.
        operations: What was proposed; typed-in text stands here as its digest.
        costs_turn: The turn is given up for it.
        schema: Number of this shape.
    """

    seat: Seat
    vote: VoteId
    operations: tuple[AnyOperation, ...]
    costs_turn: bool
    schema: Literal[1] = 1


class SpeechGiven(Event, frozen=True, tag="speech_given"):
    """A seat at the White House said what it will change, and stands for President (SJG-78).

    Attributes:
        seat: The candidate.
        vote: Id of the vote on it.
        promises: Areas promised.
        text: Digest of the speech, which lies beside the stream and can be erased; empty without one.
        schema: Number of this shape.
    """

    seat: Seat
    vote: VoteId
    promises: tuple[Area, ...]
    text: str
    schema: Literal[1] = 1


class VoteOpened(Event, frozen=True, tag="vote_opened"):
    """A vote was called; who may vote and what it takes are fixed from here on (SJG-33).

    Attributes:
        vote: Id, unique in the game: `v1`, `v2` …
        kind: What it is about.
        seat: Who called it.
        eligible: Everybody who may vote, the caller included, in seat order.
        threshold: How the number needed was found.
        needed: How many must affirm.
        schema: Number of this shape.
    """

    vote: VoteId
    kind: Literal["proposal", "presidency"]
    seat: Seat
    eligible: tuple[Seat, ...]
    threshold: Threshold
    needed: Count
    schema: Literal[1] = 1


class BallotCast(Event, frozen=True, tag="ballot_cast"):
    """A seat voted, in public and for good.

    Attributes:
        vote: Id of the vote.
        seat: Who voted.
        ballot: What; only a yes affirms.
        by_default: The seat did not vote: the deadline passed.
        schema: Number of this shape.
    """

    vote: VoteId
    seat: Seat
    ballot: Ballot
    by_default: bool
    schema: Literal[1] = 1


class VoteClosed(Event, frozen=True, tag="vote_closed"):
    """A vote ended, once and for all.

    Attributes:
        vote: Id of the vote.
        outcome: Enough affirmed; too few can; or the seat that called it is out.
        yes: Who affirmed.
        no: Who voted no.
        abstain: Who abstained, or did not vote.
        schema: Number of this shape.
    """

    vote: VoteId
    outcome: Literal["passed", "failed", "lapsed"]
    yes: tuple[Seat, ...]
    no: tuple[Seat, ...]
    abstain: tuple[Seat, ...]
    schema: Literal[1] = 1


class RuleAdopted(Event, frozen=True, tag="rule_adopted"):
    """What a vote adopted lies on top of the stack of rules from here on.

    Attributes:
        rule: Id, unique in the game: `r1`, `r2` …
        vote: The vote that adopted it.
        seat: Who proposed it.
        settings: Every parameter that it sets.
        transfers: Transfers that it adds.
        texts: Digests of the house rules that it adds in words.
        schema: Number of this shape.
    """

    rule: RuleName
    vote: VoteId
    seat: Seat
    settings: tuple[Setting, ...]
    transfers: tuple[AddTransfer, ...]
    texts: tuple[Digest, ...]
    schema: Literal[1] = 1


class RuleDeclared(Event, frozen=True, tag="rule_declared"):
    """What a President declared lies on top of the stack of rules from here on (SJG-80).

    Attributes:
        rule: Id, unique in the game, out of one count with adopted rules.
        vote: The vote that made the seat President.
        seat: The President.
        area: The power used.
        settings: Every parameter that it sets.
        schema: Number of this shape.
    """

    rule: RuleName
    vote: VoteId
    seat: Seat
    area: Area
    settings: tuple[Setting, ...]
    schema: Literal[1] = 1


class RuleRepealed(Event, frozen=True, tag="rule_repealed"):
    """A vote took a rule off the stack; the rules below it hold again.

    Attributes:
        rule: Id of the rule that is gone.
        vote: The vote that repealed it.
        schema: Number of this shape.
    """

    rule: RuleName
    vote: VoteId
    schema: Literal[1] = 1


class TransferLeftOut(Event, frozen=True, tag="transfer_left_out"):
    """A transfer would have passed the bound on what one action may cause; it did not happen.

    Attributes:
        rule: The rule that it belongs to.
        number: Which of its transfers, from 0.
        trigger: What had set it off.
        payments: How many payments it would have been.
        schema: Number of this shape.
    """

    rule: RuleName
    number: Count
    trigger: Trigger
    payments: Count
    schema: Literal[1] = 1


class TransferShort(Event, frozen=True, tag="transfer_short"):
    """A payer had less than a transfer asked for; the rest was dropped, and no debt is left.

    Attributes:
        rule: The rule that it belongs to.
        number: Which of its transfers, from 0.
        payer: Account that was short.
        payee: Account that gets less; empty where one amount was to be shared out.
        missing: Whole dollars dropped.
        schema: Number of this shape.
    """

    rule: RuleName
    number: Count
    payer: Account
    payee: Account
    missing: Count
    schema: Literal[1] = 1


class PresidentElected(Event, frozen=True, tag="president_elected"):
    """A seat is President until its turn ends (SJG-79).

    Attributes:
        seat: The President.
        vote: The vote that elected the seat.
        schema: Number of this shape.
    """

    seat: Seat
    vote: VoteId
    schema: Literal[1] = 1


class PrisonerPardoned(Event, frozen=True, tag="prisoner_pardoned"):
    """A President freed a seat from jail (SJG-84).

    Attributes:
        seat: The President.
        freed: Who is free.
        schema: Number of this shape.
    """

    seat: Seat
    freed: Seat
    schema: Literal[1] = 1


class TroopsWithdrawn(Event, frozen=True, tag="troops_withdrawn"):
    """A President took serving seats out of harm's way until their tours end (SJG-85).

    Attributes:
        seat: The President.
        seats: Who is out of harm's way.
        schema: Number of this shape.
    """

    seat: Seat
    seats: tuple[Seat, ...]
    schema: Literal[1] = 1


class PresidencyEnded(Event, frozen=True, tag="presidency_ended"):
    """A presidency ended with its turn; unused powers lapse (SJG-80).

    Attributes:
        seat: Who was President.
        vote: The vote that had elected the seat.
        promised: Areas that the speech named.
        declared: Areas that were used.
        schema: Number of this shape.
    """

    seat: Seat
    vote: VoteId
    promised: tuple[Area, ...]
    declared: tuple[Area, ...]
    schema: Literal[1] = 1
