"""How events of politics change the state: the stack of rules, the open vote, the presidency."""

from typing import Any

from msgspec.structs import replace

from events.social_justice import politics
from events.social_justice.operations import Area, Value
from projections.evolve.play import Handlers, nothing
from projections.state.politics import BallotOfVote, Presidency, Rule, Vote
from projections.state.social_justice import SocialJusticeState as State


def proposal_made(state: State, event: politics.ProposalMade) -> None:
    """Keep what is voted on, and in which turn it was proposed."""
    state.politics.proposed = event.operations
    state.politics.proposed_turn = state.turn


def speech_given(state: State, event: politics.SpeechGiven) -> None:
    """Keep what was promised."""
    state.politics.promises, state.politics.speech = event.promises, event.text


def vote_opened(state: State, event: politics.VoteOpened) -> None:
    """A vote is open; the ballot of the seat that called it is an event of its own."""
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


def ballot_cast(state: State, event: politics.BallotCast) -> None:
    """A ballot is cast."""
    vote = state.politics.vote
    assert vote is not None, "an open vote"
    assert vote.vote == event.vote, "this vote"
    assert event.seat in vote.missing(), "a voter who has not voted"
    ballot = BallotOfVote(seat=event.seat, ballot=event.ballot)
    state.politics.vote = replace(vote, ballots=(*vote.ballots, ballot))


def vote_closed(state: State, event: politics.VoteClosed) -> None:
    """The vote is over."""
    vote = state.politics.vote
    assert vote is not None, "an open vote"
    assert vote.vote == event.vote, "this vote"
    state.politics.vote = None
    state.politics.outcome = event.outcome


def rule_adopted(state: State, event: politics.RuleAdopted) -> None:
    """A rule lies on top of the stack."""
    _put_on_top(state, event, origin="vote", transfers=event.transfers, texts=event.texts)


def rule_declared(state: State, event: politics.RuleDeclared) -> None:
    """A President's rule lies on top of the stack."""
    _put_on_top(state, event, origin="presidency", area=event.area)
    _used(state, event.area)


def _put_on_top(state: State, event: politics.RuleAdopted | politics.RuleDeclared, **parts: Any) -> None:
    rule = Rule(
        rule=event.rule, vote=event.vote, seat=event.seat, turn=state.turn, version=state.version + 1,
        settings=event.settings, **parts,
    )  # fmt: skip
    _stack(state, (*state.politics.stack, rule), rules=state.politics.rules + 1)


def rule_repealed(state: State, event: politics.RuleRepealed) -> None:
    """A rule is gone; the rules below it hold again."""
    stack = state.politics.stack
    kept = tuple(rule for rule in stack if rule.rule != event.rule)
    assert len(kept) == len(stack) - 1, "a rule in force"
    _stack(state, kept, rules=state.politics.rules)


def _stack(state: State, stack: tuple[Rule, ...], *, rules: int) -> None:
    values: dict[str, Value] = {}
    for rule in stack:
        values.update({setting.param: setting.value for setting in rule.settings})
    state.politics.stack, state.politics.values, state.politics.rules = stack, values, rules


def president_elected(state: State, event: politics.PresidentElected) -> None:
    """A seat is President for this turn."""
    promised = state.politics.promises
    state.politics.presidency = Presidency(seat=event.seat, vote=event.vote, promised=promised)


def prisoner_pardoned(state: State, _event: politics.PrisonerPardoned) -> None:
    """A power is used; the release has events of its own."""
    _used(state, "pardon")


def troops_withdrawn(state: State, event: politics.TroopsWithdrawn) -> None:
    """The seats are out of harm's way until their tours end (SJG-85)."""
    for seat in event.seats:
        state.citizens[seat].harms_way = False
    _used(state, "troops")


def _used(state: State, area: Area) -> None:
    presidency = state.politics.presidency
    assert presidency is not None, "a President"
    assert area not in presidency.declared, "a power not yet used"
    state.politics.presidency = replace(presidency, declared=(*presidency.declared, area))


def presidency_ended(state: State, _event: politics.PresidencyEnded) -> None:
    """Keep what was promised and what was declared."""
    presidency = state.politics.presidency
    assert presidency is not None, "a President"
    state.politics.terms = (*state.politics.terms, presidency)
    state.politics.presidency = None


HANDLERS: Handlers = {
    politics.ProposalMade: proposal_made,
    politics.SpeechGiven: speech_given,
    politics.VoteOpened: vote_opened,
    politics.BallotCast: ballot_cast,
    politics.VoteClosed: vote_closed,
    politics.RuleAdopted: rule_adopted,
    politics.RuleDeclared: rule_declared,
    politics.RuleRepealed: rule_repealed,
    politics.TransferLeftOut: nothing,
    politics.TransferShort: nothing,
    politics.PresidentElected: president_elected,
    politics.PrisonerPardoned: prisoner_pardoned,
    politics.TroopsWithdrawn: troops_withdrawn,
    politics.PresidencyEnded: presidency_ended,
}
