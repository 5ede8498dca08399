"""Bots: they never choose what the rules refuse, play the same by the same seed, and one of them plays with sense."""

import random
from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
import pytest
from jsonschema_rs import Draft202012Validator

from events.base import Scalar
from projections.evolve import AnyState
from projections.state.base import Prompt
from service.bots import LEVELS, Bot, Json, RandomBot, SensibleBot, menu_of, view_of
from service.bots.chancy import sample
from service.rules.actions import PlayAction
from service.rules.decide import parse
from tests.support.playing import Table

SETS: list[Mapping[str, Scalar]] = [
    {"months": 2},
    {"months": 2, "player_bets": True, "bump": True, "dice": 2, "horse_multiplier": 7, "start_cash": 3000},
    {"months": 2, "lottery_match": "exact_order", "lottery_multiplier": 300, "finish_turn": True, "loan_unit": 100},
]


class Recorder:
    """Another bot, of whose choices an account is kept; each is held against the schema that it was shown."""

    def __init__(self, bot: Bot) -> None:
        self.bot = bot
        self.bodies: list[Json] = []

    @property
    def ignored(self) -> frozenset[str]:
        return self.bot.ignored

    def answer(self, actions: list[Json], state: Json) -> Json | None:
        body = self.bot.answer(actions, state)
        return None if body is None else self._kept(actions, body)

    def choose(self, actions: list[Json], state: Json) -> Json:
        body = self.bot.choose(actions, state)
        assert body is not None, "there are no offers whose answer it could wait for"
        return self._kept(actions, body)

    def _kept(self, actions: list[Json], body: Json) -> Json:
        schema = next(a["schema"] for a in actions if a["name"] == body["action"])
        Draft202012Validator(schema).validate(body)
        self.bodies.append(body)
        return body


def played(bots: Mapping[int, Bot], *, seed: int = 0, **options: Scalar) -> AnyState:
    """Play a game to its end; a choice that the rules refuse is an error."""

    def choose(state: AnyState) -> tuple[int, PlayAction]:
        seat = next(iter(state.prompts.values())).seat
        body = bots[seat].choose(menu_of(state, seat), view_of(state))
        return seat, parse(msgspec.json.encode(body))

    return Table(f"bots{seed}", seats=len(bots), options=options).play(choose).state


@pytest.mark.parametrize("options", SETS)
@pytest.mark.parametrize("level", sorted(LEVELS))
@pytest.mark.parametrize("seed", range(3))
def test_nothing_illegal_is_chosen(level: str, options: Mapping[str, Scalar], seed: int) -> None:
    """Whole games: a refusal by the rules would end the test, and every choice fits the schema shown."""
    bots = {seat: Recorder(LEVELS[level](10 * seed + seat)) for seat in (1, 2, 3)}
    state = played(bots, seed=seed, **options)
    assert state.status == "finished"
    assert all(bot.bodies for bot in bots.values())


@pytest.mark.long
@pytest.mark.parametrize("seed", range(200))
def test_nothing_illegal_is_chosen_in_many_games(seed: int) -> None:
    bots: dict[int, Bot] = {1: Recorder(RandomBot(seed)), 2: Recorder(SensibleBot(seed)), 3: Recorder(RandomBot(-seed))}
    assert played(bots, seed=seed, **SETS[seed % 3]).status == "finished"


def test_chance_tries_every_action() -> None:
    """Over some games with everything allowed, no action is left untried."""
    names: Counter[str] = Counter()
    for seed in range(30):
        bots = {seat: Recorder(RandomBot(10 * seed + seat)) for seat in (1, 2, 3)}
        played(bots, seed=seed, months=8, player_bets=True)
        names.update(body["action"] for bot in bots.values() for body in bot.bodies)
    assert names.keys() >= {
        "roll", "cheat_move", "bet_horses", "bet_lottery", "borrow", "repay", "use_waiver", "take_job", "roll_partner",
        "decline_partner", "offer_bets", "withdraw_bets",
    }  # fmt: skip


@pytest.mark.parametrize("level", sorted(LEVELS))
def test_the_same_seed_plays_the_same_game(level: str) -> None:
    def game(seed: int) -> list[Json]:
        bots = {seat: Recorder(LEVELS[level](seed + seat)) for seat in (1, 2)}
        played(bots, months=2)
        return [body for bot in bots.values() for body in bot.bodies]

    assert game(5) == game(5)


