"""The beginning: one bag of roles, the first salary, the Owner's first turn (SJG-2, SJG-17, SJG-38 to SJG-46)."""

from collections import Counter
from typing import Any

import pytest

from events.base import Envelope, seat_account
from events.lobby import CustodianNamed, GameCreated
from events.play import MoneyMoved, OrderDecided
from events.social_justice.events import RoleTaken, RoundStarted, TitlePassed
from projections import evolve as folding
from service.rules import actions as a
from service.rules import options as agreed
from service.rules.decide import Command
from service.rules.rulebooks import SOCIAL_JUSTICE
from service.rules.violations import RuleViolation
from tests.scenarios.social_justice.politics import NOW, ZERO, Hall
from tests.support.kinds import sjg

BAGS = {
    2: "owner unemployed",
    3: "owner unemployed employee",
    4: "owner unemployed employee manager",
    5: "owner unemployed employee manager unemployed",
    6: "owner unemployed employee manager unemployed employee",
    7: "owner unemployed employee manager unemployed employee manager",
    8: "owner unemployed employee manager unemployed employee manager unemployed",
}


def lobby(seats: int, **options: Any) -> Hall:
    """A lobby in which everybody is ready."""
    chosen = {name.replace("__", "."): value for name, value in options.items()}
    created = GameCreated(
        game="g_new", rulebook="social_justice", rules=1, code=ZERO, pins=SOCIAL_JUSTICE.pins(),
        options=agreed.agree(chosen, agreed.defaults(agreed.OF_SOCIAL_JUSTICE), agreed.OF_SOCIAL_JUSTICE), places=8,
        private=False, commitment=ZERO, known_secret=True, parent="",
    )  # fmt: skip
    first = folding.fold([Envelope(version=1, at=NOW, turn=0, actor="host", action=ZERO, data=created)])
    hall = Hall(sjg(first))
    for seat in range(1, seats + 1):
        hall._decide(_by_host(a.TakeSeat(name="", kind="bot", level="random", nonce_commitment="", host=seat == 1)))
    return hall


def _by_host(action: a.AnyAction) -> Command:
    return Command(action, 0, "host", ZERO, NOW)


def started(seats: int, *faces: int, **options: Any) -> Hall:
    """The game starts; the dice say who draws which of the roles that are left."""
    return lobby(seats, **options)._decide(_by_host(a.Start()), [("role", face) for face in faces])


def roles(hall: Hall) -> list[str]:
    return [citizen.role for citizen in hall.state.citizens.values()]


@pytest.mark.rule("SJG-2", "SJG-39", "SJG-40", "SJG-41", "SJG-42")
@pytest.mark.parametrize("seats", range(2, 9))
def test_each_number_of_seats_has_its_bag(seats: int) -> None:
    """One Owner, and as many of the others as the bag's order gives; the draw says who gets which."""
    hall = started(seats, *[1] * seats)
    assert roles(hall) == sorted(BAGS[seats].split(), key=BAGS[8].split().index)
    last_first = started(seats, *range(seats, 0, -1))
    assert Counter(roles(last_first)) == Counter(BAGS[seats].split())
    assert [event.how for event in hall.found(RoleTaken)] == ["drawn"] * seats


@pytest.mark.rule("SJG-46", "SJG-47")
def test_the_first_salary_is_all_that_moves_at_the_start() -> None:
    """Everybody gets one salary of the role; no utility is charged and no transfer runs."""
    hall = started(4, 1, 1, 1, 1)
    assert hall.paid() == [
        ("bank", "seat:1", 3000), ("bank", "seat:2", 200), ("bank", "seat:3", 500), ("bank", "seat:4", 1000)
    ]  # fmt: skip
    assert {event.rule for event in hall.found(MoneyMoved)} == {"SJG-46"}


@pytest.mark.rule("SJG-17", "SJG-22", "SJG-66", "SJG-69", "SJG-72")
def test_the_owner_rolls_first_and_holds_enron_and_flint() -> None:
    """Then clockwise by places; Froogle is the bank's."""
    hall = started(3, 3, 1, 1)
    assert roles(hall) == ["employee", "owner", "unemployed"]
    assert hall.found(OrderDecided)[0].order == (2, 3, 1)
    assert [(e.square, e.holder) for e in hall.found(TitlePassed)] == [(5, 2), (15, 2)]
    assert hall.state.titles[25].holder == 0
    assert (hall.state.active, hall.asks(2)) == (2, ["turn_start"])
    assert hall.found(RoundStarted)[0].round == 1


