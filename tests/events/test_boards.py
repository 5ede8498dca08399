"""The board and the decks against a second writing of them, and the promises that a data file must keep."""

from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from events.data_files import BoardError
from events.public_assistance import board as boards
from events.public_assistance.board import (
    Block,
    Card,
    PublicAssistanceBoard,
    PublicAssistanceDeck,
    check_board,
    check_deck,
)
from tests.support.rules import rule

BOARD = boards.public_assistance_board()
TRACKS = {"promenade": BOARD.promenade, "rut": BOARD.rut, "jail": BOARD.jail, "cake_walk": BOARD.cake_walk}

WRITTEN = {
    "promenade": """
        first_of_month benefit +100 rest child -50 card_room benefit +150 job:9 child rest -100 benefit
        govt_job +200 child rest heist -100 benefit +300 child job:23 rest cheat benefit -200 +100 child rest
        contraband +50 benefit -150 child job:36 grants:3 rest benefit govt_job -50 child hustle rest +250
        benefit -200 child job:49 +100 rest
    """,
    "rut": """
        month_line burden -100 burden advance:19 -200 pay_day -80 burden time_clock -300 union_job -120 burden
        go_on_welfare -200 +50 burden -160 pay_day -240 business burden time_clock -400 +30 govt_job burden
        -180 go_on_welfare -100 burden pay_day -300 advance:38 burden time_clock -140 union_job -200 burden
        advance:3 -500 go_on_welfare burden pay_day -120 business -220 time_clock burden -260
    """,
    "card_room": """
        +100 -100 +300 -200 +500 rest -300 +800 jail +200
    """,
    "heist": """
        +200 rest +500 jail +1000 -200 jail +2000 -500 +300
    """,
    "contraband": """
        +300 -100 +700 rest jail +1500 -400 +4000 jail -200
    """,
    "hustle": """
        +100 +200 -100 +400 rest -250 +600 jail +300 -150
    """,
    "union_job": """
        +200 -50 +300 rest -100 +400 -50 +500 +250 -100
    """,
    "business": """
        -100 -150 -200 -100 -250 +1500 -150 -300 -200 -100 -350 -150
    """,
    "jail": """
        lockup lockup_return -50 back_on_welfare rest -200 back_on_welfare +20 job:9 lockup_return
        back_on_welfare
    """,
    "cake_walk": """
        start +100 +150 -50 +200 rest +250 conscience +500 +100 -100 +300 +150 +400 +100 +1000
    """,
}
"""Every track block by block, written down apart from the data file: amounts with their sign, else the kind."""

CARDS = {
    "benefit": """
        BN01:3:collect:100 BN02:2:collect:250 BN03:2:collect:150 BN04:2:collect:80 BN05:2:collect:40
        BN06:2:collect:200 BN07:2:collect:20 BN08:2:collect:300 BN09:2:collect:60 BN10:2:collect_per_child:50
        BN11:1:collect:500 BN12:2:collect:50 BN13:1:collect:400 BN14:2:collect:70 BN15:1:collect:120
        BN16:4:keep_monthly:100 BN17:2:keep_monthly:150 BN18:2:keep_monthly:200 BN19:1:keep_monthly:300
        BN20:1:keep_monthly:500 BN21:3:gain_child BN22:3:govt_job BN23:1:go_track:card_room
        BN24:1:go_track:hustle BN25:2:keep_exemption BN26:2:pay:100 BN27:1:pay:50 BN28:2:rut_pays_you:50
        BN29:1:advance:0
    """,
    "burden": """
        BD01:2:pay:40 BD02:2:pay:60 BD03:3:pay:100 BD04:3:pay:100 BD05:2:pay:120 BD06:2:pay:160 BD07:2:pay:160
        BD08:3:pay:200 BD09:3:pay:200 BD10:3:pay:240 BD11:2:pay:300 BD12:2:pay:300 BD13:3:pay:400
        BD14:1:pay:500 BD15:1:pay:600 BD16:3:union_job BD17:3:business BD18:3:govt_job
        BD19:1:rut_collect_each:100 BD20:2:collect:100 BD21:1:advance:32 BD22:1:advance:45 BD23:1:advance:0
        BD24:2:pay_each_promenade:20 BD25:1:go_on_welfare BD26:1:lose_turn BD27:1:pay_pct:10
    """,
}
"""Both decks: id, copies, kind, and amount or what else the kind needs."""


def written(block: Block) -> str:
    """A block as the second writing has it."""
    signed = {"collect": f"+{block.amount}", "pay": f"-{block.amount}", "saturday": block.track}
    directed = {"advance": f"advance:{block.to}", "get_a_job": f"job:{block.enters}"}
    return {**signed, **directed, "collect_grant": f"grants:{block.multiplier}"}.get(block.type, block.type)


