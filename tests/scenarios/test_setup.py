"""Around play: seats, options, agreement, custodian, first roll (PA-1, PA-3, PA-4, PA-6 to PA-10, PA-55)."""

from collections.abc import Iterable

import msgspec
import pytest

from events.base import Envelope
from events.catalogue import TYPES
from events.lobby import GameCreated, OptionsChanged
from events.play import DiceRolled, MoneyMoved, OrderDecided, TurnStarted
from events.public_assistance import board as boards
from events.public_assistance.events import MonthCounted, PieceMoved
from projections import evolve as folding
from service.rules import actions as a
from service.rules import options as agreed
from service.rules.decide import Command, decide, parse
from service.rules.public_assistance.choices import CHOICES
from service.rules.violations import RuleViolation
from tests.scenarios.checks import happened, has, in_order, money, never, stands, turn_of
from tests.scenarios.dice import ScriptedDice
from tests.scenarios.dsl import Game, Step, Who, ann, bob, cid, dee, purse
from tests.scenarios.table import NOW, ZERO
from tests.support.kinds import pa
from tests.support.rules import rule

SEATS = (ann, bob, cid, dee)


def lobby(seats: int, *, places: int = 4, host: int = 1, **options: int | bool | str) -> Game:
    """A lobby with some seats taken; options as given, and nobody ready."""
    created = GameCreated(
        game="g_told", rulebook="public_assistance", rules=1, code=ZERO, pins=boards.public_assistance_pins(),
        options=agreed.agree(options, agreed.defaults()), places=places, private=False, commitment=ZERO,
        known_secret=True, parent="",
    )  # fmt: skip
    game = Game(pa(folding.fold([Envelope(version=1, at=NOW, turn=0, actor="host", action=ZERO, data=created)])))
    for seat in range(1, seats + 1):
        game.when(sits(host=seat == host))
    return game


def sits(*, host: bool = False, nonce: str = "", kind: str = "person") -> Step:
    action = a.TakeSeat(name="", kind="bot" if kind == "bot" else "person", level="", nonce_commitment=nonce, host=host)
    return Step(0, lambda _p: action)


def ready(who: Who, edition: int = 1, nonce_hash: str = "", nonce_input: str = "") -> Step:
    return Step(who.seat, lambda _p: a.Ready(edition=edition, nonce_hash=nonce_hash, nonce_input=nonce_input))


def set_options(**options: int | bool | str) -> Step:
    return Step(0, lambda _p: a.SetOptions(options=dict(options)))


def starts(*rolls: tuple[int, ...]) -> Step:
    return Step(0, lambda _p: a.Start(), tuple(("first_roll", faces) for faces in rolls))


def all_ready(game: Game, seats: Iterable[Who]) -> Game:
    for who in seats:
        game.when(ready(who, game.state.edition))
    return game


@rule("PA-1")
def test_two_to_four_play() -> None:
    """One alone cannot start; a fifth finds no place; a place left is taken again."""
    all_ready(lobby(1), (ann,)).refuses(starts(), "too_few_seats")
    game = lobby(4).refuses(sits(), "table_full")
    game.when(bob.leaves()).when(sits())
    assert sorted(game.state.seats) == [1, 2, 3, 4]
    lobby(2, places=2).refuses(sits(), "table_full").refuses(sits(), "table_full")
    lobby(2).refuses(sits(host=True), "host_seated")


@rule("PA-3")
@pytest.mark.parametrize(("seats", "months"), [(2, 12), (3, 9), (4, 6)])
def test_months_by_the_number_of_players(seats: int, months: int) -> None:
    """Twelve for two, six for four, the midpoint for three, unless they agree on another number."""
    rolls = [(6, 6, 6), *[(1, 1, 1)] * (seats - 1)]
    game = all_ready(lobby(seats), SEATS[:seats]).when(starts(*rolls))
    assert game.state.options["months"] == months
    game = all_ready(lobby(seats, months=31), SEATS[:seats]).when(starts(*rolls))
    assert game.state.options["months"] == 31


