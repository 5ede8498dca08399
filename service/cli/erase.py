"""`rollbook erase`: removes what people typed into a game from the store and from its file."""

from typing import Any

import click

from service import privacy as erasure
from service.bootstrap import Services, build_for_reading, open_queue
from service.cli import display
from service.cli.display import echo_json, plain
from service.cli.options import json_option, load_settings, store_options
from service.cli.store import check_exists
from service.hosting.valkey import open_store
from service.replay.pages import forget_pages
from service.settings import OperatorError

REWRITE_SECONDS = 600


@click.command()
@click.argument("game")
@click.option("--seat", type=click.IntRange(1, 8), help="What was typed in at this seat.")
@click.option("--text", metavar="DIGEST", help="One text, by the digest that stands in its place in events.")
@click.option("--all", "everything", is_flag=True, help="Everything that was typed in.")
@click.option("--yes", is_flag=True, help="Do not ask first.")
@json_option
@store_options
def erase(
    *, game: str, seat: int | None, text: str | None, everything: bool, yes: bool, as_json: bool, **options: Any
) -> None:
    """Erase what people typed into GAME, for good; exit code 1 if the store's file could not be rewritten.

    The stream stays as it is: chain, proofs, dice and books still verify. A repeat finishes what was interrupted.
    """
    if (seat is not None) + (text is not None) + everything != 1:
        raise click.UsageError("Say what: --seat N, --text DIGEST or --all.")
    if not yes:
        click.confirm(f"Erase it from game {game} for good?", abort=True, err=True)
    settings = load_settings(**options)
    with open_store(settings, existing=True) as url:
        services = build_for_reading(settings, redis_url=url)
        check_exists(services, game)
        done = _erased(services, game, seat=seat, text=text)
        pages = forget_pages(open_queue(settings, url), game)
        rewritten = services.store.sidecar.rewrite(game, seconds=REWRITE_SECONDS) and pages
    _show(done, rewritten=rewritten, as_json=as_json)
    if not rewritten:
        raise OperatorError(
            "The texts are gone from the store, and not yet from its append-only file, or from pages that replay the"
            " game: have it do BGREWRITEAOF, or repeat this."
        )


def _erased(services: Services, game: str, *, seat: int | None, text: str | None) -> erasure.Erasure:
    if seat is not None:
        return erasure.erase_seat(services.games, services.store, game, seat)
    if text is not None:
        return erasure.erase_text(services.games, services.store, game, text)
    return erasure.erase_all(services.games, services.store, game)


def _show(done: erasure.Erasure, *, rewritten: bool, as_json: bool) -> None:
    if as_json:
        texts = [{"digest": digest, "at": note.at, "by": note.by} for digest, note in done.texts.items()]
        echo_json({"game": done.game, "texts": texts, "rewritten": rewritten, "not_reached": erasure.NOT_REACHED})
        return
    console = display.console()
    console.print(f"{plain(done.game)}: {len(done.texts)} texts are erased.")
    if rewritten:
        console.print("The store's append-only file was rewritten without them.")
    for place in erasure.NOT_REACHED:
        console.print(f"[yellow]not reached[/] {plain(place)}")
