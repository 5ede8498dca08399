"""What goes into and comes out of `Games`."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct, field

from events import chain
from events.base import Envelope, Event, OptionValue, Rulebook
from events.store import Entry
from projections.evolve import AnyState


class RequestContext(Struct, frozen=True):
    """What surrounds a request.

    An idempotency key should be hard to guess, such as a UUID: anyone who repeats a request gets its answer.

    Attributes:
        token: Bearer token; None without one.
        key: Idempotency key; None lets the service make one.
        digest: Digest of method, path and canonical body; compared when the key comes again.
        if_match: Entity tags of which one must be current, `*` for any; None does not ask.
        dry_run: Try it only: nothing is appended, no die is asked.
        admitted: A ticket was given, which is as good as the watch token, and was used up.
        received: When the service received it (UTC, ms).
        system: The service itself acts, without a token: `clock`, or `bot:2` for the bot of seat 2.
        if_moves: Of a bot: what had been done on its seat when the move was planned; None does not ask.
    """

    token: str | None = None
    key: str | None = None
    digest: str = ""
    if_match: tuple[str, ...] | None = None
    dry_run: bool = False
    admitted: bool = False
    received: int = 0
    system: str = ""
    if_moves: int | None = None


class Caller(Struct, frozen=True):
    """Who sends a request; without a token, anyone.

    Attributes:
        names: Credentials of the game that the token is good for, such as `host` or `seat:2`.
        operator: The token is the operator's.
        given: A token was sent at all.
        knows_game: The caller may know of a private game.
        seat: The seat that the token is for, or that the bot plays; 0 for none.
        actor: Who the caller is in an envelope, such as `seat:2`, `host`, `clock` or `bot:3`.
        scope: Scope of the caller's idempotency keys.
    """

    names: frozenset[str] = frozenset()
    operator: bool = False
    given: bool = False
    knows_game: bool = False
    seat: int = 0
    actor: str = "system"
    scope: str = "anyone"

    @property
    def joins(self) -> int:
        """The seat in play that the code is for, also once it was used; 0 for none."""
        return number_in(self.names, "join:") or number_in(self.names, "used:join:")

    @property
    def host(self) -> bool:
        """The token is the host's."""
        return "host" in self.names


def number_in(names: Iterable[str], kind: str) -> int:
    """Return the number of the name that begins with a kind; 0 for none."""
    return next((int(name.removeprefix(kind)) for name in names if name.startswith(kind)), 0)


class LoadedGame(Struct, frozen=True):
    """A game at one version, in memory; replaced, never changed in place.

    Attributes:
        state: The fold.
        link: Chain link at that version.
        tokens: Credential name → SHA-256 of its token.
        due: When something is to be done next (UTC, ms); None when the game waits for nothing but persons.
    """

    state: AnyState
    link: bytes
    tokens: Mapping[str, bytes]
    due: int | None

    @property
    def etag(self) -> str:
        """Entity tag of this state."""
        return chain.etag(self.state.version, self.link)


class Access(Struct, frozen=True):
    """Where a game's stream is, and who reads it.

    Attributes:
        version: Version of the last entry.
        link: Its chain link.
        caller: Who reads.
    """

    version: int
    link: bytes
    caller: Caller


class NewFork(Struct, frozen=True):
    """A fork to be opened.

    Attributes:
        parent: Game that it goes on from.
        step: The last step that it shares with the parent.
        version: Version that the step ends with.
        status: What the parent's status is there.
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
        version: Version of its last event.
        head: Chain link of its last event; empty for a dry run.
        envelopes: Its events.
        entries: The same as stored bytes and links; empty for a dry run.
        action: The action id.
        repeated: It had been done before.
        stopped_at: Of a dry run: the draw that it stopped at.
    """

    game: str
    first: int
    version: int
    head: bytes
    envelopes: list[Envelope[Event]]
    entries: list[Entry]
    action: str
    repeated: bool = False
    stopped_at: str = ""


class NewStream(Struct, frozen=True):
    """A game to be written.

    Attributes:
        game: Its id.
        action: The action that opens it.
        digest: What the request is compared by when it comes again.
        envelopes: Its first events.
        secret: Its secret.
        tokens: Its first tokens, by the name of the credential.
    """

    game: str
    action: str
    digest: str
    envelopes: Sequence[Envelope[Event]]
    secret: bytes
    tokens: Mapping[str, str]


class NewGame(Struct, frozen=True):
    """What the person who opens a game chooses.

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
    """A seat that another person may take, and the code for it."""

    answer: Answer
    seat: int
    join_code: str
