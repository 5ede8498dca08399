"""What a scenario may say of what came of an action."""

from typing import Any

from events.base import Event
from events.play import DebtForgiven, MoneyMoved
from events.public_assistance.events import ChildGained, NotesWritten
from tests.scenarios.dsl import Check, Game, Who


def happened(kind: type[Event], who: Who | None = None, **fields: Any) -> Check:
    """There is an event of a type, for a seat, with these fields."""
    wanted = {**({"seat": who.seat} if who else {}), **fields}

    def check(game: Game) -> None:
        assert game.found(kind, **wanted), f"no {kind.__name__} {wanted} in {_told(game)}"

    return check


def never(*kinds: type[Event]) -> Check:
    """There is no event of these types."""

    def check(game: Game) -> None:
        assert not [event for event in game.events if isinstance(event, kinds)], _told(game)

    return check


def in_order(*kinds: type[Event]) -> Check:
    """The events of these types are these, in this order."""

    def check(game: Game) -> None:
        assert [type(event) for event in game.events if isinstance(event, kinds)] == list(kinds), _told(game)

    return check


def money(*moves: tuple[Who, Who, int]) -> Check:
    """Exactly these payments were made, in this order."""
    wanted = [(payer.account, payee.account, amount) for payer, payee, amount in moves]

    def check(game: Game) -> None:
        found = [(e.payer, e.payee, e.amount) for e in game.events if isinstance(e, MoneyMoved)]
        assert found == wanted, _told(game)

    return check


def paid(payer: Who, payee: Who, amount: int, **fields: Any) -> Check:
    """This payment was made, perhaps among others."""
    return happened(MoneyMoved, payer=payer.account, payee=payee.account, amount=amount, **fields)


def forgiven(payer: Who, amount: int) -> Check:
    """What cash could not cover was let go."""
    return happened(DebtForgiven, payer=payer.account, amount=amount)


def notes_written(who: Who, notes: int) -> Check:
    """A seat had to write notes."""
    return happened(NotesWritten, who, notes=notes)


def child_gained(who: Who) -> Check:
    """A child joined the household."""
    return happened(ChildGained, who)


def stands(who: Who, place: str) -> Check:
    """The piece stands there: `rut:9`."""

    def check(game: Game) -> None:
        player = game.state.players[who.seat]
        assert f"{player.track}:{player.block}" == place, _told(game)

    return check


def has(who: Who, **things: Any) -> Check:
    """A seat has these things now; `cash` is its money."""

    def check(game: Game) -> None:
        player = game.state.players[who.seat]
        found = {n: game.state.cash[who.account] if n == "cash" else getattr(player, n) for n in things}
        assert found == things, _told(game)

    return check


def asked(who: Who, kind: str, why: str = "") -> Check:
    """The one open question is this."""

    def check(game: Game) -> None:
        assert [(p.seat, p.kind, p.why) for p in game.state.prompts.values()] == [(who.seat, kind, why)], _told(game)

    return check


def turn_of(who: Who) -> Check:
    """It is this seat's turn, and it has not begun."""
    return asked(who, "turn_start")


def over(*winners: Who, reason: str = "completed") -> Check:
    """The game is over, and these have won."""

    def check(game: Game) -> None:
        state = game.state
        assert (state.status, state.reason) == ("finished", reason), _told(game)
        assert state.winners == tuple(who.seat for who in winners), state.standings

    return check


def scores(who: Who, **line: Any) -> Check:
    """The seat's line of the result."""

    def check(game: Game) -> None:
        (found,) = [s for s in game.state.standings if s.seat == who.seat]
        assert {name: getattr(found, name) for name in line} == line, found

    return check


def returned(deck: str, *cards: str) -> Check:
    """These cards lie at the bottom of a deck, front first."""

    def check(game: Game) -> None:
        assert game.state.decks[deck].returned == cards, _told(game)

    return check


def _told(game: Game) -> str:
    return "\n".join(["", *map(repr, game.events), *(f"{n}: {p}" for n, p in game.state.players.items())])
