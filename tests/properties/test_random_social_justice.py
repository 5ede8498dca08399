"""What holds of every game of The Social Justice Game, shown on random ones of two to eight seats."""

from functools import cache

import pytest

from events.lobby import SecretRevealed
from events.play import BooksAttested, ChainStopped, DebtForgiven, MoneyMoved
from events.social_justice.deals import LoanInherited
from events.social_justice.events import Enlisted, TourEnded
from events.social_justice.politics import PrisonerPardoned, TransferLeftOut, TroopsWithdrawn
from service.rules.rulebooks import SOCIAL_JUSTICE
from tests.properties.games_social_justice import play
from tests.properties.test_random_games import keeps_every_promise
from tests.support.kinds import OF_SOCIAL_JUSTICE, OUTSIDE

SLICE = range(12)
WIDE = range(150)
MANY = range(1_000, 3_000)

NEVER = {SecretRevealed, ChainStopped, DebtForgiven, BooksAttested, TransferLeftOut}
SELDOM = {LoanInherited, TroopsWithdrawn, PrisonerPardoned, Enlisted, TourEnded}
SELDOM_DONE = {"use_pass", "pay_bail", "take_house", "free_prisoner", "withdraw_troops", "enlist", "gentrify"}
"""What takes luck even then: scenarios show it."""

played = cache(play)


@pytest.mark.parametrize("seed", SLICE)
def test_random_games_keep_every_promise(seed: int) -> None:
    """The game of a seed, from the lobby to its end, played by anybody in any way."""
    keeps_every_promise(played(seed))


@pytest.mark.long
@pytest.mark.parametrize("first", MANY[::50])
def test_thousands_of_random_games_keep_every_promise(first: int) -> None:
    """The same, fifty seeds at a time."""
    for seed in range(first, first + 50):
        keeps_every_promise(play(seed))


@pytest.mark.long
def test_the_games_show_events_and_actions_of_every_kind() -> None:
    """What never happens in them would be shown of nothing. No chain of this deck is long enough to be stopped."""
    games = [played(seed) for seed in WIDE]
    seen = {type(envelope.data) for game in games for envelope in game.envelopes}
    assert OF_SOCIAL_JUSTICE - OUTSIDE - seen - NEVER - SELDOM == set()
    taken = {getattr(e.data, "name", "") for game in games for e in game.envelopes}
    every = {str(choice.__struct_config__.tag) for choice in SOCIAL_JUSTICE.choices}
    assert every - taken - SELDOM_DONE == set()
    assert {len(game.state.seats) for game in games} == {2, 3, 4, 5, 6, 7, 8}
    assert {game.state.reason for game in games} == {"completed", "abandoned", "last_standing", "motion"}


@pytest.mark.long
def test_every_posting_names_its_rule() -> None:
    """From the first salary to the last estate. A rate for Froogle at a Payday takes luck: scenarios show it."""
    rules = {e.data.rule for seed in WIDE for e in played(seed).envelopes if isinstance(e.data, MoneyMoved)}
    assert rules >= {
        "SJG-4b", "SJG-9", "SJG-10", "SJG-14", "SJG-16", "SJG-20", "SJG-24", "SJG-26", "SJG-28", "SJG-30", "SJG-31",
        "SJG-33", "SJG-37", "SJG-46", "SJG-47", "SJG-59", "SJG-65", "SJG-67", "SJG-68", "SJG-70", "SJG-71",
    }  # fmt: skip
