"""A game under rules that this release does not hold: it can be read, and nothing happens in it."""

import pytest

from service.rules import versions
from tests.api.checked import Api, ok, refused
from tests.api.tables import started


def test_it_can_be_read_and_refuses_every_action(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    """409 with its code for all that would change it; state, menu, stream, steps, books and verification as always."""
    table = started(api, options={"turn_seconds": 60})
    seat, body = table.active(), table.body()
    version = table.version
    monkeypatch.setattr(versions, "SUPPORTED", frozenset({versions.NEWEST + 1}))
    versions.plays_on.cache_clear()
    for answer in (
        table.act(seat, body),
        table.act(seat, body, key="again"),
        api.call("DELETE", f"{table.path}/seats/{seat}", token=table.seats[seat]),
        api.post(f"{table.path}/seats/{seat}/token", token=table.host),
    ):
        problem = refused(answer, 409, "unsupported_rules")
        assert f"rules {versions.NEWEST}," in problem["detail"]
    assert table.version == version
    assert table.menu(seat)["open"]
    for path in ("/events", "/steps", "/ledger/trial-balance", "/verification"):
        ok(api.get(table.path + path))
    monkeypatch.undo()
    versions.plays_on.cache_clear()
    ok(table.act(seat, body))
