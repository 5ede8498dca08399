"""Games that follow from others: forks with seats to be taken again, and the rematch after the end."""

import secrets
from typing import Any

import pytest

from service.games import opening
from tests.api.checked import Api, ok, refused
from tests.api.tables import Table, ended, finish, play, started


@pytest.fixture(scope="module")
def running(api: Api) -> Table:
    """A game after some turns, each time the same."""
    played = started(api, seats=3, secret="5e" * 32, key="a game that is forked")
    play(played, 12)
    return played


@pytest.fixture(scope="module")
def over(api: Api) -> Table:
    """A game that has ended."""
    return ended(api, 12)


def steps(table: Table) -> list[Any]:
    return list(ok(table.api.get(f"{table.path}/steps?limit=100", token=table.watch or None))["steps"])


def fork(table: Table, step: int, *, key: str = "", token: str | None = None, **body: Any) -> Table:
    made = ok(
        table.api.post(f"{table.path}/forks", {"step": step, **body}, key=key or secrets.token_hex(16), token=token)
    )
    assert made["parent"] == table.game
    return Table(table.api, made["game"], made["host_token"], made["join_code"], made["watch_token"])


def claim(table: Table) -> None:
    """Sit down wherever a seat is to be taken."""
    for seat, sitter in table.state()["state"]["seats"].items():
        if sitter["reopened"]:
            made = ok(
                table.api.post(
                    f"{table.path}/seats", {"name": f"New {seat}"}, token=table.join, key=secrets.token_hex(16)
                )
            )
            assert made["seat"] == int(seat)
            table.seats[int(seat)] = made["token"]


def fit(table: Table) -> list[Any]:
    """Steps after which the game is being played."""
    every = steps(table)
    start = next(step["number"] for step in every if step["name"] == "start")
    return [step for step in every if step["number"] >= start]


def events(table: Table) -> list[Any]:
    return list(ok(table.api.get(f"{table.path}/events?limit=1000"))["events"])


def test_a_fork_goes_on_from_the_very_state(running: Table) -> None:
    """Money, places, decks, prompts: all but who sits there, and until when."""
    step = fit(running)[4]
    new = fork(running, step["number"])
    before = running.state(at=step["last"])["state"]
    after = new.state()["state"]
    own = {"game", "version", "at", "steps", "commitment", "known_secret", "parent", "forked", "seats", "prompts"}
    assert {name for name in before if before[name] != after[name]} <= own
    assert after["parent"] == f"{running.game}@{step['last']}"
    assert (after["forked"], after["version"]) == (step["last"] + 1, step["last"] + 1)
    assert set(after["prompts"]) == set(before["prompts"])
    assert {sitter["name"] for sitter in after["seats"].values()} == {""}
    assert steps(new)[-1]["name"] == "fork"
    assert [one["number"] for one in steps(new)][:-1] == [one["number"] for one in steps(running)][: step["number"]]


def test_a_fork_has_a_chain_of_its_own_over_the_same_events(running: Table) -> None:
    step = fit(running)[3]
    new = fork(running, step["number"])
    ours, theirs = events(new), events(running)
    assert [entry["event"] for entry in ours[1:-1]] == [entry["event"] for entry in theirs[1 : step["last"]]]
    assert not {entry["link"] for entry in ours} & {entry["link"] for entry in theirs}
    assert ours[-1]["event"]["data"]["head"] == theirs[step["last"] - 1]["link"]
    report = ok(new.api.get(f"{new.path}/verification"))
    assert report["sound"], report["findings"]


