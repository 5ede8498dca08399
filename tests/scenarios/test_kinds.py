"""Every kind of block and card that a data file may hold has a rule."""

from events.public_assistance.board import CARD_KINDS, KINDS, PLAIN
from service.rules.public_assistance import cards, landing


def test_every_kind_of_block_on_the_loops_has_a_rule() -> None:
    """And no rule is there for a kind that no board can have."""
    drawn = {"benefit", "burden"}
    assert KINDS["promenade"] | KINDS["rut"] | PLAIN == landing.BLOCKS.keys() | {"advance"} | drawn


def test_every_kind_of_card_has_a_rule() -> None:
    """The same of both decks."""
    assert set().union(*CARD_KINDS.values()) == cards.EFFECTS.keys() | {"advance"}
