"""The one way from a request to events on a stream.

Append first, read only on conflict. A refusal is never answered from this process's cache: before it is said, action
id and tail are read in one round trip; a known id gives its first answer, a newer state is decided on again.
"""

import contextlib
import secrets
import time
from functools import lru_cache

from msgspec.structs import replace

from events.store import (
    ActionMismatch,
    Appended,
    HistoryForked,
    StoreFull,
    StreamDamaged,
    StreamSealed,
    VersionConflict,
)
from service.errors import AheadOfStore, Busy, Frozen, KeyReused, ServiceError, Stale, Unauthorized, UnsupportedRules
from service.games.chance import SecretDice, inputs_of
from service.games.credentials import Caller, action_id
from service.games.due import Due, dues_of
from service.games.loading import HISTORY, MOST_CACHED, damaged
from service.games.records import Answer, Ask, Build, Loaded, Wish
from service.games.writing import Writer
from service.rules import versions
from service.rules.actions import CreditOutage, Expire, OpenAction
from service.rules.decide import Command, Decision, decide
from service.rules.dice import Dice, NoDice
from service.rules.timing import SETTLE_MS, credits_of
from service.rules.violations import RuleViolation

MOST_ATTEMPTS = 5
MOST_JITTER_MS = 20
MOST_AT_A_LOOK = 20  # ballots of a whole table fall due at once

_dice_of = lru_cache(maxsize=MOST_CACHED)(SecretDice)


