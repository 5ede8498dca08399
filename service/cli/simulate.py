"""`rollbook simulate`: many whole games in process, and what they were like. Each game has a command of its own."""

import importlib
from collections.abc import Mapping

import click

from service.cli.simulating import one_of

GAMES: Mapping[str, str] = {
    "public-assistance": "service.cli.simulate_public_assistance",
    "social-justice": "service.cli.simulate_social_justice",
}


class Simulations(click.Group):
    """A group that loads the command of a game when it is named."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the games."""
        del ctx
        return [*GAMES]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load the command of one game.

        Raises:
            OperatorError: There is no such game.
        """
        del ctx
        one_of("The rulebook", cmd_name, [*GAMES])
        command = importlib.import_module(GAMES[cmd_name]).simulate
        assert isinstance(command, click.Command), cmd_name
        return command


@click.group(cls=Simulations)
def simulate() -> None:
    """Play many games by bots and report what they were like."""
