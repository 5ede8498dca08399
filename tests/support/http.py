"""A client of the API for tests: small, with the idempotency key kept over retries."""

import json
import secrets
import time
from dataclasses import dataclass, field
from typing import Any

import requests

RETRIED = (502, 503, 504)
NAMES = ("Ann", "Bob", "Cid", "Dee", "Eli", "Flo", "Gus", "Hal")
LONG = 60.0  # seconds until a retry gives up: a limit, not a measure


@dataclass
class Client:
    """One caller of one server.

    Attributes:
        base: Base URL; may be changed when the server comes back elsewhere.
        session: Connections.
    """

    base: str
    session: requests.Session = field(default_factory=requests.Session)

    def call(
        self, method: str, path: str, *, token: str = "", body: object = None, key: str = "", **headers: str
    ) -> requests.Response:
        """Send a request once."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token:
            sent["Authorization"] = f"Bearer {token}"
        if key:
            sent["Idempotency-Key"] = key
        return self.session.request(method, f"{self.base}{path}", json=body, headers=sent, timeout=LONG)

    def insist(
        self, method: str, path: str, *, token: str = "", body: object = None, key: str = ""
    ) -> requests.Response:
        """Send a request until it is answered by more than silence or a 503; the key stays the same."""
        key = key or secrets.token_hex(16)
        end = time.monotonic() + LONG
        while True:
            try:
                reply = self.call(method, path, token=token, body=body, key=key)
                if reply.status_code not in RETRIED:
                    return reply
            except requests.RequestException:
                self.session = requests.Session()
            assert time.monotonic() < end, f"{method} {path} was never answered"
            time.sleep(0.05)

    def lines(self, path: str) -> list[dict[str, Any]]:
        """Read NDJSON."""
        return ndjson(self.call("GET", path, Accept="application/x-ndjson").text)


@dataclass
class Table:
    """A game over HTTP that answers every prompt with the body marked as default.

    Attributes:
        client: The caller.
        game: Id.
        host: The host's token.
        tokens: Tokens of the seats.
    """

    client: Client
    game: str
    host: str
    tokens: dict[int, str]

    @classmethod
    def open(cls, client: Client, seats: int = 2, rulebook: str = "public_assistance", **options: object) -> "Table":
        """Create, seat, agree and start."""
        made = client.insist("POST", "/v1/games", body={"rulebook": rulebook, "options": options}).json()
        game, tokens = made["game"], {}
        for name in NAMES[:seats]:
            path = f"/v1/games/{game}/seats"
            seated = client.insist("POST", path, token=made["join_code"], body={"name": name}).json()
            tokens[seated["seat"]] = seated["token"]
        for token in tokens.values():
            client.insist("POST", f"/v1/games/{game}/ready", token=token, body={"edition": 1})
        client.insist("POST", f"/v1/games/{game}/start", token=made["host_token"])
        return cls(client, game, made["host_token"], tokens)

    def state(self) -> dict[str, Any]:
        """Read the state."""
        state: dict[str, Any] = self.client.insist("GET", f"/v1/games/{self.game}").json()["state"]
        return state

    def asked(self, kind: str) -> dict[int, str]:
        """Return who is asked something of a kind, with the prompt's id."""
        prompts = self.state()["prompts"].values()
        return {prompt["seat"]: prompt["prompt"] for prompt in prompts if prompt["kind"] == kind}

    def play_until(self, kind: str) -> tuple[int, str]:
        """Play on until a seat is asked something of a kind; return the first."""
        while not (asked := self.asked(kind)):
            assert self.play(1), f"nobody was ever asked: {kind}"
        return next(iter(asked.items()))

    def events(self, kind: str) -> list[dict[str, Any]]:
        """Read the data of every event of a type."""
        reply = self.client.lines(f"/v1/games/{self.game}/events")
        return [line["event"]["data"] for line in reply if line["event"]["data"]["type"] == kind]

    def next_body(self) -> tuple[int, dict[str, Any]] | None:
        """Return who is asked first, and the default body; None when the game is over."""
        prompts = self.state()["prompts"].values()
        for prompt in prompts:
            seat: int = prompt["seat"]
            path = f"/v1/games/{self.game}/actions"
            menu = self.client.insist("GET", path, token=self.tokens[seat]).json()
            return seat, next(choice["body"] for choice in menu["open"] if choice["default"])
        return None

    def act(self, seat: int, body: dict[str, Any], key: str) -> requests.Response:
        """Send an action until it is answered."""
        path = f"/v1/games/{self.game}/actions"
        return self.client.insist("POST", path, token=self.tokens[seat], body=body, key=key)

    def play(self, steps: int) -> list[dict[str, Any]]:
        """Play some steps; gives the answers of success."""
        answers = []
        for _ in range(steps):
            asked = self.next_body()
            if asked is None:
                break
            reply = self.act(*asked, secrets.token_hex(16))
            if reply.status_code == 201:
                answers.append(reply.json())
        return answers


def ndjson(text: str) -> list[dict[str, Any]]:
    """Read one JSON document a line."""
    return [json.loads(line) for line in text.splitlines() if line]
