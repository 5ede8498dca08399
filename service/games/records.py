"""What goes into and comes out of `Games`."""

from collections.abc import Callable, Mapping
from typing import Literal

from msgspec import Struct, field

from events import chain
from events.base import Envelope, Event, OptionValue, Rulebook
from events.store import Entry
from projections.evolve import AnyState
from service.games.credentials import Caller
from service.rules.actions import AnyAction


class Ask(Struct, frozen=True):
    """What surrounds a request.

    An idempotency key should be hard to guess, such as a UUID: whoever repeats a request gets its answer.

    Attributes:
        token: Bearer token; None without one.
        key: Idempotency key; None lets the service make one.
        digest: Digest of method, path and canonical body; compared when the key comes again.
        if_match: Entity tags of which one must be current, `*` for any; None does not ask.
        dry_run: Try it only: nothing is appended, no die is asked.
        admitted: A ticket was given, which is as good as the watch token, and was used up.
    """

    token: str | None = None
    key: str | None = None
    digest: str = ""
    if_match: tuple[str, ...] | None = None
    dry_run: bool = False
    admitted: bool = False


class Loaded(Struct, frozen=True):
    """A game at one version, in memory; replaced, never changed in place.

    Attributes:
        state: The fold.
        link: Chain link at that version.
        tokens: Credential name → SHA-256 of its token.
    """

    state: AnyState
    link: bytes
    tokens: Mapping[str, bytes]

    @property
    def etag(self) -> str:
        """Name this state."""
        return chain.etag(self.state.version, self.link)


class Entrance(Struct, frozen=True):
    """Where a game's stream is, and who reads it.

    Attributes:
        version: Version of the last entry.
        link: Its chain link.
        caller: Who reads.
    """

    version: int
    link: bytes
    caller: Caller


class Wish(Struct, frozen=True):
    """What a request comes to, once it is known who asks.

    Attributes:
        action: What is to be done.
        seat: Who does it; 0 for the host, the clock or the system.
        actor: Who that is in the envelope.
        texts: Typed-in text to lie beside the stream, by digest.
    """

    action: AnyAction
    seat: int = 0
    actor: str = "system"
    texts: Mapping[str, bytes] = field(default_factory=dict)


Build = Callable[[Caller, AnyState], Wish]
"""Sees that the caller may ask for this, and says what it comes to."""


class NewFork(Struct, frozen=True):
    """A fork to be opened.

    Attributes:
        parent: Game that it goes on from.
        step: Behind which step.
        version: Version that the step ends with.
        status: What the parent is at there.
        same_chance: It gets the parent's secret, which is revealed, and so its future.
    """

    parent: str
    step: int
    version: int
    status: str
    same_chance: bool = False


class Answer(Struct, frozen=True):
    """What an action led to; the same when it is sent again.

    Attributes:
        game: Id of the game.
        first: Version of its first event.
        envelopes: Its events.
        entries: The same as stored bytes and links.
        action: The action id.
        repeated: It had been done before.
        stopped_at: Of a dry run: the draw that it stopped at.
    """

    game: str
    first: int
    envelopes: list[Envelope[Event]]
    entries: list[Entry]
    action: str
    repeated: bool = False
    stopped_at: str = ""

    @property
    def version(self) -> int:
        """Version of the last event."""
        return self.first + len(self.envelopes) - 1

    @property
    def head(self) -> bytes:
        """Chain link of the last event."""
        return self.entries[-1].link if self.entries else b""


class NewGame(Struct, frozen=True):
    """What somebody who opens a game chooses.

    Attributes:
        rulebook: Which game.
        preset: Set of options to begin with; empty for the rulebook's own.
        options: Options chosen over the preset.
        places: Most seats; 0 for as many as the rulebook allows.
        private: Hidden from strangers.
        secret: A known secret of 32 bytes, for tests of clients; None draws one.
    """

    rulebook: Rulebook
    preset: str = ""
    options: Mapping[str, OptionValue] = field(default_factory=dict)
    places: int = 0
    private: bool = False
    secret: bytes | None = None


class Created(Struct, frozen=True):
    """A new game and the tokens that its host gets."""

    answer: Answer
    host_token: str
    join_code: str
    watch_token: str


class NewSeat(Struct, frozen=True):
    """Who sits down.

    Attributes:
        name: As typed in; empty for none.
        kind: A person, or a bot that plays by itself.
        level: How a bot plays; empty for a person.
        nonce_commitment: SHA-256 of the seat's nonce in hex; empty for none.
    """

    name: str = ""
    nonce_commitment: str = ""
    kind: Literal["person", "bot"] = "person"
    level: str = ""


class Seated(Struct, frozen=True):
    """A seat and its token; a bot has none."""

    answer: Answer
    seat: int
    token: str


class Reopened(Struct, frozen=True):
    """A seat that somebody else may take, and the code for it."""

    answer: Answer
    seat: int
    join_code: str
