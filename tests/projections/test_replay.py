"""Replay and keyframes: the same answer by every way, and no way around the hash chain."""

from collections.abc import Callable

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from events import chain, codec
from events.base import Opaque
from events.examples.events import GAME
from events.play import TurnEnded
from projections import evolve as game
from projections import storage
from projections.evolve import AnyState, UnfitEvent, UnknownEvent
from projections.ledger.books import Books
from projections.replay import BrokenChain, Replayed, Stored, begin, replay
from projections.storage import fingerprint, pack, rebuild, unpack
from tests.projections.streams import Stream, enveloped, long_game, stored

ENVELOPES = long_game(15)
ENTRIES = stored(ENVELOPES)
LAST = len(ENTRIES)


def at(version: int) -> Replayed:
    """The plain way: fold each event, one by one."""
    state, books = None, Books()
    for envelope in ENVELOPES[:version]:
        state = game.advance(state, envelope)
        books.fold(envelope)
    return Replayed(state, books, ENTRIES[version - 1][1] if version else chain.genesis(GAME))


def keyframe(version: int) -> bytes:
    whole = at(version)
    assert whole.state is not None
    return pack(whole.state, whole.books, whole.link)


def edited(place: int, entry: Stored) -> Stream:
    return Stream([*ENTRIES[: place - 1], entry, *ENTRIES[place:]], batch=7)


@pytest.mark.parametrize("batch", [1, 7, 1000])
def test_replay_is_the_plain_fold_whatever_the_batches(batch: int) -> None:
    assert replay(Stream(ENTRIES, batch).read(0, None), *begin(GAME)) == at(LAST)


def test_nothing_to_read_leaves_everything_as_it_is() -> None:
    start = at(9)
    assert replay([[], []], *start) == at(9)


@pytest.mark.parametrize("batch", [1, 1000])
def test_a_stream_that_begins_with_another_version_is_refused_whatever_the_batches(batch: int) -> None:
    late = stored([replace(envelope, version=envelope.version + 1) for envelope in ENVELOPES])
    with pytest.raises(UnfitEvent) as unfit:
        replay(Stream(late, batch).read(0, None), *begin(GAME))
    assert unfit.value.version == 2


@pytest.mark.parametrize("place", [1, 7, 8, LAST])
def test_changed_bytes_are_found_at_their_version(place: int) -> None:
    data, link = ENTRIES[place - 1]
    changed = data.replace(b'"actor":"seat:1"', b'"actor":"seat:2"')
    assert changed != data
    with pytest.raises(BrokenChain) as broken:
        replay(edited(place, (changed, link)).read(0, None), *begin(GAME))
    assert broken.value.version == place


@pytest.mark.parametrize("place", [1, 8, LAST])
def test_a_changed_link_is_found_at_its_version(place: int) -> None:
    data, link = ENTRIES[place - 1]
    with pytest.raises(BrokenChain) as broken:
        replay(edited(place, (data, link[::-1])).read(0, None), *begin(GAME))
    assert broken.value.version == place


def test_a_lost_entry_and_the_chain_of_another_game_are_found() -> None:
    with pytest.raises(BrokenChain) as broken:
        replay([ENTRIES[:4], ENTRIES[5:]], *begin(GAME))
    assert broken.value.version == 5
    with pytest.raises(BrokenChain) as broken:
        replay([ENTRIES], *begin("g_other"))
    assert broken.value.version == 1


def test_bytes_that_are_no_event_are_refused_though_the_chain_is_good() -> None:
    link = chain.link(ENTRIES[-1][1], b"{}")
    with pytest.raises(codec.DamagedEntry):
        replay([[*ENTRIES, (b"{}", link)]], *begin(GAME))


def test_an_event_of_a_later_release_stops_the_replay() -> None:
    (plain,) = enveloped([TurnEnded(seat=1)], first=LAST + 1)
    later = codec.encode(plain).replace(b'"turn_ended"', b'"turn_upended"')
    assert isinstance(codec.decode(later).data, Opaque)
    with pytest.raises(UnknownEvent) as stop:
        replay([[*ENTRIES, (later, chain.link(ENTRIES[-1][1], later))]], *begin(GAME))
    assert stop.value.version == LAST + 1


