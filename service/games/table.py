"""`Games`: what people do with games, each with who may do it.

Everything above (the API, the command line, bots in process) talks to this class.
"""

import secrets
from collections.abc import Mapping

from events import chain, codec
from events.base import Envelope, Event, OptionValue
from events.clocks import SeatRetaken
from events.lobby import CredentialRenewed, GameCreated, SeatTaken
from events.store import ActionMismatch, Beside, StreamDamaged
from projections import game as fold
from projections.game import AnyState, UnfitEvent, UnknownEvent
from projections.ledger import UnreadableBooks
from service import chance
from service.credentials import Caller, action_id, token_hash
from service.errors import Frozen, KeyReused
from service.games.allowing import allow, seat_exists, seat_of
from service.games.botmoves import BotMoves
from service.games.records import Answer, Ask, Created, Entrance, Loaded, NewGame, NewSeat, Seated, Wish
from service.games.summary import summary
from service.games.writing import sealed
from service.rules import actions as a
from service.rules import options as agreed
from service.rules import versions
from service.rules.rulebooks import RULES
from service.texts import seal_action, seal_text
from service.verify import Finding, Report, verify

HISTORY = (Frozen, StreamDamaged, UnknownEvent, UnfitEvent, UnreadableBooks, codec.DamagedEntry)
"""What is wrong with a game that can be read up to some event, and not folded to its end."""

CREDENTIALS = ("host", "join", "watch")


