"""The wire: names, shapes and bytes that stand on streams for good.

When one of these fails, a stream that was written before may not read as it did. A new type adds lines to the golden
files and changes none: `python -m tests.events.test_examples` prints what belongs in them.
"""

import json
from pathlib import Path

import click
import pytest

from events import chain, codec
from events.catalogue import TYPES, written_names
from events.examples.events import EXAMPLES, GAME, entries, envelope

GOLDEN = Path(__file__).parent.parent / "golden"


def example_entries() -> list[bytes]:
    return [codec.encode(entry) for entry in entries()]


def example_links() -> list[str]:
    return [link.hex() for link in chain.links(chain.genesis(GAME), example_entries())]


def golden(name: str) -> list[str]:
    return (GOLDEN / name).read_text(encoding="utf-8").splitlines()


def test_every_type_has_an_example_under_its_own_name() -> None:
    assert set(EXAMPLES) == set(TYPES)
    assert all(type(example) is TYPES[name] for name, example in EXAMPLES.items())


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_an_example_survives_the_wire(name: str) -> None:
    entry = envelope(EXAMPLES[name], version=7)
    assert codec.decode(codec.encode(entry)) == entry


def test_no_name_that_was_ever_written_is_dropped() -> None:
    """The list that the start-up check reads holds each pinned name and schema number once, in order."""
    pinned = [json.loads(line)["data"] for line in golden("example_entries.jsonl")]
    assert written_names() == sorted({(data["type"], data["schema"]) for data in pinned})


def test_the_bytes_of_every_example_are_pinned() -> None:
    assert [entry.decode() for entry in example_entries()] == golden("example_entries.jsonl")


def test_the_chain_over_them_is_pinned() -> None:
    assert example_links() == golden("example_links.txt")


def test_the_pinned_bytes_still_read_as_the_examples() -> None:
    assert codec.decode_all(line.encode() for line in golden("example_entries.jsonl")) == entries()


if __name__ == "__main__":
    for lines in ([entry.decode() for entry in example_entries()], example_links()):
        click.echo("\n".join(lines))
