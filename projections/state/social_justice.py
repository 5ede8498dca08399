"""What the state of The Social Justice Game is made of, but for politics and deals."""

from typing import Annotated, ClassVar, Literal, Self

from msgspec import Meta, Struct, field
from msgspec.structs import replace

from events.social_justice.board import RoleName
from events.social_justice.events import RoleHeld
from events.social_justice.tasks import AnyTask
from projections.state.base import GameState
from projections.state.deals import Deals
from projections.state.politics import Politics


class Citizen(Struct, kw_only=True):
    """A seat's things.

    Attributes:
        role: Its role; empty until one is dealt.
        square: Index of the square under its token; the last one while it is in jail.
        jailed: In jail, off the track.
        jail_turns: Own turns still to be missed.
        role_floor: Lowest role that a card may give a veteran; empty for none (SJG-53).
        serving: In the military until it next passes Payday.
        harms_way: Serving, and the combat die is thrown.
        veteran: Has ever enlisted (SJG-54, SJG-55).
        aid_used: Applications for aid so far.
        aid_charge: Percent of tuition that is charged right now, after aid.
        kept: Ids of kept Change cards, in order of acquisition.
        own: Number of its last own turn; missed and forfeited ones count.
        roles: Its way through the roles.
        out: Why it is out of the game; empty while it is in.
    """

    role: Literal["", "unemployed", "employee", "manager", "owner"] = ""
    square: int = 0
    jailed: bool = False
    jail_turns: int = 0
    role_floor: Literal["", "employee", "manager"] = ""
    serving: bool = False
    harms_way: bool = False
    veteran: bool = False
    aid_used: int = 0
    aid_charge: int = 100
    kept: tuple[str, ...] = ()
    own: int = 0
    roles: tuple[RoleHeld, ...] = ()
    # Client generators name an enum by record and field, and `CitizenOut` is an event.
    out: Annotated[Literal["", "bankrupt", "killed", "left"], Meta(title="WhyOut")] = ""

    def held(self) -> RoleName:
        """Return the role of a seat that has one."""
        assert self.role, "roles are dealt before anybody plays"
        return self.role


class Title(Struct, kw_only=True):
    """A property or a utility.

    Attributes:
        holder: Seat that holds it; 0 for the bank.
        houses: Houses on it; none on a utility.
        donors: Seats that donated a house here and owe no rent, in order (SJG-28).
    """

    holder: int = 0
    houses: int = 0
    donors: list[int] = field(default_factory=list)

    def copy(self) -> "Title":
        """Return a title that can be changed alone."""
        return replace(self, donors=self.donors.copy())


class SocialJusticeState(GameState, kw_only=True, tag="social_justice"):
    """A game of The Social Justice Game.

    Attributes:
        citizens: Each playing seat's things, by seat.
        titles: Every title by the index of its square, utilities included.
        rates: What holders set, by utility and rate, such as `enron.payday`.
        round: Number of the current or last round; 0 before the first.
        agenda: What is left of the turn: a stack, the next task last.
        politics: Rules in force, proposals and votes.
        deals: Loans, offers and agreements.
    """

    changing: ClassVar = ("citizens",)

    citizens: dict[int, Citizen] = field(default_factory=dict)
    titles: dict[int, Title] = field(default_factory=dict)
    rates: dict[str, int] = field(default_factory=dict)
    round: int = 0
    agenda: tuple[AnyTask, ...] = ()
    politics: Politics = field(default_factory=Politics)
    deals: Deals = field(default_factory=Deals)

    def alive(self) -> list[int]:
        """List the seats that are still in the game, in seat order."""
        return [seat for seat in sorted(self.citizens) if not self.citizens[seat].out]

    def copy(self) -> Self:
        """Return a state that can be evolved alone; see `GameState.copy`."""
        state = super().copy()
        state.titles = {square: title.copy() for square, title in self.titles.items()}
        state.rates = self.rates.copy()
        state.politics = replace(self.politics)
        state.deals = self.deals.copy()
        return state
