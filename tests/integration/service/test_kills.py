"""kill -9 of every process, between and inside requests: every answer of success is on the stream, once."""

import os
import secrets
import signal
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest
import requests

from service.hosting.valkey import EmbeddedStore
from tests.support.accounting import hledger_check
from tests.support.command import rollbook
from tests.support.http import Client, Table, ndjson
from tests.support.serving import Serve, processes_of, until

Start = Callable[..., Serve]
CLI = "service.cli"


def begin(serve: Start, *, workers: int = 1) -> Serve:
    return serve("serve", "--port", "0", "--workers", str(workers), module=CLI).ready()


def api_processes(folder: Path) -> list[psutil.Process]:
    return [process for process in processes_of(folder) if any("gunicorn" in word for word in process.cmdline())]


def kill_an_api_worker(folder: Path) -> bool:
    """Like the others: whether there was something to kill just then."""
    leaders = {process.pid for process in api_processes(folder) if os.getsid(process.pid) == process.pid}
    victims = [process for process in api_processes(folder) if process.pid not in leaders]
    return kill_all(victims[:1])


def kill_the_api(folder: Path) -> bool:
    return kill_all(api_processes(folder))


def kill_all(victims: list[psutil.Process]) -> bool:
    for process in victims:
        process.kill()
    return bool(victims)


def kill_the_store(folder: Path) -> bool:
    pid = EmbeddedStore(folder).pid()
    if pid is None:
        return False
    os.kill(pid, signal.SIGKILL)
    return True


def kill_the_supervisor(running: Serve) -> None:
    running.process.kill()
    running.process.wait()


class Player(threading.Thread):
    """Plays without pause, and remembers every answer of success."""

    def __init__(self, table: Table) -> None:
        super().__init__(daemon=True)
        self.table = table
        self.answers: list[dict[str, Any]] = []
        self.enough = threading.Event()
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            while not self.enough.is_set() and (asked := self.table.next_body()):
                reply = self.table.act(*asked, secrets.token_hex(16))
                assert reply.status_code in (201, 409), reply.text
                if reply.status_code == 201:
                    self.answers.append(reply.json())
        except BaseException as error:  # the test's own thread tells it
            self.failure = error

    def acted(self, more: int) -> Callable[[], bool]:
        target = len(self.answers) + more
        return lambda: len(self.answers) >= target or self.failure is not None or not self.is_alive()


def check(table: Table, answers: list[dict[str, Any]]) -> None:
    """Every answer is on the stream as it was given, no action is there twice, and the whole verifies."""
    lines = table.client.call("GET", f"/v1/games/{table.game}/events", Accept="application/x-ndjson").text
    stored = ndjson(lines)
    assert [line["event"]["version"] for line in stored] == list(range(1, len(stored) + 1))
    for answer in answers:
        assert stored[answer["first"] - 1 : answer["version"]] == answer["events"]
        assert stored[answer["version"] - 1]["link"] == answer["head"]
    taken = [line["event"]["action"] for line in stored if line["event"]["data"]["type"] == "action_taken"]
    assert len(taken) == len(set(taken))
    report = table.client.call("GET", f"/v1/games/{table.game}/verification").json()
    assert report["findings"] == []


KILLS = {"an API worker": kill_an_api_worker, "the API": kill_the_api, "the store": kill_the_store}


@pytest.mark.parametrize("rounds", [1, pytest.param(5, marks=pytest.mark.long)])
def test_a_kill_loses_nothing_and_doubles_nothing(serve: Start, folder: Path, rounds: int) -> None:
    """A8, S13: the client sends the same key again until it is answered; service resumes by itself."""
    running = begin(serve, workers=2)  # one of them dies, and the other goes on
    table = Table.open(Client(running.url), months=60)
    player = Player(table)
    player.start()
    for _ in range(rounds):
        for victim, kill in KILLS.items():
            until(player.acted(5), f"the game goes on, and {victim} is next")
            until(partial(kill, folder), f"there is {victim} to kill")
    until(player.acted(5), "the game goes on after the last kill")
    player.enough.set()
    player.join(60)
    assert player.failure is None, player.failure
    check(table, player.answers)
    assert running.stop() == 0