class Games(BotMoves):
    """Every game of a store."""

    def create(self, new: NewGame, ask: Ask) -> Created:
        """Open a game; its id and tokens follow from the idempotency key, so a repeat meets its own game.

        Raises:
            RuleViolation: An option is unknown or out of bounds.
            KeyReused: The key opened another game.
        """
        key = ask.key or secrets.token_hex(16)
        game, action = self.key.game_id("create", key), action_id("create", key)
        self.refuse_frozen(game)
        secret = new.secret or chance.new_secret()
        envelope: Envelope[Event] = Envelope(
            version=1, at=self.clock.now(), turn=0, actor="host", action=action, data=_created(game, new, secret)
        )
        answer = self._write_first(game, envelope, secret, digest=ask.digest)
        host, join, watch = (self.key.token(game, name, action) for name in CREDENTIALS)
        return Created(answer, host, join, watch)

    def _write_first(self, game: str, envelope: Envelope[Event], secret: bytes, *, digest: str) -> Answer:
        state = fold.fold([envelope])
        entries = sealed(chain.genesis(game), [envelope])
        tokens = {name: token_hash(self.key.token(game, name, envelope.action)) for name in CREDENTIALS}
        try:
            appended = self.loader.store.append(
                game,
                entries,
                action=envelope.action,
                request=digest,
                expected=0,
                previous=chain.genesis(game),
                beside=Beside(about=summary(state), created=envelope.at, tokens=tokens, secret=secret),
            )
        except ActionMismatch as error:
            raise KeyReused("This idempotency key was used for another request.") from error
        if appended.repeated:
            return self._first_answer(game, envelope.action, appended)
        self.loader.keep(game, Loaded(state, entries[-1].link, tokens))
        return self._acknowledged(Answer(game, 1, [envelope], entries, envelope.action))

    def sit(self, game: str, new: NewSeat, ask: Ask) -> Seated:
        """Take the lowest free place, with the join code or as the host; with a seat's own code, that seat.

        A bot sits down for the host alone.
        """
        digest, record = seal_text(new.name) if new.name else ("", b"")
        texts = {digest: record} if digest else {}

        def build(caller: Caller, _state: AnyState) -> Wish:
            if caller.joins and new.kind == "person":
                return Wish(a.Retake(seat=caller.joins, name=digest), texts=texts)
            bot = new.kind == "bot"
            why_not = "Only the host may seat a bot." if bot else "Sitting down takes the join code."
            allow(caller, caller.host or ("join" in caller.names and not bot), why_not)
            action = a.TakeSeat(
                name=digest,
                kind=new.kind,
                level=new.level,
                nonce_commitment=new.nonce_commitment,
                host=caller.host and not bot,
            )
            return Wish(action, actor="host" if caller.host else "system", texts=texts)

        answer = self.perform(game, ask, build)
        seat = next(e.data.seat for e in answer.envelopes if isinstance(e.data, SeatTaken | SeatRetaken))
        token = "" if new.kind == "bot" else self.key.token(game, f"seat:{seat}", answer.action)
        return Seated(answer, seat, token)

    def renew(self, game: str, seat: int, ask: Ask) -> Seated:
        """Issue a seat's token anew, as the host; the old one dies."""

        def build(caller: Caller, state: AnyState) -> Wish:
            allow(caller, caller.host, "Only the host may renew a token.")
            seat_exists(state, seat)
            return Wish(a.Renew(seat=seat), actor="host")

        answer = self.perform(game, ask, build)
        credential = next(e.data.credential for e in answer.envelopes if isinstance(e.data, CredentialRenewed))
        return Seated(answer, seat, self.key.token(game, credential, answer.action))

    def leave(self, game: str, seat: int, ask: Ask) -> Answer:
        """Give up a seat: by its holder; before the start also by the host."""

        def build(caller: Caller, state: AnyState) -> Wish:
            seat_exists(state, seat)
            may = caller.seat == seat or (caller.host and state.status == "lobby")
            allow(caller, may, "Only its holder may give up a seat; before the start also the host.")
            return Wish(a.Leave(), seat=seat, actor=f"seat:{seat}" if caller.seat == seat else "host")

        return self.perform(game, ask, build)

    def set_options(self, game: str, options: Mapping[str, OptionValue], ask: Ask) -> Answer:
        """Change options before the start, as the host; every ready mark is void."""

        def build(caller: Caller, _state: AnyState) -> Wish:
            allow(caller, caller.host, "Only the host may change options.")
            return Wish(a.SetOptions(options=dict(options)), actor="host")

        return self.perform(game, ask, build)

    def ready(self, game: str, edition: int, nonce: bytes | None, ask: Ask) -> Answer:
        """Agree to an edition of the options, as a seat, and perhaps open its nonce."""

        def build(caller: Caller, state: AnyState) -> Wish:
            seat = seat_of(caller, state)
            action = a.Ready(
                edition=edition,
                nonce_hash=chance.nonce_commitment(nonce) if nonce else "",
                nonce_input=chance.nonce_input(seat, nonce) if nonce else "",
            )
            texts = {action.nonce_input: nonce} if nonce else {}
            return Wish(action, seat=seat, actor=f"seat:{seat}", texts=texts)

        return self.perform(game, ask, build)

    def start(self, game: str, ask: Ask) -> Answer:
        """Begin to play, as the host."""

        def build(caller: Caller, _state: AnyState) -> Wish:
            allow(caller, caller.host, "Only the host may start the game.")
            return Wish(a.Start(), actor="host")

        return self.perform(game, ask, build)

    def act(self, game: str, action: a.PlayAction, ask: Ask) -> Answer:
        """Do something as a seat; what was typed in stays off the stream."""
        action, texts = seal_action(action)

        def build(caller: Caller, state: AnyState) -> Wish:
            seat = seat_of(caller, state)
            return Wish(action, seat=seat, actor=f"seat:{seat}", texts=texts)

        return self.perform(game, ask, build)

    def watch(self, game: str, ask: Ask) -> tuple[Loaded, Caller]:
        """Give a game at its head to somebody who may know of it, and who that is.

        Raises:
            NoSuchGame: There is none, or it is private and the caller has no token of it.
            Unauthorized: A token was sent, and it is nobody's here.
        """
        loaded = self.look(game)
        return loaded, self.recognise(ask, game, loaded.tokens, private=loaded.state.private)

    def look(self, game: str) -> Loaded:
        """Give a game at its head after everything that was due by the clock; for those who serve all games."""
        return self.forgiving(game, lambda: self.settle(self.loader.load(game)))

    def verify(self, game: str) -> Report:
        """Verify a game's history, and that all of it is there which was acknowledged."""
        report = verify(self.loader.store, game)
        if lost := self.lost(game):
            found = f"a stream that ends at {lost.found} or differs"
            report.findings.append(Finding(lost.logged, "acknowledged", f"event {lost.logged} as acknowledged", found))
        else:
            report.checks.append("acknowledged: everything that this machine has acknowledged is there")
        return report

    def enter(self, game: str, ask: Ask) -> Entrance:
        """Let somebody in who reads what is stored, whether or not it can be folded to its end.

        So one event of a later release, or one damaged byte, does not hide the good history before it.

        Raises:
            NoSuchGame, Unauthorized: As `watch`.
        """
        try:
            loaded, caller = self.watch(game, ask)
            return Entrance(loaded.state.version, loaded.link, caller)
        except HISTORY as trouble:
            return self._enter_damaged(game, ask, trouble)

    def _enter_damaged(self, game: str, ask: Ask, trouble: Exception) -> Entrance:
        head = self.loader.store.head(game)
        if head is None:
            raise trouble
        caller = self.recognise(ask, game, self.loader.store.tokens(game), private=self._is_private(game))
        return Entrance(head.version, head.link, caller)

    def _is_private(self, game: str) -> bool:
        """Ask the first event; a game whose first event cannot be read counts as private."""
        try:
            (first,) = self.loader.store.read(game, count=1)
            created = codec.decode(first.data).data
        except (*HISTORY, ValueError):
            return True
        return not isinstance(created, GameCreated) or created.private


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
