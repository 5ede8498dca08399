"""`rollbook demo`: a whole game by four bots over HTTP, then its replay, its result, its books and its history."""

import secrets
import shlex
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import click
import requests
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from service.bots import SensibleBot
from service.bots.client import HttpPlayer
from service.cli import display
from service.cli.demo.rulebooks import RULEBOOKS, DemoRulebook, Outcome
from service.cli.demo.server import server
from service.cli.display import echo_json, plain, program
from service.cli.options import json_option, load_settings, store_options
from service.settings import OperatorError

NAMES = ("Ann", "Bob", "Cid", "Dee")
PATIENCE = 30.0  # seconds for one answer
STALLED = 120.0  # seconds without any event
LAST_LINES = 12


@dataclass
class Api:
    """The API as a client sees it.

    Attributes:
        base: Base URL of the server.
        session: Connections.
    """

    base: str
    session: requests.Session

    def call(self, method: str, path: str, token: str = "", body: object = None) -> dict[str, Any]:
        """Call a route and return its JSON.

        Raises:
            OperatorError: It was not answered with success.
        """
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        if method != "GET":
            headers["Idempotency-Key"] = secrets.token_hex(16)
        try:
            reply = self.session.request(method, f"{self.base}/v1{path}", json=body, headers=headers, timeout=PATIENCE)
            answer: dict[str, Any] = reply.json()
        except (requests.RequestException, ValueError) as error:
            raise OperatorError(f"{method} {path}: {error}") from error
        if not reply.ok:
            raise OperatorError(f"{method} {path}: {reply.status_code} {answer.get('detail', '')}")
        return answer

    def get(self, path: str) -> dict[str, Any]:
        """Read a public resource."""
        return self.call("GET", path)


@click.command()
@click.option("--rulebook", type=click.Choice(list(RULEBOOKS)), default="public_assistance", show_default=True)
@click.option("--months", type=click.IntRange(min=1), help="Months of Public Assistance to play; 6 without it.")
@click.option("--rounds", type=click.IntRange(min=1), help="Rounds of The Social Justice Game to play; 10 without it.")
@click.option("--seed", type=int, default=None, help="Seed of the bots' own whims; the dice are the game's.")
@json_option
@store_options
def demo(
    *, rulebook: str, months: int | None, rounds: int | None, seed: int | None, as_json: bool, **options: Any
) -> None:
    """Play a game by four bots over HTTP, then show and check it; exit code 1 if anything is off."""
    what = RULEBOOKS[rulebook]
    length = what.length_of({"months": months, "rounds": rounds})
    settings = load_settings(**options)
    console = display.console(stderr=as_json)
    with server(settings) as base, requests.Session() as session:
        api = Api(base, session)
        game, tokens = open_table(api, what, length)
        console.print(f"Four bots play {what.with_unit(length)} of {what.title}: game {game} at {base}")
        play(api, game, tokens, what, length=length, seed=seed, console=console)
        outcome = examine(api, game)
        echo_json(outcome) if as_json else show(console, outcome, [program(), "replay", game, *_data(options)])
    if outcome["faults"]:
        raise click.exceptions.Exit(1)


def open_table(api: Api, what: DemoRulebook, length: int) -> tuple[str, list[str]]:
    """Open a game, take four seats, mark them ready, and start; return the game and the seats' tokens."""
    made = api.call("POST", "/games", body={"rulebook": what.rulebook, "options": {what.option: length}})
    game: str = made["game"]
    tokens = [api.call("POST", f"/games/{game}/seats", made["join_code"], {"name": name})["token"] for name in NAMES]
    for token in tokens:
        api.call("POST", f"/games/{game}/ready", token, {"edition": 1})
    api.call("POST", f"/games/{game}/start", made["host_token"])
    return game, tokens


def play(
    api: Api, game: str, tokens: list[str], what: DemoRulebook, *, length: int, seed: int | None, console: Console
) -> None:
    """Play every seat by a bot of its own, in a thread of its own, until the game is over.

    Raises:
        OperatorError: A bot failed, or nothing happened for long.
    """
    failures: list[Exception] = []
    over = threading.Event()
    threads = []
    for seat, token in enumerate(tokens, 1):
        bot = SensibleBot(seat if seed is None else seed + seat)
        session: Any = requests.Session()  # `request` is narrower in the protocol than in the types of requests
        player = HttpPlayer(api.base, game, seat, token, bot, session=session)
        threads.append(threading.Thread(target=_run, args=(player, session, over, failures), daemon=True))
    for thread in threads:
        thread.start()
    try:
        with _progress(console, what.unit, length) as advance:
            _watch(api, game, failures, lambda state: advance(what.done(state), state["turn"]))
    finally:
        over.set()
    for thread in threads:
        thread.join(timeout=PATIENCE)