def sent_with_patience(table: Table, seat: int, body: dict[str, Any], answers: list[requests.Response]) -> None:
    client = Client(table.client.base)  # a connection of its own
    path = f"/v1/games/{table.game}/actions"
    answers.append(client.insist("POST", path, token=table.tokens[seat], body=body, key=secrets.token_hex(16)))


@pytest.mark.long
@pytest.mark.parametrize("kill", [kill_the_api, kill_the_store])
def test_a_kill_in_the_middle_of_a_vote(serve: Start, folder: Path, kill: Callable[[Path], bool]) -> None:
    """The vote stays open, each ballot counts once, it closes once, and its rule is in force."""
    running = begin(serve)
    table = Table.open(Client(running.url), seats=5, rulebook="social_justice")
    seat, prompt = table.play_until("turn_start")
    rule = {"op": "set", "param": "property.rent_pct", "value": 150}
    proposed = table.act(seat, {"action": "propose", "prompt": prompt, "operations": [rule]}, "propose")
    until(partial(kill, folder), "there is something to kill")
    voters = table.asked("ballot")
    assert set(voters) == {1, 2, 3, 4, 5} - {seat}
    answers: list[requests.Response] = [proposed]
    threads = []
    for voter, asked in voters.items():
        body = {"action": "cast_ballot", "prompt": asked, "ballot": "yes" if voter % 2 else "no"}
        threads.append(threading.Thread(target=sent_with_patience, args=(table, voter, body, answers)))
    for thread in threads:
        thread.start()
    until(partial(kill, folder), "there is something to kill")
    for thread in threads:
        thread.join(60)
    assert {answer.status_code for answer in answers} <= {201, 409}
    assert table.state()["status"] == "playing"  # asked until it is answered: the last kill may be only just over
    counted = [event["seat"] for event in table.events("ballot_cast")]
    (closed,) = table.events("vote_closed")
    assert len(counted) == len(set(counted)) == sum(answer.status_code == 201 for answer in answers)
    assert sorted(closed["yes"] + closed["no"]) == sorted(counted)
    assert len(table.events("rule_adopted")) == (closed["outcome"] == "passed")
    check(table, [answer.json() for answer in answers if answer.status_code == 201])
    assert table.play(5)
    assert running.stop() == 0


def in_debt(client: Client) -> tuple[Table, int, str]:
    """Open games until a seat must raise funds, for chance lets some off; gives the debtor and the prompt."""
    for _ in range(10):
        table = Table.open(client, seats=3, rulebook="social_justice", **{"loan.bank_term": 1})
        seat, prompt = table.play_until("turn_start")
        table.act(seat, {"action": "borrow_from_bank", "prompt": prompt, "principal": 100}, "borrow")
        cash = table.state()["cash"][f"seat:{seat}"]
        table.act(seat, {"action": "pay", "to": seat % 3 + 1, "amount": cash}, "pay")
        while table.play(1):
            if asked := table.asked("raise_funds"):
                return table, *next(iter(asked.items()))
    raise AssertionError("nobody had to raise funds in ten games")


@pytest.mark.long
def test_kills_in_the_middle_of_raising_funds(serve: Start, folder: Path) -> None:
    """The debtor's window stays open over every restart, and the turn goes on where it was when the debt is paid."""
    running = begin(serve)
    table, debtor, window = in_debt(Client(running.url))
    for kill in (kill_the_api, kill_the_store, kill_an_api_worker):
        until(partial(kill, folder), "there is something to kill")
        assert table.asked("raise_funds") == {debtor: window}
    kill_the_supervisor(running)
    running = begin(serve)
    table.client = Client(running.url)
    assert table.asked("raise_funds") == {debtor: window}
    raised = table.act(debtor, {"action": "raise_funds", "prompt": window}, "raise")
    again = table.act(debtor, {"action": "raise_funds", "prompt": window}, "raise")
    assert (raised.status_code, again.content) == (201, raised.content)
    assert window not in table.state()["prompts"]
    check(table, [raised.json(), *table.play(5)])
    assert running.stop() == 0


