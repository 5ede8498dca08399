"""`Games` on a real Valkey: one request is one action, whatever is sent twice, lost, late or stale."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace

from events import chain, codec
from events.play import DiceRolled
from events.store import HeadLog, connect
from service.errors import Forbidden, Frozen, KeyReused, NoSuchGame, Stale, Unauthorized
from service.games.games import Games
from service.games.records import NewGame, NewSeat, RequestContext
from service.rules.actions import OfferBets, Roll
from service.rules.timing import GRACE_MS, SETTLE_MS
from service.rules.violations import RuleViolation
from tests.support.played import Table, begun, games_on, play
from tests.support.playing import by_default
from tests.support.proxy import LossyProxy
from tests.support.valkey import Valkey, valkey

SAME = 50


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    with valkey(tmp_path_factory.mktemp("games")) as running:
        yield running


@pytest.fixture
def games(server: Valkey) -> Games:
    return games_on(connect(server.url))


@pytest.fixture
def club(games: Games, request: pytest.FixtureRequest) -> Table:
    return begun(games, f"{request.node.name}-club")


def movement_rolls(games: Games, game: str) -> int:
    entries = games.store.streams.read(game)
    events = [codec.decode(entry.data).data for entry in entries]
    return sum(isinstance(event, DiceRolled) and event.purpose == "movement" for event in events)


def active(club: Table) -> tuple[Roll, RequestContext]:
    seat, action = by_default(club.state)
    assert isinstance(action, Roll)
    return action, RequestContext(token=club.tokens[seat], key="the key", digest="the body")


def test_one_key_sent_fifty_times_at_once_is_one_roll(server: Valkey, club: Table) -> None:
    """A1: equal answers, one movement roll; also when the turn has passed, and by another process."""
    action, ask = active(club)
    rolls = movement_rolls(club.games, club.game)
    others = [games_on(connect(server.url)) for _ in range(5)]
    with ThreadPoolExecutor(SAME) as pool:
        answers = list(pool.map(lambda n: others[n % 5].actions.perform(club.game, action, ask), range(SAME)))
    assert len({tuple(answer.entries) for answer in answers}) == 1
    assert sum(not answer.repeated for answer in answers) == 1
    assert movement_rolls(club.games, club.game) == rolls + 1
    while club.state.prompts and club.state.active == answers[0].envelopes[0].data.seat:
        club.step()
    assert club.games.actions.perform(club.game, action, ask).entries == answers[0].entries


def test_creating_and_sitting_down_give_equal_answers_too(server: Valkey) -> None:
    """S9: fifty creations with one key are one game; fifty times sitting down are one seat with one token."""
    several = [games_on(connect(server.url)) for _ in range(5)]
    new, ask = NewGame("public_assistance"), RequestContext(key="one game", digest="d")
    with ThreadPoolExecutor(SAME) as pool:
        created = list(pool.map(lambda n: several[n % 5].opening.create(new, ask), range(SAME)))
    assert len({(made.answer.game, made.host_token, made.join_code) for made in created}) == 1
    game, join = created[0].answer.game, created[0].join_code
    sit = RequestContext(token=join, key="Ann sits", digest="d")
    with ThreadPoolExecutor(SAME) as pool:
        seated = list(pool.map(lambda n: several[n % 5].seats.sit(game, NewSeat(name="Ann"), sit), range(SAME)))
    assert len({(taken.seat, taken.token) for taken in seated}) == 1
    assert len(several[0].loader.load(game).state.seats) == 1


def test_fifty_keys_for_one_state_are_one_roll_and_49_times_stale(server: Valkey, club: Table) -> None:
    action, ask = active(club)
    several = [games_on(connect(server.url)) for _ in range(5)]
    tag = club.games.loader.load(club.game).etag

    def send(number: int) -> str:
        try:
            several[number % 5].actions.perform(club.game, action, replace(ask, key=f"key {number}", if_match=(tag,)))
        except Stale as stale:
            return f"stale since {codec.decode(stale.missed[0].data).version}"
        return "done"

    rolls = movement_rolls(club.games, club.game)
    with ThreadPoolExecutor(SAME) as pool:
        outcomes = list(pool.map(send, range(SAME)))
    missed = f"stale since {int(tag.split('-')[0]) + 1}"
    assert (outcomes.count("done"), outcomes.count(missed)) == (1, SAME - 1)
    assert movement_rolls(club.games, club.game) == rolls + 1


def test_two_clicks_are_one_roll(club: Table) -> None:
    """A second click, even when the seat's next turn comes at once, is refused: its prompt is gone."""
    action, ask = active(club)
    club.games.actions.perform(club.game, action, ask)
    version = club.state.version
    with pytest.raises(RuleViolation) as refused:
        club.games.actions.perform(club.game, action, replace(ask, key="second click"))
    assert refused.value.refusal.code == "prompt_gone"
    assert club.state.version == version