def written_card(card: Card) -> str:
    """A card as the second writing has it."""
    needs = {"advance": str(card.to), "go_track": card.track, "pay_pct": str(card.pct)}
    value = needs.get(card.kind, str(card.amount) if card.amount else "")
    return ":".join([card.id, str(card.count), card.kind, *([value] if value else [])])


@pytest.mark.parametrize("track", WRITTEN)
def test_every_block_is_what_was_written_down(track: str) -> None:
    """A slip of the pen in a price would have to be made twice."""
    blocks = TRACKS.get(track) or BOARD.side_tracks[track]
    assert [written(block) for block in blocks] == WRITTEN[track].split()


@pytest.mark.parametrize("deck", CARDS)
def test_every_card_is_what_was_written_down(deck: str) -> None:
    assert [written_card(card) for card in boards.public_assistance_deck(deck).values()] == CARDS[deck].split()


@rule("PA-14", "PA-33")
def test_the_distances_on_the_board() -> None:
    """Eight Have Child blocks, each within a throw of two or of three dice of the next; Pay Days 13 apart."""
    at = {kind: [b.i for b in (*BOARD.promenade, *BOARD.rut) if b.type == kind] for kind in ("child", "pay_day")}
    assert at["child"] == [4, 10, 16, 22, 29, 35, 42, 48]
    steps = [b - a for a, b in zip(at["child"], [*at["child"][1:], at["child"][0] + 52], strict=True)]
    assert {at["child"][0], *steps} <= set(range(3, 13))
    assert at["pay_day"] == [6, 19, 32, 45]
    assert sum(block.amount for block in BOARD.rut if block.type == "pay") == 3820


def without_a_child(board: dict[str, Any]) -> None:
    board["promenade"][4]["type"] = "rest"


def without_a_saturday(board: dict[str, Any]) -> None:
    board["promenade"][6]["type"] = "rest"


def children_too_far_apart(board: dict[str, Any]) -> None:
    board["promenade"][48]["type"], board["promenade"][43]["type"] = "rest", "child"


def a_job_without_a_clock(board: dict[str, Any]) -> None:
    board["promenade"][9]["enters"] = 10


def a_jail_job_without_a_clock(board: dict[str, Any]) -> None:
    board["jail"][8]["enters"] = 0


def a_track_that_is_none(board: dict[str, Any]) -> None:
    board["promenade"][6]["track"] = "choir"


def a_gap(board: dict[str, Any]) -> None:
    del board["side_tracks"]["heist"][4]


def a_free_bill(board: dict[str, Any]) -> None:
    board["rut"][2]["amount"] = 0


def two_consciences(board: dict[str, Any]) -> None:
    board["cake_walk"][8]["type"] = "conscience"


def a_direction_to_nowhere(board: dict[str, Any]) -> None:
    board["rut"][4]["to"] = 52


def another_start(board: dict[str, Any]) -> None:
    board["rut"][0]["type"] = "rest"


def a_second_start(board: dict[str, Any]) -> None:
    board["promenade"][3]["type"] = "first_of_month"


def a_loop_that_is_longer(board: dict[str, Any]) -> None:
    board["rut"].append({**board["rut"][9], "i": 52})


def no_lockup_first(board: dict[str, Any]) -> None:
    board["jail"][0]["type"], board["jail"][4]["type"] = "rest", "lockup"


def a_jail_for_ever(board: dict[str, Any]) -> None:
    board["jail"][-1]["type"] = "rest"


def a_kind_of_another_part(board: dict[str, Any]) -> None:
    board["promenade"][2]["type"] = "conscience"


def a_card_of_another_part(board: dict[str, Any]) -> None:
    board["promenade"][1]["type"] = "burden"


def jail_on_a_job(board: dict[str, Any]) -> None:
    board["side_tracks"]["union_job"][3]["type"] = "jail"


def nothing_to_fear(board: dict[str, Any]) -> None:
    for block in board["side_tracks"]["heist"]:
        block["type"], block["amount"] = "collect", 100


def a_track_without_blocks(board: dict[str, Any]) -> None:
    board["side_tracks"]["union_job"] = []


def a_track_that_nobody_enters(board: dict[str, Any]) -> None:
    board["side_tracks"]["choir"] = board["side_tracks"]["heist"]


def two_ways_to_a_track(board: dict[str, Any]) -> None:
    board["promenade"][6]["track"] = "heist"


def no_cheat(board: dict[str, Any]) -> None:
    board["promenade"][25]["type"] = "rest"


def no_pay_day(board: dict[str, Any]) -> None:
    for at in (6, 19, 32, 45):
        board["rut"][at]["type"] = "rest"


def no_way_out_of_jail(board: dict[str, Any]) -> None:
    for block in board["jail"][:-1]:
        block["type"] = "rest" if block["type"] == "back_on_welfare" else block["type"]
    board["jail"][-1]["type"] = "lockup_return"


