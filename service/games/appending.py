"""The one way from an action to events on a stream: decide, append, and try again after a conflict.

Append first, read only on conflict. A refusal is never answered from this process's cache: before it is answered,
action id and tail are read in one round trip; a known id gets its first answer, and on a newer state is decided again.
"""

import logging
import re
import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from events import chain, codec
from events.base import Envelope, Event
from events.lobby import SecretRevealed
from events.store import (
    ActionMismatch,
    Appended,
    Entry,
    HistoryForked,
    SidecarUpdate,
    Store,
    StreamDamaged,
    StreamFrozen,
    StreamSealed,
    VersionConflict,
    entry_of,
)
from projections import evolve as fold
from projections.evolve import AnyState
from projections.storage import EVERY
from service.errors import (
    AheadOfStore,
    Busy,
    Frozen,
    KeyReused,
    MadeByOtherCode,
    NotRecordable,
    ServiceError,
    Stale,
    UnsupportedRules,
)
from service.games import chance
from service.games.clock import Clock
from service.games.credentials import ServerKey, token_hash, tokens_after
from service.games.due import due_of
from service.games.loading import CREDENTIAL_EVENTS, MOST_CACHED, Loader, damaged
from service.games.permissions import Gate, action_id, command_of
from service.games.records import Answer, LoadedGame, NewStream, RequestContext
from service.jobs import KEYFRAME_JOB
from service.rules import versions
from service.rules.actions import AnyAction, Renew
from service.rules.decide import Command, Decision, decide
from service.rules.dice import Dice, NoDice
from service.rules.violations import RuleViolation

MOST_ATTEMPTS = 20  # more than a whole table can send at once: each attempt that fails is another call that succeeds
MOST_JITTER_MS = 5
MOST_MISSED = 1000
_log = logging.getLogger("rollbook.games")

NO_TEXTS: Mapping[str, bytes] = MappingProxyType({})

_TAG = re.compile(r"([1-9][0-9]{0,15})-[0-9a-f]{8}", re.ASCII)
_CONFLICTS = (ActionMismatch, VersionConflict, StreamSealed, StreamFrozen, HistoryForked, StreamDamaged)
_dice_of = lru_cache(maxsize=MOST_CACHED)(chance.SecretDice)


def no_queue(_job: str, _game: str) -> None:
    """Leave a long job undone, where there are no workers: nothing but speed depends on it."""