@rule("PA-4")
def test_options_are_agreed_on_by_all_and_a_change_clears_every_mark() -> None:
    """Ready is for an edition; after the start nothing changes."""
    game = lobby(2).when(ready(ann)).refuses(starts(), "not_ready").when(ready(bob))
    game.when(set_options(months=3)).refuses(starts(), "not_ready").refuses(ready(ann, 1), "options_changed", "edition")
    game.when(ready(ann, 2)).refuses(ready(ann, 2), "already_ready").when(ready(bob, 2))
    game.when(starts((6, 6, 6), (1, 1, 1)))
    assert game.state.options["months"] == 3
    for step in (set_options(months=4), ready(ann, 2), sits(), starts()):
        game.refuses(step, "game_started")


@rule("PA-3", "PA-4")
def test_with_months_by_the_number_of_seats_a_seat_taken_or_left_clears_every_mark() -> None:
    """Two agreed to 12 months; with a third it would be 9, with two again 12: that is for all to agree on."""
    game = all_ready(lobby(2), (ann, bob)).when(sits()).then(happened(OptionsChanged, number=2))
    game.refuses(starts(), "not_ready").when(ready(cid, 2)).refuses(starts(), "not_ready")
    game.when(cid.leaves()).then(never(OptionsChanged)).refuses(starts(), "not_ready")  # nobody else was ready
    all_ready(game, (ann, bob)).when(sits(kind="bot")).when(ready(ann, 3)).when(cid.leaves())
    game.then(happened(OptionsChanged, number=4)).refuses(starts(), "not_ready")


@rule("PA-4")
def test_with_months_agreed_on_a_seat_more_changes_nothing() -> None:
    """Who was ready still is."""
    game = all_ready(lobby(2, months=7), (ann, bob)).when(sits()).then(never(OptionsChanged))
    game.when(cid.leaves()).then(never(OptionsChanged)).when(starts((6, 6, 6), (1, 1, 1)))


@rule("PA-4")
@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("months", (1, 60), (61, -1)), ("start_cash", (1, 10_000), (0,)), ("emergency", (1,), (0,)),
        ("grant", (0,), (-1,)),
        ("max_stake", (1, 10_000), (0, 10_001)), ("horse_multiplier", (1, 100), (0, 101)),
        ("lottery_multiplier", (1, 1000), (0, 1001)), ("loan_unit", (100, 10_000), (0, 150, 10_100)),
        ("loan_pct", (0, 200), (201, -1)), ("dice", (2, 3), (1, 4)), ("bump", (True, False), (1, "yes")),
        ("end_on", ("first_seat", "first_to_finish"), ("never",)),
        ("child_levy_to", ("custodian", "player"), ("bank",)),
        ("lottery_match", ("any_order", "exact_order"), ("",)), ("child_levy", (0, 10_000), (10_001, True)),
        ("child_first", (0, 10_000), (10_001,)), ("child_more", (0, 10_000), (-1,)),
        ("pay_day", (0, 10_000), (10_001,)),
        ("player_bets", (True,), (0,)), ("stake_returned", (False,), (0,)), ("finish_turn", (True,), ("",)),
        ("attest", (True,), (1,)),
    ],
)  # fmt: skip
def test_every_option_has_its_bounds(name: str, good: tuple[int | str, ...], bad: tuple[int | str, ...]) -> None:
    """Within them it is agreed on, outside it is refused by name."""
    for value in good:
        assert lobby(2).when(set_options(**{name: value})).state.options[name] == value
    for value in bad:
        lobby(2).refuses(set_options(**{name: value}), "option_out_of_bounds", f"options.{name}")
    lobby(2).refuses(set_options(luck=1), "unknown_option")


