"""Versions of the rules: a second one is planted, as a later release would write it.

A change of behaviour raises `NEWEST` and is a branch on `play.state.rules` in the module of its subject. Here the child
levy of PA-15 is 25 dollars higher from version 2 on.
"""

import pytest

from events import codec
from events.base import Envelope, Event
from events.boards import Block
from events.lobby import GameCreated
from events.play import MoneyMoved
from service.errors import UnsupportedRules
from service.execution import dice_from, execute
from service.rules import versions
from service.rules.public_assistance import landing
from service.rules.public_assistance.table import PaPlay
from tests.golden.record import read
from tests.golden.scripts import SCRIPTS
from tests.support.played import Table, begun, fake, games_on, play
from tests.support.rules import rule

DIFFER_AT = {
    "two_standard": 58,
    "two_reissue": 428,
    "three_bump_and_bets": 416,
    "three_lively_lobby": 339,
    "four_leaving": 313,
    "four_clock": 194,
    "four_calm": 75,
    "four_other_amounts": 150,
}
"""Golden game → the first event that would be another under the planted version."""


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant rules 2."""
    first_levy = landing.BLOCKS["child"]

    def child(play: PaPlay, seat: int, block: Block) -> None:
        options = play.state.options
        agreed = play.option("child_levy")
        if play.state.rules >= 2:
            options["child_levy"] = agreed + 25
        first_levy(play, seat, block)
        options["child_levy"] = agreed

    monkeypatch.setitem(landing.BLOCKS, "child", child)
    monkeypatch.setattr(versions, "NEWEST", 2)
    monkeypatch.setattr(versions, "SUPPORTED", frozenset({1, 2}))


def envelopes(table: Table) -> list[Envelope[Event]]:
    return codec.decode_all(entry.data for batch in table.store.stream(table.game) for entry in batch)


def golden(name: str) -> list[Envelope[Event]]:
    return codec.decode_all(entry.data for entry in read(name))


def levies(played: list[Envelope[Event]], after: int = 0) -> set[int]:
    """The amounts that working players paid for a child."""
    paid = [e.data for e in played if isinstance(e.data, MoneyMoved) and e.version > after]
    return {event.amount for event in paid if event.reason == "child_levy"}


def created_under(played: list[Envelope[Event]]) -> int:
    assert isinstance(played[0].data, GameCreated)
    return played[0].data.rules


def test_this_release_holds_what_it_says() -> None:
    """New games take the newest, which is one of those that can be played; so are those of all golden games."""
    assert versions.NEWEST in versions.SUPPORTED
    assert {created_under(golden(name)) for name in SCRIPTS} <= versions.SUPPORTED


@rule("PA-15")
def test_a_running_game_goes_on_under_its_own_version(request: pytest.FixtureRequest) -> None:
    """Begun under 1, it is played on by a release that holds 1 and 2, and executes again as 1 and as nothing else."""
    table = play(begun(games_on(fake()), "begun under 1", seats=4, months=6), most=30)
    before = table.version
    request.getfixturevalue("second")
    whole = envelopes(play(table))
    assert (created_under(whole), levies(whole, after=before)) == (1, {50})
    assert list(execute(whole)) == []
    assert list(execute(whole, dice_from(b"s" * 32))) == []
    assert list(execute(whole, rules=2)) != []


@rule("PA-15")
@pytest.mark.usefixtures("second")
def test_a_new_game_takes_the_newest() -> None:
    """It is created, played and executed again under 2."""
    whole = envelopes(play(begun(games_on(fake()), "begun under 2", seats=4, months=6)))
    assert (created_under(whole), levies(whole)) == (2, {75})
    assert list(execute(whole)) == []
    assert list(execute(whole, rules=1)) != []


@pytest.mark.usefixtures("second")
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_golden_game_names_the_event_at_which_it_would_differ(name: str) -> None:
    """The first levy, and nothing before it; under its own version it does not differ at all."""
    played = golden(name)
    assert list(execute(played)) == []
    difference = next(execute(played, rules=2))
    event = codec.decode(difference.recorded.encode()).data
    assert (difference.version, getattr(event, "reason", "")) == (DIFFER_AT[name], "child_levy")


def test_a_version_that_is_not_held_is_not_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a game's own nor another."""
    with pytest.raises(UnsupportedRules, match="rules 2"):
        next(execute(golden("two_standard"), rules=2))
    monkeypatch.setattr(versions, "SUPPORTED", frozenset({2}))
    with pytest.raises(UnsupportedRules, match="rules 1"):
        next(execute(golden("two_standard")))
