"""Games played over HTTP."""

import secrets
from dataclasses import dataclass, field
from typing import Any

from tests.api.checked import Api, ok

NAMES = ("Ann", "Bob", "Cem", "Dee", "Eli", "Flo", "Gus", "Hal")


@dataclass
class Table:
    """A game and everybody's tokens."""

    api: Api
    game: str
    host: str
    join: str
    watch: str
    seats: dict[int, str] = field(default_factory=dict)

    @property
    def path(self) -> str:
        return f"/v1/games/{self.game}"

    def state(self, at: int | None = None) -> Any:
        query = f"?at={at}" if at else ""
        return ok(self.api.get(self.path + query, token=self.watch))

    @property
    def version(self) -> int:
        return int(self.state()["version"])

    def menu(self, seat: int) -> Any:
        return ok(self.api.get(f"{self.path}/actions", token=self.seats[seat]))

    def active(self) -> int:
        """The seat whose decision is open."""
        return int(next(iter(self.state()["state"]["prompts"].values()))["seat"])

    def body(self, name: str = "roll") -> dict[str, Any]:
        """An open action of the active seat, ready to send; where that one is closed, what the clock would do."""
        offered = self.menu(self.active())["open"]
        wanted = [action for action in offered if action["name"] == name]
        return dict((wanted or [action for action in offered if action["default"]])[0]["body"])

    def act(self, seat: int, body: Any, **options: Any) -> Any:
        return self.api.post(f"{self.path}/actions", body, token=self.seats[seat], **options)

    def step(self) -> Any:
        """Do what the clock would do for the active seat."""
        seat = self.active()
        body = next(action["body"] for action in self.menu(seat)["open"] if action["default"])
        return ok(self.act(seat, body))

    def asked(self, kind: str) -> list[tuple[int, str]]:
        """The seats that are asked something of a kind, each with the prompt's id."""
        prompts = self.state()["state"]["prompts"].values()
        return [(int(prompt["seat"]), prompt["prompt"]) for prompt in prompts if prompt["kind"] == kind]

    def propose(self, *operations: dict[str, Any], **options: Any) -> Any:
        """Propose something as the active seat, before its turn."""
        ((seat, prompt),) = self.asked("turn_start")
        return self.act(seat, {"action": "propose", "prompt": prompt, "operations": list(operations)}, **options)

    def vote(self, ballot: str = "yes") -> None:
        """Cast the same ballot for every seat that is asked, until the vote is decided."""
        while asked := self.asked("ballot"):
            seat, prompt = asked[0]
            ok(self.act(seat, {"action": "cast_ballot", "prompt": prompt, "ballot": ballot}))

    def tokens(self) -> list[str]:
        return [self.host, self.join, self.watch, *self.seats.values()]


def open_game(api: Api, *, key: str = "", **body: Any) -> Table:
    """Open a game; with a known secret and a key, its dice are the same each time."""
    new = {"rulebook": api.rulebook, **body}
    made = ok(api.post("/v1/games", new, key=key or secrets.token_hex(16)))
    return Table(api, made["game"], made["host_token"], made["join_code"], made["watch_token"])


def seated(api: Api, *, seats: int = 2, **body: Any) -> Table:
    """A game in the lobby with everybody at the table."""
    table = open_game(api, **body)
    for seat, name in enumerate(NAMES[:seats], start=1):
        made = ok(api.post(f"{table.path}/seats", {"name": name}, token=table.join, key=secrets.token_hex(16)))
        assert made["seat"] == seat
        table.seats[seat] = made["token"]
    return table


def started(api: Api, *, seats: int = 2, **body: Any) -> Table:
    """A game in which the first seat is to roll."""
    table = seated(api, seats=seats, **body)
    edition = table.state()["state"]["edition"]
    for token in table.seats.values():
        ok(api.post(f"{table.path}/ready", {"edition": edition}, token=token))
    ok(api.post(f"{table.path}/start", token=table.host))
    return table


def play(table: Table, most: int) -> None:
    """Take so many defaults, or fewer when chance ends the game."""
    for _ in range(most):
        if table.state()["state"]["status"] != "playing":
            return
        table.step()


def leave(table: Table, seat: int) -> None:
    """Leave a seat for good, as its holder."""
    ok(table.api.call("DELETE", f"{table.path}/seats/{seat}", token=table.seats[seat]))


def finish(table: Table, most: int) -> Table:
    """Take so many defaults, and then let everybody leave until the game is over."""
    play(table, most)
    for seat in sorted(table.seats):
        if table.state()["state"]["status"] == "playing":
            leave(table, seat)
    return table


def ended(api: Api, most: int) -> Table:
    """A game that is over after so many steps at most."""
    return finish(started(api, seats=2), most)
