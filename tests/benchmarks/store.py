"""What the store costs: appends, rebuilding a long game, seeking in it, and an action in a short and a long one."""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from msgspec.structs import replace

from events import chain
from events.base import Envelope, Event
from events.store import Client, Entry, SidecarUpdate, Store, connect
from events.store.keys import game_keys
from projections import storage
from projections.replay import begin, replay
from service.games.appending import chain_entries
from service.games.games import Games
from service.games.records import RequestContext
from service.rules import actions as a
from service.rules.decide import Command, decide
from service.rules.dice import NoDice
from tests.benchmarks.rates import median, rate
from tests.projections.streams import long_game
from tests.support import played
from tests.support.kinds import pa
from tests.support.played import begun, games_on

LONG = 50_000
REBUILT = "rebuilt"
REBUILDS = 15  # over several seconds: a shared machine is slow for some at a time
TURNS = 5_555  # of a synthetic game: a little more than LONG events
SEEKS = 200
ACTIONS = 300
CHUNK = 500


@dataclass(frozen=True)
class StoreFigures:
    """What `make bench` writes down about the store."""

    append_calls_per_s: float
    rebuild_events_per_s: float
    eventsourcing_events_per_s: float
    xrange_events_per_s: float
    seek_ms_median: float
    action_cost_ratio_50k_to_100: float


def measure(url: str, say: Callable[[str], None]) -> StoreFigures:
    """Measure on one store, in one run."""
    client = connect(url)
    games = games_on(client)
    appends = append_rate(games.store)
    say(f"append of one event, one connection: {appends:,.0f} calls/s")
    rebuilt, raw = rebuild_rate(games, client)
    theirs = eventsourcing_rate()
    say(f"rebuild of {LONG:,} events (read, chain verified, state and ledger folded): {rebuilt:,.0f} events/s")
    say(f"  XRANGE alone: {raw:,.0f} events/s; eventsourcing on SQLite: {theirs:,.0f} events/s")
    say(f"  ratio to eventsourcing: {rebuilt / theirs:.1f} (aim: at least 4)")
    seek = seek_ms(games)
    say(f"seek to a random version of {LONG:,}: median {seek:.2f} ms (aim: at most 5)")
    ratio = action_cost_ratio(games)
    say(f"cost of an action at {LONG:,} events to that at 100: {ratio:.2f} (aim: at most 1.2)")
    return StoreFigures(appends, rebuilt, theirs, raw, seek, ratio)


def append_rate(store: Store) -> float:
    """Append single events to one game."""
    first = long_game(1)[0]
    entry = chain_entries(chain.genesis("appends"), [first])[0]
    count = 2_000

    def work() -> None:
        game = f"a{secrets.token_hex(8)}"
        for version in range(count):
            store.streams.append(
                game,
                [Entry(entry.data, entry.link)],
                action=f"{game}{version}",
                request="",
                expected=version,
                previous=entry.link,
                sidecar=SidecarUpdate(about=b"{}", created=1),
            )

    return rate(count, work, rounds=3)


def write(store: Store, game: str, entries: list[Entry]) -> None:
    """Put a stream of entries into the store."""
    link = chain.genesis(game)
    for start in range(0, len(entries), CHUNK):
        part = entries[start : start + CHUNK]
        store.streams.append(
            game,
            part,
            action=f"{game}{start}",
            request="",
            expected=start,
            previous=link,
            sidecar=SidecarUpdate(about=b"{}", created=1, secret=b"s" * 32),
        )
        link = part[-1].link


def rebuild_rate(games: Games, client: Client) -> tuple[float, float]:
    """Rebuild a long game from its stream; and read the same stream without doing anything with it."""
    store = games.store
    created, *rest = long_game(TURNS)[:LONG]
    assert len(rest) == LONG - 1
    first = replace(created, data=replace(created.data, game=REBUILT))
    write(store, REBUILT, chain_entries(chain.genesis(REBUILT), [first, *rest]))

    def rebuild() -> None:
        done = replay(store.streams.stream(REBUILT, ahead=True), *begin(REBUILT))
        assert done.version == LONG

    def read() -> None:
        for start in range(0, LONG, 1000):
            client.execute_command(b"XRANGE", game_keys(REBUILT).stream, f"{start + 1}-0", f"{start + 1000}-0")

    return rate(LONG, rebuild, REBUILDS), rate(LONG, read, REBUILDS)