@given(st.integers(1, LAST), st.integers(0, LAST))
def test_any_version_from_any_keyframe(upto: int, kept: int) -> None:
    blob = keyframe(kept) if kept else None
    assert rebuild(Stream(ENTRIES).read, GAME, upto=upto, keyframe=blob) == at(upto)


def test_only_the_tail_is_read_after_a_keyframe() -> None:
    stream = Stream(ENTRIES)
    assert rebuild(stream.read, GAME, keyframe=keyframe(40)) == at(LAST)
    assert stream.read_after == [39, 40]


def test_no_entries_are_no_game() -> None:
    assert rebuild(Stream([]).read, "g_none") == begin("g_none")


def test_a_break_after_the_keyframe_is_found_and_one_before_it_is_not_read() -> None:
    data, link = ENTRIES[49]
    broken_at_50 = edited(50, (data + b" ", link))
    with pytest.raises(BrokenChain) as broken:
        rebuild(broken_at_50.read, GAME, keyframe=keyframe(40))
    assert broken.value.version == 50
    assert rebuild(broken_at_50.read, GAME, keyframe=keyframe(60)) == at(LAST)


def _made_by_other_code(blob: bytes) -> bytes:
    fields = msgspec.msgpack.decode(blob)
    return msgspec.msgpack.encode({**fields, "made_by": "0" * 64})


def _of_another_game(blob: bytes) -> bytes:
    fields = msgspec.msgpack.decode(blob, strict=False)
    fields["state"]["game"] = "g_other"
    return msgspec.msgpack.encode(fields)


def _of_two_versions(blob: bytes) -> bytes:
    fields = msgspec.msgpack.decode(blob)
    fields["state"]["version"] -= 1
    return msgspec.msgpack.encode(fields)


def _not_of_this_stream(blob: bytes) -> bytes:
    fields = msgspec.msgpack.decode(blob)
    fields["state"]["cash"]["seat:1"] += 1
    return msgspec.msgpack.encode({**fields, "link": bytes(32)})


@pytest.mark.parametrize(
    "spoil",
    [
        _made_by_other_code,
        _of_another_game,
        _of_two_versions,
        _not_of_this_stream,
        lambda blob: blob[:-3],
        lambda _: b"\xff\x00nonsense",
        lambda _: b"",
    ],
)
@pytest.mark.parametrize("upto", [40, 41, None])
def test_a_keyframe_of_no_use_is_ignored(spoil: Callable[[bytes], bytes], upto: int | None) -> None:
    stream = Stream(ENTRIES)
    assert rebuild(stream.read, GAME, upto=upto, keyframe=spoil(keyframe(40))) == at(upto or LAST)
    assert stream.read_after[-1] == 0


def test_a_keyframe_from_before_the_store_lost_its_tail_is_ignored() -> None:
    """The stream was cut at 39 and went on otherwise: the old keyframe at 40 is no longer of this game."""
    (other,) = enveloped([TurnEnded(seat=1)], first=40)
    data = codec.encode(other)
    stream = Stream([*ENTRIES[:39], (data, chain.link(ENTRIES[38][1], data))])
    rebuilt = rebuild(stream.read, GAME, keyframe=keyframe(40))
    assert rebuilt == replay([stream.entries], *begin(GAME))
    assert rebuilt != at(40)


def test_pack_and_unpack_are_inverse_and_share_nothing() -> None:
    whole = at(30)
    assert isinstance(whole.state, AnyState)
    blob = pack(whole.state, whole.books, whole.link)
    assert unpack(blob) == whole
    replay([ENTRIES[30:]], *whole)
    assert unpack(blob) == at(30)


def test_a_keyframe_is_of_one_version() -> None:
    state = at(30).state
    assert state is not None
    with pytest.raises(AssertionError, match="one version"):
        pack(state, at(29).books, bytes(32))


def test_the_fingerprint_covers_code_and_data_but_not_the_store() -> None:
    names = [name for name, _ in storage.covered()]
    assert {"events/codec.py", "events/data/public_assistance_board_v1.json", "projections/ledger/books.py"} <= set(
        names
    )
    assert not [name for name in names if name.startswith("events/store/")]
    assert names == sorted(names)
    assert len(fingerprint()) == 64