class Appender:
    """Decides actions and appends what they lead to.

    Args:
        store: Where the games lie.
        loader: Games in memory, which are guarded against losses.
        gate: Recognises callers.
        key: Ids and tokens are derived from it.
        clock: The store's time.
        enqueue: Hands a job to the workers by its dotted name.
    """

    def __init__(
        self,
        store: Store,
        loader: Loader,
        gate: Gate,
        *,
        key: ServerKey,
        clock: Clock,
        enqueue: Callable[[str, str], object] = no_queue,
    ) -> None:
        self._store = store
        self._loader = loader
        self._guard = loader.guard
        self._gate = gate
        self._key = key
        self._clock = clock
        self._enqueue = enqueue
        self._secret_of = lru_cache(maxsize=MOST_CACHED)(self._read_secret)

    def append(
        self,
        loaded: LoadedGame,
        action: AnyAction,
        request: RequestContext,
        *,
        seat: int = 0,
        texts: Mapping[str, bytes] = NO_TEXTS,
        check: Callable[[AnyState], None] | None = None,
    ) -> Answer:
        """Decide an action on a fold and append what it leads to; on a newer fold when the stream had moved on.

        Args:
            loaded: The game, however old.
            action: What is to be done.
            request: What surrounds it; with a key.
            seat: The seat that the request names; 0 for none.
            texts: Typed-in text for the sidecar, by digest.
            check: Called with each state that is decided on; raises a refusal.

        Raises:
            NoSuchGame, NoSuchSeat, Unauthorized, Forbidden: The caller may not.
            Stale, KeyReused, Busy, Frozen, UnsupportedRules, MadeByOtherCode: See `service.errors`.
            RuleViolation: The rules do not allow it.
            StoreUnavailable, StoreFull: No certain answer; sent again with the same key, nothing happens twice.
        """
        for _ in range(MOST_ATTEMPTS):
            state = loaded.state
            try:
                caller = self._gate.recognise(request, state.game, loaded.tokens, private=state.private)
                behind = self._guard.check(state.game) > state.version
                newer: LoadedGame | Answer = self._loader.up_to_noted(loaded) if behind else loaded
                if newer is loaded:
                    renewed = isinstance(action, Renew) and state.over()
                    if not (renewed or versions.plays_on(state.rules, state.code)):
                        raise not_played_on(state)
                    command = command_of(action, caller, state, request, seat=seat, texts=texts)
                    # Before the rules, so that 412 wins over 409.
                    if request.if_match is not None:
                        self._check_match(request.if_match, loaded)
                    if isinstance(action, Renew) and renewed:
                        return self._renew(loaded, command, action.seat, request.digest)
                    if check is not None:
                        check(state)
                    dice = NoDice() if request.dry_run else self._dice(loaded)
                    decision = decide(state, command, dice, at=self._clock.now())
                    if request.dry_run:
                        return _tried(loaded, decision, command)
                    newer = self._write(loaded, command, decision, request.digest)
            except (RuleViolation, ServiceError) as refusal:
                newer = self._before_refusal(loaded, request)
                if newer is loaded:
                    raise refusal from None
            if isinstance(newer, Answer):
                return newer
            loaded = newer
            time.sleep(secrets.randbelow(MOST_JITTER_MS) / 1000)
        raise Busy("The game moved on during every attempt; send the request again.")

    def _write(self, loaded: LoadedGame, command: Command, decision: Decision, digest: str) -> Answer | LoadedGame:
        """Append a decision; return its first answer when it was done before, or a newer fold after a conflict."""
        state, envelopes = decision.state, decision.envelopes
        if over := state.over():
            envelopes = [*envelopes, self._reveal(envelopes[-1], state)]
            fold.advance(state, envelopes[-1])
        game, about, entries = state.game, state.summary(), chain_entries(loaded.link, envelopes)
        tokens: Mapping[str, bytes] = {}
        if not CREDENTIAL_EVENTS.isdisjoint([type(envelope.data) for envelope in envelopes]):
            events = [envelope.data for envelope in envelopes]
            tokens = tokens_after(events, loaded.tokens, lambda name: self._key.token(game, name, command.id))
        due = due_of(state)
        try:
            appended = self._store.streams.append(
                game,
                entries,
                action=command.id,
                request=digest,
                expected=loaded.state.version,
                previous=loaded.link,
                sidecar=SidecarUpdate(
                    about=about,
                    created=state.created,
                    due=due,
                    seal=over,
                    texts=command.texts,
                    tokens=tokens,
                ),
            )
        except _CONFLICTS as conflict:
            return self._after_conflict(loaded, conflict)
        if appended.repeated:
            return self._first_answer(game, command.id, appended)
        head = entries[-1].link
        self._loader.keep(game, LoadedGame(state, head, {**loaded.tokens, **tokens} if tokens else loaded.tokens, due))
        self._guard.note(game, state.version, head)
        if state.version // EVERY > loaded.state.version // EVERY:
            self._enqueue(KEYFRAME_JOB, game)
        return Answer(game, appended.first, state.version, head, envelopes, entries, command.id)

    def _renew(self, loaded: LoadedGame, command: Command, seat: int, digest: str) -> Answer:
        """Issue a new token after the end, without an event; return the first answer when that was done before."""
        game, credential = loaded.state.game, f"seat:{seat}"
        token = token_hash(self._key.token(game, credential, command.id))
        try:
            done = self._store.streams.renew(game, credential, token, action=command.id, request=digest)
        except ActionMismatch as error:
            raise reused() from error
        if isinstance(done, Appended):
            return self._first_answer(game, command.id, done)
        version = loaded.state.version
        return Answer(game, version + 1, version, loaded.link, [], [], command.id, repeated=done)

    def _after_conflict(self, loaded: LoadedGame, conflict: Exception) -> LoadedGame:
        """Return the fold to decide on again, after the store has refused to append to this one."""
        game = loaded.state.game
        match conflict:
            case VersionConflict():
                if conflict.head.version < loaded.state.version:
                    raise AheadOfStore(f"The store has lost events of game {game} that were acknowledged.")
                if conflict.complete:
                    return self._loader.caught_up(game, loaded, conflict.missed)
            case ActionMismatch():
                raise reused() from conflict
            case StreamFrozen():
                raise Frozen(str(conflict)) from conflict
            case HistoryForked() | StreamDamaged():
                if isinstance(conflict, HistoryForked):
                    self._loader.forget(game)
                raise damaged(game, conflict) from conflict
        newer = self._loader.load(game)
        if isinstance(conflict, StreamSealed) and not newer.state.secret:
            raise damaged(game, conflict) from conflict
        return newer

    def _before_refusal(self, loaded: LoadedGame, request: RequestContext) -> LoadedGame | Answer:
        """Read action id and tail; return the first answer of a known id, or else the newest fold."""
        game, action = loaded.state.game, None
        caller = self._gate.identify(request, loaded.tokens)
        if caller.names or caller.operator or not caller.given:
            action = action_id(f"{game}\x00{caller.scope}", request.key)
        try:
            newer, known = self._loader.refresh(game, loaded, action=action, digest=request.digest)
        except ActionMismatch as error:
            raise reused() from error
        return self._first_answer(game, action or "", known) if known else newer

    def _first_answer(self, game: str, action: str, known: Appended) -> Answer:
        """Read back what an action led to the first time."""
        batches = self._store.streams.stream(game, after=known.first - 1, upto=known.last)
        entries = [entry for batch in batches for entry in batch]
        envelopes = codec.decode_all(entry.data for entry in entries)
        return Answer(game, known.first, known.last, entries[-1].link, envelopes, entries, action, repeated=True)

    def _dice(self, loaded: LoadedGame) -> Dice:
        state = loaded.state
        return _dice_of(
            self._secret(state),
            state.chance_of or state.game,
            state.inputs or chance.inputs_of(state),
        )

    def _reveal(self, last: Envelope[Event], state: AnyState) -> Envelope[Event]:
        """Make the last event of a game: its secret."""
        return Envelope(
            version=last.version + 1,
            at=last.at,
            turn=last.turn,
            actor="system",
            action=last.action,
            data=SecretRevealed(secret=self._secret(state).hex()),
        )

    def _secret(self, state: AnyState) -> bytes:
        return self._secret_of(state.game, state.commitment, known=state.known_secret)

    def _read_secret(self, game: str, committed: str, *, known: bool) -> bytes:
        """Read a game's secret, and hold it against what was committed to before any seat sat down."""
        secret = self._store.sidecar.secret(game)
        if secret is None:
            raise Frozen(f"The secret of game {game} is gone: its chance cannot go on.")
        if chance.commitment(game, secret, known=known) != committed:
            raise Frozen(f"The secret of game {game} is not the one that it was committed to: its chance cannot go on.")
        return secret

    def _check_match(self, tags: Sequence[str], loaded: LoadedGame) -> None:
        """Check that the caller acts on the current state."""
        if "*" in tags or loaded.etag in tags:
            return
        if not tags:
            detail = "If-Match has weak tags (W/) alone, which match nothing: send the tag of the state without W/."
            raise Stale(detail, loaded.etag, [])
        missed = self._missed_since(loaded, tags[0])
        raise Stale("The game has moved on from the state that If-Match names.", loaded.etag, missed)

    def _missed_since(self, loaded: LoadedGame, etag: str) -> list[Entry]:
        """List what happened since the state that a tag names; nothing for a tag that was never this game's."""
        tag = _TAG.fullmatch(etag)
        version = int(tag[1]) if tag else 0
        if not 0 < version < loaded.state.version:
            return []
        entries = self._loader.read(loaded.state.game, after=version - 1, count=MOST_MISSED + 1)
        if not entries or chain.etag(version, entries[0].link) != etag:
            return []
        return entries[1:]

    def append_first(self, new: NewStream) -> Answer:
        """Write the first events of a game; return the first answer when that was done before.

        Raises:
            Frozen: The store has lost a game of this id.
            KeyReused: The key opened another game.
        """
        self._guard.before_opening(new.game)
        state = fold.fold(new.envelopes)
        genesis, due = chain.genesis(new.game), due_of(state)
        entries = chain_entries(genesis, new.envelopes)
        tokens = {name: token_hash(token) for name, token in new.tokens.items()}
        try:
            appended = self._store.streams.append(
                new.game,
                entries,
                action=new.action,
                request=new.digest,
                expected=0,
                previous=genesis,
                sidecar=SidecarUpdate(
                    about=state.summary(), created=new.envelopes[-1].at, due=due, tokens=tokens, secret=new.secret
                ),
            )
        except ActionMismatch as error:
            raise reused() from error
        if appended.repeated:
            return self._first_answer(new.game, new.action, appended)
        head = entries[-1].link
        self._loader.keep(new.game, LoadedGame(state, head, tokens, due))
        self._guard.note(new.game, state.version, head)
        if state.version >= EVERY:
            self._enqueue(KEYFRAME_JOB, new.game)
        return Answer(new.game, 1, state.version, head, list(new.envelopes), entries, new.action)


