"""Writing decided events to the stream, with everything that belongs beside them, and reading them back."""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import NoReturn, TypeVar

from events import chain, codec
from events.base import Envelope, Event
from events.clocks import SeatReopened, SeatRetaken
from events.lobby import CredentialRenewed, GameCreated, SeatLeft, SeatTaken, SecretRevealed
from events.store import Appended, Entry, HeadLog, LostTail, SidecarUpdate, Store, StreamDamaged, entry_of
from projections import evolve as fold
from projections.storage import EVERY
from service.errors import AheadOfStore, Frozen, NoSuchGame, Unauthorized
from service.games.clock import Clock
from service.games.credentials import Caller, ServerKey, identify, token_hash
from service.games.due import due_of
from service.games.loading import CREDENTIAL_EVENTS, HISTORY, MOST_CACHED, Loader
from service.games.records import Answer, Ask, Loaded
from service.games.summary import is_private, summary
from service.games.uptime import Uptime
from service.rules.decide import Decision

T = TypeVar("T")
MOST_MISSED = 1000
_TAG = re.compile(r"([1-9][0-9]{0,15})-[0-9a-f]{8}", re.ASCII)
KEYFRAME_JOB = "workers.jobs.make_keyframes"
_log = logging.getLogger("rollbook.games")


def no_queue(_job: str, _game: str) -> None:
    """Without workers long jobs are left undone; nothing depends on them but speed."""


