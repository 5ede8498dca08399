"""The table of who may do what in a game."""

from service.games.permissions import TABLE
from service.rules.actions import Open, Retake


def test_every_action_around_play_has_a_row() -> None:
    """Except taking an open seat: a request to sit down becomes that."""
    assert set(TABLE) == set(Open.__subclasses__()) - {Retake}


def test_each_refusal_is_a_sentence() -> None:
    for permission in TABLE.values():
        assert permission.why_not[0].isupper()
        assert permission.why_not.endswith(".")
