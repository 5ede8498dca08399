"""Live streams: the state first, then every event once, wherever the line is cut."""

import gc
import threading
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest

from service.api.schemas.games import RULEBOOKS
from service.live import streams as live
from tests.api.checked import Api, ok, refused
from tests.api.conftest import restarted, services
from tests.api.tables import Table, ended, open_game, play, started
from tests.support.serving import until
from tests.support.sse import Reader, Sent, read

SSE = {"Accept": "text/event-stream"}


@pytest.fixture
def running(api: Api) -> Table:
    """A game under way, on an application that nobody watches any more."""
    gc.collect()  # a stream that a test before let go of ends when it is collected
    until(lambda: waiting(api) == 0, "the streams of the tests before have ended")
    played = started(api, seats=3)
    play(played, 8)
    return played


@pytest.fixture(scope="module")
def over(api: Api) -> Table:
    """A game that has ended, by all leaving but one."""
    return ended(api, 6)


def opened(table: Table, query: str = "", *, token: str | None = None, **headers: str) -> Any:
    sent = {**SSE, **headers, **({"Authorization": f"Bearer {token}"} if token else {})}
    return table.api.client.get(f"{table.path}/events{query}", headers=sent, buffered=False)


def stream(table: Table, query: str = "", **headers: str) -> Iterator[Sent]:
    answer = opened(table, query, **headers)
    assert (answer.status_code, answer.mimetype) == (200, "text/event-stream"), answer.data
    try:
        yield from read(answer.response)
    finally:
        answer.close()


def resumed(table: Table, after: int) -> Iterator[Sent]:
    return stream(table, **{"Last-Event-ID": str(after)})


def entries(table: Table) -> list[Any]:
    return list(ok(table.api.get(f"{table.path}/events?limit=1000"))["events"])


def waiting(api: Api) -> int:
    return int(api.app.extensions["rollbook"].watcher.waiting())


def test_the_state_comes_first_and_its_id_is_its_version(running: Table) -> None:
    first = next(stream(running))
    shown = ok(running.api.get(running.path))
    assert (first.kind, first.id, first.data) == ("state", str(running.version), shown)


def test_every_block_of_a_stream_has_data(running: Table, over: Table) -> None:
    """Some clients make an empty event of a block without: `retry` is in the first one, and comments are in none."""
    for table, after in ((running, ""), (over, "?after=0"), (over, "?after=3")):
        pieces = opened(table, after).response
        first = next(iter(pieces))
        assert first.startswith(b"retry: 1000\n")
        blocks = first.split(b"\n\n") if after != "?after=0" else (first + next(iter(pieces))).split(b"\n\n")
        assert all(b"\ndata: " in b"\n" + block for block in blocks if block)
    assert not live.COMMENT.endswith(b"\n\n")


def test_what_happens_is_sent_as_it_is_stored(running: Table) -> None:
    events = stream(running)
    assert next(events).kind == "state"
    before = running.version
    running.step()
    happened = entries(running)[before:]
    told = list(islice(events, len(happened)))
    assert [sent.data for sent in told] == happened
    assert [int(sent.id) for sent in told] == [sent.version for sent in told]
    assert {sent.kind for sent in told} == {"message"}
    assert told[-1].version == running.version


def test_who_knows_nothing_gets_every_event(running: Table) -> None:
    """From 0 there is no state: the first event makes the game."""
    told = list(islice(stream(running, "?after=0"), running.version))
    assert [sent.data for sent in told] == entries(running)


def test_cut_at_every_event_and_resumed(over: Table) -> None:
    """H7: each event once, in order; before them the state as the client left it; the end is the last event."""
    seen: list[Sent] = list(islice(stream(over, "?after=0"), 1))
    while True:
        answer = opened(over, **{"Last-Event-ID": seen[-1].id})
        if answer.status_code == 204:
            break
        events = read(answer.response)
        state = next(events)
        assert (state.kind, state.id) == ("state", seen[-1].id)
        assert state.data["state"] == over.state(at=int(seen[-1].id))["state"]
        seen.append(next(events))
        answer.close()
    assert [sent.data for sent in seen] == entries(over)
    assert seen[-1].data["event"]["data"]["type"] == "secret_revealed"
    assert waiting(over.api) == 0


