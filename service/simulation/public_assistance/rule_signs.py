"""By which events one knows that a rule of Public Assistance was done; words as in `simulation.rule_signs`."""

from collections.abc import Iterable

from events.base import CUSTODIAN
from events.lobby import GameFinished
from events.play import DiceRolled, MoneyMoved
from events.public_assistance.events import (
    BetPlaced,
    BetSettled,
    CheatEnded,
    PartnerRemoved,
    PieceMoved,
    SideTrackEntered,
    SideTrackLeft,
    SkipAdded,
)
from service.simulation import rule_signs
from service.simulation.rule_signs import Cases, rules_by_word, signs_from

SIGNS = signs_from(
    {
        "PA-5": "month_counted",
        "PA-6": "game_started",
        "PA-7": "money_moved:PA-7",
        "PA-8": "piece_moved:PA-8",
        "PA-9": "order_decided",
        "PA-10": "money_moved:PA-10",
        "PA-11": "money_moved:PA-11",
        "PA-12": "money_moved:first_child",
        "PA-13": "money_moved:card money_moved:PA-13",
        "PA-14": "child_gained",
        "PA-15": "money_moved:PA-15",
        "PA-16": "side_track_entered:saturday",
        "PA-17": "side_track_left:caught",
        "PA-18": "dice_rolled:jail",
        "PA-19": "piece_moved:PA-19",
        "PA-20": "turn_started:jail",
        "PA-21": "bet_placed",
        "PA-22": "bet_placed:horses",
        "PA-23": "bet_settled:horses",
        "PA-24": "bet_placed:lottery",
        "PA-25": "bet_settled:lottery",
        "PA-26": "cheat_ended:used",
        "PA-27": "piece_moved:cheat_past_the_1st",
        "PA-28": "skip_added:PA-28",
        "PA-29": "piece_moved:emergency",
        "PA-30": "piece_moved:job waiver_used",
        "PA-31": "children_turned_in",
        "PA-32": "piece_moved:PA-32",
        "PA-33": "money_moved:PA-33",
        "PA-34": "piece_moved:PA-34",
        "PA-35": "side_track_entered:union_job",
        "PA-36": "side_track_left:union_job",
        "PA-37": "side_track_entered:business",
        "PA-38": "side_track_left:business",
        "PA-39": "turn_started:rut",
        "PA-40": "notes_written",
        "PA-41": "card_drawn",
        "PA-42": "card_returned:at_once",
        "PA-43": "card_kept",
        "PA-44": "partner_placed prompt_opened:govt_job",
        "PA-45": "partner_placed",
        "PA-46": "prompt_opened:partner_roll",
        "PA-47": "partner_removed:conscience",
        "PA-48": "end_reached",
        "PA-49": "game_finished:untaxed",
        "PA-50": "game_finished:taxed",
        "PA-51": "game_finished",
        "PA-52": "bumped",
        "PA-54": "bet_placed:taken_by_a_player",
        "PA-56": "piece_moved:PA-56",
        "PA-57": "turn_skipped",
    }
)
"""Rule → the words that each are one firing of it. PA-20 and PA-39 are there whenever a turn starts where no bet is
possible. Not here: PA-1 to PA-4, PA-53 (agreed before the start) and PA-55 (no mechanic)."""

RULES_OF = rules_by_word(SIGNS)


def _moved(event: PieceMoved) -> Iterable[str]:
    past = event.how == "cheat" and event.to_block < event.from_block
    return event.rule, event.how, *(["cheat_past_the_1st"] if past else [])


def _paid(event: MoneyMoved) -> Iterable[str]:
    shares = {part.what.partition(":")[0] for part in event.breakdown}
    return event.rule, *sorted(shares)


def _entered(event: SideTrackEntered) -> Iterable[str]:
    return (event.track if event.track in ("union_job", "business") else "saturday",)


def _ended(event: GameFinished) -> Iterable[str]:
    return ["taxed" if line.track == "rut" else "untaxed" for line in event.standings]


CASES: Cases = {
    **rule_signs.CASES,
    BetPlaced: lambda event: (event.game, *(["taken_by_a_player"] if event.taker != CUSTODIAN else [])),
    BetSettled: lambda event: (event.game, "won" if event.won else "lost"),
    CheatEnded: lambda event: (event.how,),
    DiceRolled: lambda event: (event.purpose,),
    GameFinished: _ended,
    MoneyMoved: _paid,
    PartnerRemoved: lambda event: (event.how,),
    PieceMoved: _moved,
    SideTrackEntered: _entered,
    SideTrackLeft: lambda event: (event.how, event.track),
    SkipAdded: lambda event: (event.rule,),
}
"""What tells the cases of an event apart."""
