"""Pairs of games: the same seed and number, so the same dice at the same coordinates, without house rules and with."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from events.social_justice.board import ROLES
from service.rules.social_justice.turn import MOST_ROUNDS
from service.simulation.matches import Plan
from service.simulation.social_justice.rule_signs import SIGNS
from service.simulation.social_justice.tally import SocialJusticeCount, SocialJusticeTally
from service.simulation.tally import play_counted

Sum: TypeAlias = Literal["without", "with", "square", "rose", "fell"]


@dataclass
class Pairs:
    """Counts over pairs of games.

    Attributes:
        without: The games without the house rules.
        within: The same games with them.
        sums: (Figure, what is added up over the pairs) → sum: the figure without, the figure with, the square of its
            change, and the pairs in which it rose and fell.
    """

    without: SocialJusticeTally = field(default_factory=SocialJusticeTally)
    within: SocialJusticeTally = field(default_factory=SocialJusticeTally)
    sums: Counter[tuple[str, Sum]] = field(default_factory=Counter)

    def add(self, other: "Pairs") -> None:
        """Add another one's counts."""
        self.without.add(other.without)
        self.within.add(other.within)
        self.sums.update(other.sums)

    def see(self, before: dict[str, int], after: dict[str, int]) -> None:
        """Count the figures of one pair."""
        for name in before.keys() | after.keys():
            old, new = before.get(name, 0), after.get(name, 0)
            self.sums[name, "without"] += old
            self.sums[name, "with"] += new
            self.sums[name, "square"] += (new - old) ** 2
            self.sums[name, "rose"] += new > old
            self.sums[name, "fell"] += new < old


def play_pairs(without: Plan, within: Plan, numbers: Iterable[int]) -> Pairs:
    """Play the games of these numbers twice, and count."""
    pairs = Pairs()
    for number in numbers:
        before = figures_of(play_counted(without, number, SocialJusticeCount(pairs.without)))
        pairs.see(before, figures_of(play_counted(within, number, SocialJusticeCount(pairs.within))))
    return pairs


def figures_of(count: SocialJusticeCount) -> dict[str, int]:
    """Return every figure of one game by name; those of a role add up its seats, a Gini coefficient is in 1/10,000.

    Names are `turns`, `rounds`, `events`, `gini`, `gini@7` (after round 7), `worth.owner`, `worth.owner@7`,
    `in.owner`, `risen.owner` (ended in a higher role), `bankrupt.owner`, `killed.owner`, and `SJG-24` for a rule.
    """
    end = count.end
    assert end is not None, "the game was played to its end"
    found = {"turns": end.turn, "rounds": end.round, "events": count.events}
    found |= _at(count, MOST_ROUNDS, "")
    for played in range(MOST_ROUNDS + 1):
        found |= _at(count, played, f"@{played}")
    for role in sorted(set(count.started.values())):
        seats = [seat for seat, started in count.started.items() if started == role]
        found[f"in.{role}"] = sum(not end.citizens[seat].out for seat in seats)
        found[f"risen.{role}"] = sum(_rank(end.citizens[seat].role) > _rank(role) for seat in seats)
        for why in ("bankrupt", "killed"):
            found[f"{why}.{role}"] = sum(end.citizens[seat].out == why for seat in seats)
    return found | {rule: count.rules[rule] for rule in SIGNS}


def _at(count: SocialJusticeCount, played: int, suffix: str) -> dict[str, int]:
    moment = count.moment(played)
    worths = {f"worth.{role}{suffix}": worth for role, worth in moment.worth.items()}
    return {**worths, f"gini{suffix}": moment.gini}


def _rank(role: str) -> int:
    return ROLES.index(role)
