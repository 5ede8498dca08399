"""Words for scenarios of politics: a table in the middle of play, votes on it, and what came of them.

    hall(owner(), unemployed(), employee()).adopts({"op": "disable", "rule": "jail.enabled"}).rolls(2, 3)

Every action is decided on scripted chance, and the events alone must lead to the same state, with books in order after
each of them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import msgspec
import pytest

from events.base import BANK, Envelope, Event, seat_account
from events.lobby import GameCreated, GameStarted, SeatTaken
from events.play import MoneyMoved, OrderDecided, PromptOpened, TurnStarted
from events.social_justice.board import RoleName, social_justice_pins
from events.social_justice.events import RoleTaken, RoundStarted
from events.social_justice.tasks import AgendaSet, CloseTurn
from projections import evolve as game
from projections.state.politics import Politics, Rule
from projections.state.social_justice import SocialJusticeState, Title
from service.rules import actions as a
from service.rules import options as agreed
from service.rules.decide import Command, decide, parse
from service.rules.rulebooks import ACTIONS
from service.rules.violations import RuleViolation
from tests.support.packed import packed
from tests.support.planting import plant_deck, without_copy

ZERO = "0" * 64
NOW = 1_767_225_600_000
State = SocialJusticeState
E = TypeVar("E", bound=Event)
Written = dict[str, Any]
"""An operation as it comes over the wire."""


PROMPTED = {a.name_of(record) for record in ACTIONS.values() if "prompt" in record.__struct_fields__}


@dataclass(frozen=True)
class Sitter:
    """Where a seat stands and what it has."""

    role: RoleName
    square: int = 1
    cash: int = 5_000
    jail_turns: int = 0
    serving: bool = False
    veteran: bool = False
    kept: tuple[str, ...] = ()

    def at(self, square: int, **things: Any) -> "Sitter":
        """Stand somewhere, with things."""
        return replace(self, square=square, **things)

    def with_cash(self, cash: int) -> "Sitter":
        return replace(self, cash=cash)


OWNER, MANAGER, EMPLOYEE, UNEMPLOYED = (Sitter(role) for role in ("owner", "manager", "employee", "unemployed"))


class Script:
    """Chance by a script: faces by purpose, or the id of an unseen card."""

    def __init__(self, draws: Iterable[tuple[str, int | str]], state: State) -> None:
        self.left = list(draws)
        self.asked: list[tuple[str, int]] = []
        self._unseen = dict(state.decks["change"].unseen)

    def _next(self, coordinate: str) -> int | str:
        assert self.left, f"nothing was scripted for {coordinate}"
        purpose, said = self.left.pop(0)
        assert purpose == coordinate.split("/", maxsplit=1)[0], f"scripted {purpose}, asked for {coordinate}"
        return said

    def roll(self, coordinate: str, *, count: int, sides: int) -> tuple[int, ...]:
        assert count == 1, "this game throws one die at a time"
        face = self._next(coordinate)
        assert isinstance(face, int)
        assert 1 <= face <= sides, f"{coordinate}: a die of {sides} shows no {face}"
        self.asked.append((coordinate.split("/", maxsplit=1)[0], sides))
        return (face,)

    def pick(self, coordinate: str, *, among: int) -> int:
        card = self._next("card/" + coordinate)
        copies = sorted(card for card, count in self._unseen.items() for _ in range(count))
        assert among == len(copies)
        self._unseen[str(card)] -= 1
        return copies.index(str(card))


def bare_state(*stack: Rule) -> State:
    """A state with nothing in it but a stack of rules, for what asks nothing else of it."""
    return State(
        game="g_bare", rules=1, code=ZERO, pins=(), options={}, places=8, private=False, commitment=ZERO,
        known_secret=True, parent="", politics=Politics(stack=stack, rules=len(stack)),
    )  # fmt: skip


def read(written: Written) -> a.PlayAction:
    """Read an action as it comes over the wire."""
    return parse(msgspec.json.encode(written))


class Loaded:
    """Chance that yields listed faces by purpose, one after the other, and listed cards in order."""

    def __init__(self, **told: int | list[int] | list[str]) -> None:
        self.told = {purpose: [said] if isinstance(said, int) else [*said] for purpose, said in told.items()}
        self.asked: list[tuple[str, int]] = []
        self.left: list[tuple[str, int | str]] = []

    def roll(self, coordinate: str, *, count: int, sides: int) -> tuple[int, ...]:
        assert count == 1, "this game throws one die at a time"
        purpose = coordinate.split("/", maxsplit=1)[0]
        self.asked.append((purpose, sides))
        face = self.told[purpose].pop(0)
        assert isinstance(face, int)
        return (face,)

    def pick(self, coordinate: str, *, among: int) -> int:
        """Take cards from the front of the deck, which is in the order of ids."""
        self.asked.append((coordinate.split("/", maxsplit=1)[0], among))
        return int(self.told["card"].pop(0))


class Hall:
    """A game in the middle of play, and what the last action led to."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.events: list[Event] = []
        self.envelopes: list[Envelope[Event]] = []
        self.asked: list[tuple[str, int]] = []

    def prompt_of(self, seat: int) -> str:
        return next((p.prompt for p in self.state.prompts.values() if p.seat == seat), "p1")

    def asks(self, seat: int) -> list[str]:
        """The kinds of prompts that are open for a seat."""
        return [prompt.kind for prompt in self.state.prompts.values() if prompt.seat == seat]

    def _command(self, seat: int, name: str, fields: Mapping[str, Any]) -> Command:
        prompt = {"prompt": self.prompt_of(seat)} if name in PROMPTED else {}
        written = {"action": name, **prompt, **fields}
        return Command(read(written), seat, f"seat:{seat}", ZERO, NOW)

    def act(self, seat: int, name: str, /, *draws: tuple[str, int | str], **fields: Any) -> "Hall":
        """Act for a seat; `draws` is what chance says."""
        return self._decide(self._command(seat, name, fields), draws)

    def tries(self, seat: int, name: str, /, **fields: Any) -> str:
        """Act for a seat if it may; return the code of the refusal, and nothing when it was done."""
        try:
            self.act(seat, name, **fields)
        except RuleViolation as refused:
            return refused.refusal.code
        return ""

    def throws(self, dice: Loaded, name: str = "roll") -> "Hall":
        """Roll loaded dice for the active seat."""
        return self._decide(self._command(self.state.active, name, {}), dice=dice)

    def _decide(
        self, command: Command, draws: Iterable[tuple[str, int | str]] = (), dice: Loaded | None = None
    ) -> "Hall":
        script = dice or Script(draws, self.state)
        decision = decide(self.state, command, script, at=NOW)
        assert not script.left, f"never asked for: {script.left}"
        folded: game.AnyState = self.state.copy()
        for envelope in decision.envelopes:
            folded = game.advance(folded, envelope)
            assert sum(folded.cash.values()) == 0, envelope.data
            assert all(cash >= 0 for name, cash in folded.cash.items() if name != BANK), envelope.data
        assert packed(folded) == packed(decision.state), "events and decision differ"
        assert isinstance(folded, State)
        self.state, self.asked = folded, script.asked
        self.events = [envelope.data for envelope in decision.envelopes]
        self.envelopes += decision.envelopes
        return self

    def leaves(self, seat: int) -> "Hall":
        return self._decide(Command(a.Leave(), seat, f"seat:{seat}", ZERO, NOW))

    def expires(self, seat: int, *draws: tuple[str, int | str]) -> "Hall":
        """Pass the deadline of a seat's prompt."""
        prompt = self.state.prompts[self.prompt_of(seat)]
        assert prompt.deadline is not None, "a clock needs turn_seconds"
        action = a.Expire(prompt=prompt.prompt, deadline=prompt.deadline)
        return self._decide(Command(action, 0, "clock", ZERO, NOW), draws)

    def refuses(self, code: str, seat: int, name: str, /, **fields: Any) -> "Hall":
        """Check that an action is refused, with no die asked and no trace."""
        before, script = packed(self.state), Script((), self.state)
        with pytest.raises(RuleViolation) as refused:
            decide(self.state, self._command(seat, name, fields), script, at=NOW)
        assert refused.value.refusal.code == code, refused.value.refusal
        assert refused.value.refusal.detail.endswith(".")
        assert packed(self.state) == before
        return self

    def proposes(self, *operations: Written, by: int = 0) -> "Hall":
        """Propose, as the active seat."""
        return self.act(by or self.state.active, "propose", operations=list(operations))

    def votes(self, **ballots: int | list[int]) -> "Hall":
        """Cast ballots: `votes(yes=2, no=[3, 4])`."""
        for ballot, seats in ballots.items():
            for seat in [seats] if isinstance(seats, int) else seats:
                self.act(seat, "cast_ballot", ballot=ballot)
        return self

    def adopts(self, *operations: Written) -> "Hall":
        """Propose and let all affirm until it is decided."""
        self.proposes(*operations)
        while self.state.politics.vote is not None:
            seat = next(p.seat for p in self.state.prompts.values() if p.kind == "ballot")
            self.act(seat, "cast_ballot", ballot="yes")
        return self

    def rolls(self, face: int, *draws: tuple[str, int | str]) -> "Hall":
        """Roll for the active seat; `draws` is what chance says after the movement die."""
        return self.act(self.state.active, "roll", ("movement", face), *draws)

    def found(self, kind: type[E], **fields: Any) -> list[E]:
        """List the events of the last action that are of a type and have these fields."""
        events = [event for event in self.events if isinstance(event, kind)]
        return [e for e in events if all(getattr(e, name) == value for name, value in fields.items())]

    def paid(self, **fields: Any) -> list[tuple[str, str, int]]:
        """List the payments of the last action: payer, payee, amount."""
        return [(e.payer, e.payee, e.amount) for e in self.found(MoneyMoved, **fields)]

    def cash(self, seat: int) -> int:
        return self.state.cash[seat_account(seat)]


