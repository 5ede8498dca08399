"""Given, when, then for money between people: a table in the middle of play, and what its seats do with each other.

    deals(ann="owner", bob="employee", titles={6: (ann, 2)}).when(ann.sells(6, bob, 300)).when(bob.accepts(1))

The table is laid out by events from the first on, so that state and books can be compared after every event.
"""

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, TypeVar

import msgspec
import pytest

from events.base import BANK, Envelope, Event
from events.lobby import CustodianNamed, GameCreated, GameStarted, SeatTaken
from events.play import MoneyMoved, OrderDecided, PromptOpened, TurnStarted
from events.social_justice.board import RoleName, social_justice_pins
from events.social_justice.events import HouseAdded, RoleTaken, RoundStarted, TitlePassed, TokenMoved
from events.social_justice.tasks import AgendaSet, AnyTask, CloseTurn
from projections import evolve as game
from projections.ledger.books import Books
from projections.ledger.check import check
from projections.ledger.debts import debts_of
from projections.state.social_justice import SocialJusticeState
from service.rules import actions as a
from service.rules.decide import Command, decide, parse
from service.rules.dice import Dice
from service.rules.legal import Menu, legal_actions
from service.rules.options import OF_SOCIAL_JUSTICE, agree, defaults, settle_rate_limit
from service.rules.violations import RuleViolation
from tests.scenarios.social_justice.dealers import NAMES, NOW, ZERO, Person, Step, ann, bob
from tests.support.packed import packed

E = TypeVar("E", bound=Event)


class Faces:
    """Dice that show what the script says."""

    def __init__(self, draws: Sequence[tuple[int, ...]]) -> None:
        self.left = list(draws)

    def roll(self, coordinate: str, *, count: int, sides: int) -> tuple[int, ...]:
        assert self.left, f"nothing was scripted for {coordinate}"
        faces = self.left.pop(0)
        assert len(faces) == count, coordinate
        assert max(faces) <= sides, coordinate
        return faces

    def pick(self, coordinate: str, *, among: int) -> int:
        raise AssertionError(f"no card was scripted for {coordinate}")


Check: TypeAlias = Callable[["Table"], None]


class Table:
    """A game in the middle of play, its books, and what the last action led to."""

    def __init__(self) -> None:
        self._state: SocialJusticeState | None = None
        self.books = Books()
        self.events: list[Event] = []

    @property
    def state(self) -> SocialJusticeState:
        assert self._state is not None
        return self._state

    def fold(self, events: Sequence[Event]) -> "Table":
        """Apply events; after each the books agree with the state and nothing is out of its bounds."""
        for event in events:
            version = self._state.version + 1 if self._state else 1
            turn = self._state.turn if self._state else 0
            entry: Envelope[Event] = Envelope(version=version, at=NOW, turn=turn, actor="host", action=ZERO, data=event)
            folded = game.advance(self._state, entry)
            assert isinstance(folded, SocialJusticeState)
            self._state = folded
            self.books.fold(entry)
            assert check(self.books, folded.cash, debts_of(folded)) == [], event
        return self

    def when(self, step: Step) -> "Table":
        """Act; the events alone lead to the same state."""
        dice = Faces(step.draws)
        self._decide(step.command(self.state), dice)
        assert not dice.left, "more was scripted than asked for"
        return self

    def _decide(self, command: Command, dice: Dice) -> None:
        decision = decide(self.state, command, dice, at=NOW)
        self._state, before = self.state.copy(), self.state
        assert before.version + len(decision.envelopes) == decision.state.version
        self.events = [envelope.data for envelope in decision.envelopes]
        self.fold(self.events)
        assert packed(self.state) == packed(decision.state), "events and decision differ"

    def expires(self) -> "Table":
        """Pass the deadline of the open prompt."""
        (prompt,) = self.state.prompts.values()
        assert prompt.deadline is not None, "a clock needs turn_seconds"
        action = a.Expire(prompt=prompt.prompt, deadline=prompt.deadline)
        self._decide(Command(action, 0, "clock", ZERO, NOW), Faces(()))
        return self

    def refuses(self, step: Step, code: str, field: str = "") -> "Table":
        """Check that an action is refused and leaves no trace."""
        before = packed(self.state)
        with pytest.raises(RuleViolation) as refused:
            decide(self.state, step.command(self.state), Faces(()), at=NOW)
        refusal = refused.value.refusal
        assert (refusal.code, refusal.field) == (code, field or refusal.field)
        assert refusal.detail.endswith("."), "a refusal is a sentence"
        assert packed(self.state) == before
        return self

    def then(self, *checks: Check) -> "Table":
        """Check what came of it."""
        for one in checks:
            one(self)
        return self

    def found(self, kind: type[E], **fields: Any) -> list[E]:
        events = [event for event in self.events if isinstance(event, kind)]
        return [e for e in events if all(getattr(e, name) == value for name, value in fields.items())]

    def menu(self, who: Person) -> Menu:
        return legal_actions(self.state, who.seat)


