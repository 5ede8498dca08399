"""Who may act for a seat: right in what is played, and found when it was changed."""

import pytest
from msgspec.structs import replace

from events.base import Envelope, Event
from events.play import ActionTaken
from events.store import Store
from projections import evolve as fold
from projections.evolve import AnyState
from projections.ledger.books import Books
from service.audit.verify import StoredHistory, verify
from service.audit.verify.consistency import claims
from service.games.records import NewSeat, RequestContext
from service.games.uptime import Uptime
from service.rules.actions import HandBack, HandOver, Pause, Resume
from tests.support.clocks import SetClock, history, table
from tests.support.planting import plant_seat
from tests.support.played import Table, empty, games_on
from workers.bots import BotMoves


def played() -> Table:
    """A game in which all of it happens."""
    client, clock = empty(), SetClock()
    uptime = Uptime(Store(client).heartbeats, clock)
    games = games_on(client, clock=clock, uptime=uptime)
    uptime.serve()
    uptime.beat()
    club = table(games, turn_seconds=60)
    games.actions.perform(club.game, Pause(), RequestContext(club.host))
    clock.at += 5_000
    games.actions.perform(club.game, Resume(), RequestContext(club.host))
    clock.at += 60_000
    uptime.beat()
    games.watch(club.game, RequestContext())
    games.actions.perform(club.game, HandOver(level="random"), RequestContext(club.tokens[1]), seat=1)
    games.actions.perform(club.game, HandBack(), RequestContext(club.tokens[1]), seat=1)
    games.actions.perform(club.game, HandOver(level="random"), RequestContext(club.host), seat=2)
    code = games.seats.reopen(club.game, 2, RequestContext(club.host)).join_code
    for _ in range(2):
        clock.at += 9_000
        uptime.beat()
        seat = next(iter(club.state.prompts.values())).seat
        if seat == 2:
            BotMoves(games).move(club.game, 2, club.state.seats[2].moves)
    games.seats.sit(club.game, NewSeat(name="Eve"), RequestContext(code))
    games.actions.perform(club.game, HandOver(level="random"), RequestContext(club.host), seat=2)
    games.actions.perform(club.game, HandOver(level="random"), RequestContext(club.host), seat=1)
    for seat in (1, 2):
        clock.at += 9_000
        uptime.beat()
        BotMoves(games).move(club.game, seat, club.state.seats[seat].moves)
    return club


PLAYED = played()
GAME = history(PLAYED)


def before(envelope: Envelope[Event]) -> AnyState:
    return fold.fold(GAME[: envelope.version - 1])


def wrong(state: AnyState, envelope: Envelope[Event]) -> list[str]:
    return [what for what, expected, found in claims(state, Books(), envelope) if expected != found]


def test_the_whole_of_it_is_sound() -> None:
    """No matter who did it: a seat that the host gives to a bot is no forgery."""
    handed = {e.actor for e in GAME if isinstance(e.data, ActionTaken) and e.data.name == "hand_over"}
    assert handed == {"seat:1", "host"}
    assert verify(StoredHistory(PLAYED.store), PLAYED.game).findings == []


@pytest.mark.parametrize("actor", ["system", "clock", "seat:1"])
def test_nobody_but_host_and_holder_gives_a_seat_to_a_bot(actor: str) -> None:
    given = next(
        e for e in GAME if isinstance(e.data, ActionTaken) and e.data.name == "hand_over" and e.actor == "host"
    )
    assert wrong(before(given), replace(given, actor=actor))


def test_a_bot_that_sits_nowhere_is_found() -> None:
    acts = [e for e in GAME if isinstance(e.data, ActionTaken) and e.actor.startswith("bot:")]
    assert acts
    assert all(wrong(before(act), act) == [] for act in acts)
    state = before(acts[0])
    assert wrong(state, replace(acts[0], actor="bot:7"))
    plant_seat(state, acts[0].data.seat, keeper="")  # type: ignore[attr-defined] # an action's data
    assert wrong(state, acts[0])