def test_a_finished_game_is_its_state_and_the_end(over: Table) -> None:
    """H7: one full line, then the end; and a browser that comes back gets an answer that keeps it away."""
    (state,) = stream(over)
    assert state.data["state"]["status"] == "finished"
    assert state.data["state"]["standings"]
    answer = opened(over, **{"Last-Event-ID": state.id})
    assert (answer.status_code, answer.data) == (204, b"")


def test_the_last_event_ends_a_running_stream(api: Api) -> None:
    table = started(api, seats=2)
    events = stream(table)
    next(events)
    ok(api.call("DELETE", f"{table.path}/seats/2", token=table.seats[2]))
    assert list(events)[-1].data["event"]["data"]["type"] == "secret_revealed"
    assert waiting(api) == 0


def won(api: Api) -> Table:
    """A game that is about to be played to its agreed end."""
    options = {"end.rounds": 1} if api.rulebook == "social_justice" else {"months": 1}
    return started(api, seats=2, options=options)


@pytest.mark.parametrize(
    ("rulebook", "end"),
    [("social_justice", "motion"), *((rulebook, end) for rulebook in RULEBOOKS for end in ("won", "abandoned"))],
)
def test_however_a_game_ends_its_end_is_the_last_event(rulebook: str, end: str) -> None:
    api = restarted(services(), rulebook)  # of its own: its clock is set forwards
    table = won(api) if end == "won" else started(api, seats=2, options={"turn_seconds": 3600})
    events = stream(table)
    next(events)
    if end == "won":
        play(table, 1000)
    elif end == "motion":
        ok(table.propose({"op": "motion", "motion": "end_game"}))
        table.vote()
    else:
        hand_all_over_to_the_clock(table)
    *_, finished, revealed = [sent.data["event"]["data"] for sent in events]
    assert (finished["type"], finished["reason"]) == ("game_finished", {"won": "completed"}.get(end, end))
    assert revealed["type"] == "secret_revealed"
    assert waiting(api) == 0


def hand_all_over_to_the_clock(table: Table) -> None:
    """Pass every deadline until all players count as absent."""
    clock = table.api.app.extensions["rollbook"].games.clock
    while prompts := table.state()["state"]["prompts"].values():
        clock.follow(min(prompt["deadline"] for prompt in prompts) + 2000)


def test_who_is_ahead_of_the_game_is_reset(running: Table) -> None:
    events = resumed(running, running.version + 5)
    reset, state = islice(events, 2)
    assert (reset.kind, reset.id, reset.data) == ("reset", "", {"version": running.version})
    assert (state.kind, state.id) == ("state", str(running.version))
    running.step()
    assert next(events).version == int(state.id) + 1


def test_a_header_beats_the_query(running: Table) -> None:
    """A browser repeats the address with its first cursor, and tells in the header how far it has come."""
    _, told = islice(stream(running, "?after=2", **{"Last-Event-ID": "7"}), 2)
    assert told.version == 8


@pytest.fixture(scope="module")
def lobby(api: Api) -> Table:
    """A game that nothing happens in."""
    return open_game(api)


@pytest.mark.parametrize("given", ["x", "-1", "1.0", "1" * 16, "٣", "1,2"])
def test_an_id_that_is_no_version_is_refused(lobby: Table, given: str) -> None:
    answer = opened(lobby, **{"Last-Event-ID": given.encode().decode("latin-1")})
    assert (answer.status_code, answer.json["code"]) == (400, "malformed_header")


def test_silence_is_kept_alive_by_comments_without_an_id(running: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "KEEP_ALIVE", 0.01)
    answer = opened(running)
    reader, told = Reader(), []
    while reader.comments < 3:
        told += list(reader.feed(next(answer.response)))
    answer.close()
    assert [sent.kind for sent in told] == ["state"]
    assert reader.last_id == str(running.version)


def test_a_stream_keeps_the_time_of_its_game(api: Api) -> None:
    """Nobody else looks, and the default is taken all the same."""
    table = started(api, options={"turn_seconds": 1})
    events = stream(table)
    next(events)
    assert next(events).data["event"]["actor"] == "clock"