def deals(
    *,
    titles: dict[int, tuple[Person, int]] | None = None,
    cash: dict[Person, int] | None = None,
    own: int = 3,
    active: Person = ann,
    prompt: str = "turn_end",
    agenda: tuple[AnyTask, ...] = (),
    options: dict[str, Any] | None = None,
    **roles: RoleName,
) -> Table:
    """Lay a table: seats by name with their roles, titles as square: (holder, houses), cash beside $1,000 each.

    Args:
        titles: Who holds what.
        cash: Cash by seat; $1,000 where it is not told.
        own: Own turns that the active seat has begun.
        active: Whose turn it is.
        prompt: What she is asked.
        agenda: What is left of the turn above its end.
        options: Options beside the defaults.
        roles: `ann="owner", bob="employee"`.
    """
    people = [NAMES[name] for name in NAMES if name in roles]
    held, money = titles or {}, dict.fromkeys(people, 1000) | (cash or {})
    table = Table().fold(_opening(people, options or {}))
    table.fold([RoleTaken(seat=NAMES[name].seat, role=role, how="chosen") for name, role in roles.items()])
    for square, (holder, houses) in held.items():
        table.fold([TitlePassed(square=square, seller=0, holder=holder.seat, why="start", rule="SJG-20")])
        for number in range(1, houses + 1):
            table.fold([HouseAdded(square=square, seat=holder.seat, houses=number, why="built", rule="SJG-30")])
    table.fold([_cash(person, amount) for person, amount in money.items() if amount])
    seconds = table.state.options["turn_seconds"]
    deadline = NOW + 1000 * seconds if isinstance(seconds, int) and seconds else None
    opened = PromptOpened(
        prompt=f"p{table.state.version + 4}", seat=active.seat, kind=prompt, why="", deadline=deadline
    )  # fmt: skip
    return table.fold(
        [
            RoundStarted(round=2),
            TurnStarted(seat=active.seat, turn=9, own=own),
            AgendaSet(tasks=(CloseTurn(seat=active.seat), *agenda)),
            opened,
        ]
    )


def _opening(people: list[Person], options: dict[str, Any]) -> list[Event]:
    agreed = settle_rate_limit(agree(options, defaults(OF_SOCIAL_JUSTICE), OF_SOCIAL_JUSTICE), len(people))
    seats = tuple(person.seat for person in people)
    created = GameCreated(
        game="g_deals", rulebook="social_justice", rules=1, code=ZERO, pins=social_justice_pins(), options=agreed,
        places=8, private=False, commitment=ZERO, known_secret=True, parent="",
    )  # fmt: skip
    taken = [SeatTaken(seat=n, kind="person", level="", name=ZERO, nonce_commitment="", host=n == 1) for n in seats]
    banker = agreed["banker"] if agreed["bank"] == "player" else 0
    assert isinstance(banker, int)
    return [
        created,
        *taken,
        GameStarted(seats=seats, inputs=("",) * len(seats), options=agreed),
        *([CustodianNamed(seat=banker, why="start")] if banker else []),
        OrderDecided(order=seats),
    ]