@pytest.mark.parametrize(
    ("shape", "allowed"),
    [
        ({"const": "p7"}, {"p7"}),
        ({"enum": [0, 3]}, {0, 3}),
        ({"type": "boolean"}, {True, False}),
        ({"type": "integer", "minimum": 2, "maximum": 4}, {2, 3, 4}),
        ({"type": "integer", "minimum": 100, "maximum": 300, "multipleOf": 100}, {100, 200, 300}),
        ({"type": "integer", "minimum": 5, "maximum": 5}, {5}),
        ({"type": "object"}, {"as shown"}),
    ],
)
def test_parameters_by_chance(shape: Json, allowed: set[Any]) -> None:
    """Everything that a schema allows comes up, and nothing else."""
    chance = random.Random(1)
    assert {sample(chance, shape, "as shown") for _ in range(200)} == allowed


def test_sense_beats_chance() -> None:
    """Over sixty games the sensible bot wins more of them than one that plays anything, and ends richer."""
    won = gained = 0
    for seed in range(60):
        sensible = 1 + seed % 2
        bots: dict[int, Bot] = {sensible: SensibleBot(seed), 3 - sensible: RandomBot(seed)}
        state = played(bots, seed=seed, months=4)
        scores = {line.seat: line.score for line in state.standings}
        won += state.winners == (sensible,)
        gained += scores[sensible] - scores[3 - sensible]
    assert won > 30
    assert gained > 0


def chosen(state: Any, seat: int = 1, seed: int = 0) -> Json:
    body = SensibleBot(seed).choose(menu_of(state, seat), view_of(state))
    assert body is not None
    return body


def at_turn(**options: Scalar) -> tuple[Any, int]:
    state = Table(seats=2, options={"months": 6, **options}).state
    return state, next(iter(state.prompts.values())).seat


def test_it_names_the_block_that_is_worth_most() -> None:
    """With six months to go a child early in the lap, behind the 1st, is worth more than any block of money."""
    state, seat = at_turn()
    state.players[seat].cheat, state.players[seat].block = True, 25
    body = chosen(state, seat)
    assert body["action"] == "cheat_move"
    assert body["block"] == 4  # a child, with the grant on the way


def test_it_bets_where_the_odds_are_good_and_only_for_fun_where_they_are_fair() -> None:
    state, seat = at_turn(horse_multiplier=7, start_cash=1000)
    body = chosen(state, seat)
    assert {key: body[key] for key in ("action", "horse", "stake", "taker")} == {
        "action": "bet_horses", "horse": 7, "stake": 100, "taker": 0,
    }  # fmt: skip
    state, seat = at_turn(start_cash=1000)
    stakes = [chosen(state, seat, seed).get("stake", 0) for seed in range(60)]
    assert set(stakes) == {0, 10}
    assert stakes.count(10) < 20
    state, seat = at_turn(stake_returned=False)
    assert {chosen(state, seat, seed)["action"] for seed in range(60)} == {"roll"}


@pytest.mark.parametrize(("cash", "notes"), [(9000, 3), (3500, 1), (3499, 0)])
def test_it_pays_back_when_it_is_rich(cash: int, notes: int) -> None:
    state, seat = at_turn(stake_returned=False)
    player = state.players[seat]
    player.track, player.block, player.notes, player.own = "rut", 9, 3, 2
    state.cash[f"seat:{seat}"] = cash
    assert chosen(state, seat).get("notes", 0) == notes


@pytest.mark.parametrize(("partner", "action"), [(9, "roll_partner"), (4, "decline_partner")])
def test_it_rolls_for_the_partner_when_the_mean_is_good(
    partner: int, action: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From block 9 the walk only gains; the mean of the other is made bad."""
    state, seat = at_turn()
    state.prompts = {"p9": Prompt(prompt="p9", seat=seat, kind="partner_roll", why="doubles", deadline=None)}
    state.players[seat].partner = partner
    if action == "decline_partner":
        monkeypatch.setattr("service.bots.values.partner_value", lambda *_: 0)
    assert chosen(state, seat)["action"] == action


def test_it_uses_a_waiver() -> None:
    state, seat = at_turn()
    state.prompts = {"p9": Prompt(prompt="p9", seat=seat, kind="waiver", why="", deadline=None)}
    assert chosen(state, seat)["action"] == "use_waiver"
