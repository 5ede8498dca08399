"""Votes (SJG-33): who may vote, what it takes, early and exactly once, and what a leaving voter changes."""

import pytest

from events.social_justice.events import JailAvoided
from events.social_justice.politics import BallotCast, RuleAdopted, VoteClosed, VoteOpened
from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, Hall, Written, hall
from tests.support.rules import rule

EIGHT = (OWNER, UNEMPLOYED, EMPLOYEE, MANAGER, UNEMPLOYED, EMPLOYEE, MANAGER, UNEMPLOYED)
NO_JAIL: Written = {"op": "disable", "rule": "jail.enabled"}
THRESHOLDS = {
    "majority": {2: 2, 3: 2, 4: 3, 5: 3, 6: 4, 7: 4, 8: 5},
    "two_thirds": {2: 2, 3: 2, 4: 3, 5: 4, 6: 4, 7: 5, 8: 6},
    "unanimous": {2: 2, 3: 3, 4: 4, 5: 5, 6: 6, 7: 7, 8: 8},
}
"""How many must affirm among how many."""


def in_force(game: Hall) -> list[str]:
    return [entry.rule for entry in game.state.politics.stack]


@rule("SJG-33")
@pytest.mark.parametrize("threshold", THRESHOLDS)
@pytest.mark.parametrize(
    ("seats", "affirming"), [(seats, affirming) for seats in range(2, 9) for affirming in range(1, seats + 1)]
)
def test_a_vote_passes_from_the_number_needed_on(threshold: str, seats: int, affirming: int) -> None:
    """The caller's yes is cast with the call; the others vote in turn, first those who affirm."""
    game = hall(*EIGHT[:seats], options={"vote.threshold": threshold}).proposes(NO_JAIL)
    needed = THRESHOLDS[threshold][seats]
    (opened,) = game.found(VoteOpened)
    assert (opened.eligible, opened.needed, opened.threshold) == (tuple(range(1, seats + 1)), needed, threshold)
    closed: list[VoteClosed] = []
    for voter in range(2, seats + 1):
        if not closed:
            game.act(voter, "cast_ballot", ballot="yes" if voter <= affirming else "no")
            closed += game.found(VoteClosed)
    (end,) = closed
    assert end.outcome == ("passed" if affirming >= needed else "failed")
    assert in_force(game) == (["r1"] if affirming >= needed else [])
    assert game.state.politics.vote is None
    assert {*end.yes, *end.no, *end.abstain} == set(range(1, seats + 1))
    assert len(end.yes) == min(affirming, needed)


