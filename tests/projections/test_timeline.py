"""The timeline: a plain line for everything that can happen, and nothing but text from what people typed."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from events.base import CUSTODIAN, ESCROW, Event, Opaque
from events.catalogue import TYPES
from events.clocks import BotTookOver
from events.examples.events import EXAMPLES, envelope
from events.lobby import GameFinished, SeatLeft, SeatTaken, Standing
from events.play import ActionTaken, CardKept, CardReturned, DiceRolled, MoneyMoved, OrderDecided, PromptOpened
from events.public_assistance.board import public_assistance_board, public_assistance_pins
from events.public_assistance.events import BetsOffered, LoanRepaid, PieceMoved, SideTrackMoved, SkipAdded
from projections.timeline.lines import SENTENCES, card_texts, say
from tests.projections.streams import ZERO

BOARD = public_assistance_board()
CARDS = card_texts(public_assistance_pins())
NAMES = {1: "Ann", 2: "Bob"}


def told(event: Event, names: dict[int, str] = NAMES, **changes: Any) -> str:
    entry = msgspec.structs.replace(envelope(event), **changes)
    return say(entry, names, BOARD, CARDS)


def acted(name: str, seat: int = 0, *, seat_named: int = 0, **params: Any) -> ActionTaken:
    params = {"seat": seat_named, **params} if seat_named else params
    return ActionTaken(seat=seat, name=name, prompt="", params=params, received=0)


def test_every_event_type_has_a_sentence_and_no_other() -> None:
    assert set(SENTENCES) == {*TYPES.values(), Opaque}


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_every_example_is_told_in_one_whole_line(name: str) -> None:
    line = told(EXAMPLES[name])
    assert line.isprintable()
    assert line[0].isupper()
    assert line.endswith(".")
    assert "_" not in line
    assert not any(word in line for word in ("None", "seat:", "Struct", "{", "}", "()"))


def test_the_lines_differ_from_each_other() -> None:
    assert len({told(example) for example in EXAMPLES.values()}) == len(EXAMPLES)


@pytest.mark.parametrize(
    ("event", "line"),
    [
        (
            EXAMPLES["money_moved"],
            "The public purse pays Bob $1,250"
            " (monthly grant, promenade 0: basic $500, children $600, BN17 $150; PA-11).",
        ),
        (
            MoneyMoved(payer="seat:1", payee=ESCROW, amount=40, reason="stake", rule="PA-22", ref="", breakdown=()),
            "Ann pays escrow $40 (stake; PA-22).",
        ),
        (
            MoneyMoved(payer=ESCROW, payee="seat:3", amount=40, reason="stake", rule="PA-22", ref="", breakdown=()),
            "Escrow pays Seat 3 $40 (stake; PA-22).",
        ),
        (
            EXAMPLES["piece_moved"],
            "Bob moves from Have Child (promenade 48) to Benefit (promenade 7).",
        ),
        (
            PieceMoved(
                seat=1, from_track="rut", from_block=900, to_track="jail", to_block=0, how="lockup", rule="PA-17"
            ),
            "Ann is taken to lock-up, from a block (rut 900) to Lock-up (jail 0).",
        ),
        (EXAMPLES["dice_rolled"], "Bob rolls 4, 1 and 6, 11 in all (movement)."),
        (
            DiceRolled(seat=1, purpose="side_track", coordinate="s:1", sides=6, faces=(4,)),
            "Ann rolls 4 (side track).",
        ),
        (EXAMPLES["card_drawn"], "Bob draws a card of the benefit deck: “A second agency covers the same need”."),
        (CardKept(seat=2, deck="benefit", card="BN17"), "Bob keeps “A second agency covers the same need”."),
        (CardKept(seat=2, deck="benefit", card="ZZ99"), "Bob keeps ZZ99."),
        (
            CardReturned(seat=2, deck="burden", card="ZZ99", kept=False),
            "Bob puts back ZZ99: it goes under the burden deck.",
        ),
        (
            SideTrackMoved(seat=2, track="heist", from_block=0, to_block=4),
            "Bob goes on to Silent alarm: lock-up (block 4) of Heist.",
        ),
        (
            SideTrackMoved(seat=2, track="heist", from_block=9, to_block=11),
            "Bob goes on past the last block of Heist.",
        ),
        (LoanRepaid(seat=1, notes=0, amount=40, rule="PA-50"), "Ann redeems part of a note for $40."),
        (SkipAdded(seat=1, skips=2, rule="PA-28"), "Ann will miss a turn (PA-28); 2 pending."),
        (OrderDecided(order=(2, 1, 4)), "The order of turns is Bob, Ann and Seat 4."),
        (BetsOffered(seat=1, horses=True, lottery=True, max_stake=200),
         "Ann takes bets on horses and the lottery, up to $200 each."),
        (
            SeatTaken(seat=3, kind="bot", level="steady", name=ZERO, nonce_commitment="", host=False),
            "A bot (steady) takes seat 3.",
        ),
        (SeatLeft(seat=1, playing=False), "Ann stands up before the start."),
        (
            Opaque(name="tax_refunded", schema=3, fields={"amount": 5}),
            "An event of a later release (tax_refunded, schema 3).",
        ),
    ],
)  # fmt: skip
def test_a_line_says_what_happened(event: Event, line: str) -> None:
    assert told(event) == line


def test_a_prompt_tells_how_long_there_is() -> None:
    prompt = PromptOpened(prompt="p9", seat=1, kind="partner_roll", why="doubles", deadline=61_500)
    assert told(prompt, at=1_500) == "Ann may decide: partner roll, because of doubles, within 60 s."
    assert told(prompt, at=99_999).endswith("within 0 s.")
    assert told(msgspec.structs.replace(prompt, deadline=None)) == "Ann may decide: partner roll, because of doubles."


def test_an_action_names_who_did_it() -> None:
    roll = ActionTaken(seat=2, name="roll", prompt="p9", params={}, received=0)
    assert told(roll, actor="seat:2") == "Bob acts: roll."
    assert told(roll, actor="bot:2") == "A bot for Bob acts: roll."
    assert told(msgspec.structs.replace(roll, seat=0), actor="clock") == "The clock acts: roll."


@pytest.mark.parametrize(
    ("actor", "event", "line"),
    [
        ("host", acted("leave", 2), "The host sends Bob away."),
        ("seat:2", acted("leave", 2), "Bob gives up the seat."),
        ("host", acted("hand_over", 2, level="steady"), "The host hands the seat of Bob to a bot."),
        ("seat:2", acted("hand_over", 2, level="steady"), "Bob hands the seat to a bot."),
        ("system", acted("take_seat", kind="person", level=""), "Someone with the join code sits down."),
        ("host", acted("take_seat", kind="person", level=""), "The host sits down."),
        ("host", acted("take_seat", kind="bot", level="steady"), "The host seats a bot."),
        ("system", acted("retake", seat_named=2), "Someone with a join code takes the open seat of Bob."),
        ("host", acted("reopen", seat_named=2), "The host opens the seat of Bob to others."),
        ("host", acted("renew", seat_named=2), "The host has the token of Bob renewed."),
        ("host", acted("start"), "The host acts: start."),
        ("clock", acted("expire", 2), "The clock for Bob acts: expire."),
        ("host", SeatLeft(seat=1, playing=False), "Ann stands up before the start, sent away by the host."),
        ("host", BotTookOver(seat=1, level="steady", why="asked"), "A bot (steady) plays for Ann, as the host asked."),
        ("seat:1", BotTookOver(seat=1, level="steady", why="asked"), "A bot (steady) plays for Ann, as was asked for."),
    ],
)
def test_a_line_says_who_did_it_and_to_whom(actor: str, event: Event, line: str) -> None:
    """What the host does to a seat is not what its holder does, and a token without a seat is not the system."""
    assert told(event, actor=actor) == line


def test_a_digest_of_typed_text_tells_a_reader_nothing_and_is_left_out() -> None:
    note = ActionTaken(seat=2, name="propose", prompt="", params={"text": "ab" * 32, "open": True}, received=0)
    assert told(note) == "Bob acts: propose (open yes)."


def test_a_result_with_joint_winners_and_one_who_left() -> None:
    standing = Standing(seat=1, rank=1, total=900, tax=0, score=900, track="jail")
    others = [{"seat": 2}, {"seat": 3, "rank": 0}]
    standings = (standing, *(msgspec.structs.replace(standing, **change) for change in others))
    line = told(GameFinished(reason="abandoned", standings=standings, winners=(1, 2)))
    assert line == (
        "The game is over: too few players are left. Ann and Bob win."
        " Result: 1. Ann with $900; 1. Bob with $900; Seat 3 left."
    )


def test_a_card_without_texts_goes_by_its_id() -> None:
    assert say(envelope(EXAMPLES["card_kept"]), NAMES, BOARD) == "Bob keeps BN17."


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("{0.__class__}", "{0.__class__}"),
        ("%s%n", "%s%n"),
        ("<b>Bob</b>", "<b>Bob</b>"),
        ("Bo\nb", "Bo b"),
        ("\x1b[31mBob", "[31mBob"),
        ("\u202eBob", "Bob"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("\u202e\x00 ", "Seat 2"),
        ("", "Seat 2"),
    ],
)
def test_a_name_is_text_and_nothing_else(name: str, shown: str) -> None:
    assert told(EXAMPLES["turn_ended"], {2: name}) == f"The turn of {shown} is over."


@given(st.text(), st.sampled_from(sorted(EXAMPLES)))
def test_no_name_breaks_a_line(name: str, event: str) -> None:
    line = told(EXAMPLES[event], {1: name, 2: name, 3: name})
    assert line.splitlines() == [line]
    assert line.replace("\u200c", "").replace("\u200d", "").isprintable()


@given(st.text(), st.sampled_from([CUSTODIAN, ESCROW, "seat:9", "seat:x", "seat:" + "9" * 5000, "bank"]))
def test_a_foreign_stream_can_still_be_read_aloud(word: str, account: str) -> None:
    event = MoneyMoved(payer=account, payee=word, amount=1, reason=word, rule=word, ref=word, breakdown=())
    assert len(told(event).splitlines()) == 1
    moved = SideTrackMoved(seat=1, track=word, from_block=0, to_block=2**50)
    assert told(moved).startswith(("Ann goes on to a block", "Ann goes on past the last block"))
