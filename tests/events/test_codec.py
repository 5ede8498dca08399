"""The codec: old shapes, later ones, and bytes that were never ours."""

from typing import Any

import pytest

from events import codec
from events.base import Envelope, Event, Opaque
from events.codec import DamagedEntry
from events.examples.events import EXAMPLES, envelope
from events.play import TurnEnded


def test_an_old_shape_is_taken_step_by_step_to_the_current_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shapes 0 and -1 of a type are made up; the steps see each other's work."""
    steps = {
        ("turn_ended", -1): lambda data: {"chair": data["stool"]},
        ("turn_ended", 0): lambda data: {"seat": data["chair"]},
    }
    stored = written(b'{"schema":-1,"stool":3,"type":"turn_ended"}')
    assert codec.decode(stored, steps).data == TurnEnded(seat=3)
    with pytest.raises(DamagedEntry):
        codec.decode(stored, {})


@pytest.mark.parametrize(
    "data", [b'{"schema":1,"tea":2,"type":"tea_served"}', b'{"schema":2,"tea":2,"type":"turn_ended"}']
)
def test_what_a_later_release_wrote_is_opaque(data: bytes) -> None:
    event: Any = codec.decode(written(data)).data
    assert isinstance(event, Opaque)
    assert event.fields["tea"] == 2


@pytest.mark.parametrize(
    "stored",
    [
        b"[" * 100_000,
        b'{"action":' * 100_000,
        b'{"data":{"type":"turn_ended","x":' + b"[" * 100_000,
        b'{"data":{"x":' + b'{"x":' * 100_000,
        b'{"version":1,"x":' + b"[" * 100_000 + b"]" * 100_000 + b"}",
    ],
    ids=["arrays", "objects", "in a known type", "in the data", "whole"],
)
def test_foreign_bytes_nested_without_end_are_damage(stored: bytes) -> None:
    with pytest.raises(DamagedEntry):
        codec.decode(stored)


def test_among_others_an_entry_is_read_as_it_is_alone() -> None:
    known, later = written(b'{"schema":1,"seat":3,"type":"turn_ended"}'), written(b'{"schema":1,"type":"tea_served"}')
    read = codec.decode_all(iter([known, later, known]))
    assert read == [codec.decode(known), codec.decode(later), codec.decode(known)]
    assert isinstance(read[1].data, Opaque)
    with pytest.raises(DamagedEntry):
        codec.decode_all([known, later, b"{"])


def written(data: bytes) -> bytes:
    """Write an entry around some data."""
    example: Envelope[Event] = envelope(EXAMPLES["turn_ended"], version=7)
    whole = codec.encode(example)
    start, end = whole.index(b'"data":') + 7, whole.index(b',"turn":')
    return whole[:start] + data + whole[end:]
