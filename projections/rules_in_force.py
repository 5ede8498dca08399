"""Politics on record: every vote with each ballot, every rule with since when and by whose votes, every presidency.

Folded from the events alone, apart from the game state, which keeps only what play needs. Only entries of the types in
`HANDLERS` are needed. Typed-in text stands here as its digest.
"""

from collections.abc import Callable, Iterable
from typing import Any, Literal

from msgspec import Struct, field

from events.base import Envelope, Event
from events.social_justice import politics
from events.social_justice.operations import AddTransfer, AnyOperation, Area


class When(Struct, frozen=True, kw_only=True):
    """A moment of the game.

    Attributes:
        version: Version of the event.
        turn: Number of the turn.
        at: UTC, milliseconds.
    """

    version: int
    turn: int
    at: int


class BallotOnRecord(Struct, frozen=True, kw_only=True):
    """One ballot.

    Attributes:
        seat: Who voted.
        ballot: What.
        by_default: The seat did not vote: the deadline passed.
        when: When it was cast.
    """

    seat: int
    ballot: politics.Ballot
    by_default: bool
    when: When


class VoteOnRecord(Struct, kw_only=True):
    """One vote, open or closed.

    Attributes:
        vote: Its id.
        kind: What it is about.
        seat: Who called it.
        opened: When it was called.
        operations: What was proposed; empty for a presidency.
        costs_turn: The turn was given up for it.
        promises: Areas that the speech promised; empty for a proposal.
        speech: Digest of the speech; empty without one.
        eligible: Who may vote.
        threshold: How the number needed was found.
        needed: How many must affirm.
        ballots: Every ballot, in the order in which it was cast.
        outcome: How it ended; empty while it is open.
        closed: When it ended.
        yes: Who affirmed; of an open vote so far.
        no: Who voted no.
        abstain: Who abstained, or did not vote.
        rules: Rules that it put on the stack, declarations of the President that it elected included.
        repealed: Rules that it took off the stack.
    """

    vote: str
    kind: Literal["proposal", "presidency"]
    seat: int
    opened: When
    operations: tuple[AnyOperation, ...] = ()
    costs_turn: bool = False
    promises: tuple[Area, ...] = ()
    speech: str = ""
    eligible: tuple[int, ...] = ()
    threshold: str = ""
    needed: int = 0
    ballots: list[BallotOnRecord] = field(default_factory=list)
    outcome: Literal["", "passed", "failed", "lapsed"] = ""
    closed: When | None = None
    yes: tuple[int, ...] = ()
    no: tuple[int, ...] = ()
    abstain: tuple[int, ...] = ()
    rules: list[str] = field(default_factory=list)
    repealed: list[str] = field(default_factory=list)


class RuleOnRecord(Struct, kw_only=True):
    """One rule that was adopted or declared, in force or not.

    Attributes:
        rule: Its id.
        origin: A proposal that passed, or a President.
        vote: The vote that adopted it, or that elected the President.
        seat: Who proposed or declared it.
        area: The President's power; empty for an adopted rule.
        since: When it came into force.
        yes: Who had affirmed.
        no: Who had voted no.
        abstain: Who had abstained, or not voted.
        settings: Parameters that it sets.
        transfers: Transfers that it adds.
        texts: Digests of its house rules in words.
        repealed: When it was repealed; None while it is in force.
        repealed_by: The vote that repealed it; empty while it is in force.
    """

    rule: str
    origin: Literal["vote", "presidency"]
    vote: str
    seat: int
    area: str = ""
    since: When
    yes: tuple[int, ...]
    no: tuple[int, ...]
    abstain: tuple[int, ...]
    settings: tuple[politics.Setting, ...] = ()
    transfers: tuple[AddTransfer, ...] = ()
    texts: tuple[str, ...] = ()
    repealed: When | None = None
    repealed_by: str = ""


class TermOnRecord(Struct, kw_only=True):
    """One presidency: what was promised, and what was declared.

    Attributes:
        seat: The President.
        vote: The vote that elected the seat.
        began: When.
        ended: When; None while it lasts.
        promised: Areas that the speech named.
        declared: Areas used, in order.
        kept: Areas promised and declared.
        broken: Areas promised and never declared; of a presidency that lasts, so far.
        unannounced: Areas declared and never promised.
    """

    seat: int
    vote: str
    began: When
    ended: When | None = None
    promised: tuple[Area, ...]
    declared: tuple[Area, ...] = ()
    kept: tuple[Area, ...] = ()
    broken: tuple[Area, ...] = ()
    unannounced: tuple[Area, ...] = ()

    def compare(self) -> None:
        """Compare what was promised with what was declared."""
        self.kept = tuple(area for area in self.promised if area in self.declared)
        self.broken = tuple(area for area in self.promised if area not in self.declared)
        self.unannounced = tuple(area for area in self.declared if area not in self.promised)