def test_a_key_is_for_one_request(club: Table) -> None:
    """S7: the same key with another body is refused, and the first result stands."""
    action, ask = active(club)
    first = club.games.actions.perform(club.game, action, ask)
    with pytest.raises(KeyReused):
        club.games.actions.perform(club.game, action, replace(ask, digest="another body"))
    assert club.games.actions.perform(club.game, action, ask).entries == first.entries


def test_a_refused_key_may_be_sent_again(club: Table) -> None:
    """Only success is remembered."""
    action, ask = active(club)
    wrong = Roll(prompt="p1")
    with pytest.raises(RuleViolation):
        club.games.actions.perform(club.game, wrong, ask)
    assert not club.games.actions.perform(club.game, action, ask).repeated


def test_ten_illegal_actions_leave_no_trace(club: Table) -> None:
    """A4: the version is not bumped by what is refused."""
    _, ask = active(club)
    before = club.games.store.streams.head(club.game)
    for number in range(10):
        with pytest.raises(RuleViolation):
            club.games.actions.perform(
                club.game, OfferBets(horses=True, lottery=True, max_stake=5), replace(ask, key=f"{number}")
            )
    assert club.games.store.streams.head(club.game) == before


@pytest.mark.parametrize("lost", [1, 3, 20])
def test_lost_replies_are_one_event_and_the_right_answer(
    server: Valkey, club: Table, tmp_path: Path, lost: int
) -> None:
    """S1: the store has done it, the reply never comes; the service asks again and answers as if nothing had been."""
    action, ask = active(club)
    with LossyProxy(server.socket, tmp_path) as proxy:
        behind = games_on(connect(proxy.url))
        behind.loader.load(club.game)
        proxy.lose(lost, to=b"EVALSHA")
        answer = behind.actions.perform(club.game, action, ask)
    assert proxy.lost == lost
    entries = club.games.store.streams.read(club.game, after=answer.first - 1)
    assert [entry.data for entry in entries] == [entry.data for entry in answer.entries]
    assert club.state.version == answer.version


def test_a_service_that_lags_behind_catches_up_on_the_conflict(server: Valkey, club: Table) -> None:
    """Nothing is answered from a cache that is old: neither a refusal nor a success."""
    lagging = games_on(connect(server.url))
    lagging.loader.load(club.game)
    for _ in range(6):
        club.step()
    seat, action = by_default(club.state)
    answer = lagging.actions.perform(club.game, action, RequestContext(token=club.tokens[seat]))
    assert answer.first == club.state.version - len(answer.envelopes) + 1


