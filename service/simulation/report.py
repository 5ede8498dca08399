"""The report: figures made from a tally, once all is counted."""

from collections import Counter

from msgspec import Struct

from events.base import OptionValue
from events.public_assistance.board import public_assistance_deck
from projections.likelihood import ChiSquare, chi_square
from service.rules import options as agreed
from service.simulation.playing import Plan
from service.simulation.signs import SIGNS
from service.simulation.spread import Spread, spread
from service.simulation.tally import UNTAXED, Tally

TRACKS = ("promenade", "rut", "jail")
BRACKETS = (UNTAXED, 10, 20, 30, 40, 50)


class TrackFigures(Struct, frozen=True, kw_only=True):
    """Who ended on a track.

    Attributes:
        winners: Winners who ended there; several of a game that was shared.
        money: Results after tax of all seats that ended there; None without any.
    """

    winners: int
    money: Spread | None


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


class Report(Struct, frozen=True, kw_only=True):
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


def report_on(plan: Plan, tally: Tally) -> Report:
    """Make the report on a plan that was played."""
    turns, rounds, events = spread(tally.turns), spread(tally.rounds), spread(tally.events)
    assert turns, "at least one game was played"
    assert rounds
    assert events
    return Report(
        rulebook="public_assistance",
        games=tally.games["games"],
        players=plan.players,
        options=agreed.settle(plan.options, plan.players),
        bots=plan.bots,
        seed=plan.seed,
        shared=tally.games["shared"],
        turns=turns,
        rounds=rounds,
        events=events,
        tracks={track: _track(tally, track) for track in TRACKS},
        brackets={str(percent): tally.brackets[percent] for percent in BRACKETS},
        rules={rule: _rule(tally, rule) for rule in SIGNS},
        happened=dict(sorted(tally.words.items())),
        dice=_dice(tally),
        fair_dice=chi_square(_faces(tally), dict.fromkeys(range(1, 7), 1)),
        cards={deck: _cards(tally, deck) for deck in ("benefit", "burden")},
    )


def _track(tally: Tally, track: str) -> TrackFigures:
    results = {score: seats for (where, score), seats in tally.money.items() if where == track}
    return TrackFigures(winners=tally.winners[track], money=spread(results))


def _rule(tally: Tally, rule: str) -> RuleFigures:
    times = tally.rules[rule]
    return RuleFigures(times=times, per_game=round(times / tally.games["games"], 2), games=tally.rule_games[rule])


def _dice(tally: Tally) -> dict[str, list[int]]:
    purposes = sorted({purpose for purpose, _ in tally.faces})
    return {purpose: [tally.faces[purpose, face] for face in range(1, 7)] for purpose in purposes}


def _faces(tally: Tally) -> Counter[int]:
    faces: Counter[int] = Counter()
    for (_, face), times in tally.faces.items():
        faces[face] += times
    return faces


def _cards(tally: Tally, deck: str) -> CardFigures:
    copies = {card.id: card.count for card in public_assistance_deck(deck).values()}
    first = Counter({card: tally.first_cards[deck, card] for card in copies})
    return CardFigures(drawn={card: tally.cards[deck, card] for card in copies}, fair=chi_square(first, copies))
