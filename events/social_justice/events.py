"""Events of *The Social Justice Game*; those of politics and of deals are in modules of their own."""

from typing import Literal, TypeAlias

from msgspec import Struct

from events.base import Account, Amount, Count, Event, RuleId, Seat
from events.social_justice.board import RoleName

Out: TypeAlias = Literal["bankrupt", "killed", "left"]


class RoleTaken(Event, frozen=True, tag="role_taken"):
    """A seat got its first role (SJG-2).

    Attributes:
        seat: Who.
        role: Which.
        how: Drawn from the bag, chosen, or dealt because nobody picked it.
        schema: Number of this shape.
    """

    seat: Seat
    role: RoleName
    how: Literal["drawn", "chosen", "dealt"]
    schema: Literal[1] = 1


class RoleChanged(Event, frozen=True, tag="role_changed"):
    """A seat has another role from now on.

    Attributes:
        seat: Who.
        role: The new role.
        before: The old one.
        why: By a degree, by enlisting, or by a card.
        floor: Lowest role that a card may still give; empty for none (SJG-53).
        rule: Rule that changed it.
        schema: Number of this shape.
    """

    seat: Seat
    role: RoleName
    before: RoleName
    why: Literal["degree", "enlisted", "card"]
    floor: Literal["", "employee", "manager"]
    rule: RuleId
    schema: Literal[1] = 1


class RoundStarted(Event, frozen=True, tag="round_started"):
    """A round began at the first seat's place (SJG-3).

    Attributes:
        round: Number of the round, from 1.
        schema: Number of this shape.
    """

    round: Count
    schema: Literal[1] = 1


class TokenMoved(Event, frozen=True, tag="token_moved"):
    """A token went to another square; each event is one leg of a move, cut where something happened on the way.

    Attributes:
        seat: Whose token.
        from_square: Where it was.
        to_square: Where it is.
        how: Rolled, directed forward by a card, or placed directly.
        rule: Rule that moved it.
        schema: Number of this shape.
    """

    seat: Seat
    from_square: Count
    to_square: Count
    how: Literal["roll", "card", "direct"]
    rule: RuleId
    schema: Literal[1] = 1


class TitlePassed(Event, frozen=True, tag="title_passed"):
    """A title has another holder; its houses go with it (SJG-20).

    Attributes:
        square: Index of its square.
        seller: Seat that held it; 0 for the bank.
        holder: Seat that holds it; 0 for the bank.
        why: Dealt at the start, bought from the bank, gentrified, sold, or returned to the bank with an estate.
        rule: Rule that let it pass.
        schema: Number of this shape.
    """

    square: Count
    seller: Count
    holder: Count
    why: Literal["start", "bought", "gentrified", "sold", "estate"]
    rule: RuleId
    schema: Literal[1] = 1


class HouseAdded(Event, frozen=True, tag="house_added"):
    """A property has one house more.

    Attributes:
        square: Index of the property.
        seat: Who added it; a donor owes no rent there any more (SJG-28).
        houses: How many stand there now.
        why: Built, with a gentrification, donated, or by a card.
        rule: Rule that allows it.
        schema: Number of this shape.
    """

    square: Count
    seat: Seat
    houses: Count
    why: Literal["built", "gentrified", "donated", "card"]
    rule: RuleId
    schema: Literal[1] = 1


class HousesRemoved(Event, frozen=True, tag="houses_removed"):
    """The houses of a property that went back to the bank are gone.

    Attributes:
        square: Index of the property.
        houses: How many stood there.
        schema: Number of this shape.
    """

    square: Count
    houses: Count
    schema: Literal[1] = 1


class RateSet(Event, frozen=True, tag="rate_set"):
    """The holder of a utility set a rate (SJG-66).

    Attributes:
        seat: The holder.
        name: Utility and rate, such as `enron.payday` or `froogle.landing`.
        rate: Whole dollars.
        schema: Number of this shape.
    """

    seat: Seat
    name: str
    rate: Count
    schema: Literal[1] = 1


class DebtArose(Event, frozen=True, tag="debt_arose"):
    """A seat owes more than its cash: the raise-funds window opens (SJG-9).

    Attributes:
        seat: Who owes.
        creditor: Account that is owed.
        amount: Whole dollars owed.
        reason: Stable word for reports.
        rule: Rule that made it due.
        ref: What it is about.
        schema: Number of this shape.
    """

    seat: Seat
    creditor: Account
    amount: Amount
    reason: str
    rule: RuleId
    ref: str
    schema: Literal[1] = 1


