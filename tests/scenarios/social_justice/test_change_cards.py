"""Change cards: drawing, for whom they are, and what each does (SJG-37, SJG-38)."""

import pytest

from events.play import CardDrawn, CardKept, CardReturned
from events.social_justice.events import CardIgnored, HouseAdded, Jailed, RoleChanged, TokenMoved
from tests.scenarios.social_justice.politics import EMPLOYEE, MANAGER, OWNER, UNEMPLOYED, Hall, Sitter, hall
from tests.support.planting import plant_deck

SEATS = (OWNER, UNEMPLOYED, EMPLOYEE, MANAGER)


def draws(card: str, active: int = 2, *more: tuple[str, int | str], square: int = 1, **things: object) -> Hall:
    """A seat lands on Change and draws a card."""
    seats: list[Sitter] = [*SEATS]
    titles = things.pop("titles", {})
    seats[active - 1] = seats[active - 1].at(square, **things)
    return hall(*seats, active=active, titles=titles).rolls(1, ("card", card), *more)  # type: ignore[arg-type] # titles are a dict


@pytest.mark.rule("SJG-37")
def test_the_card_is_public_and_goes_to_the_bottom() -> None:
    """Its text stands in the event; the used card lies at the bottom."""
    game = draws("CH15")
    assert [(e.card, e.text) for e in game.found(CardDrawn)] == [("CH15", "Mutual-aid fund.")]
    assert game.found(CardReturned)
    assert game.state.decks["change"].returned == ("CH15",)
    assert game.paid() == [("bank", "seat:2", 100)]


@pytest.mark.rule("SJG-38")
def test_a_card_for_other_roles_does_nothing() -> None:
    """It is drawn all the same; a pass for others is not kept."""
    assert draws("CH05").found(CardIgnored)[0].why == "other_role"
    owner = draws("CH01", active=1)
    assert (owner.found(CardKept), owner.state.citizens[1].kept) == ([], ())


@pytest.mark.rule("SJG-37", "SJG-64")
def test_a_pass_is_kept() -> None:
    """Held until it is used."""
    game = draws("CH01")
    assert game.found(CardKept)
    assert game.state.citizens[2].kept == ("CH01",)
    assert game.state.decks["change"].returned == ()


@pytest.mark.rule("SJG-37")
def test_a_deck_without_unseen_cards_gives_back_the_first_returned() -> None:
    """No chance is asked then."""
    game = hall(OWNER, UNEMPLOYED.at(1), active=2)
    unseen = game.state.decks["change"].unseen
    others = sorted((card for card, count in unseen.items() for _ in range(count) if card != "CH15"), reverse=True)
    plant_deck(game.state, "change", returned=("CH15", *others, "CH15"), unseen={})
    game.rolls(1)
    assert [(e.card, e.coordinate) for e in game.found(CardDrawn)] == [("CH15", "")]


@pytest.mark.rule("SJG-38")
def test_a_card_for_all_pays_each_of_its_roles_from_the_left() -> None:
    """The drawer last; a player in another role gets nothing."""
    assert draws("CH10").paid() == [("bank", f"seat:{seat}", 200) for seat in (3, 4, 1, 2)]
    assert draws("CH16", active=1).paid() == [("bank", "seat:2", 100), ("bank", "seat:3", 100)]


@pytest.mark.rule("SJG-38")
def test_a_card_of_the_table_works_whoever_draws_it() -> None:
    """The holder of a utility pays every other player; nobody does when the bank holds it."""
    assert draws("CH18").paid() == [("seat:1", f"seat:{seat}", 50) for seat in (3, 4, 2)]
    assert draws("CH23").found(CardIgnored)[0].why == "nothing_to_do"
    assert draws("CH23", titles={25: (4, 0)}).paid() == [("seat:4", f"seat:{seat}", 25) for seat in (3, 1, 2)]


@pytest.mark.rule("SJG-37")
@pytest.mark.parametrize(
    ("card", "active", "amount"), [("CH11", 3, -50), ("CH12", 4, 300), ("CH13", 1, 1000), ("CH14", 4, -150)]
)
def test_collecting_and_paying(card: str, active: int, amount: int) -> None:
    """From the bank, or to it."""
    assert draws(card, active).cash(active) == 5000 + amount


@pytest.mark.rule("SJG-37")
def test_paying_for_each_house_and_for_each_unemployed() -> None:
    """25 for each house that one owns; 200 to each Unemployed player."""
    assert draws("CH17", titles={38: (2, 2), 39: (2, 1)}).paid() == [("seat:2", "bank", 75)]
    assert draws("CH17").paid() == []
    assert draws("CH27", active=1).paid() == [("seat:1", "seat:2", 200)]