def test_many_who_watch_are_one_reader(running: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is appended is read from the store once, not once for each."""
    store = running.api.app.extensions["rollbook"].store
    streams = [stream(running) for _ in range(20)]
    for events in streams:
        next(events)
    reads: list[int] = []
    read_ = store.streams.read

    def counted(game: str, **place: int) -> Any:
        reads.append(place["after"])
        return read_(game, **place)

    before = running.version
    running.step()
    count = running.version - before
    monkeypatch.setattr(store.streams, "read", counted)
    told = [[sent.data for sent in islice(events, count)] for events in streams]
    assert len(reads) == 1
    assert all(one == told[0] for one in told)
    assert len(told[0]) == count


def test_a_slow_one_is_cut_and_comes_back(running: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """It gets whole events up to the cut, and the rest when it comes back; the others notice nothing."""
    monkeypatch.setattr(live, "KEPT", 30)
    slow, quick = stream(running), stream(running)
    begin = int(next(slow).id)
    next(quick)
    running.step()
    slows = [next(slow).version]
    quicks: list[int] = []
    while len(quicks) < 60:
        running.step()
        quicks += [sent.version for sent in islice(quick, running.version - begin - len(quicks))]
    slows += [sent.version for sent in slow]
    assert len(slows) < len(quicks)
    assert slows == list(range(begin + 1, begin + 1 + len(slows)))
    back = resumed(running, slows[-1])
    next(back)
    slows += [sent.version for sent in islice(back, running.version - begin - len(slows))]
    assert slows == quicks


def test_a_look_at_the_headers_holds_no_place(running: Table) -> None:
    assert running.api.call("HEAD", f"{running.path}/events", headers=SSE).status_code == 200
    assert waiting(running.api) == 0


def test_a_stream_ends_when_the_process_does(running: Table) -> None:
    watcher = running.api.app.extensions["rollbook"].watcher
    told: list[str] = []

    def follow() -> None:
        told.extend(sent.kind for sent in stream(running))

    follower = threading.Thread(target=follow)
    follower.start()
    while not (watcher.waiting() and told):
        time.sleep(0.01)
    watcher.let_go()
    follower.join(20)
    assert not follower.is_alive()
    watcher._ending = False
    assert told == ["state"]


def ticket(table: Table, token: str | None) -> str:
    answer = table.api.post(f"{table.path}/tickets", token=token)
    assert answer.headers["Cache-Control"] == "no-store"
    return str(ok(answer)["ticket"])


def test_a_ticket_opens_one_stream_of_a_private_game_once(api: Api) -> None:
    table = started(api, private=True)
    once = ticket(table, table.watch)
    assert next(stream(table, f"?ticket={once}")).kind == "state"
    for used in (once, "x" * 43):
        for path in (table.path, "/v1/games/aaaaaaaaaaaaaaaa"):
            problem = refused(api.get(f"{path}/events?ticket={used}", headers=SSE), 401, "unauthorized")
            assert "POST …/tickets" in problem["detail"]
    refused(api.post(f"{table.path}/tickets"), 404, "no_such_game")


def test_a_ticket_is_for_its_game_and_for_streams_alone(api: Api) -> None:
    table, other = started(api, private=True), started(api, private=True)
    good = ticket(table, table.seats[1])
    refused(api.get(f"{other.path}/events?ticket={good}", headers=SSE), 401, "unauthorized")
    refused(api.get(f"{table.path}/events?ticket={good}", token=table.watch), 422, "invalid_input")
    refused(api.get(f"{table.path}/actions", token=good), 404, "no_such_game")
    assert next(stream(table, f"?ticket={good}")).kind == "state"


def test_a_ticket_ends_after_half_a_minute(api: Api) -> None:
    table = started(api, private=True)
    ticket(table, table.host)
    client = api.app.extensions["rollbook"].client
    (key,) = client.keys(f"*{table.game}:ti:*")
    assert 0 < client.pttl(key) <= 30_000


def test_a_wrong_ticket_of_a_public_game_is_401(lobby: Table) -> None:
    refused(lobby.api.get(f"{lobby.path}/events?ticket=nosuch", headers=SSE), 401, "unauthorized")
