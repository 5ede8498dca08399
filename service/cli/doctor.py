"""`rollbook doctor`: checks of this installation, and what is wrong with it."""

import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager

import click
import redis

from events.store import Store, StreamDamaged, Streams, connect
from service.cli import display
from service.cli.checks import CheckResult, Patient, examine
from service.cli.display import echo_json, plain
from service.cli.options import load_settings, store_options
from service.games.heads import open_heads
from service.hosting.store_info import Info, store_info
from service.hosting.valkey import DataFolder, EmbeddedStoreError, mend, open_store
from service.settings import OperatorError, Settings

COLOURS = {"ok": "green", "warn": "yellow", "fail": "red"}


@click.command()
@store_options
@click.option("--host", metavar="ADDRESS", help="Address that would be listened on.")
@click.option("--port", metavar="PORT", help="Port that would be listened on.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document instead of a table.")
@click.option("--accept", metavar="GAME", multiple=True, help="Let a game that lost events go on from what is there.")
@click.option("--mend", "mends", is_flag=True, help="First cut a broken append-only file before its first bad byte.")
def doctor(*, as_json: bool, accept: tuple[str, ...], mends: bool, **options: object) -> None:
    """Check this installation, its data folder and its store; exit code 1 if something fails."""
    settings = load_settings(**options)
    if mends:
        _mend(settings)
    with _patient(settings) as patient:
        _accept(patient, accept)
        results = examine(patient)
    healthy = all(result.status != "fail" for result in results)
    echo_json({"healthy": healthy, "checks": results}) if as_json else _print_table(results)
    if not healthy:
        sys.exit(1)


def _mend(settings: Settings) -> None:
    """Mend the embedded store's file, and report on standard error what was done.

    Raises:
        OperatorError: It is another store, it runs, or its file cannot be mended.
    """
    if settings.redis_url is not None:
        raise OperatorError("--mend is for the embedded store.")
    kept = mend(DataFolder(settings.data))
    click.echo(f"cut; the file as it was is {kept}" if kept else "nothing to mend", err=True)


def _accept(patient: Patient, games: tuple[str, ...]) -> None:
    """Note that the operator accepts what these games lost.

    Raises:
        OperatorError: Nothing is known against such a game, or more than the end of one is lost.
    """
    if not games:
        return
    DataFolder(patient.settings.data).prepare()
    streams = Store(connect(patient.url)).streams if patient.url is not None else None
    frozen = streams.frozen() if streams is not None else {}
    with closing(open_heads(patient.settings)) as log:
        for game in games:
            # A name that the log does not know could become a line in it that cannot be read.
            if not log.newest(game) and game not in frozen:
                raise OperatorError(f"--accept {game!r}: nothing was noted of such a game.")
            if streams is not None:
                _refuse_damaged(streams, game, log.newest(game))
        for game in games:
            log.forget(game)
            if streams is not None:
                streams.thaw(game)


def _refuse_damaged(streams: Streams, game: str, noted: int) -> None:
    try:
        streams.tail(game, action=None, request=None, after=noted)
    except StreamDamaged as error:
        raise OperatorError(f"--accept {game!r}: more than its end is lost, and it cannot go on ({error}).") from error


@contextmanager
def _patient(settings: Settings) -> Iterator[Patient]:
    """Open the store if it can be opened; what prevents it is a result of the checks, not an error."""
    url: str | None = None
    info: Info | None = None
    why: CheckResult | None = None
    with ExitStack() as stack:
        try:
            url = stack.enter_context(open_store(settings))
            info = stack.enter_context(store_info(url))
        except (EmbeddedStoreError, redis.exceptions.RedisError, OSError) as error:
            url, info, why = None, None, CheckResult("Store", "fail", " ".join(str(error).split()))
        yield Patient(settings=settings, url=url, info=info, why_no_store=why, environ=os.environ)


def _print_table(results: list[CheckResult]) -> None:
    table = display.table("Check", "", "Detail", box=None)
    for result in results:
        table.add_row(result.check, f"[{COLOURS[result.status]}]{result.status}[/]", plain(result.detail))
    display.console().print(table)
