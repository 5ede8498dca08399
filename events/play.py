"""Events that both games share while they are played: actions, turns, prompts, chance, cards and money."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from events.base import Account, Amount, Count, Digest, Event, Json, Millis, RuleId, Seat


class ActionTaken(Event, frozen=True, tag="action_taken"):
    """Someone acted; the events up to the next action are what came of it.

    An auditor executes the game again from these.

    Attributes:
        seat: Who acted; 0 for the host, the clock or the system.
        name: The action's name in the API.
        prompt: The prompt that it answers or acts under; empty outside play.
        params: Its other parameters; typed-in text stands here as its digest only.
        received: When the service received it (UTC, ms); whether it was in time is judged by this.
        schema: Number of this shape.
    """

    seat: Count
    name: str
    prompt: str
    params: Mapping[str, Json]
    received: Millis
    schema: Literal[1] = 1


class OrderDecided(Event, frozen=True, tag="order_decided"):
    """The order of turns is set: by the first rolls (PA-9), or from the Owner on (SJG-17).

    Attributes:
        order: Seats in the order of their turns.
        schema: Number of this shape.
    """

    order: tuple[Seat, ...]
    schema: Literal[1] = 1


class TurnStarted(Event, frozen=True, tag="turn_started"):
    """A seat's turn began.

    Attributes:
        seat: Whose turn it is.
        turn: Number of the turn in the game, from 1.
        own: Number of this seat's own turn, from 1; skipped ones count.
        schema: Number of this shape.
    """

    seat: Seat
    turn: Count
    own: Count
    schema: Literal[1] = 1


class TurnEnded(Event, frozen=True, tag="turn_ended"):
    """A seat's turn was over.

    Attributes:
        seat: Whose turn it was.
        schema: Number of this shape.
    """

    seat: Seat
    schema: Literal[1] = 1


class PromptOpened(Event, frozen=True, tag="prompt_opened"):
    """A seat may or must decide something.

    Attributes:
        prompt: Id, unique in the game: `p` and the version of this event.
        seat: Who decides.
        kind: What is decided; each kind has actions, a default and a rule.
        why: What gave rise to it, where a kind has several causes; else empty.
        deadline: When the default is taken instead (UTC, ms); none without a clock.
        schema: Number of this shape.
    """

    prompt: str
    seat: Seat
    kind: str
    why: str
    deadline: Millis | None
    schema: Literal[1] = 1


class PromptClosed(Event, frozen=True, tag="prompt_closed"):
    """A prompt is gone; an action that names it is refused from here on.

    Attributes:
        prompt: Its id.
        how: It was answered, its default was taken, or its cause went away.
        schema: Number of this shape.
    """

    prompt: str
    how: Literal["answered", "defaulted", "void"]
    schema: Literal[1] = 1


class DiceRolled(Event, frozen=True, tag="dice_rolled"):
    """Dice were thrown.

    Attributes:
        seat: For whom.
        purpose: What for, such as `movement`, `side_track` or `lottery`.
        coordinate: Purpose and what makes this throw unique in the game; none is used twice.
        sides: Faces of each die.
        faces: The faces shown, in order.
        schema: Number of this shape.
    """

    seat: Seat
    purpose: str
    coordinate: str
    sides: Count
    faces: tuple[int, ...]
    schema: Literal[1] = 1


class CardDrawn(Event, frozen=True, tag="card_drawn"):
    """A card was drawn: an unseen one by chance, or the front of the returned ones.

    Attributes:
        seat: Who drew.
        deck: Name of the deck.
        card: Id of the card in its deck.
        text: What it says.
        draw: Number of this draw from the deck, from 1.
        coordinate: Where chance was asked; empty for a returned card.
        schema: Number of this shape.
    """

    seat: Seat
    deck: str
    card: str
    text: str
    draw: Count
    coordinate: str
    schema: Literal[1] = 1


class CardKept(Event, frozen=True, tag="card_kept"):
    """The card drawn stays with the seat.

    Attributes:
        seat: Who keeps it.
        deck: Name of the deck.
        card: Id of the card.
        schema: Number of this shape.
    """

    seat: Seat
    deck: str
    card: str
    schema: Literal[1] = 1


class CardReturned(Event, frozen=True, tag="card_returned"):
    """A card went to the bottom of its deck.

    Attributes:
        seat: Who had it.
        deck: Name of the deck.
        card: Id of the card.
        kept: It had been kept by the seat.
        schema: Number of this shape.
    """

    seat: Seat
    deck: str
    card: str
    kept: bool
    schema: Literal[1] = 1


class Part(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One share of an amount, for a payment that has several reasons."""

    what: str
    amount: int


class MoneyMoved(Event, frozen=True, tag="money_moved"):
    """Cash went from one account to another; nothing else moves cash.

    Attributes:
        payer: Account that pays; never `payee`.
        payee: Account that is paid.
        amount: Whole dollars, always positive.
        reason: Stable word for reports, such as `monthly_grant` or `block`.
        rule: Number in the rule catalogue that made it due.
        ref: The block, card, bet or loan that it is about; empty where there is none.
        breakdown: The shares that make up the amount, where it has several; else empty.
        schema: Number of this shape.
    """

    payer: Account
    payee: Account
    amount: Amount
    reason: str
    rule: RuleId
    ref: str
    breakdown: tuple[Part, ...]
    schema: Literal[1] = 1


class DebtForgiven(Event, frozen=True, tag="debt_forgiven"):
    """The part of a payment that cash could not cover was forgiven; no cash moved.

    Attributes:
        payer: Who owed it.
        payee: Who was owed.
        amount: Whole dollars forgiven.
        reason: Reason of the payment.
        rule: Rule that forgives it.
        ref: The block, card or track that it is about.
        schema: Number of this shape.
    """

    payer: Account
    payee: Account
    amount: Amount
    reason: str
    rule: RuleId
    ref: str
    schema: Literal[1] = 1


class BooksAttested(Event, frozen=True, tag="books_attested"):
    """The custodian of record said that the books are right as they stand (PA-10).

    Attributes:
        seat: The custodian of record.
        version: Every event up to this one is attested; the one right before this event.
        digest: SHA-256 over the trial balance of cash there: canonical JSON of `[[account, balance], …]`, by name of
            account, those at zero left out.
        schema: Number of this shape.
    """

    seat: Seat
    version: Count
    digest: Digest
    schema: Literal[1] = 1


class ChainStopped(Event, frozen=True, tag="chain_stopped"):
    """A chain of directed moves reached its cap; the rest of it is left out.

    Attributes:
        seat: Whose piece it was.
        moves: How many moves had been chained.
        schema: Number of this shape.
    """

    seat: Seat
    moves: Count
    schema: Literal[1] = 1