class Acting(Writer):
    """Decides actions and appends them."""

    def perform(self, game: str, ask: Ask, build: Build) -> Answer:
        """Decide an action and append what it leads to; a deadline that has passed comes first.

        Raises:
            NoSuchGame, Unauthorized, Forbidden, Stale, KeyReused, Busy, Frozen: See `service.errors`.
            RuleViolation: The rules do not allow it.
            StoreUnavailable, StoreFull: The store gave no answer; sent again with the same key, nothing happens twice.
        """
        received = self.clock.now()
        given = None if ask.dry_run else ask.key  # what is only tried is never the repeat of something done
        ask = replace(ask, key=given or secrets.token_hex(16))

        def act() -> Answer:
            cached = None if ask.dry_run else self.loader.cached(game)
            return self._perform(self.settle(cached or self.loader.load(game)), ask, build, received)

        try:
            return self.forgiving(game, act)
        except HISTORY:
            self.hide(game, ask)
            raise

    def watch(self, game: str, ask: Ask) -> tuple[Loaded, Caller]:
        """Give a game at its head to somebody who may know of it, and who that is.

        Raises:
            NoSuchGame: There is none, or it is private and the caller has no token of it.
            Unauthorized: A token was sent, and it is nobody's here.
        """
        try:
            loaded = self.look(game)
        except HISTORY:
            self.hide(game, ask)
            raise
        return loaded, self.recognise(ask, game, loaded.tokens, private=loaded.state.private)

    def look(self, game: str) -> Loaded:
        """Give a game at its head after everything that was due by the clock; for those who serve all games."""
        return self.forgiving(game, lambda: self.settle(self.loader.load(game)))

    def settle(self, loaded: Loaded) -> Loaded:
        """Do what is due by the clock: defaults of prompts whose deadlines have passed. Gives the game after it."""
        self.clock.saw(loaded.state.at)
        for _ in range(MOST_AT_A_LOOK):
            if not (dues := dues_of(loaded.state)) or loaded.state.game in self.frozen:
                break
            late = self._late(dues)
            newer = self._credited(loaded, surely=late is not None)
            if newer is loaded and late is not None and self._was_served(late):
                newer = self._expire(loaded, late)
            if newer is loaded:
                break
            loaded = newer
        return loaded

    def _late(self, dues: list[Due]) -> Due | None:
        """Find the deadline that passed first, once its time to settle is over."""
        deadlines = [due for due in dues if due.kind == "deadline"]
        return deadlines[0] if deadlines and self.clock.now() >= deadlines[0].at else None

    def _was_served(self, late: Due) -> bool:
        """Tell whether whoever let a deadline pass could have moved at its last moment."""
        return self.uptime is None or self.uptime.served_at(late.at - SETTLE_MS)

    def _credited(self, loaded: Loaded, *, surely: bool) -> Loaded:
        """Give back the time of an outage in which somebody was asked something."""
        if self.uptime is None:
            return loaded
        self.uptime.refresh(surely=surely)
        asked = min((prompt.opened for prompt in loaded.state.prompts.values()), default=0)
        for since, until in self.uptime.outages:
            if until > asked and credits_of(loaded.state, since=since, until=until):
                ask = Ask(key=f"{since}:{until}", digest="credit")
                return self.by_clock(loaded, CreditOutage(since=since, until=until), ask)
        return loaded

    def _expire(self, loaded: Loaded, late: Due) -> Loaded:
        ask = Ask(key=f"{late.prompt}:{late.deadline}", digest="expire")
        return self.by_clock(loaded, Expire(prompt=late.prompt, deadline=late.deadline), ask)

    def by_clock(self, loaded: Loaded, action: OpenAction, ask: Ask) -> Loaded:
        """Let the clock do something that is safe to be done again; gives the game after it."""
        wish = Wish(action, actor="clock")
        # The game has moved past it, which is as good; or nothing can be written now, and reading goes on.
        with contextlib.suppress(RuleViolation, UnsupportedRules, Busy, Frozen, StoreFull):
            self._perform(loaded, ask, lambda _caller, _state: wish, self.clock.now(), scope="clock")
        return self.loader.load(loaded.state.game)

    def _perform(self, loaded: Loaded, ask: Ask, build: Build, received: int, scope: str = "") -> Answer:
        game = loaded.state.game
        for attempt in range(MOST_ATTEMPTS):
            try:
                answer = self._attempt(loaded, ask, build, received, scope)
            except (RuleViolation, ServiceError) as refusal:
                newer, known = self._look_again(loaded, ask, scope)
                if known:
                    return self._first_answer(game, self._action_id(loaded, ask, scope), known)
                if newer is loaded:
                    raise refusal from None
                loaded = newer
                continue
            if isinstance(answer, Answer):
                return answer
            loaded = answer
            time.sleep(attempt * secrets.randbelow(MOST_JITTER_MS) / 1000)
        raise Busy("The game moved on during every attempt; send the request again.")

    def _attempt(self, loaded: Loaded, ask: Ask, build: Build, received: int, scope: str) -> Answer | Loaded:
        """Decide on a fold and append; gives a newer fold when the stream had moved on."""
        state = loaded.state
        caller = Caller() if scope else self.recognise(ask, state.game, loaded.tokens, private=state.private)
        self.refuse_frozen(state.game)
        if (newer := self.up_to_noted(loaded)) is not loaded:
            return newer
        if state.rules not in versions.SUPPORTED:
            raise UnsupportedRules(f"This release does not hold rules {loaded.state.rules}, under which it is played.")
        wish = build(caller, loaded.state)
        self._check_match(ask, loaded)
        action = action_id(f"{state.game}\x00{scope or caller.scope}", ask.key)
        command = Command(wish.action, wish.seat, wish.actor, action, received)
        decision = decide(loaded.state, command, self._dice(loaded, dry=ask.dry_run), at=self.clock.now())
        if ask.dry_run:
            return self._tried(loaded, decision, action)
        return self._append(loaded, ask, wish, decision, action)

    def _append(self, loaded: Loaded, ask: Ask, wish: Wish, decision: Decision, action: str) -> Answer | Loaded:
        game = loaded.state.game
        try:
            return self.write(loaded, decision, action=action, digest=ask.digest, texts=wish.texts)
        except VersionConflict as conflict:
            if conflict.head.version < loaded.state.version:
                raise AheadOfStore(f"The store has lost events of game {game} that were acknowledged.") from conflict
            if not conflict.complete:
                return self.loader.load(game)
            return self.loader.caught_up(game, loaded, conflict.missed)
        except StreamSealed:
            return self.loader.load(game)
        except ActionMismatch as error:
            raise KeyReused("This idempotency key was used for another request.") from error
        except HistoryForked as error:
            self.loader.forget(game)
            raise damaged(game, error) from error
        except StreamDamaged as error:
            raise damaged(game, error) from error

    def _look_again(self, loaded: Loaded, ask: Ask, scope: str) -> tuple[Loaded, Appended | None]:
        """Read action id and tail before a refusal is said."""
        try:
            action = self._action_id(loaded, ask, scope)
        except Unauthorized:
            action = ""
        try:
            return self.loader.look(loaded.state.game, loaded, action=action or None, digest=ask.digest)
        except ActionMismatch as error:
            raise KeyReused("This idempotency key was used for another request.") from error

    def _action_id(self, loaded: Loaded, ask: Ask, scope: str) -> str:
        """Make the action id; its scope is the game and the credential."""
        if not scope:
            caller = self.identify(ask, loaded.tokens)
            if caller.given and not (caller.names or caller.operator):
                raise Unauthorized("The token is not one of this game's.")
            scope = caller.scope
        return action_id(f"{loaded.state.game}\x00{scope}", ask.key)

    def _check_match(self, ask: Ask, loaded: Loaded) -> None:
        """See that the caller acts on the current state; comes before the rules, so that 412 wins over 409."""
        if ask.if_match is None or "*" in ask.if_match or loaded.etag in ask.if_match:
            return
        missed = self.missed_since(loaded, ask.if_match[0]) if ask.if_match else []
        raise Stale("The game has moved on from the state that If-Match names.", loaded.etag, missed)

    def _dice(self, loaded: Loaded, *, dry: bool) -> Dice:
        if dry:
            return NoDice()
        state = loaded.state
        return _dice_of(self.secret_of(state.game), state.chance_of or state.game, inputs_of(state))

    def _tried(self, loaded: Loaded, decision: Decision, action: str) -> Answer:
        return Answer(
            game=loaded.state.game,
            first=loaded.state.version + 1,
            envelopes=decision.envelopes,
            entries=[],
            action=action,
            stopped_at=decision.stopped_at,
        )
