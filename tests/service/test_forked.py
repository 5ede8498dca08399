"""A fork is audited like every game: its copies are executed again, and what came after them too.

What its copies drew follows from the secret of the game that they were copied from. So they are compared with it where
it is at hand, and the report says what was not checked.
"""

import io
from collections.abc import Callable
from typing import Any

import pytest

from events import codec
from events.store.keys import game_keys
from service.audit.audit import audit_game
from service.audit.bundle import verify_bundle
from service.audit.execution import recorded_dice
from service.games.records import NewFork, NewSeat, RequestContext
from service.replay import steps
from service.rules.actions import Leave
from tests.support import social
from tests.support.executed import execute
from tests.support.forged import Json, chained, plain, stored
from tests.support.forged import forged as forge
from tests.support.played import Table, empty, finished, play, start
from tests.support.tampered import SIGNER, case, checks, ours, theirs


def forked(table: Table, *, same: bool) -> Table:
    number = table.state.steps - 6
    view = steps.one(table.games.loader, table.game, number)
    assert view.state is not None
    new = NewFork(table.game, number, view.step.last, view.state.status, same_chance=same)
    opened = table.games.opening.fork(new, RequestContext(key="fork"))
    fork = Table(table.games, opened.answer.game, opened.host_token, {})
    while free := fork.state.unclaimed():
        seated = table.games.seats.sit(fork.game, NewSeat(name=""), RequestContext(opened.join_code, key=str(free)))
        fork.tokens[seated.seat] = seated.token
    return fork


@pytest.mark.parametrize("same", [False, True])
@pytest.mark.parametrize("kind", [lambda: finished(months=1), lambda: social.lively(empty(), events=200)])
def test_a_fork_is_sound_and_can_be_executed_again(kind: Any, same: bool) -> None:
    fork = play(forked(kind(), same=same), most=8)
    while (state := fork.state).status == "playing":
        seat = state.persons()[0]
        fork.games.actions.perform(
            fork.game, Leave(), RequestContext(fork.tokens[seat], key=f"leave {seat}"), seat=seat
        )
    envelopes = codec.decode_all(entry.data for entry in fork.store.streams.read(fork.game, count=100_000))
    assert list(execute(envelopes, recorded_dice)) == []
    report = audit_game(fork.games, fork.game)
    assert report.findings == []
    parent, _, version = state.parent.partition("@")
    assert f"fork: events 2 to {version} are those of game {parent}" in report.checks
    assert [line for line in report.unchecked if f"follow from the secret of game {parent}" in line]
    rolls = [one for one in envelopes if one.data.__class__.__name__ == "DiceRolled"]
    later = sum(1 for one in rolls if one.version > int(version))
    assert (0 < later < len(rolls), any(f"and {later} throws" in line for line in report.checks)) == (True, True)
    bundle = case(fork).bundle(stored(fork))
    offline = verify_bundle(io.BytesIO(bundle), keys=[SIGNER.verifier])
    assert (offline.findings, theirs(bundle)) == ([], [])
    assert [line for line in offline.unchecked if line.startswith(f"fork: that events 2 to {version} are those")]


def test_a_fork_before_anything_was_played_begins_at_the_start() -> None:
    """Right after the start, nothing was thrown yet but for the order."""
    table = start(social.seated(empty(), seats=2, key="early"))
    number = table.state.steps
    view = steps.one(table.games.loader, table.game, number)
    opened = table.games.opening.fork(NewFork(table.game, number, view.step.last, "playing"), RequestContext(key="x"))
    assert table.games.loader.load(opened.answer.game).state.unclaimed() == [1, 2]


def played_fork(*, same: bool = False, of: Table | None = None) -> Table:
    fork = play(forked(of or finished(months=1), same=same), most=8)
    while (state := fork.state).status == "playing":
        seat = state.persons()[0]
        fork.games.actions.perform(
            fork.game, Leave(), RequestContext(fork.tokens[seat], key=f"leave {seat}"), seat=seat
        )
    return fork


def place_of(entries: list[Json], kind: str) -> int:
    return next(place for place, entry in enumerate(entries) if entry["data"]["type"] == kind)


def of_nobody(entries: list[Json]) -> None:
    """The fork of a game that does not say where it goes on: else nothing would be asked of any outcome."""
    entries[0]["data"]["parent"] = f"another@{len(entries) - 2}"


def of_more(entries: list[Json]) -> None:
    entries[0]["data"]["parent"] = "another@99999"


def of_other_chance(entries: list[Json]) -> None:
    """A choice of it would be a choice of all outcomes."""
    entries[0]["data"]["known_secret"] = True
    entries[place_of(entries, "game_forked")]["data"]["chance"] = "another"


FORGED: dict[str, tuple[Callable[[list[Json]], None], str]] = {
    "a parent, and no fork": (of_nobody, "fork"),
    "more copies than events": (of_more, "fork"),
    "the chance of any game": (of_other_chance, "facts"),
}


@pytest.mark.parametrize("what", FORGED)
def test_what_a_fork_says_of_its_parent_is_no_way_around_chance(what: str) -> None:
    """Both verifiers find it, whatever the chain."""
    change, check = FORGED[what]
    fork = played_fork() if what == "the chance of any game" else finished(months=1)
    entries = plain(fork)
    change(entries)
    bundle = case(fork).bundle(chained(fork.game, entries))
    assert check in checks({(one.version, one.check) for one in ours(bundle)})
    assert "fork" in checks(set(theirs(bundle)))
    assert check in {one.check for one in forge(fork, change)}


def test_a_known_secret_is_told() -> None:
    fork = played_fork(same=True)
    assert fork.state.known_secret
    assert audit_game(fork.games, fork.game).findings == []
    found = forge(fork, lambda entries: entries[0]["data"].update(known_secret=False))
    assert [one.check for one in found] == ["commitment", "facts"]
    assert found[1].found == "false"


def test_nobody_forks_a_game_within_it() -> None:
    """The event is no action, so that its actor is the system."""
    found = forge(played_fork(), lambda entries: entries[place_of(entries, "game_forked")].update(actor="host"))
    assert [(one.check, one.expected, one.found) for one in found] == [("facts", "the actor system", "host")]


def test_copies_that_are_not_the_parents_are_found() -> None:
    """A time is enough: no rule, no book and no die can tell."""
    fork = played_fork()

    def later(entries: list[Json]) -> None:
        for entry in entries[1 : fork.state.copied()]:
            entry["at"] = entries[fork.state.copied() - 1]["at"]

    assert "fork" in {one.check for one in forge(fork, later)}


def test_a_fork_of_a_fork_is_compared_with_the_nearest() -> None:
    first = played_fork(same=True)
    for same in (True, False):
        fork = played_fork(of=first, same=same)
        report = audit_game(fork.games, fork.game)
        assert report.findings == []
        assert f"fork: events 2 to {fork.state.copied()} are those of game {first.game}" in report.checks
        assert theirs(case(fork).bundle(stored(fork))) == []


def test_a_parent_that_is_damaged_is_no_fault_of_the_fork() -> None:
    fork = played_fork()
    parent = fork.state.parent.partition("@")[0]
    fork.store.client.execute_command("XDEL", game_keys(parent).stream, "1-0")
    report = audit_game(fork.games, fork.game)
    assert report.findings == []
    assert [line for line in report.unchecked if "since that game is damaged" in line]
