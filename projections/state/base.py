"""What a game's state is made of; `projections.evolve` folds it from events.

Facts only. What a seat may do with them is for the rules to decide.
"""

from collections.abc import Mapping
from typing import ClassVar, Literal, Self

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from events.base import OptionValue
from events.lobby import DataPin


class SeatState(Struct, kw_only=True, frozen=True):
    """One seat.

    Attributes:
        seat: Number of the place.
        kind: `person` or `bot`.
        level: How a bot plays; empty for a person.
        name: Digest of the typed-in name.
        host: Opened the game.
        ready: Edition of the options agreed to; 0 for none.
        nonce_commitment: SHA-256 of its nonce; empty without one.
        nonce_input: What the opened nonce adds to chance; empty while unopened.
        left: Gave up the seat during play.
        keeper: Level of the bot that plays for its person; empty while the person plays.
        missed: Turns and votes in a row that its person let pass.
        missed_in: The last turn among them; -1 for none.
        expired: The prompt whose default was taken last; empty for none.
        moves: Actions on this seat so far, no matter whose.
        acted: When the last of them was (UTC, ms).
        reopened: Someone else may take it.
    """

    seat: int
    kind: Literal["person", "bot"]
    level: str
    name: str
    host: bool
    ready: int = 0
    nonce_commitment: str = ""
    nonce_input: str = ""
    left: bool = False
    keeper: str = ""
    missed: int = 0
    missed_in: int = -1
    expired: str = ""
    moves: int = 0
    acted: int = 0
    reopened: bool = False

    @property
    def bot(self) -> str:
        """The level of the bot that plays here now; empty for a person."""
        return self.level if self.kind == "bot" else self.keeper


class Prompt(Struct, kw_only=True, frozen=True):
    """An open decision of a seat; see `PromptOpened`.

    Attributes:
        prompt: Id.
        seat: Who decides.
        kind: What is decided.
        why: What gave rise to it.
        deadline: When the default is taken instead (UTC, ms); while the game is paused, as of the pause.
        opened: Since when it has been open (UTC, ms), pauses left out.
    """

    prompt: str
    seat: int
    kind: str
    why: str
    deadline: int | None
    opened: int = 0


class DeckState(Struct, kw_only=True, frozen=True):
    """A deck: no order is stored, so none can leak.

    Attributes:
        unseen: Copies not yet drawn, by card id.
        returned: Cards that went to the bottom, front first.
        draws: Draws so far.
    """

    unseen: Mapping[str, int]
    returned: tuple[str, ...] = ()
    draws: int = 0

    def unseen_at(self, index: int) -> str:
        """Return the card at an index, from 0, among the unseen copies in the order of their ids."""
        for card in sorted(self.unseen):
            index -= self.unseen[card]
            if index < 0:
                return card
        raise IndexError(f"fewer copies are unseen, by {index + 1}")


class Result(Struct, frozen=True, kw_only=True):
    """One line of the final result.

    Attributes:
        seat: The place.
        rank: 1 for the winner; equal scores share a rank; 0 for a seat that left.
        total: Money total before tax, which may be negative; in The Social Justice Game the net worth (SJG-3).
        tax: Tax that was due on it; none in The Social Justice Game.
        score: What counts: total less tax.
        track: Where its piece stood in Public Assistance; else empty.
        role: The role that it held in The Social Justice Game; else empty.
    """

    seat: int
    rank: int
    total: int
    tax: int
    score: int
    track: str = ""
    role: str = ""


