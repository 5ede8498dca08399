"""The report on The Social Justice Game."""

from collections import Counter
from typing import Any

import msgspec
from msgspec import Struct

from events.base import OptionValue
from events.social_justice.board import ROLES, change_deck
from projections.likelihood import ChiSquare
from service.simulation.matches import Plan
from service.simulation.report import CardFigures, RuleFigures, card_figures, fair_faces, shared_figures, some_spread
from service.simulation.social_justice.house_rules import HouseRules
from service.simulation.social_justice.rule_signs import SIGNS
from service.simulation.social_justice.tally import SocialJusticeTally
from service.simulation.social_justice.wealth import WHOLE
from service.simulation.spread import Spread

ENDS = ("completed", "last_standing", "abandoned", "motion")
OUT = ("bankrupt", "killed", "left")


class DieFigures(Struct, frozen=True, kw_only=True):
    """Dice of one purpose and number of sides.

    Attributes:
        purpose: What they were thrown for.
        sides: Sides of each.
        faces: How often each face, from 1.
        fair: These faces against equal ones.
    """

    purpose: str
    sides: int
    faces: list[int]
    fair: ChiSquare


class RoundFigures(Struct, frozen=True, kw_only=True):
    """How wealth was spread after a round; 0 is before the first. A game that is over stays as it ended.

    Attributes:
        round: Its number.
        gini: Mean Gini coefficient of a game: 0 when all seats have the same; a seat that is out has nothing.
        mean: Role at the start → mean net worth of such a seat.
        share: Role at the start → share of all wealth that such seats have, in percent; seats in debt make it negative.
        still_in: Role at the start → percent of such seats still in.
    """

    round: int
    gini: float
    mean: dict[str, float]
    share: dict[str, float]
    still_in: dict[str, float]


class OutFigures(Struct, frozen=True, kw_only=True):
    """Who went out of the game for one reason, of those who started in one role.

    Attributes:
        seats: How many.
        held: Role held then → how many.
        rounds: Round → how many.
    """

    seats: int
    held: dict[str, int]
    rounds: dict[str, int]


class RoleFigures(Struct, frozen=True, kw_only=True):
    """What became of seats that started in a role.

    Attributes:
        seats: How many there were.
        worth: Net worth at the end; 0 for a seat that is out.
        ranks: Rank → seats; `0` for a seat that is out; equal ones share a rank.
        ended: Role at the end, or why it is out → seats.
        outs: Why → who went out.
    """

    seats: int
    worth: Spread
    ranks: dict[str, int]
    ended: dict[str, int]
    outs: dict[str, OutFigures]


class SocialJusticeReport(Struct, frozen=True, kw_only=True):
    """What many games were like.

    Attributes:
        rulebook: The game played.
        games: How many games.
        players: Seats of each.
        options: Every option that is not left to the rulebook, with its value.
        house_rules: The house rules in force from the start: operations as in their file; empty without.
        bots: Who played.
        seed: Gives the same report again.
        ends: Why games ended → games.
        turns: Turns of a game, missed ones too.
        rounds: Rounds of a game.
        events: Events of a game.
        roles: By role at the start: what became of it.
        wealth: Round by round, up to the longest game's last.
        rules: Rule → how often it was done.
        happened: What happened → times: the wire names of events, alone and with their cases.
        dice: By purpose and sides.
        fair_dice: Number of sides → all such dice together against equal faces.
        cards: Draws of the Change deck.
    """

    rulebook: str
    games: int
    players: int
    options: dict[str, OptionValue]
    house_rules: list[dict[str, Any]]
    bots: str
    seed: str
    ends: dict[str, int]
    turns: Spread
    rounds: Spread
    events: Spread
    roles: dict[str, RoleFigures]
    wealth: list[RoundFigures]
    rules: dict[str, RuleFigures]
    happened: dict[str, int]
    dice: list[DieFigures]
    fair_dice: dict[str, ChiSquare]
    cards: CardFigures


def report_on(plan: Plan, tally: SocialJusticeTally, house_rules: HouseRules | None = None) -> SocialJusticeReport:
    """Make the report on a plan that was played."""
    shared = shared_figures(plan, tally, SIGNS)
    return SocialJusticeReport(
        **shared,
        house_rules=msgspec.to_builtins(house_rules.operations) if house_rules else [],
        ends={reason: tally.ends[reason] for reason in ENDS},
        roles={role: _role(tally, role) for role in started(tally)},
        wealth=[_round(tally, number) for number in range(shared["rounds"].most + 1)],
        dice=_dice(tally),
        fair_dice=_fair_dice(tally),
        cards=card_figures(tally, "change", {card.id: card.count for card in change_deck().values()}),
    )


def started(tally: SocialJusticeTally) -> list[str]:
    """List the roles that seats started in, lowest first."""
    return [role for role in ROLES if tally.seats[role]]


def _round(tally: SocialJusticeTally, number: int) -> RoundFigures:
    roles = started(tally)
    total = sum(tally.worth[role, number] for role in roles)
    return RoundFigures(
        round=number,
        gini=round(tally.gini[number] / WHOLE / tally.games["games"], 4),
        mean={role: round(tally.worth[role, number] / tally.seats[role], 2) for role in roles},
        share={role: round(100 * tally.worth[role, number] / total, 2) if total else 0.0 for role in roles},
        still_in={role: round(100 * tally.still_in[role, number] / tally.seats[role], 2) for role in roles},
    )


def _role(tally: SocialJusticeTally, role: str) -> RoleFigures:
    ranks = {rank: seats for (started, rank), seats in sorted(tally.ranks.items()) if started == role}
    return RoleFigures(
        seats=tally.seats[role],
        worth=some_spread({worth: seats for (started, worth), seats in tally.final.items() if started == role}),
        ranks={str(rank): seats for rank, seats in ranks.items()},
        ended={end: tally.mobility[role, end] for end in (*ROLES, *OUT)},
        outs={why: _out(tally, role, why) for why in OUT},
    )


def _out(tally: SocialJusticeTally, role: str, why: str) -> OutFigures:
    held: Counter[str] = Counter()
    rounds: Counter[int] = Counter()
    for (reason, start, role_held, number), seats in tally.outs.items():
        if (reason, start) == (why, role):
            held[role_held] += seats
            rounds[number] += seats
    return OutFigures(
        seats=held.total(),
        held={name: held[name] for name in ROLES if held[name]},
        rounds={str(number): rounds[number] for number in sorted(rounds)},
    )


def _dice(tally: SocialJusticeTally) -> list[DieFigures]:
    kinds = sorted({(purpose, sides) for purpose, sides, _ in tally.faces})
    return [_die(tally, purpose, sides) for purpose, sides in kinds]


def _die(tally: SocialJusticeTally, purpose: str, sides: int) -> DieFigures:
    faces = Counter({face: tally.faces[purpose, sides, face] for face in range(1, sides + 1)})
    return DieFigures(purpose=purpose, sides=sides, faces=[*faces.values()], fair=fair_faces(faces, sides))


def _fair_dice(tally: SocialJusticeTally) -> dict[str, ChiSquare]:
    by_sides: dict[int, Counter[int]] = {}
    for (_, sides, face), times in sorted(tally.faces.items()):
        by_sides.setdefault(sides, Counter())[face] += times
    return {str(sides): fair_faces(by_sides[sides], sides) for sides in sorted(by_sides)}
