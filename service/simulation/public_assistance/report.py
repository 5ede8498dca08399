"""The report on Public Assistance."""

from collections import Counter

from msgspec import Struct

from events.base import OptionValue
from events.public_assistance.board import public_assistance_deck
from projections.likelihood import ChiSquare
from service.simulation.matches import Plan
from service.simulation.public_assistance.rule_signs import SIGNS
from service.simulation.public_assistance.tally import UNTAXED, PublicAssistanceTally
from service.simulation.report import CardFigures, RuleFigures, card_figures, fair_faces, shared_figures
from service.simulation.spread import Spread, spread
from service.simulation.tally import Tally

TRACKS = ("promenade", "rut", "jail")
BRACKETS = (UNTAXED, 10, 20, 30, 40, 50)
SIDES = 6


class TrackFigures(Struct, frozen=True, kw_only=True):
    """Who ended on a track.

    Attributes:
        winners: Winners who ended there; several of a game that was shared.
        money: Results after tax of all seats that ended there; None without any.
    """

    winners: int
    money: Spread | None


class PublicAssistanceReport(Struct, frozen=True, kw_only=True):
    """What many games were like.

    Attributes:
        rulebook: The game played.
        games: How many games.
        players: Seats of each.
        options: Every option with its value.
        bots: Who played.
        seed: Gives the same report again.
        shared: Games with several winners.
        turns: Turns of a game, skipped ones too.
        rounds: Turns of the seat that had most.
        events: Events of a game.
        tracks: By the track on which seats ended.
        brackets: Tax in percent → seats; `0` for those that owed more than they had.
        rules: Rule → how often it was done.
        happened: What happened → times: the wire names of events, alone and with their cases.
        dice: Purpose → how often each face, from 1 to 6.
        fair_dice: All faces together against six equal ones.
        cards: Deck → its draws.
    """

    rulebook: str
    games: int
    players: int
    options: dict[str, OptionValue]
    bots: str
    seed: str
    shared: int
    turns: Spread
    rounds: Spread
    events: Spread
    tracks: dict[str, TrackFigures]
    brackets: dict[str, int]
    rules: dict[str, RuleFigures]
    happened: dict[str, int]
    dice: dict[str, list[int]]
    fair_dice: ChiSquare
    cards: dict[str, CardFigures]


def report_on(plan: Plan, tally: PublicAssistanceTally) -> PublicAssistanceReport:
    """Make the report on a plan that was played."""
    decks = {deck: public_assistance_deck(deck) for deck in ("benefit", "burden")}
    return PublicAssistanceReport(
        **shared_figures(plan, tally, SIGNS),
        shared=tally.games["shared"],
        tracks={track: _track(tally, track) for track in TRACKS},
        brackets={str(percent): tally.brackets[percent] for percent in BRACKETS},
        dice=_dice(tally),
        fair_dice=fair_faces(_faces(tally), SIDES),
        cards={
            deck: card_figures(tally, deck, {card.id: card.count for card in cards.values()})
            for deck, cards in decks.items()
        },
    )


def _track(tally: PublicAssistanceTally, track: str) -> TrackFigures:
    results = {score: seats for (where, score), seats in tally.money.items() if where == track}
    return TrackFigures(winners=tally.winners[track], money=spread(results))


def _dice(tally: Tally) -> dict[str, list[int]]:
    purposes = sorted({purpose for purpose, *_ in tally.faces})
    return {purpose: [tally.faces[purpose, SIDES, face] for face in range(1, SIDES + 1)] for purpose in purposes}


def _faces(tally: Tally) -> Counter[int]:
    faces: Counter[int] = Counter()
    for (*_, face), times in tally.faces.items():
        faces[face] += times
    return faces
