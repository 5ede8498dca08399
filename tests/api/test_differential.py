"""D1: two games that differ only in the secret and in nonces that nobody opened are alike before the reveal.

Chance and commitments are made the same for both, so whatever differs is the secret itself, or comes of it. Every
answer is compared, byte by byte and with its headers, and everything in the store but the secret.
"""

from collections.abc import Iterator
from hashlib import sha256
from itertools import count, islice
from typing import Any

import pytest

from service.api.schemas.games import RULEBOOKS
from service.games import chance
from service.games.appending import Appender
from tests.api.checked import Api
from tests.api.conftest import application
from tests.api.tables import NAMES, Table, play
from tests.support.databases import DATABASES

ONE, OTHER = b"\x5a" * 32, b"\xa5" * 32
PATHS = (
    *(
        "",
        "?at=1",
        "?at=9",
        "/events?limit=1000",
        "/events?after=20",
        "/steps?limit=100",
        "/steps?before=99",
        "/steps/1",
    ),
    *("/steps/8", "/steps/9?since=3", "/ledger/accounts", "/ledger/entries", "/ledger/trial-balance", "/verification"),
    *("/actions", "/rules", "/votes", "/nosuch", "/steps/999", "?at=9999", "/events?wait=x"),
)


@pytest.fixture
def one_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same dice, commitments, times and salts for every game."""
    DATABASES.new()  # the server is started before chance is taken in hand
    commitment = sha256(b"commitment").hexdigest()
    monkeypatch.setattr(chance, "commitment", lambda _game, _secret, **_known: commitment)
    monkeypatch.setattr(
        Appender,
        "_dice",
        lambda _self, loaded: chance.SecretDice(b"dice" * 8, loaded.state.game, chance.inputs_of(loaded.state)),
    )
    monkeypatch.setattr("secrets.token_urlsafe", lambda _size: "ticket")


def told(rulebook: str, secret: bytes, monkeypatch: pytest.MonkeyPatch, *, reveal: bool = False) -> list[Any]:
    """Play a game, ask for everything, and give all that was answered and all that is stored."""
    random = (sha256(b"%d" % number).digest() for number in count())
    monkeypatch.setattr("secrets.token_bytes", lambda size: next(random)[:size])
    monkeypatch.setattr("secrets.token_hex", lambda size: next(random).hex()[: size * 2])
    monkeypatch.setattr(chance, "new_secret", lambda: secret)
    api = application(rulebook)
    now = iter(range(1_800_000_000_000, 1_900_000_000_000))
    api.app.extensions["rollbook"].games.clock.now = lambda: next(now)
    answers: list[Any] = []
    call = api.call

    def noted(*args: Any, **options: Any) -> Any:
        answer = call(*args, **options)
        answers.append((args[:2], answer.status, sorted(answer.headers), answer.data))
        return answer

    api.call = noted  # type: ignore[method-assign] # every answer is kept
    table = played(api)
    for path in PATHS:
        for token in (None, table.watch, table.seats[1], "wrong"):
            api.get(table.path + path, token=token)
    ask_for_more(api, table)
    answers.append(stream(api, table))
    if reveal:
        api.call("DELETE", f"{table.path}/seats/1", token=table.seats[1])
    return [*answers, *stored(api)]


def played(api: Api) -> Table:
    """A game after some turns; the first seat committed to a nonce and opens it, the second never does."""
    made: Any = api.post("/v1/games", {"rulebook": api.rulebook}, key="a game of two secrets").json
    table = Table(api, made["game"], made["host_token"], made["join_code"], made["watch_token"])
    for seat, name in enumerate(NAMES[:2], start=1):
        body = {"name": name, "nonce_commitment": sha256(b"%d" % seat * 16).hexdigest()}
        seated: Any = api.post(f"{table.path}/seats", body, token=table.join, key=name).json
        table.seats[seat] = seated["token"]
    for seat, token in table.seats.items():
        nonce = {"nonce": (b"1" * 16).hex()} if seat == 1 else {}
        api.post(f"{table.path}/ready", {"edition": 1, **nonce}, token=token, key=f"ready {seat}")
    api.post(f"{table.path}/start", token=table.host, key="start")
    play(table, 12)
    return table


def ask_for_more(api: Api, table: Table) -> None:
    """What is written, refused or only tried."""
    seat, body = table.active(), table.body()
    api.post(f"{table.path}/actions?dry_run=true", body, token=table.seats[seat])
    api.post(f"{table.path}/actions", body, token=table.seats[3 - seat])
    api.post(f"{table.path}/forks", {"step": 8}, key="the first of two forks")
    api.post(f"{table.path}/forks", {"step": 8, "same_chance": True}, key="the other of two forks")
    api.post(f"{table.path}/rematch", token=table.host)
    api.post(f"{table.path}/tickets")
    api.get("/v1/games")


def stream(api: Api, table: Table) -> list[bytes]:
    answer = api.client.get(f"{table.path}/events?after=1", headers={"Accept": "text/event-stream"}, buffered=False)
    pieces: list[Any] = list(islice(answer.response, 2))
    answer.close()
    return pieces


def stored(api: Api) -> Iterator[Any]:
    """Everything in the store but the secrets themselves."""
    client = api.app.extensions["rollbook"].client
    for key in sorted(client.keys("*")):
        if key.endswith(b":feed"):  # its ids are the time of the server
            yield key, [fields for _, fields in client.xrange(key)]
        elif not key.endswith(b":sk"):
            yield key, client.dump(key)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_no_byte_tells_two_secrets_apart_before_the_reveal(
    rulebook: str, one_chance: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (told(rulebook, secret, monkeypatch) for secret in (ONE, OTHER))
    assert len(one) == len(other) > 100
    for mine, theirs in zip(one, other, strict=True):
        assert mine == theirs
    everything = repr(one).encode()
    assert ONE.hex().encode() not in everything


def test_the_reveal_itself_is_told_apart(one_chance: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """So the comparison can fail."""
    one, other = (told("public_assistance", secret, monkeypatch, reveal=True) for secret in (ONE, OTHER))
    assert one != other
