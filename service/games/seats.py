"""Seats and their tokens: sit down, get a new token, open a seat for another person."""

from events.clocks import SeatReopened, SeatRetaken
from events.lobby import SeatTaken
from projections.evolve import AnyState
from service.games.actions import Actions
from service.games.credentials import ServerKey
from service.games.loading import Loader
from service.games.names import check_free
from service.games.records import NewSeat, Reopened, RequestContext, Seated
from service.games.texts import commit_text
from service.rules import actions as a

REOPENED_LEVEL = "sensible"
"""How the bot plays that keeps an open seat, where none keeps it yet."""


class Seats:
    """Issues the tokens of seats.

    Args:
        actions: What people do.
        loader: Knows the names of the seats.
        key: Tokens are derived from it.
    """

    def __init__(self, actions: Actions, loader: Loader, key: ServerKey) -> None:
        self._actions = actions
        self._loader = loader
        self._key = key

    def sit(self, game: str, new: NewSeat, request: RequestContext) -> Seated:
        """Take the lowest free place, with the join code or as the host; with a seat's own code, that seat.

        A bot sits down for the host alone.

        Raises:
            NameTaken: Someone at the table has a name that looks like it.
        """
        digest, record = commit_text(new.name) if new.name else ("", b"")
        action = a.TakeSeat(
            name=digest, kind=new.kind, level=new.level, nonce_commitment=new.nonce_commitment, host=False
        )

        def check(state: AnyState) -> None:
            # The one who had an open seat is gone, or comes back.
            names = self._loader.names_of(state) if new.name else {}
            check_free(new.name, (name for seat, name in names.items() if not state.seats[seat].reopened))

        answer = self._actions.perform(game, action, request, texts={digest: record} if digest else {}, check=check)
        seat = next(e.data.seat for e in answer.envelopes if isinstance(e.data, SeatTaken | SeatRetaken))
        token = "" if new.kind == "bot" else self._key.token(game, f"seat:{seat}", answer.action)
        return Seated(answer, seat, token)

    def renew(self, game: str, seat: int, request: RequestContext) -> Seated:
        """Issue a new token for a seat, as the host; the old one ends. After the end no event says so."""
        answer = self._actions.perform(game, a.Renew(seat=seat), request, seat=seat)
        return Seated(answer, seat, self._key.token(game, f"seat:{seat}", answer.action))

    def reopen(self, game: str, seat: int, request: RequestContext) -> Reopened:
        """Open the seat of a person who is away to another one, as the host; the token before ends."""
        answer = self._actions.perform(game, a.Reopen(seat=seat, level=REOPENED_LEVEL), request, seat=seat)
        assert any(isinstance(envelope.data, SeatReopened) for envelope in answer.envelopes)
        return Reopened(answer, seat, self._key.token(game, f"join:{seat}", answer.action))