def _run(player: HttpPlayer, session: requests.Session, over: threading.Event, failures: list[Exception]) -> None:
    # An open connection would keep the server waiting for another request on it when it stops.
    with session:
        try:
            while not over.is_set() and player.step():
                pass
        except Exception as error:  # whatever ends a bot's thread is reported by the main thread
            failures.append(error)


def _watch(api: Api, game: str, failures: list[Exception], advance: Callable[[dict[str, Any]], None]) -> None:
    version, since = 0, time.monotonic()
    while True:
        state = api.get(f"/games/{game}")["state"]
        advance(state)
        if state["status"] == "finished":
            return
        if failures:
            raise OperatorError(f"A bot failed: {failures[0]}")
        if state["version"] > version:
            version, since = state["version"], time.monotonic()
        elif time.monotonic() - since > STALLED:
            raise OperatorError(f"Nothing happened in game {game} for {STALLED:.0f} s")
        time.sleep(0.25)


@contextmanager
def _progress(console: Console, unit: str, length: int) -> Iterator[Callable[[int, int], None]]:
    """Show how far the game is."""
    columns = (TextColumn(unit), BarColumn(), MofNCompleteColumn(), TextColumn("{task.description}"))
    with Progress(*columns, TimeElapsedColumn(), console=console) as bar:
        task = bar.add_task("turn 0", total=length)
        yield lambda done, turn: bar.update(task, completed=done, description=f"turn {turn}")


def examine(api: Api, game: str) -> Outcome:
    """Read back result, replay, books and verification, with everything that is off as faults."""
    shown = api.get(f"/games/{game}")
    state = shown["state"]
    steps = list(_steps(api, game))
    balance = api.get(f"/games/{game}/ledger/trial-balance")
    verification = api.get(f"/games/{game}/verification")
    events = sum(step["last"] - step["first"] + 1 for step in steps)
    faults = [
        *(["the game is not finished"] if state["status"] != "finished" else []),
        *([f"the replay tells {events} of {state['version']} events"] if events != state["version"] else []),
        *_faults_of_the_books(balance, state["cash"]),
        *[f"event {finding['version']}: {finding['check']}" for finding in verification["findings"]],
    ]
    return {
        "game": game,
        "rulebook": state["rulebook"],
        "events": state["version"],
        "names": shown["names"],
        "standings": state["standings"],
        "steps": len(steps),
        "last_lines": [line for step in steps[-3:] for line in step["lines"]][-LAST_LINES:],
        "trial_balance": balance,
        "verification": verification,
        "faults": faults,
    }


def _faults_of_the_books(balance: dict[str, Any], cash: dict[str, int]) -> Iterator[str]:
    """Compare the trial balance with its own rows, and those with the game."""
    rows = balance["rows"]
    sums = {sum(row[side] for row in rows) for side in ("debit", "credit")} | {balance["debit"], balance["credit"]}
    if len(sums) > 1:
        yield "the trial balance does not balance"
    posted = {row["account"]: row["debit"] - row["credit"] for row in rows}
    for account, amount in cash.items():
        if posted.get(account, 0) != amount:
            yield f"ledger and game disagree on the cash of {account}"


def _steps(api: Api, game: str) -> Iterator[dict[str, Any]]:
    after, more = 0, True
    while more:
        page = api.get(f"/games/{game}/steps?limit=100&after={after}")
        yield from page["steps"]
        after, more = page["after"], page["more"]


def _data(options: dict[str, Any]) -> list[str]:
    """Return the options that name the store again, for a command to be typed."""
    return [part for name, value in options.items() if value for part in (f"--{name.replace('_', '-')}", value)]


def show(console: Console, outcome: Outcome, replay: list[str]) -> None:
    """Print the outcome for people, and the command that replays it."""
    console.print(f"\n[bold]Replay[/] ({outcome['steps']} steps, {outcome['events']} events), the end of it:")
    for line in outcome["last_lines"]:
        console.print(f"    {plain(line)}")
    console.print(RULEBOOKS[outcome["rulebook"]].standings(outcome))
    console.print(_balance(outcome["trial_balance"]))
    checks = outcome["verification"]["checks"]
    console.print(f"[bold]Verification[/] ({outcome['verification']['verdict']}): {plain('; '.join(checks))}")
    for fault in outcome["faults"]:
        console.print(f"[red]off[/]: {plain(fault)}")
    if not outcome["faults"]:
        console.print(f"[green]All is well.[/] The game stays: {plain(shlex.join(replay))}")


def _balance(balance: dict[str, Any]) -> Table:
    table = display.table("account", "debit", "credit", title="Trial balance", show_footer=True)
    table.columns[0].footer = "total"
    table.columns[1].footer, table.columns[2].footer = f"{balance['debit']:,}", f"{balance['credit']:,}"
    for row in balance["rows"]:
        table.add_row(row["account"], f"{row['debit']:,}", f"{row['credit']:,}")
    return table
