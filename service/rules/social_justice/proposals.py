"""Proposals: a turn is given up for one, and what passes holds from the next event on (SJG-32 to SJG-35)."""

from typing import Any

from events.social_justice.operations import AddText, AddTransfer, MakeMotion, Repeal
from events.social_justice.politics import ProposalMade, RuleAdopted, RuleRepealed
from events.social_justice.tasks import AfterVote, Ask
from service.rules.actions_politics import Propose
from service.rules.choice import Choice
from service.rules.social_justice import ending, operations, votes
from service.rules.social_justice.shorthand import START, SjPlay, State, number
from service.rules.violations import Refusal


def why_not_propose(state: State, _seat: int) -> Refusal | None:
    """Return why nothing may be proposed right now; None when it may."""
    if state.politics.proposed_turn == state.turn:
        return Refusal("one_proposal_a_turn", "There was a proposal this turn already (SJG-32).")
    return None


def objection(state: State, _seat: int, action: Propose) -> Refusal | None:
    """Return what is wrong with a proposal, before a turn is given up for it."""
    return operations.why_not(state, action.operations)


def _example(_state: State, _seat: int) -> dict[str, Any]:
    return {"operations": [{"op": "set", "param": "property.rent_pct", "value": 90}]}


def propose(play: SjPlay, seat: int, action: Propose) -> None:
    """Spend the turn on a proposal and its vote (SJG-8, SJG-32)."""
    costs_turn = bool(number(play.state, "vote.costs_turn"))
    play.answer(action.prompt)
    vote = votes.next_id(play.state)
    play.record(ProposalMade(seat=seat, vote=vote, operations=action.operations, costs_turn=costs_turn))
    if not costs_turn:
        play.push(Ask(seat=seat, kind="turn_start"))
    votes.open_vote(play, "proposal", seat, then=AfterVote(kind="proposal", seat=seat))


PROPOSE = Choice(Propose, START, propose, why_not_propose, objection=objection, example=_example)


def after_vote(play: SjPlay, task: AfterVote) -> None:
    """Put a proposal that passed into effect, operation by operation; it is one rule on the stack."""
    politics = play.state.politics
    if politics.outcome != "passed":
        return
    vote = f"v{politics.votes}"
    for operation in politics.proposed:
        if isinstance(operation, Repeal):
            play.record(RuleRepealed(rule=operation.rule_id, vote=vote))
    _adopt(play, task.seat, vote)
    if any(isinstance(operation, MakeMotion) for operation in politics.proposed):
        ending.finish(play, "motion")


def _adopt(play: SjPlay, seat: int, vote: str) -> None:
    """Put what lasts of the proposal on top of the stack; a repeal or a motion is done and leaves nothing there."""
    proposed = play.state.politics.proposed
    rule = RuleAdopted(
        rule=f"r{play.state.politics.rules + 1}",
        vote=vote,
        seat=seat,
        settings=operations.settings_of(proposed),
        transfers=tuple(operation for operation in proposed if isinstance(operation, AddTransfer)),
        texts=tuple(operation.text for operation in proposed if isinstance(operation, AddText)),
    )
    if rule.settings or rule.transfers or rule.texts:
        play.record(rule)
