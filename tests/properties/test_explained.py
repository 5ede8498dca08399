"""F24: whatever the game and the version, an explanation adds up to the balance of every account."""

from functools import cache

from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from events import chain, codec
from events.base import Envelope, Event
from events.lobby import GameCreated
from events.play import ActionTaken
from events.store import SidecarUpdate
from projections.ledger.books import Books
from service.games.appending import chain_entries
from service.games.games import Games
from service.ledger import entries as books
from service.ledger import explain as explaining
from tests.support.accounting import KINDS, whole_game
from tests.support.played import empty, games_on

GAMES = [(rulebook, 0) for rulebook in KINDS]
CHUNK = 500


@cache
def stored(rulebook: str, number: int) -> tuple[Games, str, list[Envelope[Event]]]:
    """Put a random game into a store."""
    created, *rest = whole_game(rulebook, number)
    assert isinstance(created.data, GameCreated)
    game = f"g{number}"
    envelopes = [replace(created, data=replace(created.data, game=game)), *rest]
    games = games_on(empty())
    link = chain.genesis(game)
    entries = chain_entries(link, envelopes)
    for start in range(0, len(entries), CHUNK):
        part = entries[start : start + CHUNK]
        games.store.streams.append(
            game, part, action=f"a{start}", request="", expected=start, previous=link,
            sidecar=SidecarUpdate(about=b"{}", created=1),
        )  # fmt: skip
        link = part[-1].link
    return games, game, envelopes


def causes(games: Games, game: str, account: str, *, upto: int, limit: int) -> list[explaining.Cause]:
    found: list[explaining.Cause] = []
    after: int | None = 0
    while after is not None:
        page, after = explaining.causes(games.loader, game, account, after=after, upto=upto, limit=limit)
        found += page
    return found


@settings(max_examples=15)
@given(game=st.sampled_from(GAMES), where=st.floats(0, 1), limit=st.integers(10, 100))
def test_an_explanation_adds_up_to_every_balance_at_every_version(
    game: tuple[str, int], where: float, limit: int
) -> None:
    """By reason, and posting by posting, each with the event, the action and the rule that it came of."""
    games, name, envelopes = stored(*game)
    upto = max(1, round(where * len(envelopes)))
    folded = Books()
    for envelope in envelopes[:upto]:
        folded.fold(envelope)
    for account, balance in folded.balances.items():
        assert books.balance_of(games.loader, name, account, at=upto) == balance
        shares = explaining.shares_of(games.loader, name, account, upto=upto)
        found = causes(games, name, account, upto=upto, limit=limit)
        assert sum(share.sum for share in shares) == balance
        assert sum(cause.amount for cause in found) == balance
        assert sum(share.entries for share in shares) == len(found)
        assert all(traced(cause, envelopes) for cause in found)


def traced(cause: explaining.Cause, envelopes: list[Envelope[Event]]) -> bool:
    """Return whether event, action and rule are those that the entry names."""
    event, action = codec.decode(cause.stored.data), codec.decode(cause.action.data)
    between = envelopes[action.version : event.version]
    return (
        event == envelopes[cause.entry.version - 1]
        and action.action == event.action == cause.entry.action
        and isinstance(action.data, ActionTaken)
        and not any(isinstance(other.data, ActionTaken) for other in between)
        and getattr(event.data, "rule", None) == cause.entry.rule
    )
