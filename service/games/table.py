"""`Games`: what people do with games, each with who may do it.

Everything above (the API, the command line, bots in process) talks to this class.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from events.base import OptionValue
from events.clocks import SeatRetaken
from events.lobby import CredentialRenewed, SeatTaken
from projections.evolve import AnyState
from service.games import chance
from service.games.allowing import allow, seat_exists, seat_of
from service.games.credentials import Caller
from service.games.loading import HISTORY
from service.games.opening import Opening
from service.games.records import Answer, Ask, Entrance, NewSeat, Seated, Wish
from service.games.texts import seal_action, seal_text
from service.games.writing import what_is_left
from service.rules import actions as a

if TYPE_CHECKING:
    from service.audit.verify import Pin, Progress, Report


class Games(Opening):
    """Every game of a store."""

    def sit(self, game: str, new: NewSeat, ask: Ask) -> Seated:
        """Take the lowest free place, with the join code or as the host; with a seat's own code, that seat.

        A bot sits down for the host alone.
        """
        digest, record = seal_text(new.name) if new.name else ("", b"")
        texts = {digest: record} if digest else {}

        def build(caller: Caller, state: AnyState) -> Wish:
            if caller.joins and new.kind == "person":
                return Wish(a.Retake(seat=caller.joins, name=digest), texts=texts)
            if (free := state.unclaimed()) and (caller.host or "join" in caller.names) and new.kind == "person":
                return Wish(a.Retake(seat=free[0], name=digest), actor="host" if caller.host else "system", texts=texts)
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
            seat_exists(state, seat)
            allow(caller, caller.host, "Only the host may renew a token.")
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

    def verify(
        self,
        game: str,
        *,
        pins: "Sequence[Pin]" = (),
        execute: bool = True,
        progress: "Progress | None" = None,
    ) -> "Report":
        """Verify a game's history, and that all of it is there which was acknowledged."""
        from service.audit.verify import Finding, StoredHistory, verify  # noqa: PLC0415 -- it moves to the audit

        report = verify(StoredHistory(self.store), game, pins=pins, execute=execute, progress=progress)
        if lost := self.lost(game):
            wanted = f"event {lost.logged} and all before it, as acknowledged"
            report.findings.append(Finding(lost.logged, "acknowledged", wanted, what_is_left(lost)))
        elif self._heads is None:
            report.unchecked.append(
                "acknowledged: no log of heads is kept here, so a tail that was cut off is not missed"
            )
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
        except HISTORY:
            head = self.loader.head(game)
            if head is None or not head.version:
                raise
            return Entrance(head.version, head.link, self.admit(game, ask))
