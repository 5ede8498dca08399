"""Politics on record: since when a rule holds, who let it, each ballot; folded apart from the state, and like it."""

from typing import Any

from events import codec
from projections.rules_in_force import on_record
from tests.support.packed import packed, state_from
from tests.support.rules import rule
from tests.support.voting import Assembly

RENT: dict[str, Any] = {"op": "set", "param": "property.rent_pct", "value": 150}
RELIEF: dict[str, Any] = {
    "op": "set",
    "param": "utility.{u}.payday_cap.{r}",
    "value": 20,
    "for": {"u": ["enron", "flint"], "r": ["unemployed", "employee"]},
}
TAX: dict[str, Any] = {
    "op": "add_transfer",
    "trigger": "each_payday",
    "where": {"role": ["owner"], "cash_at_least": 100},
    "from": "actor",
    "to": "role:unemployed",
    "amount": {"pct": 5, "of": "cash", "max": 500},
    "split": "share",
}
NO_JAIL: dict[str, Any] = {"op": "disable", "rule": "jail.enabled"}


def told() -> tuple[Assembly, list[int]]:
    """Two proposals that pass, one that fails, and the repeal of the first; who made them."""
    game = Assembly(seats=4)
    by = [game.proposes(RENT, RELIEF, TAX, yes=[1, 2])]
    game.plays_on()
    by.append(game.proposes(NO_JAIL, no=[1], abstain=[2]))
    by.append(game.proposes(NO_JAIL, yes=[1], abstain=[2]))
    game.act(next(p.seat for p in game.state.prompts.values()), "cast_ballot", ballot="yes")
    by.append(game.proposes({"op": "repeal", "rule_id": "r1"}, no=[1], yes=[2, 3]))
    return game, by


@rule("SJG-33")
def test_every_vote_and_every_ballot_is_on_record() -> None:
    """In the order in which they were cast, with the number needed and the outcome."""
    game, by = told()
    votes = list(on_record(game.envelopes).votes.values())
    assert [(vote.vote, vote.seat, vote.outcome) for vote in votes] == [
        ("v1", by[0], "passed"), ("v2", by[1], "failed"), ("v3", by[2], "passed"), ("v4", by[3], "passed"),
    ]  # fmt: skip
    first, second = votes[:2]
    assert [ballot.ballot for ballot in first.ballots] == ["yes", "yes", "yes"]
    assert first.ballots[0].seat == by[0]
    assert (len(first.yes), first.no, len(first.abstain)) == (3, (), 1)
    assert (first.needed, first.threshold, first.eligible) == (3, "majority", (1, 2, 3, 4))
    assert [ballot.ballot for ballot in second.ballots] == ["yes", "no", "abstain"]
    assert (len(second.no), len(second.abstain)) == (1, 2), "one was not asked any more"
    assert (votes[3].repealed, votes[3].rules) == (["r1"], [])


@rule("SJG-31")
def test_a_rule_tells_since_when_it_holds_and_who_let_it() -> None:
    """Who proposed it, who voted how, since which event, and by which vote it was repealed."""
    game, by = told()
    record = on_record(game.envelopes)
    first, second = record.rules["r1"], record.rules["r2"]
    adopted = {event.data.rule: event for event in game.envelopes if type(event.data).__name__ == "RuleAdopted"}  # type: ignore[attr-defined] # of that type
    for entry, seat in ((first, by[0]), (second, by[2])):
        at = adopted[entry.rule]
        assert (entry.since.version, entry.since.turn, entry.since.at) == (at.version, at.turn, at.at)
        assert (entry.seat, entry.origin) == (seat, "vote")
        assert seat in entry.yes
        assert len(entry.yes) + len(entry.no) + len(entry.abstain) == 4
    assert first.repealed is not None
    assert first.repealed_by == "v4"
    assert first.repealed.version > second.since.version
    assert [entry.rule for entry in record.stack()] == ["r2"]


@rule("SJG-31")
def test_at_every_version_the_record_and_the_state_have_the_same_stack() -> None:
    """The two are folded apart; written and read again, the events say the same."""
    from projections import evolve as fold  # noqa: PLC0415 # shadowed by the game of this test otherwise

    game, _ = told()
    record, state = on_record([]), None
    for envelope in map(codec.decode, map(codec.encode, game.envelopes)):
        record.fold(envelope)
        state = fold.advance(state, envelope)
        stack = getattr(state, "politics").stack  # noqa: B009 # of this rulebook
        assert [entry.rule for entry in record.stack()] == [entry.rule for entry in reversed(stack)]
        assert [entry.since.version for entry in record.stack()] == [entry.version for entry in reversed(stack)]
    assert state is not None
    assert state_from(packed(state)) == state