class Writer:
    """Appends decisions.

    Args:
        store: Where the games lie.
        loader: Games in memory.
        key: Ids and tokens are derived from it.
        clock: The store's time.
        operator_token: Token of whoever runs the service; empty for none.
        heads: Log of heads outside the store; None keeps none.
        frozen: Games that take no actions, each with a sentence why: found at start to have lost their tail.
        enqueue: Hands a job to the workers by its dotted name.
        uptime: Whether anybody could be served; None: always.
    """

    def __init__(  # noqa: PLR0913 -- taken apart next
        self,
        store: Store,
        loader: Loader,
        *,
        key: ServerKey,
        clock: Clock,
        operator_token: str = "",
        heads: HeadLog | None = None,
        frozen: Mapping[str, str] | None = None,
        enqueue: Callable[[str, str], object] = no_queue,
        uptime: Uptime | None = None,
    ) -> None:
        self.store = store
        self.loader = loader
        self.key = key
        self.clock = clock
        self.secret_of = lru_cache(maxsize=MOST_CACHED)(self._read_secret)
        self._operator_token = operator_token
        self.frozen = dict(frozen or {})
        self._heads = heads
        self._enqueue = enqueue
        self.uptime = uptime

    def identify(self, ask: Ask, tokens: Mapping[str, bytes]) -> Caller:
        """Tell who asks; a token that is nobody's gives a caller without names."""
        if ask.admitted:
            return Caller(frozenset({"watch"}), given=True)
        return identify(ask.token, tokens, self._operator_token)

    def recognise(self, ask: Ask, game: str, tokens: Mapping[str, bytes], *, private: bool) -> Caller:
        """Tell who asks, of those who may know of the game.

        Raises:
            NoSuchGame: It is private, and the caller has no token of it.
            Unauthorized: A token was sent, and it is nobody's here.
        """
        caller = self.identify(ask, tokens)
        if private and not caller.knows_game:
            raise NoSuchGame(f"There is no game {game}.")
        if caller.given and not caller.knows_game:
            raise Unauthorized("The token is not one of this game's.")
        return caller

    def admit(self, game: str, ask: Ask) -> Caller:
        """Tell who asks for a game that cannot be folded.

        Raises:
            NoSuchGame, Unauthorized: As for any other.
        """
        return self.recognise(ask, game, self._tokens_of(game), private=self._is_private(game))

    def hide(self, game: str, ask: Ask) -> None:
        """Tell nothing of what is wrong with a private game to whoever may not know of it.

        Raises:
            NoSuchGame: It is one, and the caller has no token of it.
        """
        if self._is_private(game) and not self.identify(ask, self._tokens_of(game)).knows_game:
            raise NoSuchGame(f"There is no game {game}.")

    def _tokens_of(self, game: str) -> Mapping[str, bytes]:
        try:
            return self.store.sidecar.tokens(game)
        except StreamDamaged:
            return {}

    def _is_private(self, game: str) -> bool:
        """Ask the first event, or where that cannot be read, the games index."""
        try:
            (first,) = self.store.streams.read(game, count=1)
            created = codec.decode(first.data).data
        except (*HISTORY, ValueError):
            created = None
        if isinstance(created, GameCreated):
            return created.private
        try:
            return is_private(self.store.index.about(game))
        except StreamDamaged:
            return True

    def refuse_frozen(self, game: str) -> None:
        """Let nothing more happen in a game whose history is not to be trusted.

        Raises:
            Frozen: It is one, and nobody has accepted its loss.
        """
        if game not in self.frozen:
            return
        if self._heads is None or self.lost(game):
            raise Frozen(self.frozen[game])
        del self.frozen[game]
        self.loader.forget(game)

    def forgiving(self, game: str, work: Callable[[], T]) -> T:
        """Do something once more, with a new fold, when somebody has accepted that the store lost what we had seen.

        Raises:
            AheadOfStore: Nobody has.
        """
        try:
            return work()
        except NoSuchGame:
            self.refuse_frozen(game)
            raise
        except AheadOfStore:
            if self._heads is None or self.lost(game):
                raise
            self.loader.forget(game)
            return work()

    def lost(self, game: str) -> LostTail | None:
        """Tell what the store has lost of a game that was acknowledged; None for nothing."""
        return next(iter(self._heads.compare(self.store.streams, game)), None) if self._heads is not None else None

    def up_to_noted(self, loaded: Loaded) -> Loaded:
        """Give a fold that has everything which any process on this machine has acknowledged.

        Raises:
            Frozen: The store has lost some of it.
        """
        game = loaded.state.game
        noted = self._heads.newest(game) if self._heads is not None else 0
        if noted <= loaded.state.version:
            return loaded
        loaded = self.loader.load(game)
        if noted > loaded.state.version:
            self._freeze(LostTail(game, noted, loaded.state.version))
        return loaded

    def refuse_lost(self, game: str) -> None:
        """Open no game in the place of one that was acknowledged.

        Raises:
            Frozen: The store has lost that one, or some of it.
        """
        self.refuse_frozen(game)
        if self._heads is not None and self._heads.newest(game) and (tail := self.lost(game)):
            self._freeze(tail)

    def _freeze(self, tail: LostTail) -> NoReturn:
        self.frozen[tail.game] = lost_tail(tail)
        _log.error("%s", self.frozen[tail.game])
        raise Frozen(self.frozen[tail.game])

    def is_operator(self, ask: Ask) -> bool:
        """Tell whether the token is the operator's."""
        return identify(ask.token, {}, self._operator_token).operator

    def write(
        self, loaded: Loaded, decision: Decision, *, action: str, digest: str, texts: Mapping[str, bytes]
    ) -> Answer:
        """Append a decision; gives its first answer when the action had been done before.

        Raises:
            StoreError: As `Store.streams.append`; nothing was written, or it is told by the same action id.
        """
        state = decision.state
        envelopes = list(decision.envelopes)
        if state.over():
            envelopes.append(self._reveal(envelopes[-1], state.game))
            fold.advance(state, envelopes[-1])
        entries = sealed(loaded.link, envelopes)
        tokens = self._tokens(loaded, envelopes, action)
        beside = SidecarUpdate(
            about=summary(state),
            created=state.created,
            due=due_of(state),
            seal=state.over(),
            texts=texts,
            tokens=tokens,
        )
        appended = self.store.streams.append(
            state.game,
            entries,
            action=action,
            request=digest,
            expected=loaded.state.version,
            previous=loaded.link,
            sidecar=beside,
        )
        if appended.repeated:
            return self._first_answer(state.game, action, appended)
        self.loader.keep(state.game, Loaded(state, entries[-1].link, {**loaded.tokens, **tokens}))
        return self._acknowledged(Answer(state.game, appended.first, envelopes, entries, action))

    def _acknowledged(self, answer: Answer) -> Answer:
        """Note the head outside the store; ask for a keyframe when one is due."""
        if self._heads is not None:
            try:
                self._heads.note(answer.game, answer.version, answer.head)
            except OSError as error:
                _log.error("the log of heads could not be written: %s", error.strerror)
        if answer.version // EVERY > (answer.first - 1) // EVERY:
            self._enqueue(KEYFRAME_JOB, answer.game)
        return answer

    def _first_answer(self, game: str, action: str, known: Appended) -> Answer:
        """Read back what an action led to the first time."""
        batches = self.store.streams.stream(game, after=known.first - 1, upto=known.last)
        entries = [entry for batch in batches for entry in batch]
        envelopes = codec.decode_all(entry.data for entry in entries)
        return Answer(game, known.first, envelopes, entries, action, repeated=True)

    def _tokens(self, loaded: Loaded, envelopes: Sequence[Envelope[Event]], action: str) -> dict[str, bytes]:
        """Hash the tokens that these events issue, and end those that they end."""
        events = [envelope.data for envelope in envelopes if type(envelope.data) in CREDENTIAL_EVENTS]
        if not events:
            return {}
        names = [name for event in events if (name := issued(event))]
        hashes = {name: token_hash(self.key.token(loaded.state.game, name, action)) for name in names}
        return hashes | retired(loaded.tokens, events)

    def _reveal(self, last: Envelope[Event], game: str) -> Envelope[Event]:
        """Make the last event of a game: its secret."""
        return Envelope(
            version=last.version + 1,
            at=last.at,
            turn=last.turn,
            actor="system",
            action=last.action,
            data=SecretRevealed(secret=self.secret_of(game).hex()),
        )

    def _read_secret(self, game: str) -> bytes:
        secret = self.store.sidecar.secret(game)
        if secret is None:
            raise Frozen(f"The secret of game {game} is gone: its chance cannot go on.")
        return secret

    def missed_since(self, loaded: Loaded, etag: str) -> list[Entry]:
        """List what happened since the state that a tag names; nothing for a tag that was never this game's."""
        tag = _TAG.fullmatch(etag)
        version = int(tag[1]) if tag else 0
        if not 0 < version < loaded.state.version:
            return []
        entries = self.store.streams.read(loaded.state.game, after=version - 1, count=MOST_MISSED + 1)
        if not entries or chain.etag(version, entries[0].link) != etag:
            return []
        return entries[1:]


