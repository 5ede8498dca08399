"""Play a whole game with a client that `openapi-python-client` made: python bot.py URL RULEBOOK."""

import sys
import time
from typing import TypeVar

import httpx
from rollbook_client import AuthenticatedClient, Client
from rollbook_client.api.games import create_game, get_game
from rollbook_client.api.lobby import mark_ready, start_game, take_seat
from rollbook_client.api.play import act, list_actions
from rollbook_client.models import (
    Acted,
    Created,
    Game,
    Menu,
    NewGameBody,
    NewGameBodyRulebook,
    NewSeatBody,
    OpenAction,
    Problem,
    ReadyBody,
    Seated,
)

T = TypeVar("T")


class Patient(httpx.HTTPTransport):
    """Waits for as long as the service says when it was asked for too much."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request until it is answered."""
        while (answer := super().handle_request(request)).status_code == httpx.codes.TOO_MANY_REQUESTS:
            answer.close()
            time.sleep(int(answer.headers["Retry-After"]))
        return answer


def good(answer: object, kind: type[T]) -> T:
    """Return an answer of success."""
    if isinstance(answer, kind):
        return answer
    raise SystemExit(f"{answer.code}: {answer.detail}" if isinstance(answer, Problem) else repr(answer))


def choose(menu: Menu) -> OpenAction | None:
    """Return what to do now, None for nothing: this is the line to make cleverer."""
    return next((action for action in menu.open_ if action.default), None)


def client(url: str, token: str) -> AuthenticatedClient:
    """Return a client with a token."""
    return AuthenticatedClient(url, token, httpx_args={"transport": Patient()})


def play(url: str, rulebook: str) -> Game:
    """Open a game of two, and play both seats to the end."""
    wanted = NewGameBody(rulebook=NewGameBodyRulebook(rulebook))
    made = good(create_game.sync(client=Client(base_url=url), body=wanted), Created)
    host, door = client(url, made.host_token), client(url, made.join_code)
    seats = []
    for name in ("Ann", "Bob"):
        seat = good(take_seat.sync(made.game, client=door, body=NewSeatBody(name=name)), Seated)
        seats.append(client(url, seat.token))
    for player in seats:
        good(mark_ready.sync(made.game, client=player, body=ReadyBody(edition=1)), Acted)
    good(start_game.sync(made.game, client=host), Acted)
    while True:
        acted = False
        for player in seats:
            menu = good(list_actions.sync(made.game, client=player), Menu)
            if choice := choose(menu):
                good(act.sync(made.game, client=player, body=choice.body), Acted)
                acted = True
        if not acted:
            return good(get_game.sync(made.game, client=host), Game)


if __name__ == "__main__":
    game = play(*sys.argv[1:])
    for line in game.state.standings:
        print(line.rank, game.names[str(line.seat)], line.score)