class AidAnswered(Event, frozen=True, tag="aid_answered"):
    """An application for aid was answered (SJG-51).

    Attributes:
        seat: Who applied.
        face: What the die showed.
        charge: Percent of the tuition that is still charged.
        used: Applications of this seat so far.
        schema: Number of this shape.
    """

    seat: Seat
    face: Count
    charge: Count
    used: Count
    schema: Literal[1] = 1


class Enlisted(Event, frozen=True, tag="enlisted"):
    """A seat joined the military and serves (SJG-52).

    Attributes:
        seat: Who.
        schema: Number of this shape.
    """

    seat: Seat
    schema: Literal[1] = 1


class TourEnded(Event, frozen=True, tag="tour_ended"):
    """A seat passed Payday and serves no longer (SJG-58).

    Attributes:
        seat: Who.
        schema: Number of this shape.
    """

    seat: Seat
    schema: Literal[1] = 1


class Jailed(Event, frozen=True, tag="jailed"):
    """A seat went to jail (SJG-61).

    Attributes:
        seat: Who.
        turns: Own turns to be missed.
        schema: Number of this shape.
    """

    seat: Seat
    turns: Count
    schema: Literal[1] = 1


class JailAvoided(Event, frozen=True, tag="jail_avoided"):
    """A seat that was sent to jail stays where it is (SJG-63, SJG-64).

    Attributes:
        seat: Who.
        how: By its role, by a kept card, by bail, or because there is no jail.
        schema: Number of this shape.
    """

    seat: Seat
    how: Literal["role", "pass", "bail", "no_jail"]
    schema: Literal[1] = 1


class TurnMissed(Event, frozen=True, tag="turn_missed"):
    """A prisoner missed a turn (SJG-61).

    Attributes:
        seat: Who.
        left: Own turns still to be missed.
        schema: Number of this shape.
    """

    seat: Seat
    left: Count
    schema: Literal[1] = 1


class JailLeft(Event, frozen=True, tag="jail_left"):
    """A prisoner went free, to Payday and without its pay (SJG-62).

    Attributes:
        seat: Who.
        how: The sentence was served, or a President freed the seat.
        schema: Number of this shape.
    """

    seat: Seat
    how: Literal["served", "pardoned"]
    schema: Literal[1] = 1


class CardIgnored(Event, frozen=True, tag="card_ignored"):
    """A card had no effect on who drew it (SJG-38).

    Attributes:
        seat: Who drew it.
        card: Its id.
        why: It is for other roles, or there is nothing that it could do.
        schema: Number of this shape.
    """

    seat: Seat
    card: str
    why: Literal["other_role", "nothing_to_do"]
    schema: Literal[1] = 1


class CitizenOut(Event, frozen=True, tag="citizen_out"):
    """A seat is out of the game; its estate was settled before (SJG-4b).

    Attributes:
        seat: Who.
        why: Bankrupt, killed in combat, or left.
        rule: Rule that took it out.
        schema: Number of this shape.
    """

    seat: Seat
    why: Out
    rule: RuleId
    schema: Literal[1] = 1


class RoleHeld(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A step of a seat's way through the roles: since which turn it held a role."""

    turn: Count
    role: RoleName


class WorthLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a seat is worth at the end, item by item (SJG-3).

    Attributes:
        seat: Who.
        cash: Cash.
        titles: List price of its titles.
        houses: Cost of the houses on them.
        owed: What it owes on loans, at the amount due.
        receivable: What is owed to it on loans, at the amount due.
        worth: All of it together; may be negative.
        roles: Its way through the roles.
        out: Why it is out; empty while it is not.
    """

    seat: Seat
    cash: Count
    titles: Count
    houses: Count
    owed: Count
    receivable: Count
    worth: int
    roles: tuple[RoleHeld, ...]
    out: Literal["", "bankrupt", "killed", "left"]


class WorthCounted(Event, frozen=True, tag="worth_counted"):
    """What each seat is worth, right before the result (SJG-3).

    Attributes:
        lines: One for each seat, in seat order.
        schema: Number of this shape.
    """

    lines: tuple[WorthLine, ...]
    schema: Literal[1] = 1
