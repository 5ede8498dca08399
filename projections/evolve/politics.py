"""How events of politics change the state: the stack of rules, the open vote, the presidency."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from events.base import Event
from events.social_justice.operations import Value
from events.social_justice.politics import (
    BallotCast,
    PresidencyEnded,
    PresidentElected,
    PrisonerPardoned,
    ProposalMade,
    RuleAdopted,
    RuleDeclared,
    RuleRepealed,
    SpeechGiven,
    TransferLeftOut,
    TransferShort,
    TroopsWithdrawn,
    VoteClosed,
    VoteOpened,
)
from projections.evolve.play import nothing
from projections.state.politics import Presidency, Rule, Vote
from projections.state.social_justice import SocialJusticeState as State


def proposal_made(state: State, event: ProposalMade) -> None:
    """It is remembered what is voted on, and in which turn it was proposed."""
    state.politics.proposed = event.operations
    state.politics.proposed_turn = state.turn


def speech_given(state: State, event: SpeechGiven) -> None:
    """It is remembered what was promised."""
    state.politics.promises, state.politics.speech = event.promises, event.text


def vote_opened(state: State, event: VoteOpened) -> None:
    """A vote is open; whoever called it has affirmed by an event of its own."""
    state.politics.votes += 1
    state.politics.outcome = ""
    state.politics.vote = Vote(
        vote=event.vote,
        kind=event.kind,
        seat=event.seat,
        eligible=event.eligible,
        threshold=event.threshold,
        needed=event.needed,
    )


def ballot_cast(state: State, event: BallotCast) -> None:
    """A ballot lies on the table."""
    vote = state.politics.vote
    assert vote is not None, "an open vote"
    assert vote.vote == event.vote, "this vote"
    assert event.seat in vote.missing(), "a voter who has not voted"
    state.politics.vote = replace(vote, ballots=(*vote.ballots, (event.seat, event.ballot)))


def vote_closed(state: State, event: VoteClosed) -> None:
    """The vote is over."""
    vote = state.politics.vote
    assert vote is not None, "an open vote"
    assert vote.vote == event.vote, "this vote"
    state.politics.vote = None
    state.politics.outcome = event.outcome


def rule_adopted(state: State, event: RuleAdopted) -> None:
    """A rule lies on top of the stack."""
    rule = Rule(
        rule=event.rule,
        origin="vote",
        vote=event.vote,
        seat=event.seat,
        turn=state.turn,
        version=state.version + 1,
        settings=event.settings,
        transfers=event.transfers,
        texts=event.texts,
    )
    _stack(state, (*state.politics.stack, rule), rules=state.politics.rules + 1)


def rule_declared(state: State, event: RuleDeclared) -> None:
    """A President's word lies on top of the stack."""
    rule = Rule(
        rule=event.rule,
        origin="presidency",
        vote=event.vote,
        seat=event.seat,
        area=event.area,
        turn=state.turn,
        version=state.version + 1,
        settings=event.settings,
    )
    _stack(state, (*state.politics.stack, rule), rules=state.politics.rules + 1)
    _used(state, event.area)


def rule_repealed(state: State, event: RuleRepealed) -> None:
    """A rule is gone, and what lies beneath it holds again."""
    stack = state.politics.stack
    kept = tuple(rule for rule in stack if rule.rule != event.rule)
    assert len(kept) == len(stack) - 1, "a rule in force"
    _stack(state, kept, rules=state.politics.rules)


def _stack(state: State, stack: tuple[Rule, ...], *, rules: int) -> None:
    values: dict[str, Value] = {}
    for rule in stack:
        values.update({setting.param: setting.value for setting in rule.settings})
    politics = state.politics
    politics.stack, politics.values, politics.rules = stack, values, rules


def president_elected(state: State, event: PresidentElected) -> None:
    """A President for this turn."""
    politics = state.politics
    politics.presidency = Presidency(seat=event.seat, vote=event.vote, promised=politics.promises)


def prisoner_pardoned(state: State, _event: PrisonerPardoned) -> None:
    """A power is used; the release has events of its own."""
    _used(state, "pardon")


def troops_withdrawn(state: State, event: TroopsWithdrawn) -> None:
    """Out of harm's way until the tour ends (SJG-85)."""
    for seat in event.seats:
        state.citizens[seat].harms_way = False
    _used(state, "troops")


def _used(state: State, area: Any) -> None:
    presidency = state.politics.presidency
    assert presidency is not None, "a President"
    assert area not in presidency.declared, "a power not yet used"
    state.politics.presidency = replace(presidency, declared=(*presidency.declared, area))


def presidency_ended(state: State, _event: PresidencyEnded) -> None:
    """What was promised and what was declared is kept."""
    politics = state.politics
    assert politics.presidency is not None, "a President"
    politics.terms = (*politics.terms, politics.presidency)
    politics.presidency = None


HANDLERS: dict[type[Event], Callable[[Any, Any], None]] = {
    ProposalMade: proposal_made,
    SpeechGiven: speech_given,
    VoteOpened: vote_opened,
    BallotCast: ballot_cast,
    VoteClosed: vote_closed,
    RuleAdopted: rule_adopted,
    RuleDeclared: rule_declared,
    RuleRepealed: rule_repealed,
    TransferLeftOut: nothing,
    TransferShort: nothing,
    PresidentElected: president_elected,
    PrisonerPardoned: prisoner_pardoned,
    TroopsWithdrawn: troops_withdrawn,
    PresidencyEnded: presidency_ended,
}
