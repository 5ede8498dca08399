"""`rollbook simulate`: the group of commands, one for each rulebook, each loaded when it is named."""

import importlib
from collections.abc import Mapping

import click

from service.cli.simulate.shared import check_one_of

RULEBOOKS: Mapping[str, str] = {
    "public-assistance": "service.cli.simulate.public_assistance",
    "social-justice": "service.cli.simulate.social_justice",
}


class Simulations(click.Group):
    """A group that loads the command of a rulebook when it is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the rulebooks."""
        del ctx
        return [*RULEBOOKS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load the command of one rulebook.

        Raises:
            OperatorError: There is no such rulebook.
        """
        del ctx
        check_one_of("The rulebook", cmd_name, [*RULEBOOKS])
        command = importlib.import_module(RULEBOOKS[cmd_name]).simulate
        assert isinstance(command, click.Command), cmd_name
        return command


@click.group(cls=Simulations)
def simulate() -> None:
    """Play many games by bots and report what they were like."""
