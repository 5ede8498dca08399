"""What the reports on both games have in common: figures made from a tally, once all is counted."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from projections.likelihood import ChiSquare, chi_square
from service.rules.rulebooks import RULES
from service.simulation.matches import Plan
from service.simulation.rule_signs import Signs
from service.simulation.spread import Spread, spread
from service.simulation.tally import Tally


class RuleFigures(Struct, frozen=True, kw_only=True):
    """How often a rule was done: times in all, mean of a game, and games in which it was."""

    times: int
    per_game: float
    games: int


class CardFigures(Struct, frozen=True, kw_only=True):
    """What was drawn of a deck.

    Attributes:
        drawn: Card id → draws.
        fair: The first draw of each game against the copies in the deck; later draws hang on earlier ones.
    """

    drawn: dict[str, int]
    fair: ChiSquare


def shared_figures(plan: Plan, tally: Tally, signs: Signs) -> dict[str, Any]:
    """Return the fields that both reports begin with or end on, by name."""
    games = tally.games["games"]
    return {
        "rulebook": plan.rulebook,
        "games": games,
        "players": plan.players,
        "options": RULES[plan.rulebook].settle_options(plan.options, plan.players),
        "bots": plan.bots,
        "seed": plan.seed,
        "turns": some_spread(tally.turns),
        "rounds": some_spread(tally.rounds),
        "events": some_spread(tally.events),
        "rules": {
            rule: RuleFigures(
                times=tally.rules[rule], per_game=round(tally.rules[rule] / games, 2), games=tally.rule_games[rule]
            )
            for rule in signs
        },
        "happened": dict(sorted(tally.words.items())),
    }


def some_spread(counts: Mapping[int, int]) -> Spread:
    """Describe values of which there are some."""
    found = spread(counts)
    assert found, "at least one game was played"
    return found


def fair_faces(faces: Counter[int], sides: int) -> ChiSquare:
    """Compare the faces of dice with equal ones."""
    return chi_square(faces, dict.fromkeys(range(1, sides + 1), 1))


def card_figures(tally: Tally, deck: str, copies: Mapping[str, int]) -> CardFigures:
    """Return what was drawn of a deck, given as card id → copies."""
    first = Counter({card: tally.first_cards[deck, card] for card in copies})
    return CardFigures(drawn={card: tally.cards[deck, card] for card in copies}, fair=chi_square(first, copies))
