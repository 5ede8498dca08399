"""`GET /v1/statistics`: the kept figures, added up; nothing of a single game, and no game is read for it."""

from collections import Counter
from typing import Any

import pytest

from events.store import GameIndex, Streams
from events.store.keys import bucket_of
from projections.likelihood import chi_square
from tests.api.checked import Api, ok, refused
from tests.api.conftest import application
from tests.api.tables import Table, ended, finish, play, started
from tests.support.counted import count_all, expected

KIND = ("public_assistance", 1)


def counted(api: Api, query: str = "") -> Any:
    """Have everything counted, and ask."""
    services = api.app.extensions["rollbook"]
    count_all(services.store, services.client)
    return ok(api.get(f"/v1/statistics{query}"))


def faces_of(table: Table) -> list[int]:
    """Faces of all dice that have more than one side."""
    rows = ok(table.api.get(f"{table.path}/events?limit=1000", token=table.watch))["events"]
    events = [row["event"]["data"] for row in rows]
    rolls = [event for event in events if event["type"] == "dice_rolled" and event["sides"] > 1]
    return [face for roll in rolls for face in roll["faces"]]


def test_without_games_there_is_nothing() -> None:
    found = counted(application(), "?days=1")
    day = found.pop("days")
    assert found == {"as_of": 0, "behind": 0, "positions": {}, "games": [], "dice": [], "decks": []}
    assert [(line["games"], line["finished"], line["events"]) for line in day] == [(0, 0, 0)]


def test_games_that_are_over_are_counted_with_their_dice() -> None:
    api = application()
    table = ended(api, 10)
    found = counted(api, "?days=2")
    (line,) = found["games"]
    assert (line["rulebook"], line["rules"]) == KIND
    assert (line["games"], line["finished"], line["known_secret"]) == (1, 1, 0)
    assert line["reasons"] == {"abandoned": 1}
    assert line["events"] == table.version
    faces = faces_of(table)
    (die,) = found["dice"]
    assert (die["sides"], die["faces"]) == (6, [faces.count(face) for face in range(1, 7)])
    assert die["fair"]["count"] == len(faces)
    assert die["fair"]["freedom"] == 5
    days = {line["day"]: (line["games"], line["finished"], line["events"]) for line in found["days"]}
    assert [*days] == sorted(days)
    assert tuple(map(sum, zip(*days.values(), strict=True))) == (1, 1, table.version)
    assert found["behind"] == 0
    assert [*found["positions"]] == [str(bucket_of(table.game))]
    assert found["positions"][str(bucket_of(table.game))].startswith(f"{found['as_of']}-")


def test_too_few_throws_give_no_verdict_and_enough_do() -> None:
    """The figures are those of `rollbook simulate`."""
    api = application()
    ended(api, 1)
    assert counted(api)["dice"][0]["fair"]["p"] is None
    while (die := counted(api)["dice"][0])["fair"]["p"] is None:
        ended(api, 20)
    wanted = chi_square(Counter(dict(enumerate(die["faces"], 1))), dict.fromkeys(range(1, 7), 1))
    assert (die["fair"]["value"], die["fair"]["p"]) == (wanted.value, wanted.p)


def test_of_chance_nothing_is_told_before_the_secret_is_revealed(api: Api) -> None:
    """Any number of throws changes nothing but the numbers of events and what is behind."""
    table = started(api)
    before = counted(api)
    play(table, 10)
    after = counted(api)
    for name in ("dice", "decks", "games"):
        assert after[name] == before[name]
    events_before, events_after = (sum(day["events"] for day in found["days"]) for found in (before, after))
    assert events_after > events_before


def test_a_known_secret_and_a_private_game(api: Api) -> None:
    """A player who chose the secret chose the dice; private games count, and nothing names them."""
    before = counted(api)
    tables = [finish(started(api, secret="5e" * 32), 10), finish(started(api, private=True), 10)]
    after = counted(api)
    line, old = ([one for one in found["games"] if one["rulebook"] == api.rulebook] for found in (after, before))
    known, finished = (line[0][name] - (old[0][name] if old else 0) for name in ("known_secret", "finished"))
    assert (known, finished) == (1, 2)
    before_, after_ = (sum(die["fair"]["count"] for die in found["dice"]) for found in (before, after))
    assert after_ - before_ == len(faces_of(tables[1]))
    assert tables[1].game not in str(after)


def test_decks_are_held_against_their_copies(api: Api) -> None:
    """What is shown is what follows from all streams."""
    for _ in range(3):
        ended(api, 40)
    found = counted(api)
    _, figures, _ = expected(api.app.extensions["rollbook"].store)
    for deck in found["decks"]:
        place = f"{deck['deck']}/{deck['version']}"
        assert deck["drawn"] == {card: figures.get(f"card/{place}/{card}", 0) for card in deck["drawn"]}
        assert deck["first"] == {card: figures.get(f"first/{place}/{card}", 0) for card in deck["first"]}
        assert deck["fair"]["count"] == sum(deck["first"].values())
    assert sum(sum(deck["drawn"].values()) for deck in found["decks"]) == sum(
        times for word, times in figures.items() if word.startswith("card/")
    )


def test_no_game_is_read_for_it(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    ended(api, 10)
    before = counted(api)

    def read(*_args: object, **_named: object) -> None:
        raise AssertionError("a stream was read")

    for name in ("read", "tail", "stream"):
        monkeypatch.setattr(Streams, name, read)
    for name in ("heads", "games"):
        monkeypatch.setattr(GameIndex, name, read)
    assert ok(api.get("/v1/statistics")) == before


def test_what_waits_to_be_counted_is_said(api: Api) -> None:
    counted(api)
    started(api)
    assert ok(api.get("/v1/statistics"))["behind"] == 1
    assert counted(api)["behind"] == 0


@pytest.mark.parametrize("query", ["days=0", "days=93", "days=-1", "days=1.5", "days=x", "day=1", "days=1&days=1"])
def test_any_other_period_is_refused(api: Api, query: str) -> None:
    problem = refused(api.get(f"/v1/statistics?{query}"), 422, "invalid_input")
    assert [error["query"] for error in problem["errors"]] == [query.partition("=")[0]]
    assert len(counted(api, "?days=92")["days"]) == 92