@rule("SJG-33")
@pytest.mark.parametrize(("seats", "passes"), [(2, False), (3, True), (4, False), (5, True), (6, False), (8, False)])
def test_a_tie_fails(seats: int, passes: bool) -> None:
    """Half of the voters, rounded up: only where that is more than half does it pass."""
    game = hall(*EIGHT[:seats]).proposes(NO_JAIL)
    half = -(-seats // 2)
    for voter in range(2, seats + 1):
        if game.state.politics.vote:
            game.act(voter, "cast_ballot", ballot="yes" if voter <= half else "no")
    assert bool(in_force(game)) == passes


@rule("SJG-33")
def test_all_others_are_asked_and_it_closes_early() -> None:
    """In seat order from the caller's left; with the third yes of five the rest is not asked any more."""
    game = hall(*EIGHT[:5], active=2).proposes(NO_JAIL)
    assert [prompt.seat for prompt in game.state.prompts.values()] == [3, 4, 5, 1]
    assert {prompt.kind for prompt in game.state.prompts.values()} == {"ballot"}
    game.votes(yes=[4, 1])
    (closed,) = game.found(VoteClosed)
    assert (closed.outcome, closed.yes, closed.abstain) == ("passed", (1, 2, 4), (3, 5))
    assert game.asks(3) == ["turn_start"], "the turn passed on to the next"


@rule("SJG-33")
def test_a_ballot_is_cast_once_and_for_good() -> None:
    """Neither a voter nor the proposer votes again."""
    game = hall(*EIGHT[:5]).proposes(NO_JAIL).votes(no=2)
    game.refuses("prompt_gone", 2, "cast_ballot", ballot="yes")
    game.refuses("prompt_gone", 1, "cast_ballot", ballot="no")
    assert game.state.politics.vote is not None
    assert [(cast.seat, cast.ballot) for cast in game.state.politics.vote.ballots] == [(1, "yes"), (2, "no")]


@rule("SJG-33")
def test_nobody_votes_for_another_and_nobody_behind_the_close() -> None:
    """The ballot is the seat's own, and gone when the vote is decided."""
    game = hall(*EIGHT[:3]).proposes(NO_JAIL)
    ballot_of_3 = game.prompt_of(3)
    game.refuses("not_your_prompt", 2, "cast_ballot", ballot="yes", prompt=ballot_of_3)
    game.votes(yes=2)
    game.refuses("prompt_gone", 3, "cast_ballot", ballot="no", prompt=ballot_of_3)
    assert in_force(game) == ["r1"]


@rule("SJG-33", "SJG-86")
def test_an_absent_voter_does_not_affirm() -> None:
    """Two of four have said yes when the deadlines pass: it fails, once, as soon as three cannot be reached."""
    game = hall(*EIGHT[:4], options={"turn_seconds": 60}).proposes(NO_JAIL).votes(yes=2)
    game.expires(3)
    assert game.found(BallotCast, seat=3, ballot="abstain", by_default=True)
    assert not game.found(VoteClosed)
    game.expires(4)
    (closed,) = game.found(VoteClosed)
    assert (closed.outcome, closed.yes, closed.abstain) == ("failed", (1, 2), (3, 4))
    assert in_force(game) == []


@rule("SJG-33")
def test_a_jailed_player_votes() -> None:
    """The second yes of three is a prisoner's."""
    game = hall(OWNER, UNEMPLOYED.at(35, jail_turns=2), EMPLOYEE).proposes(NO_JAIL).votes(yes=2)
    assert in_force(game) == ["r1"]


@rule("SJG-33")
def test_only_ballots_are_taken_while_a_vote_is_open() -> None:
    """No roll, no end of a turn, no other proposal."""
    game = hall(*EIGHT[:4]).proposes(NO_JAIL)
    game.refuses("vote_open", 1, "roll")
    game.refuses("vote_open", 2, "end_turn")
    game.refuses("vote_open", 3, "propose", operations=[NO_JAIL])


@rule("SJG-33")
def test_a_voter_who_leaves_never_passes_a_vote_and_changes_neither_number() -> None:
    """Four may vote and three must affirm; with one gone the three that are left must all do so."""
    game = hall(*EIGHT[:4]).proposes(NO_JAIL).votes(yes=2).leaves(3)
    assert game.state.politics.vote is not None
    assert (game.state.politics.vote.needed, len(game.state.politics.vote.eligible)) == (3, 4)
    game.votes(yes=4)
    assert in_force(game) == ["r1"]


@rule("SJG-33")
def test_a_voter_who_leaves_may_let_a_vote_fail() -> None:
    """Three of four cannot be reached any more, and the turn passes."""
    game = hall(*EIGHT[:4]).proposes(NO_JAIL).votes(no=2).leaves(3)
    (closed,) = game.found(VoteClosed)
    assert (closed.outcome, closed.yes, closed.no, closed.abstain) == ("failed", (1,), (2,), (3, 4))
    assert game.asks(2) == ["turn_start"]


@rule("SJG-33")
def test_a_ballot_that_was_cast_stands_when_its_voter_leaves() -> None:
    """With it three of five have affirmed."""
    game = hall(*EIGHT[:5]).proposes(NO_JAIL).votes(yes=2).leaves(2)
    assert game.state.politics.vote is not None
    game.votes(yes=3)
    (closed,) = game.found(VoteClosed)
    assert (closed.outcome, closed.yes) == ("passed", (1, 2, 3))


@rule("SJG-33", "SJG-32")
@pytest.mark.parametrize("affirmed", [[], [2]])
def test_a_proposal_lapses_with_whoever_made_it(affirmed: list[int]) -> None:
    """Its own yes stood, and the turn ends with it."""
    game = hall(*EIGHT[:5]).proposes(NO_JAIL).votes(yes=affirmed).leaves(1)
    (closed,) = game.found(VoteClosed)
    assert closed.outcome == "lapsed"
    assert in_force(game) == []
    assert game.state.active == 2
    assert game.asks(2) == ["turn_start"]


@rule("SJG-33")
def test_a_vote_ends_with_the_game() -> None:
    """One of two leaves: the vote lapses, and nothing is asked."""
    game = hall(*EIGHT[:2]).proposes(NO_JAIL).leaves(2)
    (closed,) = game.found(VoteClosed)
    assert closed.outcome == "lapsed"
    assert game.state.status == "finished"
    assert not game.state.prompts


@rule("SJG-33")
def test_a_vote_on_the_threshold_is_counted_under_the_old_one() -> None:
    """A majority of four adopts `unanimous`; the next vote needs all four."""
    game = hall(*EIGHT[:4]).proposes({"op": "set", "param": "vote.threshold", "value": "unanimous"})
    game.votes(yes=[2, 3])
    assert in_force(game) == ["r1"]
    game.proposes(NO_JAIL).votes(yes=[1, 3])
    assert game.state.politics.vote is not None
    game.votes(no=4)
    assert in_force(game) == ["r1"]


@rule("SJG-33")
def test_what_passed_holds_from_the_next_event_on() -> None:
    """The next seat's roll ends on Go to Jail, and there is no jail any more."""
    game = hall(OWNER, UNEMPLOYED.at(33), EMPLOYEE).proposes(NO_JAIL)
    game.votes(yes=2)
    kinds = [type(event) for event in game.events]
    assert kinds.index(VoteClosed) < kinds.index(RuleAdopted)
    game.rolls(2)
    assert game.found(JailAvoided, seat=2, how="no_jail")


@rule("SJG-33")
def test_all_ballots_in_the_same_instant_close_it_once() -> None:
    """Sent before the close, a ballot that comes after it finds its prompt gone; the rule is adopted once."""
    game = hall(*EIGHT).proposes(NO_JAIL)
    prompts = {seat: game.prompt_of(seat) for seat in range(2, 9)}
    for seat in range(2, 6):
        game.act(seat, "cast_ballot", ballot="yes", prompt=prompts[seat])
    for seat in range(6, 9):
        game.refuses("prompt_gone", seat, "cast_ballot", ballot="yes", prompt=prompts[seat])
    assert in_force(game) == ["r1"]
