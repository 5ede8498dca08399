"""Tampering is found and named: a table of changes, tried on a few kinds of event of both games; in the long run, all.

Each change is made to a bundle, twice: as it stands, and with every link after it made again and a head that fits, as
anyone who runs the service could. A signed checkpoint finds all of the second sort, whatever else does. The second
verifier, of docs/, is asked each time and must find fault too.
"""

from collections.abc import Callable
from copy import deepcopy
from functools import cache
from typing import Any

import pytest

from service.games.chance import commitment
from tests.support.forged import Json
from tests.support.played import empty, finished
from tests.support.social import lively
from tests.support.tampered import Case, Pairs, both, case, checks, ours, theirs

GAMES: dict[str, Callable[[], Case]] = {
    "public_assistance": cache(lambda: case(finished(months=1))),
    "social_justice": cache(lambda: case(lively(empty(), seed=3, events=200))),
}
Change = Callable[[list[Any], int], object]
"""Changes entries at and after a place."""
Few = Callable[[list[str]], list[str]]


@pytest.fixture(params=GAMES)
def game(request: pytest.FixtureRequest) -> Case:
    return GAMES[request.param]()


def drop(entries: list[Any], place: int) -> None:
    del entries[place]


def swap(entries: list[Any], place: int) -> None:
    other = place + 1 if place + 1 < len(entries) else place - 1
    entries[place], entries[other] = entries[other], entries[place]


def add(entries: list[Any], place: int) -> None:
    entries.insert(place, deepcopy(entries[place]))


def actor(entries: list[Json], place: int) -> None:
    entries[place]["actor"] = "clock" if entries[place]["actor"] != "clock" else "host"


def time(entries: list[Json], place: int) -> None:
    entries[place]["at"] += 1


def renumbered(change: Change) -> Change:
    """The same, with the entries numbered by their places."""

    def changed(entries: list[Json], place: int) -> None:
        change(entries, place)
        for version, entry in enumerate(entries, start=1):
            entry["version"] = version

    return changed


MOVED: dict[str, Change] = {"an entry dropped": drop, "two swapped": swap, "one added": add}
EVERYWHERE: dict[str, Change] = {
    **MOVED,
    **{f"{name}, and numbered again": renumbered(change) for name, change in MOVED.items()},
    "an actor": actor,
    "a time": time,
}


def test_the_games_are_good_and_show_much() -> None:
    """What is tried below is tried on about every kind of event that there is in a game."""
    for made in GAMES.values():
        found = made()
        bundle = found.bundle(found.entries)
        assert (ours(bundle), theirs(bundle)) == ([], [])
    assert [len(made().kinds()) > 15 for made in GAMES.values()] == [True, True]
    assert len(GAMES["social_justice"]().kinds()) > 30


def test_one_byte_of_any_kind_of_event(game: Case, few: Few) -> None:
    """The chain breaks there, and nowhere else."""
    for kind in few(game.kinds()):
        place = game.first(kind)
        data, link = game.entries[place]
        for at in (0, len(data) // 2, len(data) - 1):
            changed = data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]
            bundle = game.bundle([*game.entries[:place], (changed, link), *game.entries[place + 1 :]])
            assert {found for found in both(bundle) if found[1] == "chain"} == {(place + 1, "chain")}, kind


def test_one_byte_with_the_chain_made_anew(game: Case, few: Few) -> None:
    """Then the checkpoint tells, at the size that it was signed for."""
    for kind in few(game.kinds()):
        place = game.first(kind)
        datas = [data for data, _ in game.entries]
        middle = len(datas[place]) // 2
        datas[place] = datas[place][:middle] + bytes([datas[place][middle] ^ 1]) + datas[place][middle + 1 :]
        assert (len(datas), "checkpoint") in both(game.bundle(game.rechained(datas))), kind


@pytest.mark.parametrize("what", MOVED)
def test_entries_moved_about(game: Case, what: str, few: Few) -> None:
    """With the links that they had: chain and numbering tell."""
    for kind in few(game.kinds()):
        entries = list(game.entries)
        MOVED[what](entries, game.first(kind))
        found = both(game.bundle(entries))
        assert {"chain", "gapless", "checkpoint"} & checks(found), kind
        if game.first(kind) < len(game.entries) - 1:
            assert {"chain", "gapless"} & checks(found), kind


@pytest.mark.parametrize("what", EVERYWHERE)
def test_anything_with_the_chain_made_anew(game: Case, what: str, few: Few) -> None:
    """The checkpoint tells; and so does something that needs no signature, but for the opening and the receipt."""
    for kind in few(game.kinds()):
        entries = game.plain()
        EVERYWHERE[what](entries, game.first(kind))
        found = both(game.bundle(game.rechained(entries)))
        assert "checkpoint" in checks(found), kind
        if kind != "game_created":
            assert checks(found) - {"checkpoint"}, kind


def die(entries: list[Json]) -> int:
    place = next(i for i, e in enumerate(entries) if e["data"]["type"] == "dice_rolled")
    faces = entries[place]["data"]["faces"]
    faces[0] = faces[0] % 6 + 1
    return place


def card(entries: list[Json]) -> int:
    place = next(i for i, e in enumerate(entries) if e["data"]["type"] == "card_drawn")
    drawn = entries[place]["data"]
    drawn["card"] = drawn["card"][:-1] + ("1" if drawn["card"][-1] != "1" else "2")
    return place


def amount(entries: list[Json]) -> int:
    place = [i for i, e in enumerate(entries) if e["data"]["type"] == "money_moved"][-1]
    entries[place]["data"]["amount"] += 50
    return place


def secret(entries: list[Json]) -> int:
    """Another game's secret."""
    entries[-1]["data"]["secret"] = "ab" * 32
    return 0


def secret_and_commitment(entries: list[Json]) -> int:
    secret(entries)
    created = entries[0]["data"]
    created["commitment"] = commitment(created["game"], bytes.fromhex("ab" * 32), known=True)
    return next(i for i, e in enumerate(entries) if e["data"]["type"] == "dice_rolled")


NAMED: dict[str, tuple[Callable[[list[Json]], int], str]] = {
    "a die": (die, "chance"),
    "a card": (card, "chance"),
    "an amount": (amount, "execution"),
    "another game's secret": (secret, "commitment"),
    "another game's secret and commitment": (secret_and_commitment, "chance"),
}
"""Change → the finding at its event, without any signature."""


@pytest.mark.parametrize("what", NAMED)
def test_what_matters_in_play(game: Case, what: str) -> None:
    change, check = NAMED[what]
    entries = game.plain()
    place = change(entries)
    assert {(place + 1, check), (len(entries), "checkpoint")} <= both(game.bundle(game.rechained(entries)))


def test_the_tail_is_cut(game: Case, few: Few) -> None:
    """Behind each kind of event, with a head that fits: the game is shorter than what was signed for it."""
    for kind in few(game.kinds()):
        if (end := game.first(kind) + 1) < len(game.entries):
            kept: Pairs = game.entries[:end]
            assert (end, "checkpoint") in both(game.bundle(kept)), kind
            assert "head" in checks({(f.version, f.check) for f in ours(game.bundle(kept, note=""))}), kind


def test_a_note_of_nobody(game: Case) -> None:
    """A root signed again by another key, for a history that was changed: no key that is trusted vouches for it."""
    entries = game.plain()
    amount(entries)
    changed = game.rechained(entries)
    forged = game.note.replace(game.note.rpartition("— ")[2], "rollbook AAAAAAAA\n")
    assert "checkpoint" in checks({(f.version, f.check) for f in ours(game.bundle(changed, note=forged))})
