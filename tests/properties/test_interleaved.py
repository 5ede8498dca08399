"""What happens beside play changes nothing of it: attestations, offers, refusals, the hour, and absent players."""

import pytest
from msgspec.structs import replace

from events.base import Event
from events.play import ActionTaken, BooksAttested, PromptClosed, PromptOpened
from events.public_assistance.events import BetsOffered, BetsWithdrawn
from projections.evolve import AnyState
from service.rules import actions as a
from service.rules.decide import Command, decide
from service.rules.legal import legal_actions
from service.rules.violations import RuleViolation
from tests.support.playing import Table, by_default
from tests.support.rules import rule

OPTIONS = {"months": 2, "bump": True, "player_bets": True}
BESIDE = (ActionTaken, BooksAttested, BetsOffered, BetsWithdrawn)
NAMED_BY_VERSION = (PromptOpened, PromptClosed)
"""A prompt's id is made of the version at which it opened, so other events move it on."""
HOUR = 3_600_000


def lively(state: AnyState) -> tuple[int, a.PlayAction]:
    """Bet with the custodian before each move, and roll for the partner whenever it is asked."""
    seat, action = by_default(state)
    open_now = {offered.name for offered in legal_actions(state, seat).open}
    if "bet_horses" in open_now and state.turn % 3 == 0:
        return seat, a.BetHorses(prompt=next(iter(state.prompts)), horse=7, stake=1)
    if isinstance(action, a.DeclinePartner):
        return seat, a.RollPartner(prompt=action.prompt)
    return seat, action


def beside(table: Table) -> int:
    """Do for every seat what is always possible: the custodian attests, offers come and go; nobody takes them up."""
    done = 0
    for seat in sorted(table.state.seats):
        names = {offered.name for offered in legal_actions(table.state, seat).open}
        wishes: list[a.PlayAction] = [a.AttestBooks(), a.OfferBets(horses=True, lottery=True, max_stake=1)]
        wishes += [a.WithdrawBets()] if table.state.turn % 2 else []
        for wish in wishes:
            if a.name_of(wish) in names:
                table.do(wish, seat)
                done += 1
    return done


def refused(table: Table) -> None:
    """Try for every seat what is impossible."""
    for seat in sorted(table.state.seats):
        with pytest.raises(RuleViolation):
            table.do(a.Roll(prompt="p1"), seat)


def of_play(table: Table) -> list[tuple[int, Event]]:
    """The events of play, with the turn that each belongs to."""
    events = [(envelope.turn, envelope.data) for envelope in table.envelopes]
    return [(turn, event) for turn, event in events if not isinstance(event, (*BESIDE, *NAMED_BY_VERSION))]


@rule("PA-10", "PA-54")
@pytest.mark.parametrize("game", ["a", "b", "c"])
def test_what_is_done_beside_play_changes_nothing_of_it(game: str) -> None:
    """Between every two actions: the same dice, cards, payments and result as without."""
    quiet = Table(game, seats=3, options=OPTIONS).play(lively)
    busy, done = Table(game, seats=3, options=OPTIONS), 0
    while busy.state.status == "playing":
        done += beside(busy)
        refused(busy)
        seat, action = lively(busy.state)
        busy.do(action, seat)
    assert done > 30
    assert of_play(busy) == of_play(quiet)
    assert (busy.state.cash, busy.state.standings) == (quiet.state.cash, quiet.state.standings)


@rule("PA-57")
@pytest.mark.parametrize("shift", [1, 49 * HOUR])
def test_the_hour_changes_nothing_but_deadlines(shift: int) -> None:
    """Each action decided at another time: the same events; only the clock of a prompt is another."""
    table = Table("hour", seats=3, options={**OPTIONS, "turn_seconds": 60})
    for _ in range(60):
        seat, action = lively(table.state)
        command = Command(action, seat, f"seat:{seat}", "0" * 64, table.state.at)
        sooner, later = (decide(table.state, command, table.dice, at=table.state.at + after) for after in (0, shift))
        pairs = [(x.data, y.data) for x, y in zip(sooner.envelopes, later.envelopes, strict=True)]
        for one, other in pairs:
            if isinstance(one, PromptOpened) and isinstance(other, PromptOpened):
                assert (one.deadline, other.deadline) != (None, None)
                assert (other.deadline or 0) - (one.deadline or 0) == shift
                other = replace(other, deadline=one.deadline)  # noqa: PLW2901 - compared without it
            assert other == one
        table.do(action, seat)
        if table.state.status != "playing":
            break


@rule("PA-57", "PA-48")
@pytest.mark.parametrize("options", [{}, {"attest": True}, {"bump": True, "finish_turn": True}])
def test_a_table_of_absent_players_comes_to_an_end(options: dict[str, bool]) -> None:
    """The clock alone plays: default by default, each deadline once, to a result with a winner."""
    table = Table("absent", seats=4, options={"months": 1, "turn_seconds": 30, **options})
    seen: set[tuple[str, int | None]] = set()
    while table.state.prompts:
        (prompt,) = table.state.prompts.values()
        assert prompt.deadline is not None
        assert (prompt.prompt, prompt.deadline) not in seen
        seen.add((prompt.prompt, prompt.deadline))
        expire = a.Expire(prompt=prompt.prompt, deadline=prompt.deadline)
        table.do(expire)
        with pytest.raises(RuleViolation, match="not open"):
            table.do(expire)
        assert len(seen) < 1_000
    assert table.state.over()
    assert table.state.winners
    assert not [e for e in table.envelopes if isinstance(e.data, PromptClosed) and e.data.how == "answered"]
