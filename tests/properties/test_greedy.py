"""The greediest legal play: whatever lawfully makes amounts grow, as far as it goes.

What is answered with success is read back, event by event and by the audit; a refusal leaves the game as it was.
"""

import random
from typing import Any

import msgspec
import pytest

from events import codec
from events.base import Rulebook
from projections.evolve import AnyState
from projections.state.social_justice import SocialJusticeState
from service.audit.verify import StoredHistory, verify
from service.errors import NotRecordable
from service.games.records import NewGame, NewSeat, RequestContext
from service.rules.actions import Start
from service.rules.bounds import Range
from service.rules.decide import parse
from service.rules.legal import LegalAction, legal_actions
from service.rules.rulebooks import RULES
from service.rules.violations import RuleViolation
from tests.support.played import Table, empty, games_on

Json = dict[str, Any]

DOUBLE: Json = {
    "op": "add_transfer",
    "trigger": "turn_start",
    "from": "bank",
    "to": "all",
    "amount": {"pct": 100, "of": "cash"},
}
"""Everybody's cash, doubled by the bank each turn."""
HUGE: Json = {"months": 60, "max_stake": 10_000, "horse_multiplier": 100, "lottery_multiplier": 1000, "grant": 10_000,
              "child_first": 10_000, "child_more": 10_000, "pay_day": 10_000, "start_cash": 10_000, "loan_unit": 10_000,
              "player_bets": True}  # fmt: skip
BORROWING = ("borrow", "borrow_from_bank", "propose_loan", "accept_offer")


def opened(rulebook: Rulebook, seed: int, options: Json) -> Table:
    """A game of three in which play has begun."""
    games = games_on(empty())
    created = games.opening.create(
        NewGame(rulebook, options=options, secret=b"%032d" % seed), RequestContext(key=f"greedy game {seed}")
    )
    table = Table(games, created.answer.game, created.host_token, {})
    for name in ("Ann", "Bob", "Cy"):
        seated = games.seats.sit(table.game, NewSeat(name=name), RequestContext(created.join_code, key=name))
        table.tokens[len(table.tokens) + 1] = seated.token
    for token in table.tokens.values():
        games.actions.ready(table.game, table.state.edition, None, RequestContext(token))
    games.actions.perform(table.game, Start(), RequestContext(table.host))
    return table


def greatest(offered: LegalAction) -> Json:
    """An action with every amount at its upper bound."""
    body = dict(offered.body)
    for name, shape in offered.schema["properties"].items():
        if shape.get("type") == "integer" and "maximum" in shape and name in body:
            step = shape.get("multipleOf", 1)
            body[name] = shape["maximum"] - (shape["maximum"] - shape["minimum"]) % step
    return body


def wishes(state: AnyState, seat: int, chance: random.Random) -> list[Json]:
    """What the seat would like to do, the greediest first; the default comes last, for it ends the wait."""
    menu = legal_actions(state, seat).open
    default = next(dict(action.body) for action in menu if action.default)
    wanted = [greatest(action) for action in chance.sample(menu, min(3, len(menu))) if action.name not in ("leave",)]
    for action in menu:
        if action.name == "propose" and isinstance(state, SocialJusticeState) and len(state.politics.stack) < 10:
            wanted.insert(0, {**action.body, "operations": [DOUBLE] * 5})
        elif action.name == "cast_ballot":
            wanted.insert(0, {**action.body, "ballot": "yes"})
        elif action.name in BORROWING:
            wanted.insert(0, greatest(action))
    return [*wanted, default]


def played(table: Table, seed: int, actions: int) -> list[int]:
    """Play so many actions, or to the end, or until nothing can be recorded; return how much cash there was."""
    chance, cash = random.Random(seed), []
    for number in range(actions):
        state = table.state
        if state.status != "playing":
            break
        seat = next(iter(state.prompts.values())).seat
        if not any(done(table, seat, body, f"{number}.{n}") for n, body in enumerate(wishes(state, seat, chance))):
            break
        cash.append(max(table.state.cash.values()))
    return cash


def done(table: Table, seat: int, body: Json, key: str) -> bool:
    """Do an action; what is refused changes nothing, and what is not can be read back as it was decided."""
    version = table.version
    try:
        answer = table.games.actions.perform(
            table.game, parse(msgspec.json.encode(body)), RequestContext(table.tokens[seat], key=key)
        )
    except (RuleViolation, NotRecordable):
        table.games.loader.forget(table.game)
        assert table.version == version, body
        return False
    stored = table.store.streams.read(table.game, after=answer.first - 1, count=1000)
    assert codec.decode_all(entry.data for entry in stored) == list(answer.envelopes)
    return True


def sound(table: Table) -> None:
    table.games.loader.forget(table.game)
    report = verify(StoredHistory(table.store), table.game)
    assert (report.verdict, report.findings) == ("verified", [])


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 20))])
def test_cash_that_doubles_each_turn_is_read_back_to_the_last_dollar(seed: int) -> None:
    """The Social Justice Game, with a law that every amount grows by; in the end nothing more can be recorded."""
    table = opened("social_justice", seed, {"end.rounds": 200})
    cash = played(table, seed, 400)
    assert 2**43 < max(cash) < 2**53
    sound(table)


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in range(1, 20))])
def test_the_greatest_stakes_grants_and_loans_are_read_back(seed: int) -> None:
    """Public Assistance, with every option that an amount hangs on at its upper bound."""
    bounds = RULES["public_assistance"].options.known
    for name, value in HUGE.items():
        bound = bounds[name][1]
        assert not isinstance(bound, Range) or bound.high == value, name
    table = opened("public_assistance", seed, HUGE)
    cash = played(table, seed, 250)
    assert max(cash) > 100_000
    sound(table)
