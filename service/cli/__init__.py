"""The command line. Each command is a small module or package in this folder, loaded when it is named.

A new command is a line in `COMMANDS`. A command raises `OperatorError` for what its user can put right.
"""

import errno
import importlib
import io
import os
import sys
import traceback
from typing import Any

import click

from service.cli.version import version
from service.settings import OperatorError

COMMANDS = {
    "audit": "service.cli.audit:audit",
    "clock": "workers.clock:clock",
    "demo": "service.cli.demo.command:demo",
    "doctor": "service.cli.doctor:doctor",
    "erase": "service.cli.erase:erase",
    "export": "service.cli.export:export",
    "games": "service.cli.games:games",
    "ledger": "service.cli.ledger:ledger",
    "prove": "service.cli.prove:prove_event",
    "rebuild": "workers.rebuild:rebuild",
    "replay": "service.cli.replay:replay",
    "serve": "service.cli.serve:serve",
    "simulate": "service.cli.simulate.command:simulate",
    "verify": "service.cli.verify:verify",
    "worker": "workers.worker:worker",
}


class Rollbook(click.Group):
    """A group that loads a command when it is named, and reports each error in one line, with exit code 1."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted({*super().list_commands(ctx), *COMMANDS})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load one command."""
        if cmd_name not in COMMANDS:
            return super().get_command(ctx, cmd_name)
        module, _, name = COMMANDS[cmd_name].partition(":")
        command = getattr(importlib.import_module(module), name)
        if not isinstance(command, click.Command):
            raise TypeError(f"{COMMANDS[cmd_name]} is not a command")
        return command

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run as a program; a terminal that lacks a character shows another one instead."""
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")
        return super().main(*args, **extra)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command that was named."""
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except OperatorError as error:
            raise click.ClickException(str(error)) from error
        except Exception as error:
            raise click.ClickException(_message(error)) from error


def _message(error: Exception) -> str:
    """Return what went wrong, in one line for the person who typed the command."""
    import redis  # noqa: PLC0415 -- slow to load, so only where it is needed: `--help` and Ctrl-C work at once

    from events.store import StoreError  # noqa: PLC0415 -- the same
    from service.errors import ServiceError  # noqa: PLC0415 -- the same

    if isinstance(error, StoreError | ServiceError):
        return _one_line(error)
    if isinstance(error, redis.exceptions.ConnectionError):
        return f"The store cannot be reached: {_one_line(error)}"
    if isinstance(error, OSError) and error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"The disk is full: {_one_line(error)}"
    if os.environ.get("ROLLBOOK_DEBUG"):
        traceback.print_exception(error, file=sys.stderr)
    return f"{type(error).__name__}: {_one_line(error)} (a bug; ROLLBOOK_DEBUG=1 shows where)"


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


@click.group(cls=Rollbook, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(version(), prog_name="rollbook")
def main() -> None:
    """Rollbook: board games as events, with an audit log."""
