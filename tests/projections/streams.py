"""Streams made by hand: the entries of a game that nobody played, as long as one likes."""

from collections.abc import Iterable, Iterator

from events import chain, codec
from events.base import CUSTODIAN, Envelope, Event, seat_account
from events.examples.events import GAME
from events.lobby import CustodianNamed, GameCreated, GameStarted, SeatTaken
from events.play import (
    ActionTaken,
    DiceRolled,
    MoneyMoved,
    OrderDecided,
    PromptClosed,
    PromptOpened,
    TurnEnded,
    TurnStarted,
)
from events.public_assistance import board as boards
from events.public_assistance import events as pa
from projections.replay import Stored

ZERO = "0" * 64


def enveloped(events: Iterable[Event], first: int = 1) -> list[Envelope[Event]]:
    return [
        Envelope(version=version, at=1_767_225_600_000 + version, turn=0, actor="seat:1", action=ZERO, data=event)
        for version, event in enumerate(events, start=first)
    ]


def opening(seats: int = 2) -> list[Event]:
    created = GameCreated(
        game=GAME, rulebook="public_assistance", rules=1, code=ZERO, pins=boards.public_assistance_pins(),
        options={"months": 12}, places=seats, private=False, commitment=ZERO, known_secret=True, parent="",
    )  # fmt: skip
    taken = [
        SeatTaken(seat=seat, kind="person", level="", name=ZERO, nonce_commitment="", host=seat == 1)
        for seat in range(1, seats + 1)
    ]
    numbers = tuple(range(1, seats + 1))
    return [
        created,
        *taken,
        GameStarted(seats=numbers, inputs=("",) * seats, options={"months": 12}),
        CustodianNamed(seat=1, why="start"),
        *(moved(CUSTODIAN, seat_account(seat), 500, "start", "PA-7") for seat in numbers),
        OrderDecided(order=numbers),
    ]


def moved(payer: str, payee: str, amount: int, reason: str = "block", rule: str = "PA-8") -> MoneyMoved:
    return MoneyMoved(payer=payer, payee=payee, amount=amount, reason=reason, rule=rule, ref="", breakdown=())


def turn(number: int, seats: int = 2) -> list[Event]:
    """A plain turn: roll, move, collect and pay."""
    seat = number % seats + 1
    prompt = f"p{number}"
    here = number * 7 % 52
    roll: dict[str, int | bool | str | None] = {}
    return [
        TurnStarted(seat=seat, turn=number, own=(number + 1) // seats),
        PromptOpened(prompt=prompt, seat=seat, kind="start", why="", deadline=None),
        ActionTaken(seat=seat, name="roll", prompt=prompt, params=roll, received=1_767_225_600_000),
        PromptClosed(prompt=prompt, how="answered"),
        DiceRolled(seat=seat, purpose="movement", coordinate=f"movement:{number}", sides=6, faces=(1, 2, 4)),
        pa.PieceMoved(
            seat=seat, from_track="promenade", from_block=here, to_track="promenade", to_block=(here + 7) % 52,
            how="roll", rule="PA-8",
        ),
        moved(CUSTODIAN, seat_account(seat), 150),
        moved(seat_account(seat), CUSTODIAN, 100),
        TurnEnded(seat=seat),
    ]  # fmt: skip


def long_game(turns: int) -> list[Envelope[Event]]:
    return enveloped([*opening(), *(event for number in range(1, turns + 1) for event in turn(number))])


def stored(envelopes: Iterable[Envelope[Event]]) -> list[Stored]:
    data = [codec.encode(envelope) for envelope in envelopes]
    return list(zip(data, chain.links(chain.genesis(GAME), data), strict=True))


class Stream:
    """A stream in memory, read in batches as the store does it; counts what was read."""

    def __init__(self, entries: list[Stored], batch: int = 1_000) -> None:
        self.entries = entries
        self.batch = batch
        self.read_after: list[int] = []

    def read(self, after: int, upto: int | None) -> Iterator[list[Stored]]:
        self.read_after.append(after)
        wanted = self.entries[after:upto]
        for first in range(0, len(wanted), self.batch):
            yield wanted[first : first + self.batch]
