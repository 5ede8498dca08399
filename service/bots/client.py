"""A bot as an ordinary HTTP client: it plays one seat by the public API, as anyone could."""

import secrets
import time
from collections.abc import Callable, Mapping
from typing import Any, Protocol

import requests

from service.bots.base import Bot, Json
from service.bots.offers import answers_of

CONNECT_SECONDS = 5
REPLY_SECONDS = 15
FIRST_PAUSE = 0.05
LONGEST_PAUSE = 2.0
ANSWER_SECONDS = 5
"""How long a bot that made an offer waits for the answer before it goes on."""
MOST_REFUSALS = 5
BROKEN = (requests.ConnectionError, requests.Timeout, requests.exceptions.ChunkedEncodingError)
TOO_FAST = 429
OVER = frozenset({"game_over", "seat_left"})


class Session(Protocol):
    """What is used of `requests.Session`."""

    def request(self, method: str, url: str, **options: Any) -> Any:
        """Send a request and wait for its answer."""


class PlayerError(Exception):
    """The service refuses what the player does, or stays away for too long."""


class HttpPlayer:
    """Plays a seat to the end of the game.

    Args:
        base_url: Where the service is, without `/v1`.
        game: Id of the game.
        seat: Its seat.
        token: The seat's token.
        bot: Chooses.
        session: Sends requests; None makes a session of its own.
        wait: Seconds that one long poll waits.
        patience: Seconds for which a service that does not answer is tried again.
    """

    def __init__(
        self,
        base_url: str,
        game: str,
        seat: int,
        token: str,
        bot: Bot,
        *,
        session: Session | None = None,
        wait: int = 25,
        patience: float = 60,
    ) -> None:
        self.seat = seat
        self._url = f"{base_url.rstrip('/')}/v1/games/{game}"
        self._auth = {"Authorization": f"Bearer {token}"}
        self._bot = bot
        self._session = session or requests.Session()
        self._wait = wait
        self._patience = patience
        self._refusals = 0

    def play(self) -> None:
        """Play until the game is over or the seat has left.

        Raises:
            PlayerError: The service refuses, or does not answer.
        """
        while self.step():
            pass

    def step(self) -> bool:
        """Look once, and act or wait; false when there is nothing more to do.

        Raises:
            PlayerError: The service refuses, or does not answer.
        """
        menu = self._get("/actions")
        if menu["prompts"]:
            if not self._act(menu, self._bot.choose):
                self._get("/events", after=menu["version"], wait=min(self._wait, ANSWER_SECONDS), limit=1)
            return True
        if any(closed["code"] in OVER for closed in menu["closed"]):
            return False
        if not answers_of(menu["open"]) or not self._act(menu, self._bot.answer):
            self._get("/events", after=menu["version"], wait=self._wait, limit=1)
        return True

    def _act(self, menu: Json, choose: Callable[[list[Json], Json], Json | None]) -> bool:
        """Choose and send; false when the bot wants to wait.

        After a refusal because the game moved on, the next step looks again.
        """
        seen = self._get("")
        if seen["version"] != menu["version"]:
            return True
        body = choose(menu["open"], seen["state"])
        if body is None:
            return False
        self._send_action(body)
        return True

    def _send_action(self, body: Json) -> None:
        headers = {"Idempotency-Key": secrets.token_hex(16)}
        answer = self._send("POST", "/actions", json=body, headers=headers)
        if answer.status_code not in (409, 412):
            _expect(answer, 201)
            self._refusals = 0
            return
        self._refusals += 1
        if self._refusals >= MOST_REFUSALS:
            raise PlayerError(f"{MOST_REFUSALS} refusals running; the last: {answer.text[:300]}")

    def _get(self, path: str, **query: int) -> Json:
        answer = self._send("GET", path, params=query, timeout=(CONNECT_SECONDS, REPLY_SECONDS + query.get("wait", 0)))
        _expect(answer, 200)
        found: Json = answer.json()
        return found

    def _send(self, method: str, path: str, *, headers: Mapping[str, str] | None = None, **options: Any) -> Any:
        """Send a request until it is answered; what is sent again is the same, with the same idempotency key."""
        options = {"timeout": (CONNECT_SECONDS, REPLY_SECONDS), **options, "headers": {**self._auth, **(headers or {})}}
        left, pause = self._patience, FIRST_PAUSE
        while True:
            try:
                answer = self._session.request(method, self._url + path, **options)
                if answer.status_code == TOO_FAST:
                    pause = max(pause, float(answer.headers["Retry-After"]))
                elif answer.status_code < 500:
                    return answer
                trouble = f"status {answer.status_code}: {answer.text[:300]}"
            except BROKEN as error:
                trouble = str(error)
            if left <= 0:
                raise PlayerError(f"{method} {path}: no answer: {trouble}")
            time.sleep(pause)
            left, pause = left - pause, min(2 * pause, LONGEST_PAUSE)


def _expect(answer: Any, status: int) -> None:
    if answer.status_code != status:
        raise PlayerError(f"status {answer.status_code} where {status} was expected: {answer.text[:300]}")