def test_its_seats_are_taken_again_and_it_is_played_to_its_end(running: Table) -> None:
    """No old token is good; a new player has a name of their own; the parent does not notice."""
    before = running.state()
    new = fork(running, fit(running)[2]["number"])
    for token in running.seats.values():
        refused(new.api.get(f"{new.path}/actions", token=token), 401, "unauthorized")
    claim(new)
    assert set(new.state()["names"].values()) == {"New 1", "New 2", "New 3"}
    refused(new.api.post(f"{new.path}/seats", {"name": "Late"}, token=new.join), 409, "game_started")
    finish(new, 6)
    assert new.state()["state"]["status"] == "finished"
    report = ok(new.api.get(f"{new.path}/verification"))
    assert (report["sound"], report["sealed"]) == (True, True), report["findings"]
    assert running.state() == before


def outcomes(table: Table, after: int) -> list[Any]:
    """What chance gave since a version."""
    wanted = {"dice_rolled": "faces", "card_drawn": "card"}
    found = [entry["event"] for entry in events(table) if entry["event"]["version"] > after]
    return [
        (one["data"]["coordinate"], one["data"][wanted[one["data"]["type"]]])
        for one in found
        if one["data"]["type"] in wanted
    ]


def apart(one: list[Any], other: list[Any]) -> bool:
    """Return whether chance gave something else, somewhere; with the same chance one would begin as the other."""
    return any(mine != its for mine, its in zip(one, other, strict=False))


def test_a_fork_of_a_running_game_never_shows_its_future(running: Table) -> None:
    """Two forks from one step, with the very same moves, meet other chance than each other and than the parent."""
    step = fit(running)[0]
    refused(
        running.api.post(f"{running.path}/forks", {"step": step["number"], "same_chance": True}), 409, "secret_kept"
    )
    met = [outcomes(running, step["last"])]
    for _ in range(2):
        new = fork(running, step["number"])
        claim(new)
        play(new, 8)
        met.append(outcomes(new, step["last"]))
    first, second, third = met
    assert all(met)
    assert apart(first, second)
    assert apart(first, third)
    assert apart(second, third)


def test_the_end_of_a_fork_reveals_a_secret_of_its_own(running: Table) -> None:
    """Other outcomes alone would not do: with the parent's secret anybody could work out what is to come there."""
    new = fork(running, fit(running)[0]["number"])
    claim(new)
    finish(new, 0)
    state = new.state()["state"]
    assert (state["status"], running.state()["state"]["status"]) == ("finished", "playing")
    assert state["secret"] not in ("", "5e" * 32)
    assert ok(new.api.get(f"{new.path}/verification"))["sound"]


def test_with_the_same_chance_the_same_moves_lead_to_the_same(over: Table) -> None:
    """Only once the secret is known to all; and the new game says that it is."""
    step = fit(over)[0]
    again = fork(over, step["number"], same_chance=True)
    assert again.state()["state"]["known_secret"]
    claim(again)
    finish(again, 6)
    mine = outcomes(again, step["last"])
    assert mine
    assert mine == outcomes(over, step["last"])[: len(mine)]
    assert ok(again.api.get(f"{again.path}/verification"))["sound"]


def test_a_fork_asked_for_again_is_the_same_one(running: Table) -> None:
    key = secrets.token_hex(16)
    number = fit(running)[1]["number"]
    first, again = (fork(running, number, key=key) for _ in range(2))
    assert first.tokens() == again.tokens()
    assert fork(running, number).game != first.game
    assert fork(running, number + 1, key=key).game != first.game
    twice = running.api.post(f"{running.path}/forks", {"step": number, "same_chance": False}, key=key)
    refused(twice, 422, "idempotency_key_reused")


def test_a_fork_can_be_forked(running: Table) -> None:
    first = fork(running, fit(running)[0]["number"])
    claim(first)
    for _ in range(3):
        first.step()
    second = fork(first, steps(first)[-1]["number"])
    claim(second)
    second.step()
    report = ok(second.api.get(f"{second.path}/verification"))
    assert report["sound"], report["findings"]
    assert second.state()["state"]["parent"].startswith(f"{first.game}@")