def lost_tail(tail: LostTail) -> str:
    """Say which game lost what, and what can be done."""
    return (
        f"The store has lost events of game {tail.game} that were acknowledged: {what_is_left(tail)}. What is"
        " good can be read, and it takes no actions; where only its end is lost, `rollbook doctor --accept"
        f" {tail.game}` lets it go on."
    )


def what_is_left(tail: LostTail) -> str:
    """Say how much of what was acknowledged is there."""
    if tail.found < tail.logged:
        return f"of {tail.logged}, {tail.found or 'none'} {'are' if tail.found > 1 else 'is'} there"
    return f"of {tail.logged}, some are missing or others"


def sealed(previous: bytes, envelopes: Sequence[Envelope[Event]]) -> list[Entry]:
    """Write the canonical bytes of events, once, and chain them."""
    stored = codec.encode_all(envelopes)
    return list(map(entry_of, zip(stored, chain.links(previous, stored), strict=True)))


def retired(tokens: Mapping[str, bytes], events: Sequence[Event]) -> dict[str, bytes]:
    """End the tokens of seats that were given up before the start, or are somebody else's now.

    Whoever gave one up may still repeat that request, and so may who took one with a code of its own.
    """
    ended, kept = [], {}
    for event in events:
        if isinstance(event, SeatLeft) and not event.playing:
            ended.append(f"seat:{event.seat}")
            kept[f"left:{event.seat}"] = f"seat:{event.seat}"
        elif isinstance(event, SeatReopened):
            ended.append(f"seat:{event.seat}")
        elif isinstance(event, SeatRetaken):
            ended.append(f"join:{event.seat}")
            kept[f"used:join:{event.seat}"] = f"join:{event.seat}"
    return dict.fromkeys(ended, b"") | {name: tokens[old] for name, old in kept.items() if old in tokens}


def issued(event: Event) -> str:
    """Name the credential that an event issues; empty for most."""
    if isinstance(event, SeatTaken | SeatRetaken):
        bot = isinstance(event, SeatTaken) and event.kind == "bot"
        return "" if bot else f"seat:{event.seat}"
    if isinstance(event, SeatReopened):
        return f"join:{event.seat}"
    return event.credential if isinstance(event, CredentialRenewed) else ""
