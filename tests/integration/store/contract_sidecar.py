"""What every server must do for all that lies beside the streams: one suite, run against each of them."""

from typing import Any

import pytest

from events.store import (
    Appended,
    Client,
    Erased,
    Head,
    Keyframes,
    Listed,
    SidecarUpdate,
    Store,
    StoreError,
    StreamDamaged,
    VersionConflict,
    WrongBuckets,
)
from events.store.keys import BUCKETS, BUCKETS_KEY, bucket_of, erased_key, game_keys
from tests.integration.store.contract import contents
from tests.integration.store.moves import START, add, chained, new_game
from tests.support.waiting import waiting

LINK = bytes(range(32))


class SidecarContract:
    """Subclasses give the fixture `client`."""

    @pytest.fixture
    def store(self, client: Client) -> Store:
        return Store(client)

    def test_the_first_append_alone_sets_secret_and_creation(self, store: Store) -> None:
        game = new_game()
        add(
            store,
            game,
            b"one",
            sidecar=SidecarUpdate(secret=b"first", created=1000, tokens={"host": b"1", "join": b"j"}),
        )
        add(store, game, b"two", sidecar=SidecarUpdate(secret=b"second", created=2000, tokens={"host": b"2"}))
        assert store.sidecar.secret(game) == b"first"
        assert store.sidecar.tokens(game) == {"host": b"2", "join": b"j"}
        assert [row.created for row in store.index.games(limit=1000) if row.game == game] == [1000]

    def test_a_refused_append_writes_nothing_beside_either(self, store: Store, client: Client) -> None:
        game = new_game()
        add(store, game, b"one", sidecar=SidecarUpdate(due=10**12))
        before = contents(client, game)
        sidecar = SidecarUpdate(about=b"x", due=1, seal=True, texts={"d": b"t"}, tokens={"n": b"t"}, secret=b"s")
        with pytest.raises(VersionConflict):
            add(store, game, b"two", expected=0, action="b", sidecar=sidecar)
        assert contents(client, game) == before

    def test_a_text_can_be_erased(self, store: Store) -> None:
        game = new_game()
        add(store, game, b"named", sidecar=SidecarUpdate(texts={"d1": b"Ann", "d2": b"Bob"}))
        store.sidecar.erase_texts(game, ["d1"], at=5, by="operator")
        assert store.sidecar.texts(game, ["d1", "d2"]) == {"d2": b"Bob"}
        assert store.sidecar.texts(game, []) == {}
        assert [entry.data for entry in store.streams.read(game)] == [b"named"]

    def test_an_erasure_is_noted_once_and_can_be_repeated(self, store: Store) -> None:
        game = new_game()
        add(store, game, b"named", sidecar=SidecarUpdate(texts={"d1": b"Ann", "d2": b"Bob"}, seal=True))
        assert store.sidecar.erase_texts(game, ["d1"], at=5, by="seat:1") == 1
        assert store.sidecar.erase_texts(game, ["d1", "d2"], at=6, by="operator") == 1
        assert store.sidecar.erase_texts(game, ["d1", "d2"], at=7, by="operator") == 0
        assert store.sidecar.erase_texts(game, [], at=8, by="operator") == 0
        assert store.sidecar.erased(game) == {"d1": Erased(5, "seat:1"), "d2": Erased(6, "operator")}
        assert store.sidecar.kept_texts(game) == set()
        assert store.streams.head(game) == Head(1, store.streams.read(game)[0].link, sealed=True)

    def test_the_digest_of_the_request_goes_with_the_text(self, store: Store, client: Client) -> None:
        """Anybody could tell by it whether a guess of the text is right; the action is known by its id alone then."""
        game = new_game()
        add(store, game, b"named", action="a", request="guessable", sidecar=SidecarUpdate(texts={"d1": b"Ann"}))
        store.sidecar.erase_texts(game, ["d1"], actions=["a", "unknown"], at=5, by="operator")
        assert client.execute_command("HGETALL", game_keys(game).actions) == {b"a": b"1:1:erased"}
        assert store.streams.tail(game, action="a", request="any", after=1).known == Appended(1, 1, repeated=True)

    def test_an_erasure_writes_nothing_beside_a_key_of_a_wrong_type(self, store: Store, client: Client) -> None:
        game = new_game()
        add(store, game, b"named", sidecar=SidecarUpdate(texts={"d1": b"Ann"}))
        client.execute_command("SET", erased_key(game), "x")
        with pytest.raises(StreamDamaged, match="not a hash"):
            store.sidecar.erase_texts(game, ["d1"], at=5, by="operator")
        assert store.sidecar.kept_texts(game) == {"d1"}

    def test_deadlines_come_in_order_and_go_with_the_next_append(self, store: Store) -> None:
        games = [new_game() for _ in range(5)]
        for number, game in enumerate(games):
            add(store, game, b"one", sidecar=SidecarUpdate(due=9_000 - number))
        mine = [place for place in waiting(store, until=9_000) if place[1] in games]
        assert mine == [(9_000 - number, games[number]) for number in (4, 3, 2, 1, 0)]
        assert waiting(store, until=8_996, limit=1)[0][0] <= 8_996
        assert (9_000, games[0]) not in waiting(store, until=8_999)
        add(store, games[4], b"two", sidecar=SidecarUpdate(due=9_500))
        add(store, games[3], b"two")
        assert [place[1] for place in waiting(store, until=9_000) if place[1] in games] == [
            games[2],
            games[1],
            games[0],
        ]
        for game in games:
            add(store, game, b"three")

    def test_games_are_listed_newest_first_without_gap_or_repeat(self, store: Store) -> None:
        """Also when many were made in one millisecond, over all pages and buckets."""
        base = 10**14
        games = [(base + number // 7, new_game()) for number in range(40)]
        for created, game in games:
            add(store, game, b"one", sidecar=SidecarUpdate(created=created, about=game.encode()))
        pages: list[Listed] = []
        place = None
        while len(pages) < 40:
            page = store.index.games(after=place, limit=9)
            assert len(page) <= 9
            pages += page
            place = (page[-1].created, page[-1].game)
        wanted = [Listed(created, game, game.encode()) for created, game in sorted(games, reverse=True)]
        assert pages[:40] == wanted
        back: list[Listed] = []
        place = (base, "")
        while page := store.index.games(after=place, limit=9, oldest_first=True):
            back += page
            place = (page[-1].created, page[-1].game)
        assert back == wanted[::-1]
        add(store, games[0][1], b"two", sidecar=SidecarUpdate(about=b"changed"))
        assert [row.about for row in store.index.games(limit=60) if row.game == games[0][1]] == [b"changed"]

    def test_every_game_is_among_the_heads(self, store: Store) -> None:
        """Also one whose first append gave no time of creation."""
        games = [new_game() for _ in range(3)]
        for game in games:
            add(store, game, b"one")
        heads = dict(store.index.heads())
        assert all(heads[game] == store.streams.head(game) for game in games)
        assert store.streams.heads_of([games[0], "nosuchgame"]) == [heads[games[0]], None]

    def test_each_append_is_told_in_the_feed(self, store: Store) -> None:
        game = new_game()
        bucket = bucket_of(game)
        seen = store.index.feed(bucket)
        after = seen[-1][0] if seen else "0-0"
        add(store, game, b"one", b"two")
        add(store, game, b"three")
        assert [told[1:] for told in store.index.feed(bucket, after=after)] == [(game, 2), (game, 3)]

    @pytest.mark.parametrize("game", ["", "A", "a}", "{a}", "a:b", "a b", "é", "٣", "a\n", "x" * 41])
    def test_a_strange_game_id_never_reaches_a_key(self, store: Store, game: str) -> None:
        with pytest.raises(ValueError, match="not a game id"):
            add(store, game, b"one", expected=0, previous=START)
        with pytest.raises(ValueError, match="not a game id"):
            store.streams.tail(game, action=None, request=None, after=0)
        with pytest.raises(ValueError, match="not a game id"):
            store.streams.read(game)

    def test_a_caller_that_breaks_the_contract_is_stopped(self, store: Store) -> None:
        game, entries = new_game(), chained([b"one"])
        broken: list[dict[str, Any]] = [
            {"action": ""},
            {"expected": -1},
            {"sidecar": SidecarUpdate(due=-1)},
            {"sidecar": SidecarUpdate(created=2**53)},
        ]
        for other in broken:
            with pytest.raises(ValueError, match=r"append|versions"):
                add(store, game, b"one", **other)
        with pytest.raises(ValueError, match="append"):
            add(store, game)
        with pytest.raises(ValueError, match="append"):
            store.streams.append(
                game,
                [entries[0]._replace(link=b"short")],
                action="a",
                request="r",
                expected=0,
                previous=START,
                sidecar=SidecarUpdate(),
            )
        assert store.streams.head(game) is None

    def test_another_number_of_buckets_is_refused(self, client: Client) -> None:
        store = Store(client)
        store.ownership.claim()
        client.execute_command("SET", BUCKETS_KEY, "32")
        try:
            with pytest.raises(WrongBuckets, match="32"):
                Store(client).ownership.claim()
            with pytest.raises(WrongBuckets):
                add(Store(client), new_game(), b"one")
        finally:
            client.execute_command("SET", BUCKETS_KEY, BUCKETS)
        store.ownership.claim()

    def test_keyframes_are_found_by_version_and_fingerprint(self, client: Client) -> None:
        frames, game = Store(client, cache_key=b"k" * 32).keyframes, new_game()
        assert frames.nearest(game, "state", fingerprint="f1", at=9) is None
        for version in (1000, 2000, 900):
            frames.save(game, "state", fingerprint="f1", version=version, link=LINK, blob=b"\x00%d" % version)
        assert nearest(frames, game, 899) is None
        assert [nearest(frames, game, at) for at in (900, 1999, 2000, 10**9)] == [900, 1000, 2000, 2000]
        found = frames.nearest(game, "state", fingerprint="f1", at=1000)
        assert found
        assert (found.link, found.blob) == (LINK, b"\x001000")
        assert frames.nearest(game, "ledger", fingerprint="f1", at=1000) is None

    def test_broken_keyframes_are_thrown_away(self, client: Client) -> None:
        frames, game = Store(client, cache_key=b"k" * 32).keyframes, new_game()
        key = f"{game_keys(game).stream[:-3]}:kf:state"
        for version in (1000, 2000):
            frames.save(game, "state", fingerprint="f1", version=version, link=LINK, blob=b"blob")
        moved = client.execute_command("HGET", key, "f1:1000")
        client.execute_command("HSET", key, "f1:3000", moved, "f1:4000", b"", "nonsense", b"x", "f1:x", b"x")
        client.execute_command("HSET", key, "f2:4000", b"of another release")
        client.execute_command("HSET", key, "f1:2000", moved[:-1] + b"!")
        assert nearest(frames, game, 5000) == 1000
        assert set(client.execute_command("HKEYS", key)) == {b"f1:1000", b"f1:x", b"f2:4000", b"nonsense"}
        client.execute_command("DEL", key)
        client.execute_command("SET", key, "no hash")
        assert nearest(frames, game, 5000) is None

    def test_releases_side_by_side_keep_their_keyframes(self, client: Client) -> None:
        """Each finds its own, whichever saved last; beyond three, those go that are furthest back."""
        frames, game = Store(client, cache_key=b"k" * 32).keyframes, new_game()
        for version in (1000, 2000):
            for fingerprint in ("f1", "f2", "f3"):
                self._save(frames, game, fingerprint, version)
        self._save(frames, game, "f1", 3000)
        self._save(frames, game, "f3", 3000)
        assert [self._found(frames, game, name) for name in ("f1", "f2", "f3", "f4")] == [3000, 2000, 3000, None]
        self._save(frames, game, "f4", 1000)
        assert [self._found(frames, game, name) for name in ("f1", "f2", "f3", "f4")] == [3000, None, 3000, 1000]

    @staticmethod
    def _save(frames: Keyframes, game: str, fingerprint: str, version: int) -> None:
        frames.save(game, "state", fingerprint=fingerprint, version=version, link=LINK, blob=b"blob")

    @staticmethod
    def _found(frames: Keyframes, game: str, fingerprint: str) -> int | None:
        found = frames.nearest(game, "state", fingerprint=fingerprint, at=5000)
        return found.version if found else None

    def test_keyframes_have_plain_names(self, client: Client) -> None:
        frames = Store(client, cache_key=b"k" * 32).keyframes
        for names in ({"projection": "a:b"}, {"fingerprint": "a:b"}, {"version": 0}, {"link": b""}):
            call: dict[str, Any] = {"projection": "p", "fingerprint": "f", "version": 1, "link": LINK, **names}
            with pytest.raises(ValueError, match="keyframe"):
                frames.save(new_game(), call.pop("projection"), blob=b"", **call)

    def test_the_clock_is_the_servers(self, store: Store) -> None:
        first = store.now()
        assert 1_600_000_000_000 < first <= store.now()

    def test_one_head_of_a_wrong_type_does_not_hide_the_others(self, store: Store, client: Client) -> None:
        games = [new_game(), new_game()]
        for game in games:
            add(store, game, b"one")
        key = game_keys(games[0]).head
        client.execute_command("DEL", key)
        client.execute_command("LPUSH", key, "wrong")
        with pytest.raises(StreamDamaged, match="WRONGTYPE"):
            store.streams.head(games[0])
        with pytest.raises(StreamDamaged, match="WRONGTYPE"):
            store.streams.tail(games[0], action=None, request=None, after=0)
        heads = dict(store.index.heads())
        assert (heads[games[0]].version, heads[games[1]].version) == (0, 1)

    def test_any_other_refusal_is_a_store_error(self, store: Store) -> None:
        with pytest.raises(StoreError, match="refused a command"):
            store.index.feed(0, after="nonsense")


def nearest(frames: Keyframes, game: str, at: int) -> int | None:
    found = frames.nearest(game, "state", fingerprint="f1", at=at)
    return found.version if found else None
