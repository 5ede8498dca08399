"""Events of a game's life around play: creation, seats, agreement, start, end."""

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct

from events.base import Count, Digest, Event, OptionValue, Rulebook, Seat


class DataPin(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A board or deck file that a game is played on, pinned by its content."""

    name: str
    version: int
    sha256: Digest


class GameCreated(Event, frozen=True, tag="game_created"):
    """A game was opened; what never changes about it is pinned here.

    Attributes:
        game: Id of the game.
        rulebook: Which of the two games is played.
        rules: Version of the rules it is played under for good.
        code: SHA-256 over the rules' code and data that opened it: the fingerprint for the audit.
        pins: Boards and decks by name, version and content.
        options: Every option with its value; frozen when the game starts.
        places: Most seats that may be taken.
        private: Hidden from all but its seats, its host and the holders of a watch token.
        commitment: SHA-256 of domain, game and secret; the secret itself is revealed by the last event.
        known_secret: The secret was chosen by the creator, for tests of clients: no claim of fairness.
        parent: Game that this one is a rematch of; of a fork `<game>@<version>`, and everything up to that version but
            this event is copied from there. Empty for a game of its own.
        schema: Number of this shape.
    """

    game: str
    rulebook: Rulebook
    rules: int
    code: Digest
    pins: tuple[DataPin, ...]
    options: Mapping[str, OptionValue]
    places: int
    private: bool
    commitment: Digest
    known_secret: bool
    parent: str
    schema: Literal[1] = 1


class SeatTaken(Event, frozen=True, tag="seat_taken"):
    """A seat was taken.

    Attributes:
        seat: The place taken.
        kind: A person or a bot.
        level: How a bot plays; empty for a person.
        name: Digest of the typed-in name, which lies beside the stream and can be erased; empty without one.
        nonce_commitment: SHA-256 of the seat's nonce; empty when it brings none.
        host: The person who opened the game sits here.
        schema: Number of this shape.
    """

    seat: Seat
    kind: Literal["person", "bot"]
    level: str
    name: str
    nonce_commitment: str
    host: bool
    schema: Literal[1] = 1


class SeatLeft(Event, frozen=True, tag="seat_left"):
    """A seat was given up, before the start or during play.

    Attributes:
        seat: The place.
        playing: The game had started: the seat stays listed and is never taken again.
        schema: Number of this shape.
    """

    seat: Seat
    playing: bool
    schema: Literal[1] = 1


class CredentialRenewed(Event, frozen=True, tag="credential_renewed"):
    """A new token was issued; the old one is void. The token itself is nowhere on the stream.

    Attributes:
        credential: What it is for, such as `seat:2`.
        schema: Number of this shape.
    """

    credential: str
    schema: Literal[1] = 1


class OptionsChanged(Event, frozen=True, tag="options_changed"):
    """The options were changed before the start; every ready mark is void.

    Attributes:
        number: Which edition of the options this is, from 1 for those of `game_created`.
        options: Every option with its value.
        schema: Number of this shape.
    """

    number: Count
    options: Mapping[str, OptionValue]
    schema: Literal[1] = 1


class SeatReady(Event, frozen=True, tag="seat_ready"):
    """A seat agreed to an edition of the options.

    Attributes:
        seat: The place.
        number: The edition agreed to.
        schema: Number of this shape.
    """

    seat: Seat
    number: Count
    schema: Literal[1] = 1


class NonceOpened(Event, frozen=True, tag="nonce_opened"):
    """A seat opened its nonce before the start.

    Attributes:
        seat: The place.
        input: SHA-256 of domain, seat and nonce: the seat's share in every outcome. The nonce lies beside the stream.
        schema: Number of this shape.
    """

    seat: Seat
    input: Digest
    schema: Literal[1] = 1


class GameStarted(Event, frozen=True, tag="game_started"):
    """Play began: seats and options are final.

    Attributes:
        seats: The seats that play, in seat order.
        inputs: What each seat adds to every outcome, in the same order: its opened nonce, else its commitment, else
            nothing (empty).
        options: Every option with the value that it keeps.
        schema: Number of this shape.
    """

    seats: tuple[Seat, ...]
    inputs: tuple[str, ...]
    options: Mapping[str, OptionValue]
    schema: Literal[1] = 1


class CustodianNamed(Event, frozen=True, tag="custodian_named"):
    """A seat answers for the public purse from here on (PA-10).

    Attributes:
        seat: The custodian of record.
        why: At the start, or because the one before left.
        schema: Number of this shape.
    """

    seat: Seat
    why: Literal["start", "succession"]
    schema: Literal[1] = 1


class Standing(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of the final result.

    Attributes:
        seat: The place.
        rank: 1 for the winner; equal scores share a rank; 0 for a seat that left.
        total: Money total before tax: cash less what its notes cost; may be negative. In The Social Justice Game the
            net worth (SJG-3).
        tax: Tax that was due on it; none in The Social Justice Game.
        score: What counts: total less tax.
        track: Where its piece stood; in The Social Justice Game the role it held.
    """

    seat: Seat
    rank: Count
    total: int
    tax: Count
    score: int
    track: str


class GameFinished(Event, frozen=True, tag="game_finished"):
    """The result stands.

    Attributes:
        reason: Why it ended: `completed` by its rule, `abandoned` when too few seats were left, `last_standing` when
            one was left of those who lost, `motion` by a vote.
        standings: Every seat, best first, those that are out last.
        winners: Seats with rank 1; none in The Social Justice Game, which names no winner (SJG-3).
        schema: Number of this shape.
    """

    reason: Literal["completed", "abandoned", "last_standing", "motion"]
    standings: tuple[Standing, ...]
    winners: tuple[Seat, ...]
    schema: Literal[1] = 1


class SecretRevealed(Event, frozen=True, tag="secret_revealed"):
    """The last event of every game: now anyone can check each outcome.

    Attributes:
        secret: The 32 bytes committed to in `game_created`, in hex.
        schema: Number of this shape.
    """

    secret: Digest
    schema: Literal[1] = 1
