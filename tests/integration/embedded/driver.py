"""`rollbook serve` with the tests' own children: everything else is what users run."""

import click

from service.cli import main
from service.cli.options import store_options
from service.cli.serve import run
from service.hosting.supervisor.children import ChildSpec, Stage, api_child, python_module
from service.settings import Settings

PACKAGE = "tests.integration.embedded"


def children(_settings: Settings, listener: int) -> list[ChildSpec]:
    worker = python_module(f"{PACKAGE}.worker")
    return [
        api_child(listener=listener, app=f"{PACKAGE}.app:app"),
        ChildSpec(name="worker", arguments=worker, stage=Stage.WORKERS, patience=5),
    ]


def broken_children(_settings: Settings, listener: int) -> list[ChildSpec]:
    return [api_child(listener=listener, app=f"{PACKAGE}.no_such_app:app")]


@main.command("trial")
@store_options
@click.option("--port")
@click.option("--workers")
@click.option("--allow-volatile", is_flag=True, default=None)
@click.option("--broken", is_flag=True)
def trial(*, broken: bool, **options: object) -> None:
    """Serve the tests' app."""
    run(options, children=broken_children if broken else children)


if __name__ == "__main__":
    main(prog_name="rollbook")
