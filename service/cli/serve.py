"""`rollbook serve`: the API, the workers and, unless another is set, the store."""

import click

from service.cli.options import load_settings, store_options
from service.games.heads import damaged_log, open_heads
from service.hosting.supervisor.children import ChildSpec, standard_children
from service.hosting.supervisor.supervisor import ChildrenOf, Supervisor
from service.keys.files import operator_token
from service.keys.signing import key_ring
from service.settings import Settings


@click.command()
@store_options
@click.option("--host", metavar="ADDRESS", help="Address to listen on (ROLLBOOK_HOST; default 127.0.0.1).")
@click.option("--port", metavar="PORT", help="Port to listen on (ROLLBOOK_PORT; default 8000; 0: a free one).")
@click.option("--workers", metavar="N", help="API processes (ROLLBOOK_WORKERS; default: one per core, at most 4).")
@click.option(
    "--allow-volatile", is_flag=True, default=None, help="Accept a store that may forget (ROLLBOOK_ALLOW_VOLATILE)."
)
@click.option("--while-used", is_flag=True, hidden=True, help="End when no process shares the folder's guests lock.")
def serve(*, while_used: bool, **options: object) -> None:
    """Start Rollbook and keep it running; Ctrl-C stops it."""
    run(options, children=standard_children, while_used=while_used)


def run(options: dict[str, object], *, children: ChildrenOf, while_used: bool = False) -> None:
    """Serve with any children; the files that children share are made and checked before the first child starts.

    They are made when port and store are there, so that a start that fails leaves no keys.
    """

    def prepared(settings: Settings, listener: int) -> list[ChildSpec]:
        operator_token(settings)
        key_ring(settings)
        heads = open_heads(settings)
        if heads.damaged:
            click.echo(damaged_log(heads), err=True)
        heads.close()
        return children(settings, listener)

    Supervisor(load_settings(**options), children=prepared, say=click.echo, while_used=while_used).run()
