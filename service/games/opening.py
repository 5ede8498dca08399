"""Games that begin: new ones, the next one after another, and those that go on from a moment of another.

Ids and tokens follow from what the request may be repeated by, so a repeat meets its own game.
"""

import secrets
from collections.abc import Callable, Sequence

from msgspec.structs import replace

from events import codec
from events.base import Envelope, Event
from events.forks import GameForked
from events.lobby import GameCreated
from projections.evolve import AnyState
from service.errors import NotForkable, NotOver, SecretKept
from service.games import chance
from service.games.appending import Appender, not_played_on
from service.games.clock import Clock
from service.games.credentials import ServerKey
from service.games.loading import Loader
from service.games.permissions import action_id, refused
from service.games.records import Caller, Created, LoadedGame, NewFork, NewGame, NewStream, RequestContext
from service.rules import options as agreed
from service.rules import versions
from service.rules.rulebooks import RULES

CREDENTIALS = ("host", "join", "watch")
MOST_COPIED = 20_000
"""Events that a fork may begin with: the store writes them in one go, and does nothing else meanwhile."""


Watch = Callable[[str, RequestContext], tuple[LoadedGame, Caller]]
"""Returns a game at its head, and the caller; see `Games.watch`."""


class Opening:
    """Opens games.

    Args:
        watch: Reads a game for a caller.
        loader: Reads games.
        appender: Appends.
        key: Ids and tokens are derived from it.
        clock: The store's time.
    """

    def __init__(self, watch: Watch, loader: Loader, appender: Appender, key: ServerKey, clock: Clock) -> None:
        self._watch = watch
        self._loader = loader
        self._appender = appender
        self._key = key
        self._clock = clock

    def create(self, new: NewGame, request: RequestContext) -> Created:
        """Open a game.

        Raises:
            RuleViolation: An option is unknown or out of bounds.
            KeyReused: The key opened another game.
        """
        key = request.key or secrets.token_hex(16)
        game, action = self._key.game_id("create", key), action_id("create", key)
        secret = new.secret or chance.new_secret()
        created = _created(game, new, secret)
        return self._open(game, action, request.digest, [self._first(action, created)], secret)

    def rematch(self, game: str, request: RequestContext) -> Created:
        """Open the next game after one that is over, with its options, as its host; there is one for each.

        Raises:
            NotOver: The game is not over.
        """
        loaded, caller = self._watch(game, request)
        if not caller.host:
            raise refused(caller, "Only the host may open a rematch.")
        state = loaded.state
        if not state.over():
            raise NotOver("The game is not over; its rematch comes after it.")
        rematch, action = self._key.game_id("rematch", game), action_id("rematch", game)
        secret = chance.new_secret()
        new = NewGame(
            rulebook=state.__struct_config__.tag,  # type: ignore[arg-type] # the tag of a state is its rulebook
            options=state.options,
            places=state.places,
            private=state.private,
        )
        created = replace(_created(rematch, new, secret), parent=game)
        return self._open(rematch, action, "rematch", [self._first(action, created)], secret)

    def rematch_of(self, game: str, request: RequestContext) -> tuple[str, str]:
        """Return the rematch of a game, empty while there is none, and for those at the table its join code.

        Raises:
            NoSuchGame, Unauthorized: As `Games.watch`.
        """
        _, caller = self._watch(game, request)
        rematch = self._key.game_id("rematch", game)
        if self._loader.head(rematch) is None:
            return "", ""
        at_table = caller.host or bool(caller.seat)
        return rematch, self._key.token(rematch, "join", action_id("rematch", game)) if at_table else ""

    def fork(self, new: NewFork, request: RequestContext) -> Created:
        """Open a game that goes on from a moment of another one, with its seats to be taken again.

        Raises:
            NotForkable: Nothing is played at that moment, or it is too late in a long game.
            SecretKept: The same chance is wanted, and the secret is not revealed: it would show the game's future.
            UnsupportedRules, MadeByOtherCode: This release cannot play on.
        """
        loaded, _ = self._watch(new.parent, request)
        self._loader.guard.check(new.parent)
        _check_forkable(loaded.state, new)
        key = request.key or secrets.token_hex(16)
        scope = f"{new.parent}\x00{new.step}\x00{key}"
        game, action = self._key.game_id("fork", scope), action_id("fork", scope)
        secret = bytes.fromhex(loaded.state.secret) if new.same_chance else chance.new_secret()
        envelopes = self._copied(new, loaded.state, game, action, secret)
        return self._open(game, action, request.digest, envelopes, secret)

    def _copied(
        self, new: NewFork, parent: AnyState, game: str, action: str, secret: bytes
    ) -> Sequence[Envelope[Event]]:
        """Begin as the parent did, and go on as it did; all but the first event are the very same."""
        stored = [entry for batch in self._loader.stream(new.parent, upto=new.version) for entry in batch]
        first, *rest = codec.decode_all(entry.data for entry in stored)
        assert isinstance(first.data, GameCreated), "a stream begins with its creation"
        created = replace(
            first.data,
            game=game,
            commitment=chance.commitment(game, secret, known=new.same_chance),
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
            at=max(self._clock.now(), last.at),
            turn=last.turn,
            actor="system",
            action=action,
            data=forked,
        )
        return [replace(first, actor="host", action=action, data=created), *rest, end]

    def _first(self, action: str, created: GameCreated) -> Envelope[Event]:
        return Envelope(version=1, at=self._clock.now(), turn=0, actor="host", action=action, data=created)

    def _open(
        self, game: str, action: str, digest: str, envelopes: Sequence[Envelope[Event]], secret: bytes
    ) -> Created:
        tokens = {name: self._key.token(game, name, action) for name in CREDENTIALS}
        answer = self._appender.append_first(NewStream(game, action, digest, envelopes, secret, tokens))
        return Created(answer, *tokens.values())


def _check_forkable(parent: AnyState, new: NewFork) -> None:
    if not versions.plays_on(parent.rules, parent.code):
        raise not_played_on(parent)
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
        commitment=chance.commitment(game, secret, known=new.secret is not None),
        known_secret=new.secret is not None,
        parent="",
    )
