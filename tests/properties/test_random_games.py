"""What holds of every game, shown on random ones: books, decks, prompts, folding, refusals, execution again."""

import random

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


@pytest.mark.long
@pytest.mark.parametrize("first", MANY[::100])
def test_thousands_of_random_games_keep_every_promise(first: int) -> None:
    """The same, a hundred seeds at a time."""
    for seed in range(first, first + 100):
        keeps_every_promise(play(seed))


def test_random_games_keep_every_promise_and_show_all_there_is() -> None:
    """Games from the lobby to the end, played by anybody in any way.

    What never happens in them would be shown of nothing. No chain on this board is long enough to be stopped; a refusal
    that is never met leaves its check idle; from the opening allowance to the tax, each rule that moves money is named.
    """
    games = [play(seed) for seed in SLICE]
    for game in games:
        keeps_every_promise(game)
    seen = {type(envelope.data) for game in games for envelope in game.envelopes}
    assert OF_PUBLIC_ASSISTANCE - OUTSIDE - seen == {SecretRevealed, ChainStopped}
    taken = {getattr(e.data, "name", "") for game in games for e in game.envelopes}
    assert {str(choice.__struct_config__.tag) for choice in CHOICES} - taken == set()
    refused = {code for game in games for code in game.refusals}
    assert refused >= {
        "prompt_gone", "not_your_prompt", "wrong_prompt", "out_of_bounds", "one_bet_a_turn", "no_bets_in_jail",
        "no_bets_in_rut", "only_in_rut", "no_notes", "no_cheat", "option_off", "seat_left", "game_started",
        "not_started", "bet_not_covered", "empty_offer",
    }  # fmt: skip
    rules = {e.data.rule for game in games for e in game.envelopes if isinstance(e.data, MoneyMoved)}
    assert rules == {
        "PA-7", "PA-10", "PA-11", "PA-13", "PA-15", "PA-16", "PA-18", "PA-19", "PA-23", "PA-25", "PA-28", "PA-33",
        "PA-34", "PA-36", "PA-38", "PA-40", "PA-42", "PA-45", "PA-46", "PA-50", "PA-56",
    }  # fmt: skip
