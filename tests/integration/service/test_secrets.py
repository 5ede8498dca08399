"""The secret of a running game, and every token, are in no answer but the one that issued it, in no log and no job."""

import base64
import socket
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from events.store import Store, connect
from service.hosting.valkey import EmbeddedStore
from tests.support.http import Client, Table
from tests.support.serving import Serve

ROUTES = (
    "", "/events", "/events?limit=500", "/steps", "/steps/1", "/ledger/accounts", "/ledger/entries",
    "/ledger/trial-balance", "/verification", "?at=3",
    "/checkpoint", "/events/3/proof", "/consistency?from=2",
    "/ledger/statement?account=seat:1", "/ledger/explain?account=seat:1", "/ledger/policy",
    "/ledger/export?format=beancount", "/ledger/export?format=json",
)  # fmt: skip


BROKEN = (
    "GET / HTTP/1.1\r\nHost: x\r\nAuthorization Bearer {token}\r\n\r\n",
    "GET / HTTP/1.1 {token}\r\nHost: x\r\n\r\n",
    "Bearer {token}\r\n\r\n",
    "{token} / HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET / HTTP/1.1\r\nHost: x\r\n{token} : y\r\n\r\n",
    'POST /v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{{}}{{"nonce": "{token}"}}\r\n\r\n',
    "POST /v1/games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n{token}\r\n\r\n",
)
"""Requests that gunicorn refuses before the application sees them, with a token where none should be."""


def send_raw(url: str, text: str) -> str:
    place = urlsplit(url)
    with socket.create_connection((str(place.hostname), place.port or 0), timeout=30) as connection:
        connection.sendall(text.encode())
        connection.shutdown(socket.SHUT_WR)
        return b"".join(iter(lambda: connection.recv(65_536), b"")).decode()


def forms(secret: bytes) -> list[str]:
    """Return the ways in which 32 bytes could be written."""
    plain = base64.urlsafe_b64encode(secret).decode().rstrip("=")
    return [secret.hex(), plain, base64.b64encode(secret).decode().rstrip("="), repr(secret)[2:-1]]


def assert_found_once_revealed(client: Client) -> None:
    """The search would see it: after the end of a game the last event holds the secret."""
    table = Table.open(client, months=1)
    table.play(1000)
    revealed = table.state()["secret"]
    text = client.call("GET", f"/v1/games/{table.game}/events", Accept="application/x-ndjson").text
    assert len(revealed) == 64
    assert forms(bytes.fromhex(revealed))[0] in text


def test_nothing_secret_leaves_the_service(serve: Callable[..., Serve], folder: Path) -> None:
    """C1, D5: every route of a running game, every list, every error, the log and the queue are searched."""
    running = serve("serve", "--port", "0", "--workers", "1", module="service.cli").ready()
    client = Client(running.url)
    table = Table.open(client, months=60)
    table.play(30)
    assert_found_once_revealed(client)
    tokens = [table.host, *table.tokens.values()]
    said = [client.call("GET", f"/v1/games/{table.game}{route}").text for route in ROUTES]
    said += [client.call("GET", f"/v1/games/{table.game}/events", Accept="application/x-ndjson").text]
    for token in [*table.tokens.values(), "wrong"]:
        said.append(client.call("GET", f"/v1/games/{table.game}/actions", token=token).text)
        body = {"action": "roll", "prompt": "p1"}
        said.append(client.call("POST", f"/v1/games/{table.game}/actions", token=token, body=body).text)
    broken = [send_raw(running.url, text.format(token=table.host)) for text in BROKEN]
    assert all("HTTP/1.1 4" in answer for answer in broken)
    said += broken
    said += [
        client.call("GET", path).text for path in ("/v1/games", "/v1/keys", "/healthz", "/readyz", "/openapi.json")
    ]
    with EmbeddedStore(folder) as store:
        redis = connect(store.url)
        secret = Store(redis).sidecar.secret(table.game)
        queue = [name for name in redis.execute_command("KEYS", "*") if name.startswith(b"rq:")]
        said += [repr(redis.execute_command("DUMP", name)) for name in queue]
    assert secret is not None
    assert running.stop() == 0
    said += [running.output, (folder / "valkey.log").read_text(), (folder / "heads.log").read_text()]
    keys = [(folder / name).read_text().strip() for name in ("server.key", "operator.token")]
    assert running.output.count("Invalid request from ip=127.0.0.1: ") >= len(BROKEN) - 1, (
        "the log says so, in no words"
    )
    signing = (folder / "signing.key").read_text().strip()
    keys += [signing, *forms(base64.b64decode(signing.split("+", 4)[4])[1:])]
    for hidden in [*forms(secret), *tokens, *keys]:
        assert [text[:200] for text in said if hidden in text] == [], "something secret was said"