@rule("PA-4")
def test_presets_are_sets_of_options() -> None:
    """The later printing's rules as one, and the standard, which changes nothing."""
    assert agreed.preset("pa_standard") == agreed.defaults()
    changed = {name: value for name, value in agreed.preset("pa_reissue").items() if value != agreed.defaults()[name]}
    assert changed == {
        "months": 12, "dice": 2, "start_cash": 1000, "grant": 1000, "child_first": 300, "child_more": 300,
        "child_levy": 100, "child_levy_to": "custodian", "horse_multiplier": 7, "lottery_multiplier": 50,
        "end_on": "first_seat", "lottery_match": "exact_order", "stake_returned": False,
    }  # fmt: skip
    with pytest.raises(RuleViolation) as refused:
        agreed.preset("pa_fifth")
    assert refused.value.refusal.code == "unknown_preset"


@rule("PA-6", "PA-7")
def test_all_begin_on_the_first_with_their_first_allowance() -> None:
    """500 each, which is no monthly grant: the markers stay at 0 and the pieces do not move."""
    game = all_ready(lobby(3), SEATS[:3]).when(starts((1, 1, 1), (6, 5, 4), (2, 2, 2)))
    game.then(money((purse, ann, 500), (purse, bob, 500), (purse, cid, 500)), never(MonthCounted, PieceMoved))
    game.then(stands(ann, "promenade:0"), has(ann, month=0, cash=500), stands(cid, "promenade:0"))
    game = all_ready(lobby(2, start_cash=1000, grant=70), (ann, bob)).when(starts((1, 1, 1), (6, 5, 4)))
    game.then(money((purse, ann, 1000), (purse, bob, 1000)))


@rule("PA-9")
def test_the_highest_roll_goes_first_and_the_others_follow_round_the_table() -> None:
    """By the sum of as many dice as are moved with."""
    game = all_ready(lobby(3), SEATS[:3]).when(starts((1, 1, 1), (6, 5, 4), (2, 2, 2)))
    game.then(in_order(DiceRolled, DiceRolled, DiceRolled, OrderDecided, TurnStarted), turn_of(bob))
    assert game.state.order == (2, 3, 1)
    game = all_ready(lobby(2, dice=2), (ann, bob)).when(starts((6, 6), (6, 5))).then(turn_of(ann))


@rule("PA-9")
def test_only_the_tied_roll_again_until_one_is_highest() -> None:
    """Ann is out after the first round, dee and cid tie twice."""
    rolls = [(1, 1, 1), (6, 6, 1), (6, 5, 2), (1, 6, 6)]
    game = all_ready(lobby(4), SEATS).when(starts(*rolls, (1, 1, 1), (3, 3, 3), (4, 4, 1), (1, 1, 2), (1, 1, 3)))
    game.then(turn_of(dee))
    assert [event.coordinate for event in game.events if isinstance(event, DiceRolled)][4:] == [
        "first_roll/2/2", "first_roll/3/2", "first_roll/4/2", "first_roll/3/3", "first_roll/4/3",
    ]  # fmt: skip
    assert game.state.order == (4, 1, 2, 3)


@rule("PA-10")
@pytest.mark.parametrize(("host", "chosen", "custodian"), [(2, 0, 2), (0, 0, 1), (1, 2, 2)])
def test_a_custodian_is_named(host: int, chosen: int, custodian: int) -> None:
    """The seat agreed on, else the host's, else the first; the purse is an account of its own without limit."""
    game = all_ready(lobby(2, host=host, custodian=chosen), (ann, bob)).when(starts((6, 6, 6), (1, 1, 1)))
    assert game.state.custodian == custodian
    assert game.state.cash["custodian"] == -1000


@rule("PA-10")
def test_a_custodian_who_does_not_sit_here_is_refused() -> None:
    """Found before anything happens."""
    all_ready(lobby(2, custodian=4), (ann, bob)).refuses(starts(), "no_such_custodian", "options.custodian")