class GameState(Struct, kw_only=True, tag_field="rulebook"):
    """What is true of a game at one version; each rulebook adds its own fields.

    Attributes:
        game: Id.
        version: Version of the last event folded in.
        at: Its time (UTC, ms).
        created: Time of the first event (UTC, ms).
        steps: Actions so far; the first is the game's creation.
        rules: Version of the rules.
        code: Fingerprint of the rules' code at creation.
        pins: Boards and decks it is played on.
        options: Every option with its value.
        edition: Edition of the options.
        places: Most seats.
        private: Hidden from strangers.
        commitment: Commitment to the secret.
        known_secret: A test game.
        parent: Game that it is a rematch of; of a fork `<game>@<version>`, up to which its events are copies.
        status: `lobby`, `playing` or `finished`.
        seats: Who sits where, by number.
        inputs: What each playing seat adds to chance, in seat order.
        custodian: Seat that answers for the public purse; 0 for none.
        attested: Digest of the books that a custodian attested last; empty for none.
        order: Seats in the order of their turns.
        active: Whose turn it is; 0 between and outside turns.
        turn: Number of the current or last turn.
        prompts: Open decisions by id.
        cash: Balance of each account of cash; together they are zero.
        decks: Decks by name.
        reason: Why it ended.
        standings: The result.
        winners: Seats with rank 1.
        secret: Revealed by the last event; empty before.
        paused: Since when the clocks stand still (UTC, ms); 0 while they run. What is left is the deadline less this.
        forked: Version of the event that made it a fork; 0 for none.
        chance_of: Game whose secret it has, where that is another one.
        changing: Names of the fields that a rulebook adds and whose records change in place.
        credited: Up to when outages have been credited (UTC, ms); 0 for never.
    """

    changing: ClassVar[tuple[str, ...]] = ()

    game: str
    version: int = 0
    at: int = 0
    created: int = 0
    steps: int = 0
    rules: int
    code: str
    pins: tuple[DataPin, ...]
    options: Mapping[str, OptionValue]
    edition: int = 1
    places: int
    private: bool
    commitment: str
    known_secret: bool
    parent: str
    status: Literal["lobby", "playing", "finished"] = "lobby"
    seats: dict[int, SeatState] = field(default_factory=dict)
    inputs: tuple[str, ...] = ()
    custodian: int = 0
    attested: str = ""
    order: tuple[int, ...] = ()
    active: int = 0
    turn: int = 0
    prompts: dict[str, Prompt] = field(default_factory=dict)
    cash: dict[str, int] = field(default_factory=dict)
    decks: dict[str, DeckState] = field(default_factory=dict)
    reason: str = ""
    standings: tuple[Result, ...] = ()
    winners: tuple[int, ...] = ()
    secret: str = ""
    paused: int = 0
    credited: int = 0
    forked: int = 0
    chance_of: str = ""

    def copied(self) -> int:
        """Return the version up to which a fork's events are copies; 0 in a game that is no fork."""
        return int(self.parent.partition("@")[2] or 0)

    def unclaimed(self) -> list[int]:
        """List the seats of a fork that are still open, in seat order."""
        return [number for number in self.alive() if self.seats[number].reopened and not self.seats[number].keeper]

    def persons(self) -> list[int]:
        """List the seats of persons that are still in the game, in seat order."""
        return [seat for seat in self.alive() if self.seats[seat].kind == "person"]

    def keeps_presence(self) -> bool:
        """Return whether the game keeps who is present."""
        # A game that was created before presence was kept lacks the option.
        return "absent_after" in self.options

    def staying(self) -> list[int]:
        """List the seats that have not left, in seat order."""
        return [number for number in sorted(self.seats) if not self.seats[number].left]

    def alive(self) -> list[int]:
        """List the seats that are still in the game, in seat order."""
        return self.staying()

    def copy(self) -> Self:
        """Return a state that can be evolved alone: nothing that changes in place is shared."""
        return replace(
            self,
            seats=self.seats.copy(),
            prompts=self.prompts.copy(),
            cash=self.cash.copy(),
            decks=self.decks.copy(),
            **{name: {key: replace(part) for key, part in getattr(self, name).items()} for name in self.changing},
        )

    def over(self) -> bool:
        """Return whether only the secret can follow: the result stands, and no prompt is open."""
        return self.status == "finished" and not self.prompts

    def summary(self) -> bytes:
        """Return the game's line in the games index, as JSON."""
        line = {
            "created": self.created,
            "rulebook": self.__struct_config__.tag,
            "status": self.status,
            "places": self.places,
            "seats": len(self.seats),
            "private": self.private,
            "known_secret": self.known_secret,
            "parent": self.parent,
            "turn": self.turn,
            "version": self.version,
        }
        return msgspec.json.encode(line, order="sorted")