def _cash(person: Person, amount: int) -> MoneyMoved:
    return MoneyMoved(
        payer=BANK, payee=person.account, amount=amount, reason="first_salary", rule="SJG-46", ref="", breakdown=()
    )


def lent(game: Table, principal: int = 400, pct: int = 25, term: int = 2) -> Table:
    """Lend bob's money to ann, on terms that bob sets; it is the first deal of the table."""
    return game.when(ann.requests(bob, principal)).when(bob.sets_terms(1, principal, pct, term)).when(ann.accepts(2))


def next_turn_of(table: Table, who: Person) -> Table:
    """Pass turns, in which each rolls a one onto a title of the bank and does not buy it, until a turn begins."""
    for _ in range(30):
        prompt = next(iter(table.state.prompts.values()))
        mover = Person(prompt.seat)
        if prompt.kind == "turn_end":
            table.when(mover.ends_turn())
            if table.found(TurnStarted, seat=who.seat):
                return table
        elif prompt.kind == "buy":
            table.when(mover.buys_nothing())
        else:
            table.fold([TokenMoved(seat=mover.seat, from_square=0, to_square=20, how="direct", rule="SJG-18")])
            table.when(mover.rolls(1))
            if table.found(TurnStarted, seat=who.seat):
                return table
    raise AssertionError("the turn never came")


def happened(kind: type[Event], **fields: Any) -> Check:
    """There is an event of a type with these fields."""

    def one(table: Table) -> None:
        assert table.found(kind, **fields), f"no {kind.__name__} {fields} in {_told(table)}"

    return one


def never(*kinds: type[Event]) -> Check:
    """There is no event of these types."""

    def one(table: Table) -> None:
        assert not [event for event in table.events if isinstance(event, kinds)], _told(table)

    return one


def money(*moves: tuple[Person, Person, int]) -> Check:
    """Exactly these payments were made, in this order."""
    wanted = [(payer.account, payee.account, amount) for payer, payee, amount in moves]

    def one(table: Table) -> None:
        found = [(e.payer, e.payee, e.amount) for e in table.events if isinstance(e, MoneyMoved)]
        assert found == wanted, _told(table)

    return one


def holds(who: Person, square: int, houses: int = 0) -> Check:
    """A player, or the bank, holds a title with so many houses."""

    def one(table: Table) -> None:
        title = table.state.titles[square]
        assert (title.holder, title.houses) == (who.seat, houses)

    return one


def has(who: Person, cash: int) -> Check:
    """A player has so much cash."""

    def one(table: Table) -> None:
        assert table.state.cash[who.account] == cash

    return one


def owes(who: Person, *amounts: int) -> Check:
    """A player owes these loans, oldest first."""

    def one(table: Table) -> None:
        assert [loan.owed for loan in table.state.deals.owed_by(who.seat)] == list(amounts)

    return one


def open_offers(*numbers: int) -> Check:
    """These offers are on the table."""

    def one(table: Table) -> None:
        assert list(table.state.deals.offers) == list(numbers)

    return one


def accepted(table: Table, who: Person) -> set[str]:
    """Send every body that a player's menu offers, each on its own, as JSON; return their names."""
    names = set()
    for offered in table.menu(who).open:
        action = parse(msgspec.json.encode(offered.body))
        dice = _AnyDice()
        decide(table.state, Command(action, who.seat, f"seat:{who.seat}", ZERO, NOW), dice, at=NOW)
        names.add(offered.name)
    return names


class _AnyDice:
    """Dice that show a one, and a deck of which the first card is drawn."""

    def roll(self, coordinate: str, *, count: int, sides: int) -> tuple[int, ...]:
        return (1,) * count

    def pick(self, coordinate: str, *, among: int) -> int:
        return 0


def _told(table: Table) -> list[Event]:
    return table.events
