"""What holds of every game, shown on random ones: books, decks, prompts, folding, refusals, execution again."""

import random
from functools import cache

import pytest

from events.lobby import SecretRevealed
from events.play import ChainStopped, MoneyMoved
from projections import evolve as folding
from service.rules.public_assistance.choices import CHOICES
from tests.properties.games import RandomGame, play
from tests.support.executed import execute
from tests.support.invariants import repeated_coordinates
from tests.support.kinds import OF_PUBLIC_ASSISTANCE, OUTSIDE
from tests.support.packed import packed, state_from

SLICE = range(45)
MANY = range(1_000, 4_000)

played = cache(play)


def keeps_every_promise(game: RandomGame) -> None:
    """Check what is seen on a whole game; what holds after every event was seen while it was played."""
    envelopes, whole = game.envelopes, packed(folding.fold(game.envelopes))
    assert whole == packed(game.state), (game.seed, "snapshots and the full fold differ")
    cut = random.Random(game.seed).randrange(1, len(envelopes))
    prefix = state_from(packed(folding.fold(envelopes[:cut])))
    assert packed(folding.fold(envelopes[cut:], prefix)) == whole, (game.seed, f"fold cut at {cut} differs")
    assert [e.version for e in envelopes] == list(range(1, len(envelopes) + 1)), game.seed
    assert repeated_coordinates(envelopes) == [], game.seed
    assert list(execute(envelopes)) == [], (game.seed, "executed again, the events differ")


@pytest.mark.parametrize("seed", SLICE)
def test_random_games_keep_every_promise(seed: int) -> None:
    """The game of a seed, from the lobby to its end, played by anybody in any way."""
    keeps_every_promise(played(seed))


@pytest.mark.long
@pytest.mark.parametrize("first", MANY[::100])
def test_thousands_of_random_games_keep_every_promise(first: int) -> None:
    """The same, a hundred seeds at a time."""
    for seed in range(first, first + 100):
        keeps_every_promise(play(seed))


def test_the_games_show_every_event_and_every_action() -> None:
    """What never happens in them would be shown of nothing. No chain on this board is long enough to be stopped."""
    games = [played(seed) for seed in SLICE]
    seen = {type(envelope.data) for game in games for envelope in game.envelopes}
    assert OF_PUBLIC_ASSISTANCE - OUTSIDE - seen == {SecretRevealed, ChainStopped}
    taken = {getattr(e.data, "name", "") for game in games for e in game.envelopes}
    assert {str(choice.__struct_config__.tag) for choice in CHOICES} - taken == set()


def test_the_games_show_refusals_of_many_kinds() -> None:
    """A refusal that is never met leaves its check idle."""
    refused = {code for seed in SLICE for code in played(seed).refusals}
    assert refused >= {
        "prompt_gone", "not_your_prompt", "wrong_prompt", "out_of_bounds", "one_bet_a_turn", "no_bets_in_jail",
        "no_bets_in_rut", "only_in_rut", "no_notes", "no_cheat", "option_off", "seat_left", "game_started",
        "not_started", "bet_not_covered", "empty_offer",
    }  # fmt: skip


def test_every_posting_names_its_rule() -> None:
    """From the opening allowance to the tax: the rules that move money are these."""
    rules = {e.data.rule for seed in SLICE for e in played(seed).envelopes if isinstance(e.data, MoneyMoved)}
    assert rules == {
        "PA-7", "PA-10", "PA-11", "PA-13", "PA-15", "PA-16", "PA-18", "PA-19", "PA-23", "PA-25", "PA-28", "PA-33",
        "PA-34", "PA-36", "PA-38", "PA-40", "PA-42", "PA-45", "PA-46", "PA-50", "PA-56",
    }  # fmt: skip
