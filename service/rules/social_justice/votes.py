"""Votes: who may vote, what it takes, and how one ends, exactly once (SJG-33, SJG-79).

All who are still in may vote. The caller's yes is cast with the call. Electorate and number needed are fixed when the
vote opens; a seat that leaves meanwhile changes neither. Only a yes affirms, so that no departure and
no silence can pass a vote.
"""

from typing import Any, Literal

from events.social_justice.politics import BallotCast, Threshold, VoteClosed, VoteOpened
from events.social_justice.tasks import AfterVote
from service.rules.actions_politics import CastBallot
from service.rules.choice import Choice
from service.rules.social_justice.shorthand import SjPlay, State, word

BALLOT = "ballot"
"""The kind of prompt that every other voter gets."""


def needed(threshold: str, voters: int) -> int:
    """Return how many must affirm: strictly more than half, two thirds or more, or all (SJG-33)."""
    match threshold:
        case "two_thirds":
            return -(-2 * voters // 3)
        case "unanimous":
            return voters
        case _:
            return voters // 2 + 1


def next_id(state: State) -> str:
    """Return the id of the vote that will be called next."""
    return f"v{state.politics.votes + 1}"


def open_vote(play: SjPlay, kind: Literal["proposal", "presidency"], by: int, *, then: AfterVote) -> None:
    """Call a vote, cast the caller's yes, and ask all others; `then` is what follows the result."""
    state = play.state
    threshold: Threshold = word(state, "vote.threshold")  # type: ignore[assignment] # one of its words
    vote, voters = next_id(state), tuple(state.alive())
    play.push(then)
    play.record(
        VoteOpened(
            vote=vote,
            kind=kind,
            seat=by,
            eligible=voters,
            threshold=threshold,
            needed=needed(threshold, len(voters)),
        )
    )
    play.record(BallotCast(vote=vote, seat=by, ballot="yes", by_default=False))
    for voter in play.seats_from_left_of(by):
        if voter != by:
            play.open_prompt(voter, BALLOT, kind)


def cast(play: SjPlay, seat: int, action: CastBallot) -> None:
    """Cast a ballot, in public and for good; the vote ends as soon as it is decided."""
    vote = play.state.politics.vote
    assert vote is not None, "a ballot is asked for in a vote alone"
    play.answer(action.prompt)
    play.record(BallotCast(vote=vote.vote, seat=seat, ballot=action.ballot, by_default=play.by_default))
    close_if_decided(play)


def _affirm(_state: State, _seat: int) -> dict[str, Any]:
    return {"ballot": "yes"}


CAST_BALLOT = Choice(CastBallot, frozenset({BALLOT}), cast, example=_affirm)


def default_ballot(_state: State, prompt: str) -> CastBallot:
    """Do not affirm (SJG-33)."""
    return CastBallot(prompt=prompt, ballot="abstain")


def close_if_decided(play: SjPlay) -> None:
    """End the open vote once enough have affirmed, or too few can."""
    vote = play.state.politics.vote
    if vote is None:
        return
    affirming = len(vote.cast_by("yes"))
    waiting = [seat for seat in vote.missing() if seat in play.state.alive()]
    if affirming >= vote.needed:
        _close(play, "passed")
    elif affirming + len(waiting) < vote.needed:
        _close(play, "failed")


def voter_gone(play: SjPlay, seat: int) -> None:
    """Adapt an open vote to a seat that is out: its own call lapses, its missing ballot does not affirm."""
    vote = play.state.politics.vote
    if vote is None:
        return
    if vote.seat == seat:
        lapse(play)
    else:
        close_if_decided(play)


def lapse(play: SjPlay) -> None:
    """End an open vote without a result: the caller is gone, or the game is over."""
    if play.state.politics.vote is not None:
        _close(play, "lapsed")


def _close(play: SjPlay, outcome: Literal["passed", "failed", "lapsed"]) -> None:
    vote = play.state.politics.vote
    assert vote is not None
    for prompt in [prompt for prompt in play.state.prompts.values() if prompt.kind == BALLOT]:
        play.close_prompt(prompt, "void")
    silent = tuple(sorted((*vote.cast_by("abstain"), *vote.missing())))
    play.record(
        VoteClosed(vote=vote.vote, outcome=outcome, yes=vote.cast_by("yes"), no=vote.cast_by("no"), abstain=silent)
    )