def a_direction_to_itself(board: dict[str, Any]) -> None:
    board["rut"][4]["to"] = 4


def grants_taken_away(board: dict[str, Any]) -> None:
    board["promenade"][37]["multiplier"] = -3


def a_job_beyond_the_rut(board: dict[str, Any]) -> None:
    board["promenade"][9]["enters"] = 99


REFUSALS: dict[Callable[[dict[str, Any]], None], str] = {
    without_a_child: "fewer than eight",
    without_a_saturday: "Saturday Night",
    children_too_far_apart: "out of reach",
    a_job_without_a_clock: "time clock",
    a_jail_job_without_a_clock: "time clock",
    a_track_that_is_none: "Saturday Night",
    a_gap: "heist: indices have a gap",
    a_free_bill: "rut, block 2: no amount",
    two_consciences: "one block of the Cake Walk",
    a_direction_to_nowhere: "directs to nowhere",
    another_start: "rut: no block of the kind month_line",
    a_second_start: "one 1st of the Month",
    a_loop_that_is_longer: "52 blocks",
    no_lockup_first: "one lock-up",
    a_jail_for_ever: "for ever",
    a_kind_of_another_part: "promenade: no rule for the kind conscience",
    a_card_of_another_part: "promenade: no rule for the kind burden",
    jail_on_a_job: "union_job: no rule for the kind jail",
    nothing_to_fear: "heist: no block of the kind jail",
    a_track_without_blocks: "union_job: no blocks",
    a_track_that_nobody_enters: "six of the rulebook",
    two_ways_to_a_track: "Saturday Night",
    no_cheat: "promenade: no block of the kind cheat",
    no_pay_day: "rut: no block of the kind pay_day",
    no_way_out_of_jail: "jail: no block of the kind back_on_welfare",
    a_direction_to_itself: "directs to nowhere",
    grants_taken_away: "no grants",
    a_job_beyond_the_rut: "time clock",
}


@rule("PA-5", "PA-14", "PA-16", "PA-30", "PA-47")
@pytest.mark.parametrize(("broken", "says"), REFUSALS.items())
def test_a_board_that_breaks_a_promise_is_refused(broken: Callable[[dict[str, Any]], None], says: str) -> None:
    """Before anybody plays on it."""
    raw = msgspec.json.decode(msgspec.json.encode(BOARD))
    check_board(msgspec.convert(raw, PublicAssistanceBoard))
    broken(raw)
    with pytest.raises(BoardError, match=says):
        check_board(msgspec.convert(raw, PublicAssistanceBoard))


BROKEN_DECKS: list[tuple[str, dict[str, dict[str, Any]], str]] = [
    ("benefit", {"BN01": {"count": 2}}, "54 cards"),
    ("benefit", {"BN01": {"count": 0}, "BN02": {"count": 5}}, "BN01: no copies"),
    ("benefit", {"BN01": {"id": "BN02"}}, "two cards of one id"),
    ("benefit", {"BN01": {"text": ""}}, "BN01: it says nothing"),
    ("benefit", {"BN01": {"amount": 0}}, "BN01: no amount"),
    ("benefit", {"BN16": {"amount": -5}}, "BN16: no amount"),
    ("benefit", {"BN23": {"track": "choir"}}, "BN23: it leads to no side track"),
    ("benefit", {"BN29": {"to": 99}}, "BN29: it directs to nowhere"),
    ("benefit", {"BN01": {"kind": "business"}}, "no rule for the kind business"),
    ("benefit", {"BN25": {"kind": "pay", "amount": 5}}, "no card of the kind keep_exemption"),
    ("burden", {"BD27": {"pct": 0}}, "BD27: no share"),
    ("burden", {"BD27": {"pct": 200}}, "BD27: no share"),
    ("burden", {"BD01": {"kind": "keep_monthly"}}, "no rule for the kind keep_monthly"),
    ("burden", {"BD26": {"kind": "pay", "amount": 5}}, "no card of the kind lose_turn"),
]


@pytest.mark.parametrize(("name", "changes", "says"), BROKEN_DECKS)
def test_a_deck_that_is_not_whole_is_refused(name: str, changes: dict[str, dict[str, Any]], says: str) -> None:
    """It would be played with all the same: a card without copies, words, or what its kind asks for."""
    cards = boards.public_assistance_deck(name)
    changed = tuple(msgspec.structs.replace(card, **changes.get(key, {})) for key, card in cards.items())
    with pytest.raises(BoardError, match=says):
        check_deck(PublicAssistanceDeck(name=f"public_assistance_{name}", version=1, cards=changed))


def test_a_deck_of_another_game_is_refused() -> None:
    with pytest.raises(BoardError, match="no such deck"):
        check_deck(PublicAssistanceDeck(name="public_assistance_luck", version=1, cards=()))