@pytest.mark.long
def test_a_killed_supervisor_loses_nothing(serve: Start, folder: Path) -> None:
    """The next `serve` adopts the store and finds every game; nothing of the first one is left running."""
    running = begin(serve)
    table = Table.open(Client(running.url), months=60)
    answers = table.play(5)
    kill_the_supervisor(running)
    running = begin(serve)
    table.client = Client(running.url)
    answers += table.play(5)
    check(table, answers)
    assert running.stop() == 0
    assert processes_of(folder) == []


@pytest.mark.long
def test_ctrl_c_during_requests_answers_them_and_keeps_them(serve: Start, folder: Path) -> None:
    """What was answered is there after a restart; what was not can be sent again with the same key."""
    running = begin(serve)
    table = Table.open(Client(running.url), months=60)
    player = Player(table)
    player.start()
    until(player.acted(5), "the game goes on")
    assert running.stop() == 0
    again = begin(serve)
    table.client.base = again.url
    until(player.acted(5), "the game goes on after the restart")
    player.enough.set()
    player.join(60)
    assert player.failure is None, player.failure
    check(table, player.answers)


@pytest.mark.long
def test_who_waits_for_events_is_answered_when_it_ends(serve: Start, folder: Path) -> None:
    """The wait would have lasted longer than the grace, and been cut without a word."""
    running = begin(serve)
    table = Table.open(Client(running.url))
    path = f"/v1/games/{table.game}/events?wait=25&after={table.state()['version']}"
    answers: list[int] = []

    def wait() -> None:
        answers.append(requests.get(running.url + path, timeout=30).status_code)

    waiter = threading.Thread(target=wait)
    with requests.Session() as session:
        waiter.start()
        until(
            lambda: session.get(f"{running.url}/healthz", timeout=30).ok and len(connections(running.port)) > 1, "waits"
        )
    assert running.stop() == 0
    waiter.join(30)
    assert answers in ([200], [503])
    assert "timeout" not in running.output


def connections(port: int) -> list[Any]:
    mine = psutil.Process().net_connections("tcp")
    return [one for one in mine if one.status == "ESTABLISHED" and one.raddr[1] == port]


@pytest.mark.long
@pytest.mark.parametrize(("rulebook", "length"), [("public_assistance", "months"), ("social_justice", "end.rounds")])
def test_the_ledger_beside_serve_and_after_it(serve: Start, folder: Path, rulebook: str, length: str) -> None:
    """Reading commands attach to the running store, and start one of their own when none runs."""
    running = begin(serve)
    table = Table.open(Client(running.url), rulebook=rulebook, **{length: 1})
    table.play(1000)
    assert table.state()["status"] == "finished"
    for command, *more in (
        ("ledger",),
        ("ledger", "--policy"),
        ("ledger", "--explain", "seat:1"),
        ("replay",),
        ("audit",),
    ):
        beside = rollbook(folder, command, table.game, "--json", *more)
        assert beside.exit_code == 0, beside.output
        assert table.game in beside.output
    assert running.stop() == 0
    alone = serve("ledger", table.game, module=CLI)
    assert alone.ended() == 0, alone.output
    assert "Trial balance" in alone.output
    exported = rollbook(folder, "export", table.game, "--format", "hledger")
    assert exported.exit_code == 0, exported.output
    assert hledger_check(exported.stdout) == (0, "")
    assert processes_of(folder) == []
    beyond = rollbook(folder, "replay", table.game, "--from", "999999")
    assert (beyond.exit_code, len(beyond.output.splitlines())) == (1, 1)
    account = rollbook(folder, "ledger", table.game, "--account", "nosuch")
    assert account.exit_code == 0
    assert "No entry touches the account nosuch" in account.output
    unknown = rollbook(folder, "ledger", "nosuchgame")
    assert (unknown.exit_code, unknown.output) == (1, "Error: There is no game nosuchgame.\n")
