"""What blocks, bets and rolls are worth in dollars: how the sensible bot sees the board."""

from events.public_assistance.board import Block, PublicAssistanceBoard, public_assistance_board
from service.bots.base import Json

VALUE_OF = {"benefit": 60, "govt_job": 150, "get_a_job": -3000, "saturday": -100, "cheat": 200}
"""Blocks without an amount of their own; what is not here is worth nothing."""


def board_of(state: Json) -> PublicAssistanceBoard:
    """Return the board that a game is played on."""
    return public_assistance_board(next(pin["version"] for pin in state["pins"] if pin["name"].endswith("_board")))


def grant(state: Json, children: int) -> int:
    """Compute a monthly grant, but for kept cards."""
    options: Json = state["options"]
    first, more = bool(children) * options["child_first"], max(children - 1, 0) * options["child_more"]
    return int(options["grant"] + first + more)


def block_value(state: Json, player: Json, block: Block) -> int:
    """Return what landing on a promenade block is worth to a player."""
    if block.type in ("collect", "pay"):
        return block.amount if block.type == "collect" else -block.amount
    if block.type == "collect_grant":
        return block.multiplier * grant(state, player["children"])
    if block.type == "child":
        left = max(int(state["options"]["months"]) - int(player["month"]), 0)
        return left * (grant(state, player["children"] + 1) - grant(state, player["children"]))
    return VALUE_OF.get(block.type, 0)


def target_value(state: Json, player: Json, target: int) -> int:
    """Return what going to a promenade block is worth: the block, and the grant where the 1st is passed or reached."""
    crossing = grant(state, player["children"]) if target <= player["block"] else 0
    return crossing + block_value(state, player, board_of(state).promenade[target])


def partner_value(state: Json, player: Json) -> int:
    """Return what a roll of the partner is worth, in sixths of a dollar; a stricken conscience costs later rolls."""
    walk = board_of(state).cake_walk
    worth = {"collect": 1, "pay": -1}
    reached = [walk[(player["partner"] + face) % len(walk)] for face in range(1, 7)]
    return sum(-150 if b.type == "conscience" else worth.get(b.type, 0) * b.amount for b in reached)


def horse_value(options: Json) -> int:
    """Return what a dollar on horse 7 is worth, in sixths of a dollar: 0 is fair."""
    return int(options["horse_multiplier"] + options["stake_returned"] - 6)


def lottery_value(options: Json) -> int:
    """Return what a dollar on the number 123 is worth, in 216ths of a dollar: 0 is fair."""
    ways = 1 if options["lottery_match"] == "exact_order" else 6
    return int(ways * (options["lottery_multiplier"] + options["stake_returned"]) - 216)


def note_price(options: Json) -> int:
    """Return what redeeming a note costs."""
    return int(options["loan_unit"] * (100 + options["loan_pct"]) // 100)