def test_tokens_are_for_their_seat_and_a_renewed_one_is_dead_everywhere(server: Valkey, club: Table) -> None:
    games, game = club.games, club.game
    other = games_on(connect(server.url))
    other.loader.load(game)
    seat, action = by_default(club.state)
    old = club.tokens[seat]
    with pytest.raises(Unauthorized):
        games.actions.perform(game, action, RequestContext())
    with pytest.raises(Unauthorized):
        games.actions.perform(game, action, RequestContext(token="guessed"))
    with pytest.raises(Forbidden):
        games.actions.perform(game, action, RequestContext(token=club.host))
    with pytest.raises(Forbidden):
        games.seats.renew(game, seat, RequestContext(token=old))
    renewed = games.seats.renew(game, seat, RequestContext(token=club.host, key="again"))
    assert games.seats.renew(game, seat, RequestContext(token=club.host, key="again")).token == renewed.token != old
    with pytest.raises(Unauthorized):
        other.actions.perform(game, action, RequestContext(token=old))
    assert other.actions.perform(game, action, RequestContext(token=renewed.token)).envelopes


def test_a_private_game_is_unknown_to_strangers(games: Games) -> None:
    created = games.opening.create(NewGame("public_assistance", private=True), RequestContext(key="private"))
    game = created.answer.game
    for token in (None, "guessed"):
        with pytest.raises(NoSuchGame):
            games.watch(game, RequestContext(token=token))
    for token in (created.host_token, created.watch_token, created.join_code):
        loaded, _ = games.watch(game, RequestContext(token=token))
        assert loaded.state.game == game


def test_a_deleted_stream_is_never_begun_again(club: Table) -> None:
    """S20: a fold that is ahead of the store freezes the game and says so."""
    action, ask = active(club)
    client = club.games.store.client
    for key in ("ev", "hd", "op", "tx", "tk", "sk"):
        client.execute_command("DEL", f"rb:{{{_bucket(club.game)}}}:{club.game}:{key}")
    with pytest.raises(Frozen):
        club.games.actions.perform(club.game, action, ask)


def _bucket(game: str) -> str:
    from events.store.keys import bucket_of  # noqa: PLC0415 # only this test reaches behind the store

    return f"{bucket_of(game):02d}"


def test_a_passed_deadline_comes_first_and_counts_by_receipt(server: Valkey) -> None:
    """The first caller after the deadline makes the default happen, once; a move for that prompt is too late."""
    games = games_on(connect(server.url))
    club = begun(games, "timed", turn_seconds=5)
    loaded = games.loader.load(club.game)
    (prompt,) = loaded.state.prompts.values()
    assert prompt.deadline is not None
    late = Roll(prompt=prompt.prompt)
    asked = RequestContext(token=club.tokens[prompt.seat])
    games.clock.now = lambda: prompt.deadline + GRACE_MS + 1  # type: ignore[operator, method-assign] # the test's
    with pytest.raises(RuleViolation) as refused:
        games.actions.perform(club.game, late, asked)
    assert refused.value.refusal.code == "too_late"
    games.clock.now = lambda: prompt.deadline + GRACE_MS + SETTLE_MS  # type: ignore[operator, method-assign] # the same
    watched, _ = games.watch(club.game, RequestContext())
    assert prompt.prompt not in watched.state.prompts
    again, _ = games_on(connect(server.url)).watch(club.game, RequestContext())
    assert again.state.version == watched.state.version
    last = codec.decode(games.store.streams.read(club.game, after=loaded.state.version)[0].data)
    assert last.actor == "clock"


def test_heads_are_noted_outside_the_store(server: Valkey, tmp_path: Path) -> None:
    """A game whose tail is lost is named at the next start."""
    heads = HeadLog(tmp_path / "heads.log")
    games = games_on(connect(server.url), heads=heads)
    club = play(begun(games, "noted"))
    assert heads.compare(games.store.streams) == []
    line = (tmp_path / "heads.log").read_text().splitlines()[-1]
    head = games.store.streams.head(club.game)
    assert head is not None
    assert line == f"{club.game} {head.version} {head.link.hex()}"
    stored = [entry.data for batch in games.store.streams.stream(club.game) for entry in batch]
    assert head.link == chain.links(chain.genesis(club.game), stored)[-1]