def hall(
    *seats: Sitter,
    active: int = 1,
    titles: Mapping[int, tuple[int, int]] | None = None,
    options: Mapping[str, Any] | None = None,
    politics: Politics | None = None,
    round_: int = 1,
    own: int = 1,
) -> Hall:
    """Lay out a game at the start prompt of a seat.

    Args:
        seats: Who sits there, from seat 1 on.
        active: Whose turn it is.
        titles: Holder and houses of titles by square; Enron and Flint are the first Owner's unless told otherwise.
        options: What was agreed on.
        politics: What was voted on before.
        round_: Number of the round.
        own: Number of the active seat's own turn.
    """
    state = _opened(seats, options or {})
    owner = next((number for number, seat in enumerate(seats, 1) if seat.role == "owner"), 0)
    for number, seat in enumerate(seats, 1):
        _seat(state, number, seat)
    for square, (holder, houses) in {5: (owner, 0), 15: (owner, 0), **(titles or {})}.items():
        state.titles[square] = Title(holder=holder, houses=houses)
    state.cash[BANK] = -sum(seat.cash for seat in seats)
    if politics:
        state.politics = msgspec.structs.replace(politics)
    state.citizens[active].own = own - 1
    seconds = state.options["turn_seconds"]
    deadline = NOW + 1000 * seconds if isinstance(seconds, int) and seconds else None
    prompt = f"p{state.version + 3}"
    opening: list[Event] = [
        RoundStarted(round=round_),
        TurnStarted(seat=active, turn=max(state.politics.proposed_turn, 4) + 1, own=own),
        PromptOpened(prompt=prompt, seat=active, kind="turn_start", why="", deadline=deadline),
        AgendaSet(tasks=(CloseTurn(seat=active),)),
    ]
    return Hall(_fold(state, opening))


