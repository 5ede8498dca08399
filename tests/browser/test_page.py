"""The offline page, opened from disk: a whole game of each kind is stepped through to the right final balances."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from events import codec
from events.store.keys import game_keys
from projections.timeline.layout import places
from service.audit.audit import audit_game
from service.audit.verify import shown as verification
from service.games.records import NewSeat, RequestContext
from service.replay.page import write_page
from service.replay.steps import one
from tests.support import social
from tests.support.chromium import CHROMIUM, Page, opened
from tests.support.played import Table, empty, finished, games_on, play, sit_down, start

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="chromium is not installed")

KINDS = {
    "public_assistance": lambda: finished(months=2),
    "social_justice": lambda: social.lively(empty(), events=250),
}
HOSTILE = '</script><img src=x onerror="window.pwned=1"><b>&amp;\u2028'


def written(table: Table) -> Iterator[bytes]:
    checked = verification(audit_game(table.games, table.game, execute=False))
    return write_page(table.games.loader, table.game, upto=table.version, verification=checked)


def page_of(table: Table, folder: Path) -> Path:
    path = folder / "replay.html"
    path.write_bytes(b"".join(written(table)))
    return path


def click(page: Page, button: str) -> None:
    page.run(f"document.getElementById('{button}').click()")


def shown(page: Page) -> dict[str, Any]:
    """What stands on the page."""
    return dict(
        page.run("""({
            where: document.getElementById('where').textContent,
            lines: [...document.querySelectorAll('#lines li')].map((line) => line.textContent),
            balances: Object.fromEntries([...document.querySelectorAll('#balances tbody tr')]
                .map((row) => [row.dataset.account, Number(row.dataset.balance)])),
            markers: Object.fromEntries([...document.querySelectorAll('circle.marker')]
                .filter((marker) => !marker.dataset.spot.startsWith('cake_walk'))
                .map((marker) => [marker.dataset.seat, marker.dataset.spot])),
        })""")
    )


def wanted(table: Table, number: int) -> dict[str, Any]:
    """What must stand on the page after a step."""
    view = one(table.games.loader, table.game, number)
    assert view.state is not None
    assert view.books is not None
    return {
        "where": f"{number} of {table.state.steps}, turn {view.step.turn}",
        "lines": view.step.lines,
        "balances": dict(view.books.balances),
        "markers": {str(seat): spot for seat, spot in places(view.state).items()},
    }


@pytest.mark.parametrize("kind", KINDS)
def test_a_whole_game_is_stepped_through(kind: str, tmp_path: Path) -> None:
    """Forwards by the button to the final balances, with looks on the way, and back to the beginning."""
    table = KINDS[kind]()
    last = table.state.steps
    looks = {1, 2, last // 3, last // 2, last - 1, last}
    with opened(page_of(table, tmp_path), tmp_path / "profile") as (page, told):
        for number in range(1, last + 1):
            if number in looks:
                assert shown(page) == wanted(table, number), number
            click(page, "next")
        assert shown(page) == wanted(table, last)  # there is nothing after the end
        books = table.games.loader.at(table.game, table.version).books
        assert shown(page)["balances"] == books.balances
        for number in range(last, 0, -1):
            if number in looks:
                assert shown(page) == wanted(table, number), number
            click(page, "back")
        click(page, "last")
        assert shown(page) == wanted(table, last)
        assert errors(told) == []
        assert requests(told) == [(tmp_path / "replay.html").as_uri()]


def errors(told: list[dict[str, Any]]) -> list[Any]:
    return [one for one in told if one["method"] in ("Runtime.exceptionThrown", "Log.entryAdded")]


def requests(told: list[dict[str, Any]]) -> list[str]:
    return [one["params"]["request"]["url"] for one in told if one["method"] == "Network.requestWillBeSent"]


def test_it_shows_what_was_checked_and_what_was_not(tmp_path: Path) -> None:
    """Chain, tree, dice and books hold, and the actions were not executed; a change is a finding in words."""
    table = finished(months=1)
    told = """({verdict: document.getElementById('verdict').textContent,
        lines: [...document.querySelectorAll('#verification li')].map((line) => line.textContent).join('; '),
        politics: document.getElementById('politics').hidden})"""
    with opened(page_of(table, tmp_path), tmp_path / "profile") as (page, _):
        good = dict(page.run(told))
    assert (good["verdict"], good["politics"]) == ("holds; actions not executed", True)
    for what in ("chain: every link", "books: accounts sum to zero", "compared with what follows from it"):
        assert what in good["lines"]
    client: Any = table.store.client
    client.hdel(game_keys(table.game).texts, table.state.seats[1].name)
    with opened(page_of(table, tmp_path), tmp_path / "profile") as (page, _):
        bad = dict(page.run(told))
    assert bad["verdict"] == "failed"
    assert "text: expected each text that events name" in bad["lines"]


def test_it_plays_by_itself_with_keys_and_speed(tmp_path: Path) -> None:
    table = play(start(social.seated(empty(), seats=2, key="keys")), most=3)
    last = table.state.steps
    with opened(page_of(table, tmp_path), tmp_path / "profile") as (page, told):
        page.run("document.getElementById('speed').value = '50'")
        click(page, "play")
        page.run("""new Promise((done) => {
            const look = () => document.getElementById('play').textContent === 'Play' ? done() : setTimeout(look, 20);
            look();
        })""")
        assert shown(page) == wanted(table, last)
        for key, number in (("Home", 1), ("ArrowRight", 2), ("End", last), ("ArrowLeft", last - 1)):
            page.run(f"document.dispatchEvent(new KeyboardEvent('keydown', {{key: '{key}'}}))")
            assert shown(page) == wanted(table, number)
        assert errors(told) == []


def test_what_people_typed_is_inert(tmp_path: Path) -> None:
    """A name that would be a script is shown letter by letter."""
    table = sit_down(games_on(empty()), seats=1)
    join = table.games.seats._key.token(table.game, "join", _creation(table))
    table.games.seats.sit(table.game, NewSeat(name=HOSTILE), RequestContext(join, key="hostile"))
    path = page_of(table, tmp_path)
    assert HOSTILE not in path.read_text(encoding="utf-8")
    with opened(path, tmp_path / "profile") as (page, told):
        click(page, "last")
        assert page.run("window.pwned === undefined")
        assert page.run("document.querySelectorAll('img, b').length") == 0
        assert HOSTILE.replace("\u2028", " ") in " ".join(shown(page)["lines"])
        assert page.run("document.querySelector('#seats tbody tr:last-child td').textContent") == HOSTILE
        assert errors(told) == []


def _creation(table: Table) -> str:
    return codec.decode(table.store.streams.read(table.game, count=1)[0].data).action


def test_the_page_asks_for_nothing(tmp_path: Path) -> None:
    """Not even where it could be followed: no address, no handler, and a policy that forbids all but its script."""
    text = page_of(KINDS["public_assistance"](), tmp_path).read_text(encoding="utf-8")
    addresses = set(re.findall(r"https?://[^\s\"']+", text))
    assert addresses == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"<(?:link|img|iframe|object)|\son\w+=|@import|url\(", text)
    assert "default-src &#x27;none&#x27;" in text
    data = re.search(r'<script type="application/json" id="game">(.*?)</script>', text, re.DOTALL)
    assert data
    assert json.loads(data[1])["steps"]
