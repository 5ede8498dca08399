"""Versions of the rules: a second one is planted, as a later release would write it.

A change of behaviour raises `NEWEST` and is a branch on `play.state.rules` in the module of its subject. Here the child
levy of PA-15 is 25 dollars higher from version 2 on, and so are every salary of SJG-47 and every
rent of SJG-24.
"""

import pytest

from events import codec
from events.base import Envelope, Event
from events.lobby import GameCreated
from events.play import MoneyMoved
from events.public_assistance.board import Block
from events.public_assistance.events import EndReached
from events.social_justice.board import Square
from events.social_justice.events import DebtArose
from service.audit.execution import classify
from service.errors import UnsupportedRules
from service.rules import versions
from service.rules.public_assistance import ending, landing, movement
from service.rules.public_assistance.shorthand import PaPlay
from service.rules.social_justice import payday, titles
from service.rules.social_justice.shorthand import SjPlay, State
from tests.golden.record import read
from tests.golden.scripts import OF_SOCIAL_JUSTICE, SCRIPTS
from tests.support.executed import dice_from, execute
from tests.support.planting import plant_options
from tests.support.played import Table, begun, empty, games_on, play
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
    "four_presence": 192,
    "three_forked": 564,
    "sj_two": 186,
    "sj_three_banker": 164,
    "sj_four_votes": 689,
    "sj_four_combat": 445,
    "sj_five_presidency": 464,
    "sj_six_bankruptcy": 1218,
    "sj_four_clock": 139,
    "sj_four_presence": 141,
    "sj_three_forked": 285,
    "sj_eight": 250,
}
"""Golden game → the first event that would be another under the planted version."""


@pytest.fixture
def second(monkeypatch: pytest.MonkeyPatch) -> None:
    """Plant rules 2."""
    first_levy = landing.BLOCKS["child"]

    def child(play: PaPlay, seat: int, block: Block) -> None:
        agreed = play.option("child_levy")
        if play.state.rules >= 2:
            plant_options(play.state, child_levy=agreed + 25)
        first_levy(play, seat, block)
        plant_options(play.state, child_levy=agreed)

    first_salary, first_rent = payday.salary_of, titles.rent_of

    def salary_of(play: SjPlay, seat: int) -> int:
        return first_salary(play, seat) + (25 if play.state.rules >= 2 else 0)

    def rent_of(state: State, seat: int, square: Square) -> int:
        return first_rent(state, seat, square) + (25 if state.rules >= 2 else 0)

    monkeypatch.setitem(landing.BLOCKS, "child", child)
    monkeypatch.setattr(payday, "salary_of", salary_of)
    monkeypatch.setattr(titles, "rent_of", rent_of)
    monkeypatch.setattr(versions, "NEWEST", 2)
    monkeypatch.setattr(versions, "SUPPORTED", frozenset({1, 2}))


def envelopes(table: Table) -> list[Envelope[Event]]:
    return codec.decode_all(entry.data for batch in table.store.streams.stream(table.game) for entry in batch)


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
    table = play(begun(games_on(empty()), "begun under 1", seats=4, months=6), most=30)
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
    whole = envelopes(play(begun(games_on(empty()), "begun under 2", seats=4, months=6)))
    assert (created_under(whole), levies(whole)) == (2, {75})
    assert list(execute(whole)) == []
    assert list(execute(whole, rules=1)) != []


@pytest.mark.usefixtures("second")
@pytest.mark.parametrize("name", SCRIPTS)
def test_a_golden_game_names_the_event_at_which_it_would_differ(name: str) -> None:
    """The first levy, salary of a payday or rent, and nothing before it; under its own version nothing differs."""
    played = golden(name)
    assert list(execute(played)) == []
    difference = next(execute(played, rules=2))
    event = codec.decode(difference.recorded.encode()).data
    assert isinstance(event, MoneyMoved | DebtArose)
    changed = {"salary", "rent"} if name in OF_SOCIAL_JUSTICE else {"child_levy"}
    assert difference.version == DIFFER_AT[name]
    assert event.reason in changed


@pytest.fixture
def two_versions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(versions, "SUPPORTED", frozenset({1, 2}))


def outcomes() -> dict[str, str]:
    """What rules 2 would make of each golden game, in a word."""
    return {name: str(classify(execute(golden(name), rules=2))) for name in SCRIPTS}


@pytest.mark.usefixtures("second")
def test_a_change_is_told_as_the_event_where_it_begins() -> None:
    """The planted levy: every game that had a child differs, none ends otherwise at once."""
    assert outcomes() == {name: f"differs at event {version}" for name, version in DIFFER_AT.items()}


@pytest.mark.usefixtures("two_versions")
def test_a_change_that_changes_nothing() -> None:
    assert set(outcomes().values()) == {"same"}


@pytest.mark.usefixtures("two_versions")
def test_a_change_by_which_games_no_longer_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """No marker ends the game: told of every game that was ended by one, and with its last action."""
    whose = ending.whose_marker_ends
    monkeypatch.setattr(ending, "whose_marker_ends", lambda state: [] if state.rules >= 2 else whose(state))
    found = outcomes()
    completed = {name for name in SCRIPTS if any(isinstance(e.data, EndReached) for e in golden(name))}
    assert {name for name, outcome in found.items() if outcome.startswith("no longer ends")} == completed
    assert {found[name] for name in set(SCRIPTS) - completed} == {"same"}


@pytest.mark.usefixtures("two_versions")
def test_a_change_by_which_games_end_sooner(monkeypatch: pytest.MonkeyPatch) -> None:
    """One month is enough: told with the first action that would end the game."""
    first_test = ending.test_end

    def sooner(play: PaPlay) -> None:
        agreed = play.state.options["months"]
        plant_options(play.state, months=1 if play.state.rules >= 2 else agreed)
        first_test(play)
        plant_options(play.state, months=agreed)

    monkeypatch.setattr(movement, "test_end", sooner)
    found = outcomes()
    assert found["two_standard"].startswith("now ends at event ")
    assert {outcome.partition(" at ")[0] for outcome in found.values()} <= {"now ends", "differs", "same"}


def test_a_version_that_is_not_held_is_not_executed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a game's own nor another."""
    with pytest.raises(UnsupportedRules, match="rules 2"):
        next(execute(golden("two_standard"), rules=2))
    monkeypatch.setattr(versions, "SUPPORTED", frozenset({2}))
    with pytest.raises(UnsupportedRules, match="rules 1"):
        next(execute(golden("two_standard")))
