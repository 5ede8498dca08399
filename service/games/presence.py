"""Pauses, and who plays a seat: bots that keep one, persons who come back or take over."""

from events.clocks import SeatReopened
from projections.evolve import AnyState
from service.games.acting import Acting
from service.games.allowing import allow, seat_exists
from service.games.credentials import Caller
from service.games.records import Answer, Ask, Reopened, Wish
from service.rules import actions as a

REOPENED_LEVEL = "sensible"
"""How the bot plays that keeps a seat which is to be taken anew, where none keeps it yet."""


class Presence(Acting):
    """What host and seats do about time and presence."""

    def pause(self, game: str, ask: Ask) -> Answer:
        """Stop the clocks, as the host."""

        def build(caller: Caller, _state: AnyState) -> Wish:
            allow(caller, caller.host, "Only the host may pause the game.")
            return Wish(a.Pause(), actor="host")

        return self.perform(game, ask, build)

    def resume(self, game: str, ask: Ask) -> Answer:
        """Let the clocks run on, as the host."""

        def build(caller: Caller, _state: AnyState) -> Wish:
            allow(caller, caller.host, "Only the host may let the game go on.")
            return Wish(a.Resume(), actor="host")

        return self.perform(game, ask, build)

    def hand_over(self, game: str, seat: int, level: str, ask: Ask) -> Answer:
        """Let a bot keep a seat: by its holder, or by the host."""

        def build(caller: Caller, state: AnyState) -> Wish:
            seat_exists(state, seat)
            allow(caller, caller.seat == seat or caller.host, "Only its holder or the host may give a seat to a bot.")
            return Wish(a.HandOver(level=level), seat=seat, actor=_actor(caller, seat))

        return self.perform(game, ask, build)

    def hand_back(self, game: str, seat: int, ask: Ask) -> Answer:
        """Play one's seat again, as its holder."""

        def build(caller: Caller, state: AnyState) -> Wish:
            seat_exists(state, seat)
            allow(caller, caller.seat == seat, "Only its holder may take a seat back.")
            return Wish(a.HandBack(), seat=seat, actor=f"seat:{seat}")

        return self.perform(game, ask, build)

    def reopen(self, game: str, seat: int, ask: Ask) -> Reopened:
        """Let somebody else have the seat of a person who is away, as the host; the token before is dead."""

        def build(caller: Caller, state: AnyState) -> Wish:
            seat_exists(state, seat)
            allow(caller, caller.host, "Only the host may open a seat again.")
            return Wish(a.Reopen(seat=seat, level=REOPENED_LEVEL), actor="host")

        answer = self.perform(game, ask, build)
        assert any(isinstance(envelope.data, SeatReopened) for envelope in answer.envelopes)
        return Reopened(answer, seat, self.key.token(game, f"join:{seat}", answer.action))


def _actor(caller: Caller, seat: int) -> str:
    return f"seat:{seat}" if caller.seat == seat else "host"
