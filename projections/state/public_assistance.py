"""What a game of Public Assistance adds to the state."""

from typing import ClassVar, Literal

from msgspec import Struct, field

from projections.state.base import GameState


class BetsOffer(Struct, kw_only=True, frozen=True):
    """A seat's standing offer to take bets (PA-54)."""

    horses: bool
    lottery: bool
    max_stake: int


class Player(Struct, kw_only=True):
    """A seat's things in Public Assistance.

    Attributes:
        track: `promenade`, `rut` or `jail`.
        block: Index on it.
        month: Times around.
        children: In the household.
        kept: Ids of kept Benefit cards, in order of acquisition.
        skips: Turns to be missed.
        cheat: Names its next block instead of rolling.
        partner: Block of the partner on the Cake Walk; -1 when not there.
        partner_own: Own turn on which the partner was last placed; 0 for never.
        notes: Outstanding.
        note_age: Own turns begun since its last note was written, but for skipped ones; -1 for no note yet.
        own: Number of its last own turn.
        bet_own: Own turn on which it last bet; 0 for never.
        offer: Its standing offer to take bets.
    """

    track: Literal["promenade", "rut", "jail"] = "promenade"
    block: int = 0
    month: int = 0
    children: int = 0
    kept: tuple[str, ...] = ()
    skips: int = 0
    cheat: bool = False
    partner: int = -1
    partner_own: int = 0
    notes: int = 0
    note_age: int = -1
    own: int = 0
    bet_own: int = 0
    offer: BetsOffer | None = None


class PublicAssistanceState(GameState, kw_only=True, tag="public_assistance"):
    """A game of Public Assistance.

    Attributes:
        players: Each playing seat's things, by seat.
        faces: Faces of the movement roll of the current turn; empty when none was made.
        end_reached: Seat whose marker reached the agreed months; 0 before.
    """

    changing: ClassVar = ("players",)

    players: dict[int, Player] = field(default_factory=dict)
    faces: tuple[int, ...] = ()
    end_reached: int = 0
