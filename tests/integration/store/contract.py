"""What every server must do for the streams: one suite, run against each of them."""

from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256

import pytest

from events.store import (
    ActionMismatch,
    Appended,
    Client,
    Head,
    HistoryForked,
    SidecarUpdate,
    Store,
    StreamDamaged,
    StreamFrozen,
    StreamSealed,
    VersionConflict,
    VersionLimit,
)
from events.store.keys import bucket_keys, bucket_of, game_keys
from tests.integration.store.moves import START, add, chained, fill, new_game

LINK = bytes(range(32))


class AppendContract:
    """Subclasses give the fixture `client`."""

    @pytest.fixture
    def store(self, client: Client) -> Store:
        return Store(client)

    def test_what_is_appended_can_be_read(self, store: Store) -> None:
        game = new_game()
        assert store.streams.head(game) is None
        assert add(store, game, b"one", b"two") == Appended(1, 2, repeated=False)
        assert add(store, game, b"three") == Appended(3, 3, repeated=False)
        entries = chained([b"one", b"two", b"three"])
        assert store.streams.read(game) == entries
        assert store.streams.read(game, after=1, upto=2) == entries[1:2]
        assert store.streams.read(game, count=2) == entries[:2]
        assert store.streams.read(game, after=3) == []
        assert store.streams.read(game, after=2, upto=1) == []
        for ahead in (False, True):
            assert list(store.streams.stream(game, batch=2, ahead=ahead)) == [entries[:2], entries[2:]]
            assert list(store.streams.stream(game, batch=1, ahead=ahead)) == [[entry] for entry in entries]
            assert list(store.streams.stream(game, after=1, upto=2, batch=5, ahead=ahead)) == [entries[1:2]]
            assert list(store.streams.stream(game, upto=2, batch=1, ahead=ahead)) == [entries[:1], entries[1:2]]
        with pytest.raises(StreamDamaged, match="ends at 3, before 4"):
            list(store.streams.stream(game, upto=4))
        assert store.streams.head(game) == Head(3, entries[2].link, sealed=False)
        assert store.streams.links_at([(game, 2), (game, 4)]) == [entries[1].link, None]

    def test_bytes_pass_through_unchanged(self, store: Store) -> None:
        game, texts = (
            new_game(),
            [b"", b"\x00\xff\r\n", "žluťoučký 骰子 🎲".encode(), bytes(range(256)), b"x" * 300_000],
        )
        sidecar = SidecarUpdate(
            about=b"\x00{}", texts={"d": b"\x00\n\xfe"}, tokens={"seat:1": b"\x00" * 32}, secret=b"\x00s\xff"
        )
        add(store, game, *texts, sidecar=sidecar)
        assert [entry.data for entry in store.streams.read(game)] == texts
        assert store.sidecar.texts(game, ["d", "other"]) == {"d": b"\x00\n\xfe"}
        assert store.sidecar.tokens(game) == {"seat:1": b"\x00" * 32}
        assert store.sidecar.secret(game) == b"\x00s\xff"

    def test_one_action_sent_fifty_times_at_once_is_appended_once(self, store: Store) -> None:
        game = new_game()

        def send(_: int) -> Appended:
            return add(store, game, b"roll", b"move", action="a", expected=0, previous=START)

        with ThreadPoolExecutor(16) as pool:
            answers = list(pool.map(send, range(50)))
        assert sorted(answer.repeated for answer in answers) == [False] + [True] * 49
        assert {(answer.first, answer.last) for answer in answers} == {(1, 2)}
        assert len(store.streams.read(game)) == 2

    def test_a_known_action_with_another_request_is_refused(self, store: Store) -> None:
        game = new_game()
        add(store, game, b"pay 50", action="a", request="50")
        with pytest.raises(ActionMismatch):
            add(store, game, b"pay 60", action="a", request="60")
        with pytest.raises(ActionMismatch):
            store.streams.tail(game, action="a", request="60", after=0)
        assert [entry.data for entry in store.streams.read(game)] == [b"pay 50"]
        assert add(store, game, b"pay 50", action="a", request="50") == Appended(1, 1, repeated=True)

    def test_a_known_action_wins_over_version_link_and_seal(self, store: Store) -> None:
        game = new_game()
        add(store, game, b"one", action="a")
        add(store, game, b"two", action="b", sidecar=SidecarUpdate(seal=True))
        known = Appended(1, 1, repeated=True)
        assert add(store, game, b"one", action="a", expected=0) == known
        assert add(store, game, b"one", action="a", expected=2) == known
        assert add(store, game, b"one", action="a", expected=77, previous=LINK) == known
        assert len(store.streams.read(game)) == 2

    def test_of_32_writers_with_one_version_one_succeeds(self, store: Store) -> None:
        game = new_game()
        add(store, game, b"start")
        head = store.streams.head(game)
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
        stored = store.streams.read(game)
        assert len(stored) == 2
        for loser in losers:
            assert loser.missed == stored[1:]
            assert (loser.head, loser.complete) == (store.streams.head(game), True)

    def test_a_conflict_gives_at_most_a_thousand_missed_entries(self, store: Store) -> None:
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

    def test_a_writer_ahead_of_the_store_is_told_so(self, store: Store) -> None:
        game = new_game()
        add(store, game, b"one")
        with pytest.raises(VersionConflict) as caught:
            add(store, game, b"two", action="b", expected=5)
        assert (caught.value.head.version, caught.value.missed, caught.value.complete) == (1, [], False)
        with pytest.raises(VersionConflict) as caught:
            add(store, new_game(), b"two", action="b", expected=5)
        assert caught.value.head.version == 0

    def test_a_sealed_stream_takes_no_more(self, store: Store) -> None:
        game = new_game()
        add(store, game, b"end", sidecar=SidecarUpdate(seal=True))
        with pytest.raises(StreamSealed) as caught:
            add(store, game, b"more")
        assert caught.value.head == store.streams.head(game) == Head(1, chained([b"end"])[0].link, sealed=True)
        assert len(store.streams.read(game)) == 1

    def test_a_writer_of_another_history_is_refused(self, store: Store) -> None:
        game = new_game()
        add(store, game, b"one")
        with pytest.raises(HistoryForked):
            add(store, game, b"two", previous=LINK)
        assert len(store.streams.read(game)) == 1

    @pytest.mark.parametrize(
        "damage",
        [
            "DEL stream",
            "DEL head",
            "DEL stream, DEL head",
            "DEL stream, DEL head, DEL actions",
            "DEL stream, DEL head, ZREM games {game}",
            "DEL stream, XADD stream 1-0 e x h x, XADD stream 2-0 e x h x, XADD stream 4-0 e x h x",
            "XDEL stream 3-0",
            "XDEL stream 2-0",
            "XDEL stream 3-0, XADD stream 3-1 e x h x",
            "XTRIM stream MAXLEN 1",
            "XTRIM stream MAXLEN 0",
            "XADD stream 9-0 e x h x",
            "HSET head v 2",
            "HSET head v nonsense",
            "HSET head v 0",
        ],
    )
    def test_a_damaged_stream_is_never_gone_on_with(self, store: Store, client: Client, damage: str) -> None:
        """Neither at its version, nor at any other, nor by starting again at 1 (S20)."""
        game = new_game()
        add(store, game, b"one", b"two", b"three", action="first")
        for line in damage.split(", "):
            command, key, *rest = line.format(game=game).split()
            client.execute_command(command, getattr(game_keys(game), key), *rest)
        before = contents(client, game)
        for expected in (0, 2, 3, 9):
            with pytest.raises((StreamDamaged, HistoryForked)):
                add(store, game, b"four", action="new", expected=expected, previous=LINK)
        link = chained([b"one", b"two", b"three"])[2].link
        with pytest.raises(StreamDamaged, match=rf"{game}.*version"):
            add(store, game, b"four", action="new", expected=3, previous=link)
        assert contents(client, game) == before
        if "DEL actions" not in damage:
            with pytest.raises(StreamDamaged):
                store.streams.tail(game, action=None, request=None, after=0)
            assert add(store, game, b"one", action="first", expected=0, previous=START).repeated

    def test_an_emptied_stream_without_head_does_not_start_again(self, store: Store, client: Client) -> None:
        game = new_game()
        add(store, game, b"one", b"two")
        client.execute_command("DEL", game_keys(game).head)
        client.execute_command("XTRIM", game_keys(game).stream, "MAXLEN", "0")
        with pytest.raises(StreamDamaged):
            add(store, game, b"again", expected=0, previous=START)
        assert store.streams.head(game) is None
        assert store.streams.read(game) == []

    @pytest.mark.parametrize("left", ["tokens", "secret"])
    def test_a_new_game_is_not_begun_on_what_is_left_of_an_old_one(
        self, store: Store, client: Client, left: str
    ) -> None:
        game = new_game()
        add(store, game, b"one", sidecar=SidecarUpdate(secret=b"old", tokens={"host": b"old"}))
        for key in ("stream", "head", "actions", "tokens", "secret"):
            if key != left:
                client.execute_command("DEL", getattr(game_keys(game), key))
        client.execute_command("ZREM", game_keys(game).games, game)
        with pytest.raises(StreamDamaged):
            add(store, game, b"again", sidecar=SidecarUpdate(secret=b"new", tokens={"host": b"new"}))
        assert (store.sidecar.secret(game) or b"old", store.sidecar.tokens(game) or {"host": b"old"}) == (
            b"old",
            {"host": b"old"},
        )

    def test_a_gap_is_not_read_over(self, store: Store, client: Client) -> None:
        game = new_game()
        add(store, game, b"one", b"two", b"three")
        client.execute_command("XDEL", game_keys(game).stream, "2-0")
        with pytest.raises(StreamDamaged):
            store.streams.read(game)

    @pytest.mark.parametrize("place", range(len(game_keys("x"))), ids=game_keys("x")._fields)
    def test_a_key_of_a_wrong_type_leaves_nothing_half_done(self, store: Store, client: Client, place: int) -> None:
        game = new_game()
        add(
            store,
            game,
            b"one",
            sidecar=SidecarUpdate(about=b"a", created=1, secret=b"s", texts={"d": b"t"}, tokens={"n": b"h"}),
        )
        key = game_keys(game)[place]
        saved = client.execute_command("DUMP", key)
        client.execute_command("DEL", key)
        client.execute_command("LPUSH", key, "wrong")
        others = [other for other in game_keys(game) if other != key]
        before = [dumped(client, other) for other in others]
        with pytest.raises(StreamDamaged, match="is a list"):
            append_second(store, game, sidecar=SidecarUpdate(about=b"b", due=5))
        assert [dumped(client, other) for other in others] == before
        client.execute_command("DEL", key)
        if saved is not None:  # the buckets' keys are shared with other tests
            client.execute_command("RESTORE", key, 0, saved)

    def test_nothing_is_appended_to_a_frozen_game(self, store: Store) -> None:
        """A known action keeps its answer; the first reason stands; other games go on."""
        game, other = new_game(), new_game()
        add(store, game, b"one")
        two = chained([b"one", b"two"])[1:]

        def again() -> Appended:
            return store.streams.append(
                game,
                two,
                action="again",
                request="r",
                expected=1,
                previous=chained([b"one"])[0].link,
                sidecar=SidecarUpdate(),
            )

        assert store.streams.why_frozen(game) == ""
        store.streams.freeze(game, "An entry was changed.")
        store.streams.freeze(game, "Another reason.")
        with pytest.raises(StreamFrozen, match="An entry was changed"):
            again()
        assert store.streams.frozen()[game] == store.streams.why_frozen(game) == "An entry was changed."
        assert add(store, other, b"one").last == 1
        store.streams.thaw(game)
        assert again().last == 2
        store.streams.freeze(game, "Now.")
        assert again().repeated
        store.streams.thaw(game)

    def test_a_forgotten_script_is_sent_again(self, store: Store, client: Client) -> None:
        game = new_game()
        add(store, game, b"one")
        client.execute_command("SCRIPT FLUSH")
        assert add(store, game, b"two").last == 2
        client.execute_command("SCRIPT FLUSH")
        assert len(store.streams.tail(game, action=None, request=None, after=0).entries) == 2

    def test_versions_end_below_two_to_the_53(self, store: Store, client: Client) -> None:
        game = new_game()
        client.execute_command("HSET", game_keys(game).head, "v", 2**53 - 2, "h", LINK)
        with pytest.raises(VersionLimit):
            add(store, game, b"x", b"y", expected=2**53 - 2, previous=LINK)
        assert store.streams.read(game) == []

    def test_look_tells_all_in_one_go(self, store: Store) -> None:
        game = new_game()
        nothing = store.streams.tail(game, action="a", request="r", after=0)
        assert (nothing.known, nothing.head, nothing.entries, nothing.complete) == (None, None, [], True)
        add(store, game, b"one", b"two", action="a", request="r")
        seen = store.streams.tail(game, action="a", request="r", after=1)
        assert seen.known == Appended(1, 2, repeated=True)
        assert (seen.head, seen.entries, seen.complete) == (
            store.streams.head(game),
            store.streams.read(game, after=1),
            True,
        )
        assert store.streams.tail(game, action="b", request="r", after=2).known is None
        assert store.streams.tail(game, action=None, request=None, after=2).entries == []
        assert not store.streams.tail(game, action=None, request=None, after=3).complete
        assert store.streams.tail("nosuchgame", action=None, request=None, after=0).head is None


def append_second(store: Store, game: str, *, sidecar: SidecarUpdate) -> Appended:
    """Append without asking for the head, which may be what is broken."""
    previous = chained([b"one"])[0].link
    return store.streams.append(
        game,
        chained([b"two"], previous=previous),
        action="two",
        request="r",
        expected=1,
        previous=previous,
        sidecar=sidecar,
    )


def dumped(client: Client, key: str) -> str:
    """Return a digest of a key's content."""
    return sha256(client.execute_command("DUMP", key) or b"").hexdigest()


def contents(client: Client, game: str) -> list[str]:
    """Return whether anything that an append writes has changed."""
    keys = (*game_keys(game), *bucket_keys(bucket_of(game)))
    return [dumped(client, key) for key in keys]
