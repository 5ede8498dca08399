"""A bot as an HTTP client of The Social Justice Game: it answers offers, and waits for answers to its own."""

from typing import Any

from service.bots import Json
from service.bots.client import HttpPlayer
from tests.service.test_bot_client import answer

DECLINE = {"action": "decline_offer", "offer": 1}


class Table:
    """A session with one menu for ever, and an account of what was asked."""

    def __init__(self, *, asked: bool) -> None:
        prompts = [{"prompt": "p3", "seat": 1}] if asked else []
        actions = [{"name": "decline_offer", "prompt": "", "body": DECLINE}]
        self.menu = {"version": 5, "prompts": prompts, "open": actions, "closed": []}
        self.sent: list[Json] = []
        self.waits: list[int] = []

    def request(self, method: str, url: str, **options: Any) -> Any:
        if method == "POST":
            self.sent.append(options["json"])
            return answer(201, {})
        if url.endswith("/events"):
            self.waits.append(options["params"]["wait"])
            return answer(200, {"events": []})
        return answer(200, self.menu if url.endswith("/actions") else {"version": 5, "state": {}})


class Stub:
    """A bot that wants what a test says."""

    def __init__(self, *, choice: Json | None = None, reply: Json | None = None) -> None:
        self.choice, self.reply = choice, reply
        self.ignored: frozenset[str] = frozenset()

    def choose(self, actions: list[Json], state: Json) -> Json | None:
        return self.choice

    def answer(self, actions: list[Json], state: Json) -> Json | None:
        return self.reply


def step(table: Table, bot: Stub) -> Table:
    assert HttpPlayer("http://there", "g", 1, "token", bot, session=table, wait=25).step()
    return table


def test_an_offer_is_answered_while_nothing_is_asked() -> None:
    table = step(Table(asked=False), Stub(reply=DECLINE))
    assert (table.sent, table.waits) == ([DECLINE], [])


def test_who_wants_to_give_no_answer_waits_for_what_happens() -> None:
    table = step(Table(asked=False), Stub())
    assert (table.sent, table.waits) == ([], [25])


def test_who_waits_for_an_answer_in_its_own_turn_does_not_wait_long() -> None:
    """Its clock runs: it looks again soon, and goes on."""
    table = step(Table(asked=True), Stub(reply=DECLINE))
    assert (table.sent, table.waits) == ([], [5])