class PoliticsOnRecord(Struct, kw_only=True):
    """All of it at one version; changed in place by its owner.

    Attributes:
        votes: By id, in the order in which they were called.
        rules: By id, in the order in which they came into force.
        terms: Presidencies, in order.
    """

    votes: dict[str, VoteOnRecord] = field(default_factory=dict)
    rules: dict[str, RuleOnRecord] = field(default_factory=dict)
    terms: list[TermOnRecord] = field(default_factory=list)

    def stack(self) -> list[RuleOnRecord]:
        """List the rules in force, newest first."""
        return [rule for rule in reversed(self.rules.values()) if rule.repealed is None]

    def fold(self, envelope: Envelope[Event]) -> None:
        """Fold one entry of the stream; versions may have gaps."""
        handler = HANDLERS.get(type(envelope.data))
        if handler is not None:
            handler(self, envelope.data, When(version=envelope.version, turn=envelope.turn, at=envelope.at))


def on_record(envelopes: Iterable[Envelope[Event]]) -> PoliticsOnRecord:
    """Fold entries in order, from the first of a game on."""
    record = PoliticsOnRecord()
    for envelope in envelopes:
        record.fold(envelope)
    return record


def _proposed(record: PoliticsOnRecord, event: politics.ProposalMade, when: When) -> None:
    record.votes[event.vote] = VoteOnRecord(
        vote=event.vote,
        kind="proposal",
        seat=event.seat,
        opened=when,
        operations=event.operations,
        costs_turn=event.costs_turn,
    )


def _spoke(record: PoliticsOnRecord, event: politics.SpeechGiven, when: When) -> None:
    record.votes[event.vote] = VoteOnRecord(
        vote=event.vote, kind="presidency", seat=event.seat, opened=when, promises=event.promises, speech=event.text
    )


def _opened(record: PoliticsOnRecord, event: politics.VoteOpened, when: When) -> None:
    vote = record.votes[event.vote]
    vote.opened, vote.eligible = when, event.eligible
    vote.threshold, vote.needed = event.threshold, event.needed


def _cast(record: PoliticsOnRecord, event: politics.BallotCast, when: When) -> None:
    vote = record.votes[event.vote]
    vote.ballots.append(BallotOnRecord(seat=event.seat, ballot=event.ballot, by_default=event.by_default, when=when))
    setattr(vote, event.ballot, tuple(sorted((*getattr(vote, event.ballot), event.seat))))


def _closed(record: PoliticsOnRecord, event: politics.VoteClosed, when: When) -> None:
    vote = record.votes[event.vote]
    vote.outcome, vote.closed = event.outcome, when
    vote.yes, vote.no, vote.abstain = event.yes, event.no, event.abstain


def _adopted(record: PoliticsOnRecord, event: politics.RuleAdopted, when: When) -> None:
    _in_force(record, event, when, origin="vote", transfers=event.transfers, texts=event.texts)


def _declared(record: PoliticsOnRecord, event: politics.RuleDeclared, when: When) -> None:
    _in_force(record, event, when, origin="presidency", area=event.area)
    _used(record, event.area)


def _in_force(
    record: PoliticsOnRecord, event: politics.RuleAdopted | politics.RuleDeclared, when: When, **parts: Any
) -> None:
    vote = record.votes[event.vote]
    vote.rules.append(event.rule)
    record.rules[event.rule] = RuleOnRecord(
        rule=event.rule, vote=event.vote, seat=event.seat, since=when, yes=vote.yes, no=vote.no, abstain=vote.abstain,
        settings=event.settings, **parts,
    )  # fmt: skip


def _repealed(record: PoliticsOnRecord, event: politics.RuleRepealed, when: When) -> None:
    rule = record.rules[event.rule]
    rule.repealed, rule.repealed_by = when, event.vote
    record.votes[event.vote].repealed.append(event.rule)


def _elected(record: PoliticsOnRecord, event: politics.PresidentElected, when: When) -> None:
    promised = record.votes[event.vote].promises
    term = TermOnRecord(seat=event.seat, vote=event.vote, began=when, promised=promised)
    term.compare()
    record.terms.append(term)


def _used(record: PoliticsOnRecord, area: Area) -> None:
    term = record.terms[-1]
    term.declared = (*term.declared, area)
    term.compare()


def _term_ended(record: PoliticsOnRecord, _event: politics.PresidencyEnded, when: When) -> None:
    record.terms[-1].ended = when


HANDLERS: dict[type[Event], Callable[[PoliticsOnRecord, Any, When], None]] = {
    politics.ProposalMade: _proposed,
    politics.SpeechGiven: _spoke,
    politics.VoteOpened: _opened,
    politics.BallotCast: _cast,
    politics.VoteClosed: _closed,
    politics.RuleAdopted: _adopted,
    politics.RuleDeclared: _declared,
    politics.RuleRepealed: _repealed,
    politics.PresidentElected: _elected,
    politics.PrisonerPardoned: lambda record, _event, _when: _used(record, "pardon"),
    politics.TroopsWithdrawn: lambda record, _event, _when: _used(record, "troops"),
    politics.PresidencyEnded: _term_ended,
}