def chain_entries(previous: bytes, envelopes: Sequence[Envelope[Event]]) -> list[Entry]:
    """Write the canonical bytes of events, once, and chain them to the link before them.

    Raises:
        NotRecordable: They could not be read back.
    """
    stored = codec.encode_all(envelopes)
    try:
        codec.decode_all(stored)
    except codec.DamagedEntry as error:
        _log.error("what was decided could not be read back: %s", error)
        raise NotRecordable("What this leads to cannot be recorded: a number in it is out of bounds.") from error
    return list(map(entry_of, zip(stored, chain.links(previous, stored), strict=True)))


def not_played_on(state: AnyState) -> UnsupportedRules | MadeByOtherCode:
    """Return why this release adds nothing to a game that it can read."""
    if state.rules not in versions.SUPPORTED:
        return UnsupportedRules(f"This release does not hold rules {state.rules}, under which it is played.")
    return MadeByOtherCode(
        "The game was opened by another release, whose code may decide otherwise: this one can read it, no more."
    )


def reused() -> KeyReused:
    """Return the refusal of a key that came with another request before."""
    return KeyReused("This idempotency key was used for another request.")


def _tried(loaded: LoadedGame, decision: Decision, command: Command) -> Answer:
    """Return the answer of a dry run."""
    return Answer(
        game=loaded.state.game,
        first=loaded.state.version + 1,
        version=loaded.state.version + len(decision.envelopes),
        head=b"",
        envelopes=decision.envelopes,
        entries=[],
        action=command.id,
        stopped_at=decision.stopped_at,
    )
