"""What was so at a time: the game, its books and its rules."""

from typing import Any

import pytest

from tests.api.checked import Api, ok, refused
from tests.api.tables import Table, play, started

PATHS = ("", "/ledger/trial-balance", "/ledger/accounts", "/ledger/entries", "/ledger/policy", "/rules", "/votes")


@pytest.fixture(scope="module")
def table(api: Api) -> Table:
    table = started(api)
    play(table, 15)
    return table


def moments(table: Table) -> dict[int, int]:
    """The last version of each millisecond in which something happened."""
    events = ok(table.api.get(f"{table.path}/events?limit=1000"))["events"]
    return {line["event"]["at"]: line["event"]["version"] for line in events}


def get(table: Table, path: str) -> Any:
    return ok(table.api.get(table.path + path))


@pytest.mark.parametrize("path", PATHS)
def test_a_time_shows_the_newest_version_as_of_then(table: Table, path: str) -> None:
    """As `at` shows it: at the very millisecond of an event it has happened, and one before it has not."""
    found = moments(table)
    versions = {0: 0, **found}
    for moment, version in [*found.items()][:: max(1, len(found) // 6)]:
        assert get(table, f"{path}?time={moment}") == get(table, f"{path}?at={version}")
        before = max(versions[at] for at in versions if at < moment)
        if before:
            assert get(table, f"{path}?time={moment - 1}") == get(table, f"{path}?at={before}")
    assert get(table, f"{path}?time={2**53 - 1}") == get(table, path)


@pytest.mark.parametrize("path", PATHS)
def test_before_the_game_there_is_nothing(table: Table, path: str) -> None:
    """A time before it was opened is no version, and a time and a version together are no question."""
    refused(table.api.get(f"{table.path}{path}?time={min(moments(table)) - 1}"), 404, "no_such_version")
    problem = refused(table.api.get(f"{table.path}{path}?time=5&at=1"), 422, "invalid_input")
    assert [error["query"] for error in problem["errors"]] == ["time"]


def test_a_cursor_belongs_to_its_time(table: Table) -> None:
    """All pages are as of one time."""
    moment = max(moments(table))
    page = get(table, f"/ledger/entries?limit=1&time={moment}")
    get(table, f"/ledger/entries?limit=1&time={moment}&cursor={page['next']}")
    refused(table.api.get(f"{table.path}/ledger/entries?limit=1&cursor={page['next']}"), 422, "invalid_input")