def test_what_cannot_be_gone_on_from_is_refused(running: Table, over: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    for table, step in ((running, 1), (running, 5), (over, len(steps(over)))):
        refused(table.api.post(f"{table.path}/forks", {"step": step}), 409, "not_forkable")
    refused(running.api.post(f"{running.path}/forks", {"step": 9999}), 404, "no_such_version")
    monkeypatch.setattr(opening, "MOST_COPIED", 10)
    refused(running.api.post(f"{running.path}/forks", {"step": fit(running)[5]["number"]}), 409, "not_forkable")


def test_a_fork_of_a_private_game_is_private_and_tells_nobodys_name(api: Api) -> None:
    table = started(api, private=True)
    new = fork(table, 6, token=table.watch)
    refused(api.get(new.path), 404, "no_such_game")
    for name in (b"Ann", b"Bob"):
        assert name not in api.get(f"{new.path}/steps?limit=100", token=new.watch).data
    refused(api.post(f"{table.path}/forks", {"step": 6}), 404, "no_such_game")


def test_deadlines_of_the_parent_bind_nobody_in_the_fork(api: Api) -> None:
    """Nobody is late for what was asked before he sat down; from then on the clock runs as agreed."""
    table = started(api, options={"turn_seconds": 60})
    new = fork(table, 6)
    assert {prompt["deadline"] for prompt in new.state()["state"]["prompts"].values()} == {None}
    claim(new)
    new.step()
    assert {prompt["deadline"] for prompt in new.state()["state"]["prompts"].values()} != {None}


def test_the_rematch_is_one_game_whoever_asks_however_often(over: Table) -> None:
    """A7: nobody is dragged into it, and a second request meets the same game, whatever its key."""
    made = [ok(over.api.post(f"{over.path}/rematch", token=over.host, key=key)) for key in ("one", "one", "two")]
    assert made[0] == made[1] == made[2]
    new = Table(over.api, made[0]["game"], made[0]["host_token"], made[0]["join_code"], made[0]["watch_token"])
    state = new.state()["state"]
    assert (state["status"], state["seats"], state["parent"]) == ("lobby", {}, over.game)
    old = over.state()["state"]
    assert (state["options"], state["places"]) == (old["options"], old["places"])
    assert state["commitment"] != old["commitment"]
    for name in ("Ann", "Bob"):
        ok(new.api.post(f"{new.path}/seats", {"name": name}, token=new.join, key=secrets.token_hex(16)))


def test_a_rematch_comes_after_the_end(running: Table) -> None:
    refused(running.api.post(f"{running.path}/rematch", token=running.host), 409, "not_over")
    refused(running.api.post(f"{running.path}/rematch", token=running.seats[1]), 403, "forbidden")
    refused(running.api.post(f"{running.path}/rematch"), 401, "unauthorized")


def test_everybody_at_the_table_learns_of_the_rematch(api: Api) -> None:
    """Those with a seat get its join code, others its id; before the host opens it there is none."""
    table = ended(api, 4)
    path = f"{table.path}/rematch"
    assert ok(api.get(path, token=table.seats[1])) == {"game": table.game, "rematch": None, "join_code": ""}
    made = ok(api.post(path, token=table.host))
    for token in (*table.seats.values(), table.host):
        answer = api.get(path, token=token)
        assert ok(answer) == {"game": table.game, "rematch": made["game"], "join_code": made["join_code"]}
        assert answer.headers["Cache-Control"] == "no-store"
    for other in (None, table.watch, table.join):
        assert ok(api.get(path, token=other)) == {"game": table.game, "rematch": made["game"], "join_code": ""}
    code = ok(api.get(path, token=table.seats[2]))["join_code"]
    ok(api.post(f"/v1/games/{made['game']}/seats", {"name": "Bob"}, token=code, key=secrets.token_hex(16)))
    running = started(api, private=True)
    assert ok(api.get(f"{running.path}/rematch", token=running.seats[1]))["rematch"] is None
    refused(api.get(f"{running.path}/rematch"), 404, "no_such_game")