class Tally(Aggregate):
    """As small an aggregate as `eventsourcing` can replay."""

    @event("Opened")
    def __init__(self) -> None:
        self.total = 0

    @event("Counted")
    def count(self, amount: int, reason: str, payer: str, payee: str) -> None:
        """Add up."""
        self.total += amount


def eventsourcing_rate() -> float:
    """Replay as many events with the `eventsourcing` library on SQLite."""
    with TemporaryDirectory() as folder:
        application: Application[UUID] = Application(
            env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(Path(folder) / "events.db")}
        )
        tally = Tally()
        for number in range(LONG - 1):
            tally.count(amount=number, reason="block", payer="seat:1", payee="custodian")
            if number % 5_000 == 0:
                application.save(tally)
        application.save(tally)

        def work() -> None:
            found: Tally = application.repository.get(tally.id)
            assert found.version == LONG

        return rate(LONG, work, rounds=3)


def seek_ms(games: Games) -> float:
    """Read state and books at random versions of the long game, with its keyframes made."""
    games.loader.save_keyframes(REBUILT)
    times = []
    for _ in range(SEEKS):
        version = secrets.randbelow(LONG) + 1
        started = perf_counter()
        found = games.loader.at(REBUILT, version)
        times.append(1000 * (perf_counter() - started))
        assert found.version == version
    assert storage.EVERY <= 1000
    return median(times)


def action_cost_ratio(games: Games) -> float:
    """Compare one kind of action in a game of 100 events with the same in one of 50,000."""
    short = begun(games, secrets.token_hex(8), player_bets=True)
    while short.state.version < 100:
        toggle(short, games)
    lengthened = begun(games, secrets.token_hex(8), player_bets=True)
    lengthen(games, lengthened)
    costs = {"short": [], "long": []}  # type: dict[str, list[float]]
    for _ in range(ACTIONS):  # in turns, so that the machine's moods hit both alike
        costs["short"].append(timed(short, games))
        costs["long"].append(timed(lengthened, games))
    return median(costs["long"]) / median(costs["short"])


def toggle(club: played.Table, games: Games) -> None:
    """Post and withdraw an offer: an action that is always open and never ends the game."""
    offered = pa(games.loader.load(club.game).state).players[1].offer
    action = a.WithdrawBets() if offered else a.OfferBets(horses=True, lottery=False, max_stake=1)
    games.actions.perform(club.game, action, RequestContext(token=club.tokens[1]))


def timed(club: played.Table, games: Games) -> float:
    """Take the time of one action."""
    offered = games.loader.cached(club.game)
    assert offered is not None
    action = (
        a.WithdrawBets() if pa(offered.state).players[1].offer else a.OfferBets(horses=True, lottery=False, max_stake=1)
    )
    started = perf_counter()
    games.actions.perform(club.game, action, RequestContext(token=club.tokens[1]))
    return perf_counter() - started


def lengthen(games: Games, club: played.Table) -> None:
    """Bring a real game to 50,000 events by offers posted and withdrawn, decided in process and written in chunks."""
    loaded = games.loader.load(club.game)
    state, envelopes = loaded.state, list[Envelope[Event]]()
    while state.version < LONG:
        action = (
            a.WithdrawBets() if pa(state).players[1].offer else a.OfferBets(horses=True, lottery=False, max_stake=1)
        )
        decision = decide(state, Command(action, 1, "seat:1", f"{state.version:064x}", 0), NoDice(), at=state.at)
        state = decision.state
        envelopes += decision.envelopes
    store, link, start = games.store, loaded.link, loaded.state.version
    entries = chain_entries(link, envelopes)
    for at in range(0, len(entries), CHUNK):
        part = entries[at : at + CHUNK]
        store.streams.append(
            club.game, part, action=f"long{at}", request="", expected=start + at, previous=link,
            sidecar=SidecarUpdate(about=b"{}"),
        )  # fmt: skip
        link = part[-1].link
    games.loader.save_keyframes(club.game)
    games.loader.load(club.game)
