"""Games that begin: new ones, the next one after another, and those that go on from a moment of another.

Ids and tokens follow from what the request may be repeated by, so a repeat meets its own game.
"""

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from events import chain, codec
from events.base import Envelope, Event
from events.forks import GameForked
from events.lobby import GameCreated
from events.store import ActionMismatch, Entry, SidecarUpdate
from projections import evolve as fold
from projections.evolve import AnyState
from service.errors import KeyReused, NotForkable, NotOver, SecretKept, UnsupportedRules
from service.games import chance
from service.games.allowing import allow
from service.games.botmoves import BotMoves
from service.games.credentials import action_id, token_hash
from service.games.due import due_of
from service.games.records import Answer, Ask, Created, Loaded, NewFork, NewGame
from service.games.summary import summary
from service.games.writing import sealed
from service.rules import options as agreed
from service.rules import versions
from service.rules.rulebooks import RULES

CREDENTIALS = ("host", "join", "watch")
MOST_COPIED = 20_000
"""Events that a fork may begin with: the store writes them in one go, and does nothing else meanwhile."""


@dataclass(frozen=True, slots=True)
class _Opened:
    """A game to be written: its id, the action that opens it, its first events and its secret."""

    game: str
    action: str
    digest: str
    envelopes: Sequence[Envelope[Event]]
    secret: bytes


class Opening(BotMoves):
    """Opens games."""

    def create(self, new: NewGame, ask: Ask) -> Created:
        """Open a game.

        Raises:
            RuleViolation: An option is unknown or out of bounds.
            KeyReused: The key opened another game.
        """
        key = ask.key or secrets.token_hex(16)
        game, action = self.key.game_id("create", key), action_id("create", key)
        secret = new.secret or chance.new_secret()
        created = _created(game, new, secret)
        return self._open(_Opened(game, action, ask.digest, [self._first(action, created)], secret))

    def rematch(self, game: str, ask: Ask) -> Created:
        """Open the next game after one that is over, with its options, as its host; there is one for each.

        Raises:
            NotOver: The game is not over.
        """
        loaded, caller = self.watch(game, ask)
        allow(caller, caller.host, "Only the host may open a rematch.")
        state = loaded.state
        if not state.over():
            raise NotOver("The game is not over; its rematch comes after it.")
        rematch, action = self.key.game_id("rematch", game), action_id("rematch", game)
        secret = chance.new_secret()
        new = NewGame(
            rulebook=state.__struct_config__.tag,  # type: ignore[arg-type] # the tag of a state is its rulebook
            options=state.options,
            places=state.places,
            private=state.private,
        )
        created = replace(_created(rematch, new, secret), parent=game)
        return self._open(_Opened(rematch, action, "rematch", [self._first(action, created)], secret))

    def fork(self, new: NewFork, ask: Ask) -> Created:
        """Open a game that goes on from a moment of another one, with its seats to be taken again.

        Raises:
            NotForkable: Nothing is played at that moment, or it is too late in a long game.
            SecretKept: The same chance is wanted, and the secret is not revealed: it would show the game's future.
            UnsupportedRules: This release cannot play on.
        """
        loaded, _ = self.watch(new.parent, ask)
        self.refuse_frozen(new.parent)
        _check_forkable(loaded.state, new)
        key = ask.key or secrets.token_hex(16)
        scope = f"{new.parent}\x00{new.step}\x00{key}"
        game, action = self.key.game_id("fork", scope), action_id("fork", scope)
        secret = bytes.fromhex(loaded.state.secret) if new.same_chance else chance.new_secret()
        envelopes = self._copied(new, loaded.state, game, action, secret)
        return self._open(_Opened(game, action, ask.digest, envelopes, secret))

    def _copied(
        self, new: NewFork, parent: AnyState, game: str, action: str, secret: bytes
    ) -> Sequence[Envelope[Event]]:
        """Begin as the parent did, and go on as it did; all but the first event are the very same."""
        stored = [entry for batch in self.loader.stream(new.parent, upto=new.version) for entry in batch]
        first, *rest = codec.decode_all(entry.data for entry in stored)
        assert isinstance(first.data, GameCreated), "a stream begins with its creation"
        created = replace(
            first.data,
            game=game,
            commitment=chance.commitment(game, secret),
            known_secret=new.same_chance,
            parent=f"{new.parent}@{new.version}",
        )
        last = [first, *rest][-1]
        forked = GameForked(
            parent=new.parent,
            step=new.step,
            version=new.version,
            head=stored[-1].link.hex(),
            chance=(parent.chance_of or new.parent) if new.same_chance else "",
        )
        end: Envelope[Event] = Envelope(
            version=new.version + 1,
            at=max(self.clock.now(), last.at),
            turn=last.turn,
            actor="system",
            action=action,
            data=forked,
        )
        return [replace(first, actor="host", action=action, data=created), *rest, end]

    def _first(self, action: str, created: GameCreated) -> Envelope[Event]:
        return Envelope(version=1, at=self.clock.now(), turn=0, actor="host", action=action, data=created)

    def _open(self, opened: _Opened) -> Created:
        self.refuse_lost(opened.game)
        answer = self._write_first(opened)
        host, join, watch = (self.key.token(opened.game, name, opened.action) for name in CREDENTIALS)
        return Created(answer, host, join, watch)

    def _write_first(self, opened: _Opened) -> Answer:
        game, envelopes = opened.game, opened.envelopes
        state = fold.fold(envelopes)
        entries: list[Entry] = sealed(chain.genesis(game), envelopes)
        tokens = {name: token_hash(self.key.token(game, name, opened.action)) for name in CREDENTIALS}
        try:
            appended = self.store.streams.append(
                game,
                entries,
                action=opened.action,
                request=opened.digest,
                expected=0,
                previous=chain.genesis(game),
                sidecar=SidecarUpdate(
                    about=summary(state),
                    created=envelopes[-1].at,
                    due=due_of(state),
                    tokens=tokens,
                    secret=opened.secret,
                ),
            )
        except ActionMismatch as error:
            raise KeyReused("This idempotency key was used for another request.") from error
        if appended.repeated:
            return self._first_answer(game, opened.action, appended)
        self.loader.keep(game, Loaded(state, entries[-1].link, tokens))
        return self._acknowledged(Answer(game, 1, list(envelopes), entries, opened.action))


def _check_forkable(parent: AnyState, new: NewFork) -> None:
    if parent.rules not in versions.SUPPORTED:
        raise UnsupportedRules(f"This release does not hold rules {parent.rules}, under which it is played.")
    if new.status != "playing":
        raise NotForkable(f"Nothing is played after step {new.step}: a fork goes on from a moment of play.")
    if new.version > MOST_COPIED:
        raise NotForkable(f"Step {new.step} comes after more than {MOST_COPIED:,} events.")
    if new.same_chance and not parent.secret:
        raise SecretKept("The game's secret is not revealed yet: the same chance would show its future.")


def _created(game: str, new: NewGame, secret: bytes) -> GameCreated:
    rules = RULES[new.rulebook]
    options = agreed.preset(new.preset, rules.options) if new.preset else agreed.defaults(rules.options)
    return GameCreated(
        game=game,
        rulebook=new.rulebook,
        rules=versions.NEWEST,
        code=versions.fingerprint(),
        pins=rules.pins(),
        options=agreed.agree(new.options, options, rules.options),
        places=new.places or rules.places,
        private=new.private,
        commitment=chance.commitment(game, secret),
        known_secret=new.secret is not None,
        parent="",
    )
