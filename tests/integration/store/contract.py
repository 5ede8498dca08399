"""What every server must do for the store: one suite, run against each of them."""

from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from typing import Any

import pytest

from events.store import (
    ActionMismatch,
    Appended,
    Beside,
    Client,
    EventStore,
    Head,
    HistoryForked,
    Keyframes,
    Listed,
    StoreError,
    StreamDamaged,
    StreamSealed,
    VersionConflict,
    VersionLimit,
    WrongBuckets,
)
from events.store.keys import BUCKETS, BUCKETS_KEY, bucket_keys, bucket_of, game_keys
from tests.integration.store.moves import START, add, chained, fill, new_game

LINK = bytes(range(32))


class StoreContract:
    """Subclasses give the fixture `client`."""

    @pytest.fixture
    def store(self, client: Client) -> EventStore:
        return EventStore(client)

    def test_what_is_appended_can_be_read(self, store: EventStore) -> None:
        game = new_game()
        assert store.head(game) is None
        assert add(store, game, b"one", b"two") == Appended(1, 2, repeated=False)
        assert add(store, game, b"three") == Appended(3, 3, repeated=False)
        entries = chained([b"one", b"two", b"three"])
        assert store.read(game) == entries
        assert store.read(game, after=1, upto=2) == entries[1:2]
        assert store.read(game, count=2) == entries[:2]
        assert store.read(game, after=3) == []
        assert store.read(game, after=2, upto=1) == []
        assert list(store.stream(game, batch=2)) == [entries[:2], entries[2:]]
        assert list(store.stream(game, after=1, upto=2, batch=5)) == [entries[1:2]]
        assert store.head(game) == Head(3, entries[2].link, sealed=False)
        assert store.links_at([(game, 2), (game, 4)]) == [entries[1].link, None]

    def test_bytes_pass_through_unchanged(self, store: EventStore) -> None:
        game, texts = (
            new_game(),
            [b"", b"\x00\xff\r\n", "žluťoučký 骰子 🎲".encode(), bytes(range(256)), b"x" * 300_000],
        )
        beside = Beside(
            about=b"\x00{}", texts={"d": b"\x00\n\xfe"}, tokens={"seat:1": b"\x00" * 32}, secret=b"\x00s\xff"
        )
        add(store, game, *texts, beside=beside)
        assert [entry.data for entry in store.read(game)] == texts
        assert store.texts(game, ["d", "other"]) == {"d": b"\x00\n\xfe"}
        assert store.tokens(game) == {"seat:1": b"\x00" * 32}
        assert store.secret(game) == b"\x00s\xff"

    def test_one_action_sent_fifty_times_at_once_is_appended_once(self, store: EventStore) -> None:
        game = new_game()

        def send(_: int) -> Appended:
            return add(store, game, b"roll", b"move", action="a", expected=0, previous=START)

        with ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(send, range(50)))
        assert sorted(answer.repeated for answer in answers) == [False] + [True] * 49
        assert {(answer.first, answer.last) for answer in answers} == {(1, 2)}
        assert len(store.read(game)) == 2

    def test_a_known_action_with_another_request_is_refused(self, store: EventStore) -> None:
        game = new_game()
        add(store, game, b"pay 50", action="a", request="50")
        with pytest.raises(ActionMismatch):
            add(store, game, b"pay 60", action="a", request="60")
        with pytest.raises(ActionMismatch):
            store.look(game, action="a", request="60", after=0)
        assert [entry.data for entry in store.read(game)] == [b"pay 50"]
        assert add(store, game, b"pay 50", action="a", request="50") == Appended(1, 1, repeated=True)

    def test_a_known_action_wins_over_version_link_and_seal(self, store: EventStore) -> None:
        game = new_game()
        add(store, game, b"one", action="a")
        add(store, game, b"two", action="b", beside=Beside(seal=True))
        known = Appended(1, 1, repeated=True)
        assert add(store, game, b"one", action="a", expected=0) == known
        assert add(store, game, b"one", action="a", expected=2) == known
        assert add(store, game, b"one", action="a", expected=77, previous=LINK) == known
        assert len(store.read(game)) == 2

    def test_of_32_writers_with_one_version_one_succeeds(self, store: EventStore) -> None:
        game = new_game()
        add(store, game, b"start")
        head = store.head(game)
        assert head

        def send(number: int) -> Appended | VersionConflict:
            try:
                return add(store, game, b"%d" % number, action=f"a{number}", expected=1, previous=head.link)
            except VersionConflict as conflict:
                return conflict

        with ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(send, range(32)))
        winners = [answer for answer in answers if isinstance(answer, Appended)]
        losers = [answer for answer in answers if isinstance(answer, VersionConflict)]
        assert winners == [Appended(2, 2, repeated=False)]
        assert len(losers) == 31
        stored = store.read(game)
        assert len(stored) == 2
        for loser in losers:
            assert loser.missed == stored[1:]
            assert (loser.head, loser.complete) == (store.head(game), True)

    def test_a_conflict_gives_at_most_a_thousand_missed_entries(self, store: EventStore) -> None:
        game = new_game()
        fill(store, game, 3000)
        with pytest.raises(VersionConflict) as caught:
            add(store, game, b"late", action="late", expected=10)
        assert caught.value.head.version == 3000
        assert [entry.data for entry in caught.value.missed] == [b"event %d" % n for n in range(11, 1011)]
        assert not caught.value.complete
        with pytest.raises(VersionConflict) as caught:
            add(store, game, b"late", action="late", expected=2000)
        assert caught.value.complete

    def test_a_writer_ahead_of_the_store_is_told_so(self, store: EventStore) -> None:
        game = new_game()
        add(store, game, b"one")
        with pytest.raises(VersionConflict) as caught:
            add(store, game, b"two", action="b", expected=5)
        assert (caught.value.head.version, caught.value.missed, caught.value.complete) == (1, [], False)
        with pytest.raises(VersionConflict) as caught:
            add(store, new_game(), b"two", action="b", expected=5)
        assert caught.value.head.version == 0

    def test_a_sealed_stream_takes_no_more(self, store: EventStore) -> None:
        game = new_game()
        add(store, game, b"end", beside=Beside(seal=True))
        with pytest.raises(StreamSealed) as caught:
            add(store, game, b"more")
        assert caught.value.head == store.head(game) == Head(1, chained([b"end"])[0].link, sealed=True)
        assert len(store.read(game)) == 1

    def test_a_writer_of_another_history_is_refused(self, store: EventStore) -> None:
        game = new_game()
        add(store, game, b"one")
        with pytest.raises(HistoryForked):
            add(store, game, b"two", previous=LINK)
        assert len(store.read(game)) == 1

    @pytest.mark.parametrize(
        "damage",
        [
            ("DEL", "stream"),
            ("DEL", "head"),
            ("XDEL", "stream", "3-0"),
            ("XDEL", "stream", "2-0"),
            ("XTRIM", "stream", "MAXLEN", "1"),
            ("XTRIM", "stream", "MAXLEN", "0"),
            ("XADD", "stream", "9-0", "e", "foreign", "h", "foreign"),
            ("HSET", "head", "v", "2"),
            ("HSET", "head", "v", "nonsense"),
        ],
        ids=" ".join,
    )
    def test_a_damaged_stream_is_never_gone_on_with(
        self, store: EventStore, client: Client, damage: tuple[str, ...]
    ) -> None:
        """Neither at its version, nor at any other, nor by starting again at 1 (S20)."""
        game = new_game()
        add(store, game, b"one", b"two", b"three", action="first")
        command, key, *rest = damage
        client.execute_command(command, getattr(game_keys(game), key), *rest)
        before = contents(client, game)
        for expected in (0, 2, 3, 9):
            with pytest.raises((StreamDamaged, HistoryForked)):
                add(store, game, b"four", action="new", expected=expected, previous=LINK)
        link = chained([b"one", b"two", b"three"])[2].link
        with pytest.raises(StreamDamaged, match=rf"{game}.*version"):
            add(store, game, b"four", action="new", expected=3, previous=link)
        with pytest.raises(StreamDamaged):
            store.look(game, action=None, request=None, after=0)
        assert contents(client, game) == before
        assert add(store, game, b"one", action="first", expected=0, previous=START).repeated

    def test_an_emptied_stream_without_head_does_not_start_again(self, store: EventStore, client: Client) -> None:
        game = new_game()
        add(store, game, b"one", b"two")
        client.execute_command("DEL", game_keys(game).head)
        client.execute_command("XTRIM", game_keys(game).stream, "MAXLEN", "0")
        with pytest.raises(StreamDamaged):
            add(store, game, b"anew", expected=0, previous=START)
        assert store.head(game) is None
        assert store.read(game) == []

    def test_a_gap_is_not_read_over(self, store: EventStore, client: Client) -> None:
        game = new_game()
        add(store, game, b"one", b"two", b"three")
        client.execute_command("XDEL", game_keys(game).stream, "2-0")
        with pytest.raises(StreamDamaged):
            store.read(game)

    @pytest.mark.parametrize("place", range(10), ids=game_keys("x")._fields)
    def test_a_key_of_a_wrong_type_leaves_nothing_half_done(
        self, store: EventStore, client: Client, place: int
    ) -> None:
        game = new_game()
        add(
            store,
            game,
            b"one",
            beside=Beside(about=b"a", created=1, secret=b"s", texts={"d": b"t"}, tokens={"n": b"h"}),
        )
        key = game_keys(game)[place]
        saved = client.execute_command("DUMP", key)
        client.execute_command("DEL", key)
        client.execute_command("LPUSH", key, "wrong")
        others = [other for other in game_keys(game) if other != key]
        before = [dumped(client, other) for other in others]
        with pytest.raises(StreamDamaged, match="is a list"):
            append_second(store, game, beside=Beside(about=b"b", due=5))
        assert [dumped(client, other) for other in others] == before
        client.execute_command("DEL", key)
        if saved is not None:  # the buckets' keys are shared with other tests
            client.execute_command("RESTORE", key, 0, saved)

    def test_a_forgotten_script_is_sent_again(self, store: EventStore, client: Client) -> None:
        game = new_game()
        add(store, game, b"one")
        client.execute_command("SCRIPT FLUSH")
        assert add(store, game, b"two").last == 2
        client.execute_command("SCRIPT FLUSH")
        assert len(store.look(game, action=None, request=None, after=0).entries) == 2

    def test_versions_end_below_two_to_the_53(self, store: EventStore, client: Client) -> None:
        game = new_game()
        client.execute_command("HSET", game_keys(game).head, "v", 2**53 - 2, "h", LINK)
        with pytest.raises(VersionLimit):
            add(store, game, b"x", b"y", expected=2**53 - 2, previous=LINK)
        assert store.read(game) == []

    def test_look_tells_all_in_one_go(self, store: EventStore) -> None:
        game = new_game()
        nothing = store.look(game, action="a", request="r", after=0)
        assert (nothing.known, nothing.head, nothing.entries, nothing.complete) == (None, None, [], True)
        add(store, game, b"one", b"two", action="a", request="r")
        seen = store.look(game, action="a", request="r", after=1)
        assert seen.known == Appended(1, 2, repeated=True)
        assert (seen.head, seen.entries, seen.complete) == (store.head(game), store.read(game, after=1), True)
        assert store.look(game, action="b", request="r", after=2).known is None
        assert store.look(game, action=None, request=None, after=2).entries == []
        assert not store.look(game, action=None, request=None, after=3).complete
        assert store.look("nosuchgame", action=None, request=None, after=0).head is None

    def test_the_first_append_alone_sets_secret_and_creation(self, store: EventStore) -> None:
        game = new_game()
        add(store, game, b"one", beside=Beside(secret=b"first", created=1000, tokens={"host": b"1", "join": b"j"}))
        add(store, game, b"two", beside=Beside(secret=b"second", created=2000, tokens={"host": b"2"}))
        assert store.secret(game) == b"first"
        assert store.tokens(game) == {"host": b"2", "join": b"j"}
        assert [row.created for row in store.games(limit=1000) if row.game == game] == [1000]

    def test_a_refused_append_writes_nothing_beside_either(self, store: EventStore, client: Client) -> None:
        game = new_game()
        add(store, game, b"one", beside=Beside(due=10**12))
        before = contents(client, game)
        beside = Beside(about=b"x", due=1, seal=True, texts={"d": b"t"}, tokens={"n": b"t"}, secret=b"s")
        with pytest.raises(VersionConflict):
            add(store, game, b"two", expected=0, action="b", beside=beside)
        assert contents(client, game) == before

    def test_a_text_can_be_erased(self, store: EventStore) -> None:
        game = new_game()
        add(store, game, b"named", beside=Beside(texts={"d1": b"Ann", "d2": b"Bob"}))
        store.erase_texts(game, ["d1"])
        assert store.texts(game, ["d1", "d2"]) == {"d2": b"Bob"}
        assert store.texts(game, []) == {}
        assert [entry.data for entry in store.read(game)] == [b"named"]

    def test_deadlines_come_in_order_and_go_with_the_next_append(self, store: EventStore) -> None:
        games = [new_game() for _ in range(5)]
        for number, game in enumerate(games):
            add(store, game, b"one", beside=Beside(due=9_000 - number))
        mine = [place for place in store.due(until=9_000) if place[1] in games]
        assert mine == [(9_000 - number, games[number]) for number in (4, 3, 2, 1, 0)]
        assert store.due(until=8_996, limit=1)[0][0] <= 8_996
        assert (9_000, games[0]) not in store.due(until=8_999)
        add(store, games[4], b"two", beside=Beside(due=9_500))
        add(store, games[3], b"two")
        assert [place[1] for place in store.due(until=9_000) if place[1] in games] == [games[2], games[1], games[0]]
        for game in games:
            add(store, game, b"three")

    def test_games_are_listed_newest_first_without_gap_or_repeat(self, store: EventStore) -> None:
        """Also when many were made in one millisecond, over all pages and buckets."""
        base = 10**14
        games = [(base + number // 7, new_game()) for number in range(40)]
        for created, game in games:
            add(store, game, b"one", beside=Beside(created=created, about=game.encode()))
        pages: list[Listed] = []
        before = None
        while len(pages) < 40:
            page = store.games(before=before, limit=9)
            pages += page
            before = (page[-1].created, page[-1].game)
        wanted = [Listed(created, game, game.encode()) for created, game in sorted(games, reverse=True)]
        assert pages[:40] == wanted
        add(store, games[0][1], b"two", beside=Beside(about=b"changed"))
        assert [row.about for row in store.games(limit=60) if row.game == games[0][1]] == [b"changed"]

    def test_every_game_is_among_the_heads(self, store: EventStore) -> None:
        """Also one whose first append gave no time of creation."""
        games = [new_game() for _ in range(3)]
        for game in games:
            add(store, game, b"one")
        heads = dict(store.heads())
        assert all(heads[game] == store.head(game) for game in games)
        assert store.heads_of([games[0], "nosuchgame"]) == [heads[games[0]], None]

    def test_each_append_is_told_in_the_feed(self, store: EventStore) -> None:
        game = new_game()
        bucket = bucket_of(game)
        seen = store.feed(bucket)
        after = seen[-1][0] if seen else "0-0"
        add(store, game, b"one", b"two")
        add(store, game, b"three")
        assert [told[1:] for told in store.feed(bucket, after=after)] == [(game, 2), (game, 3)]

    @pytest.mark.parametrize("game", ["", "A", "a}", "{a}", "a:b", "a b", "é", "٣", "a\n", "x" * 41])
    def test_a_strange_game_id_never_reaches_a_key(self, store: EventStore, game: str) -> None:
        with pytest.raises(ValueError, match="not a game id"):
            add(store, game, b"one", expected=0, previous=START)
        with pytest.raises(ValueError, match="not a game id"):
            store.look(game, action=None, request=None, after=0)
        with pytest.raises(ValueError, match="not a game id"):
            store.read(game)

    def test_a_caller_that_breaks_the_contract_is_stopped(self, store: EventStore) -> None:
        game, entries = new_game(), chained([b"one"])
        broken: list[dict[str, Any]] = [
            {"action": ""},
            {"expected": -1},
            {"beside": Beside(due=-1)},
            {"beside": Beside(created=2**53)},
        ]
        for other in broken:
            with pytest.raises(ValueError, match=r"append|versions"):
                add(store, game, b"one", **other)
        with pytest.raises(ValueError, match="append"):
            add(store, game)
        with pytest.raises(ValueError, match="append"):
            store.append(
                game,
                [entries[0]._replace(link=b"short")],
                action="a",
                request="r",
                expected=0,
                previous=START,
                beside=Beside(),
            )
        assert store.head(game) is None

    def test_another_number_of_buckets_is_refused(self, client: Client) -> None:
        store = EventStore(client)
        store.claim()
        client.execute_command("SET", BUCKETS_KEY, "32")
        try:
            with pytest.raises(WrongBuckets, match="32"):
                EventStore(client).claim()
            with pytest.raises(WrongBuckets):
                add(EventStore(client), new_game(), b"one")
        finally:
            client.execute_command("SET", BUCKETS_KEY, BUCKETS)
        store.claim()

    def test_keyframes_are_found_by_version_and_fingerprint(self, client: Client) -> None:
        frames, game = Keyframes(client), new_game()
        assert frames.nearest(game, "state", fingerprint="f1", at=9) is None
        for version in (1000, 2000, 900):
            frames.save(game, "state", fingerprint="f1", version=version, link=LINK, blob=b"\x00%d" % version)
        assert nearest(frames, game, 899) is None
        assert [nearest(frames, game, at) for at in (900, 1999, 2000, 10**9)] == [900, 1000, 2000, 2000]
        found = frames.nearest(game, "state", fingerprint="f1", at=1000)
        assert found
        assert (found.link, found.blob) == (LINK, b"\x001000")
        assert frames.nearest(game, "ledger", fingerprint="f1", at=1000) is None

    def test_keyframes_of_other_code_or_broken_ones_are_thrown_away(self, client: Client) -> None:
        frames, game = Keyframes(client), new_game()
        key = f"{game_keys(game).stream[:-3]}:kf:state"
        for version in (1000, 2000):
            frames.save(game, "state", fingerprint="f1", version=version, link=LINK, blob=b"blob")
        moved = client.execute_command("HGET", key, "f1:1000")
        client.execute_command("HSET", key, "f1:3000", moved, "f1:4000", b"", "nonsense", b"x", "f1:x", b"x")
        client.execute_command("HSET", key, "f1:2000", moved[:-1] + b"!")
        assert nearest(frames, game, 5000) == 1000
        assert client.execute_command("HLEN", key) == 1
        assert frames.nearest(game, "state", fingerprint="f2", at=5000) is None
        assert client.execute_command("HLEN", key) == 0

    def test_keyframes_have_plain_names(self, client: Client) -> None:
        frames = Keyframes(client)
        for names in ({"projection": "a:b"}, {"fingerprint": "a:b"}, {"version": 0}, {"link": b""}):
            call: dict[str, Any] = {"projection": "p", "fingerprint": "f", "version": 1, "link": LINK, **names}
            with pytest.raises(ValueError, match="keyframe"):
                frames.save(new_game(), call.pop("projection"), blob=b"", **call)

    def test_the_clock_is_the_servers(self, store: EventStore) -> None:
        first = store.now()
        assert 1_600_000_000_000 < first <= store.now()

    def test_one_head_of_a_wrong_type_does_not_hide_the_others(self, store: EventStore, client: Client) -> None:
        games = [new_game(), new_game()]
        for game in games:
            add(store, game, b"one")
        key = game_keys(games[0]).head
        client.execute_command("DEL", key)
        client.execute_command("LPUSH", key, "wrong")
        with pytest.raises(StreamDamaged, match="WRONGTYPE"):
            store.head(games[0])
        with pytest.raises(StreamDamaged, match="WRONGTYPE"):
            store.look(games[0], action=None, request=None, after=0)
        heads = dict(store.heads())
        assert (heads[games[0]].version, heads[games[1]].version) == (0, 1)

    def test_any_other_refusal_is_a_store_error(self, store: EventStore) -> None:
        with pytest.raises(StoreError, match="refused a command"):
            store.feed(0, after="nonsense")


def nearest(frames: Keyframes, game: str, at: int) -> int | None:
    found = frames.nearest(game, "state", fingerprint="f1", at=at)
    return found.version if found else None


def append_second(store: EventStore, game: str, *, beside: Beside) -> Appended:
    """Append without asking for the head, which may be what is broken."""
    previous = chained([b"one"])[0].link
    return store.append(
        game,
        chained([b"two"], previous=previous),
        action="two",
        request="r",
        expected=1,
        previous=previous,
        beside=beside,
    )


def dumped(client: Client, key: str) -> str:
    """Tell one content of a key from another."""
    return sha256(client.execute_command("DUMP", key) or b"").hexdigest()


def contents(client: Client, game: str) -> list[str]:
    """Tell whether anything that an append writes has changed."""
    keys = (*game_keys(game), *bucket_keys(bucket_of(game)))
    return [dumped(client, key) for key in keys]