def _opened(seats: tuple[Sitter, ...], chosen: Mapping[str, Any]) -> State:
    numbers = tuple(range(1, len(seats) + 1))
    base = agreed.agree(dict(chosen), agreed.defaults(agreed.OF_SOCIAL_JUSTICE), agreed.OF_SOCIAL_JUSTICE)
    options = agreed.settle_rate_limit(base, len(seats))
    first = next((number for number, seat in enumerate(seats, 1) if seat.role == "owner"), 1)
    order = tuple(number for number in (*numbers[first - 1 :], *numbers[: first - 1]))
    events: list[Event] = [
        GameCreated(
            game="g_hall", rulebook="social_justice", rules=1, code=ZERO, pins=social_justice_pins(), options=options,
            places=8, private=False, commitment=ZERO, known_secret=True, parent="",
        ),
        *(
            SeatTaken(seat=n, kind="person", level="", name=ZERO, nonce_commitment="", host=n == 1) for n in numbers
        ),
        GameStarted(seats=numbers, inputs=("",) * len(numbers), options=options),
        *(RoleTaken(seat=n, role=seat.role, how="dealt") for n, seat in enumerate(seats, 1)),
        OrderDecided(order=order),
    ]  # fmt: skip
    return _fold(None, events)


def _fold(state: State | None, events: list[Event]) -> State:
    first = state.version + 1 if state else 1
    folded = game.fold(
        [
            Envelope(version=version, at=NOW, turn=0, actor="host", action=ZERO, data=event)
            for version, event in enumerate(events, first)
        ],
        state,
    )
    assert isinstance(folded, State)
    return folded


def _seat(state: State, number: int, seat: Sitter) -> None:
    citizen = state.citizens[number]
    citizen.square, citizen.kept = seat.square, seat.kept
    citizen.jailed, citizen.jail_turns = seat.jail_turns > 0, seat.jail_turns
    citizen.serving = citizen.harms_way = seat.serving
    citizen.veteran = seat.veteran or seat.serving
    state.cash[seat_account(number)] = seat.cash
    for card in seat.kept:
        plant_deck(state, "change", unseen=without_copy(state.decks["change"], card))