@pytest.mark.rule("SJG-37")
@pytest.mark.parametrize(
    ("card", "active", "role"),
    [("CH06", 3, "unemployed"), ("CH07", 2, "employee"), ("CH08", 4, "employee"), ("CH09", 3, "manager")],
)
def test_a_card_changes_the_role_at_once(card: str, active: int, role: str) -> None:
    """Die and salary from the next use."""
    assert [e.role for e in draws(card, active).found(RoleChanged)] == [role]


@pytest.mark.rule("SJG-37", "SJG-61")
def test_a_card_sends_to_jail() -> None:
    """As Go to Jail does."""
    assert draws("CH02", 2, ("jail", 2)).found(Jailed)[0].turns == 2
    assert draws("CH03", 4, ("jail", 1)).found(Jailed)


@pytest.mark.rule("SJG-37", "SJG-59")
def test_the_hospital_is_reached_directly() -> None:
    """No Payday on the way, and the bill is due there."""
    game = draws("CH04", square=36)
    assert [(e.to_square, e.how) for e in game.found(TokenMoved)] == [(37, "roll"), (13, "direct")]
    assert game.paid() == [("seat:2", "bank", 400)]


@pytest.mark.rule("SJG-37", "SJG-47", "SJG-48")
def test_advancing_collects_on_the_way_and_offers_what_is_at_its_end() -> None:
    """Payday is paid once; College and Military ask on arrival, and not when they are merely passed."""
    payday = draws("CH20", square=7)
    assert payday.paid(reason="salary") == [("bank", "seat:2", 200)]
    assert [e.to_square for e in payday.found(TokenMoved)] == [8, 0]
    college = draws("CH21", square=36)
    assert college.paid(reason="salary") == [("bank", "seat:2", 200)]
    assert (college.state.citizens[2].square, college.asks(2)) == (10, ["aid"])
    military = draws("CH22", square=1)
    assert (military.state.citizens[2].square, military.asks(2)) == (30, ["enlist"])


@pytest.mark.rule("SJG-37", "SJG-61", "SJG-86")
def test_pay_or_go_to_jail() -> None:
    """Her choice; absent, she pays if she can, else goes."""
    paying = draws("CH25").act(2, "pay_fine")
    assert paying.paid() == [("seat:2", "bank", 100)]
    assert draws("CH25").act(2, "go_to_jail", ("jail", 4)).state.citizens[2].jail_turns == 4
    poor = draws("CH25", cash=99)
    poor.refuses("cash_too_short", 2, "pay_fine")
    absent = hall(OWNER, UNEMPLOYED.at(1, cash=99), active=2, options={"turn_seconds": 9})
    absent.rolls(1, ("card", "CH25")).expires(2, ("jail", 1))
    assert absent.found(Jailed)
    rich = hall(OWNER, UNEMPLOYED.at(1), active=2, options={"turn_seconds": 9}).rolls(1, ("card", "CH25")).expires(2)
    assert rich.paid() == [("seat:2", "bank", 100)]


@pytest.mark.rule("SJG-37", "SJG-86")
def test_a_free_house_goes_where_one_wishes() -> None:
    """On an own property with room; absent, on the one of the highest list price; none, nothing."""
    game = draws("CH26", titles={1: (2, 0), 38: (2, 0)})
    game.refuses("out_of_bounds", 2, "take_house", square=3)
    game.act(2, "take_house", square=1)
    assert [(e.square, e.why) for e in game.found(HouseAdded)] == [(1, "card")]
    assert game.paid() == []
    seats = (OWNER, UNEMPLOYED.at(1))
    titles = {1: (2, 0), 36: (2, 3), 38: (2, 0), 39: (2, 0)}
    absent = hall(*seats, active=2, titles=titles, options={"turn_seconds": 9})
    assert absent.rolls(1, ("card", "CH26")).expires(2).found(HouseAdded)[0].square == 38
    assert draws("CH26").found(CardIgnored)[0].why == "nothing_to_do"


@pytest.mark.rule("SJG-37")
def test_several_draws_stop_once_the_token_has_moved() -> None:
    """`change.draws`: the rest lapses after a directed move."""
    seats = (OWNER, UNEMPLOYED.at(1))
    both = hall(*seats, active=2, options={"change.draws": 2}).rolls(1, ("card", "CH15"), ("card", "CH19"))
    assert [amount for _, _, amount in both.paid()] == [100, 100]
    moved = hall(*seats, active=2, options={"change.draws": 3}).rolls(1, ("card", "CH22"))
    assert len(moved.found(CardDrawn)) == 1