@pytest.mark.rule("SJG-2")
def test_seats_choose_from_the_bag_in_seat_order() -> None:
    """What one took is gone for the next; the last of two takes what is left."""
    hall = started(3, assignment="choose")
    assert hall.asks(1) == ["choose_role"]
    hall.act(1, "choose_role", role="employee")
    assert hall.asks(2) == ["choose_role"]
    hall.refuses("out_of_bounds", 2, "choose_role", role="employee")
    hall.act(2, "choose_role", role="unemployed")
    hall.act(3, "choose_role", role="owner")
    assert roles(hall) == ["employee", "unemployed", "owner"]
    assert hall.state.active == 3


@pytest.mark.rule("SJG-2", "SJG-86")
def test_what_nobody_picked_is_dealt_at_the_start() -> None:
    """Who names none gets one of the roles that are left when all have been asked."""
    hall = started(3, assignment="choose", turn_seconds=30)
    hall.expires(1)
    hall.act(2, "draw_role")
    hall.act(3, "choose_role", ("role", 2), ("role", 1), role="owner")
    assert roles(hall) == ["employee", "unemployed", "owner"]
    assert [(event.seat, event.how) for event in hall.found(RoleTaken)] == [(3, "chosen"), (1, "dealt"), (2, "dealt")]


@pytest.mark.rule("SJG-2")
def test_the_last_one_takes_the_owner_when_nobody_else_did() -> None:
    """Exactly one Owner begins, even when a player left before everything was picked."""
    hall = started(3, assignment="choose")
    hall.act(1, "choose_role", role="unemployed")
    hall.leaves(2)
    assert hall.asks(3) == ["choose_role"]
    hall.refuses("out_of_bounds", 3, "choose_role", role="employee")
    hall.act(3, "choose_role", role="owner")
    assert hall.state.active == 3
    assert seat_account(2) not in [payee for _, payee, _ in hall.paid()]


@pytest.mark.rule("SJG-2")
def test_the_last_who_stays_is_the_owner_when_who_had_to_be_leaves() -> None:
    """The last to be asked may take nothing else; gone, she leaves that to the player who is last then."""
    hall = started(3, assignment="choose")
    hall.act(1, "choose_role", role="unemployed").act(2, "choose_role", role="employee").leaves(3)
    assert roles(hall)[:2] == ["unemployed", "owner"]
    assert [held.role for held in hall.state.citizens[2].roles] == ["owner"], "no way through the roles yet"
    assert (hall.state.active, hall.cash(1), hall.cash(2)) == (2, 200, 3000)


@pytest.mark.rule("SJG-2")
def test_an_owner_who_leaves_before_play_begins_is_replaced() -> None:
    """She had chosen it, and went; who was asked last and had to take it went too."""
    hall = started(4, assignment="choose")
    hall.act(1, "choose_role", role="owner").act(2, "choose_role", role="employee").leaves(1)
    hall.act(3, "choose_role", role="unemployed").leaves(4)
    assert roles(hall)[1:3] == ["employee", "owner"]
    assert hall.found(RoleTaken)[-1] == RoleTaken(seat=3, role="owner", how="dealt")


@pytest.mark.rule("SJG-66", "SJG-33")
def test_two_players_have_a_limit_of_rates_unless_they_agreed_otherwise() -> None:
    """Between two the Owner alone can block every vote, so her rates stop at 500."""
    assert started(2, 1, 1).state.options["utility.rate_max"] == 500
    assert "utility.rate_max" not in started(3, 1, 1, 1).state.options
    assert started(2, 1, 1, utility__rate_max=None).state.options["utility.rate_max"] is None


@pytest.mark.rule("SJG-14")
def test_a_banker_is_named_where_a_player_keeps_the_bank() -> None:
    """The seat agreed on, else the host; an automatic bank has none."""
    assert started(3, 1, 1, 1).found(CustodianNamed) == []
    assert started(3, 1, 1, 1, bank="player").state.custodian == 1
    assert started(3, 1, 1, 1, bank="player", banker=3).state.custodian == 3
    with pytest.raises(RuleViolation, match="Nobody sits at 7"):
        started(3, bank="player", banker=7)


@pytest.mark.rule("SJG-46")
def test_starting_values_hold_from_the_first_salary_on() -> None:
    """Hosts may start with any value of what can be voted on."""
    hall = started(2, 1, 1, payday__salary__unemployed=1000)
    assert hall.cash(2) == 1000
