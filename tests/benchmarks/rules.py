"""How fast the rules are alone: whole games decided and folded on one core, without a store."""

from collections.abc import Callable
from dataclasses import dataclass

from service.rules import options as agreed
from service.simulation.matches import Plan
from service.simulation.public_assistance import play_some
from tests.benchmarks.rates import rate
from tests.support.playing import Table

GAMES = 20
ROUNDS = 25  # over several seconds: a shared machine is slow for some at a time
AIM = 200


@dataclass(frozen=True)
class RulesFigures:
    """What `make bench` writes down about the rules: games of four over six months, on one core.

    Attributes:
        games_per_s: Each action decided on a copy of the state, with its envelopes, as the service does.
        simulated_games_per_s: The same games on a state of their own, and counted, as `rollbook simulate` does.
    """

    games_per_s: float
    simulated_games_per_s: float


def measure(say: Callable[[str], None]) -> RulesFigures:
    """Measure by what absent players do."""
    plan = Plan(games=GAMES, players=4, options=agreed.agree({"months": 6}, agreed.defaults()), bots="default", seed="")
    figures = RulesFigures(
        games_per_s=rate(GAMES, play_games, ROUNDS),
        simulated_games_per_s=rate(GAMES, lambda: play_some(plan, range(GAMES)), ROUNDS),
    )
    say(f"whole games of four, six months, one core: {figures.games_per_s:,.0f} games/s (aim: at least {AIM})")
    say(f"  simulated and counted: {figures.simulated_games_per_s:,.0f} games/s")
    return figures


def play_games() -> None:
    """Play games to their ends."""
    for number in range(GAMES):
        Table(f"benchmark {number}", seats=4, options={"months": 6}).play()