@rule("PA-4")
def test_bots_agree_to_anything() -> None:
    """Only people must be ready."""
    game = lobby(1).when(sits(kind="bot")).when(ready(ann)).when(starts((6, 6, 6), (1, 1, 1)))
    assert game.state.status == "playing"


@rule("PA-9")
def test_every_seat_may_add_to_chance() -> None:
    """An opened nonce counts, else the commitment, else nothing; equal commitments are refused."""
    one, two, opened = "1" * 64, "2" * 64, "3" * 64
    game = lobby(0).when(sits(nonce=one)).refuses(sits(nonce=one), "nonce_repeated").when(sits(nonce=two)).when(sits())
    game.refuses(ready(ann, 1, two, opened), "wrong_nonce").when(ready(ann, 1, one, opened))
    game.refuses(ready(ann, 1, one, opened), "nonce_open")
    game.when(ready(bob)).when(ready(cid)).when(starts((6, 6, 6), (1, 1, 1), (1, 1, 1)))
    assert game.state.inputs == (opened, two, "")


@rule("PA-24", "PA-22")
@pytest.mark.parametrize(
    "body",
    [
        *(
            {"action": "bet_lottery", "prompt": "p1", "number": n, "stake": 1}
            for n in ("117", "180", "207", "12", "1234")
        ),
        *({"action": "bet_horses", "prompt": "p1", "horse": h, "stake": 1} for h in (1, 13)),
        {"action": "bet_horses", "prompt": "p1", "horse": 7, "stake": 0},
        {"action": "bet_horses", "prompt": "p1", "horse": 7, "stake": 1, "taker": 9},
        {"action": "bet_lottery", "prompt": "p1", "number": 123, "stake": 1},
        {"action": "cheat_move", "prompt": "p1", "block": 52},
        {"action": "offer_bets", "horses": True, "lottery": True, "max_stake": 0},
        {"action": "roll", "prompt": "p0"},
        {"action": "roll", "prompt": "p1", "faces": [6, 6, 6]},
    ],
)
def test_what_no_game_allows_is_bad_input(body: dict[str, object]) -> None:
    """Digits from 1 to 6, horses from 2 to 12, whole dollars: refused before any rule is asked."""
    with pytest.raises(msgspec.ValidationError):
        parse(msgspec.json.encode(body))


@rule("PA-55")
def test_more_realism_has_no_mechanic() -> None:
    """The rulebook's last paragraph has no action, no option, no event, no block and no card."""
    assert {choice.__struct_config__.tag for choice in CHOICES} == {
        "roll", "cheat_move", "bet_horses", "bet_lottery", "borrow", "repay", "use_waiver", "take_job", "roll_partner",
        "decline_partner", "offer_bets", "withdraw_bets", "attest_books", "attest_result", "decline_result",
    }  # fmt: skip
    board = boards.public_assistance_board()
    blocks = {block.type for track in (board.promenade, board.rut, board.jail, board.cake_walk) for block in track}
    cards = {card.kind for name in ("benefit", "burden") for card in boards.public_assistance_deck(name).values()}
    for word in [*TYPES, *agreed.PUBLIC_ASSISTANCE, *blocks, *cards]:
        assert not {"realism", "guest", "recipient", "office"} & set(word.split("_")), word


@rule("PA-4")
def test_before_the_start_nothing_of_play_is_possible() -> None:
    """A lobby has no turns."""
    game = lobby(2).refuses(ann.rolls(1, 1, 1), "not_started").refuses(bob.offers(5), "not_started")
    for action, code in ((a.Renew(seat=3), "no_such_seat"), (a.Roll(prompt="p1"), "not_started")):
        with pytest.raises(RuleViolation) as refused:
            decide(game.state, Command(action, 0, "host", ZERO, NOW), ScriptedDice([], game.state), at=NOW)
        assert refused.value.refusal.code == code
    game.when(Step(0, lambda _p: a.Renew(seat=2))).then(never(MoneyMoved))
