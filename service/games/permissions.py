"""Who a caller is, and who may do what in a game: one table, and the refusals of all who may not."""

import hmac
import secrets
from collections.abc import Callable, Mapping
from hashlib import sha256
from typing import Any, Literal

import msgspec
from msgspec import Struct

from events import codec
from events.lobby import GameCreated
from events.store import Store, StreamDamaged
from projections.evolve import AnyState
from service.errors import Forbidden, NoSuchGame, NoSuchSeat, Unauthorized
from service.games.loading import HISTORY
from service.games.records import Caller, RequestContext, number_in
from service.rules import actions as a
from service.rules.decide import Command
from service.rules.violations import refuse


class Permission(Struct, frozen=True):
    """Who may do an action, and for which seat it is done.

    Attributes:
        why_not: The refusal of anyone else, in a sentence.
        may: From the caller, the state and the seat that the request names: whether this one may.
        acts: The seat that acts: the one that the request names, the caller's own, or none.
        becomes: From the action, the caller and the state: what is done in place of the action.
    """

    why_not: str
    may: Callable[[Caller, AnyState, int], bool]
    acts: Literal["none", "named", "own"] = "none"
    becomes: Callable[[Any, Caller, AnyState], a.AnyAction] | None = None


def _is_host(caller: Caller, _state: AnyState, _seat: int) -> bool:
    return caller.host


def _is_clock(caller: Caller, _state: AnyState, _seat: int) -> bool:
    return caller.actor == "clock"


def _takes_part(caller: Caller, state: AnyState, _seat: int) -> bool:
    return caller.seat in state.seats


def _may_sit(caller: Caller, _state: AnyState, _seat: int) -> bool:
    return caller.host or "join" in caller.names or bool(caller.joins)


def _place_of(action: a.TakeSeat, caller: Caller, state: AnyState) -> a.AnyAction:
    """Return how a person sits down: on the seat in play that the code is for, on a free one, or in the lobby."""
    if action.kind == "person" and (seat := caller.joins or next(iter(state.unclaimed()), 0)):
        return a.Retake(seat=seat, name=action.name)
    return a.TakeSeat(
        name=action.name,
        kind=action.kind,
        level=action.level,
        nonce_commitment=action.nonce_commitment,
        host=caller.host and action.kind == "person",
    )


TABLE: Mapping[type[a.Open], Permission] = {
    a.TakeSeat: Permission("Sitting down takes the join code.", _may_sit, becomes=_place_of),
    a.Leave: Permission(
        "Only its holder may give up a seat; before the start also the host.",
        lambda caller, state, seat: caller.seat == seat or (caller.host and state.status == "lobby"),
        "named",
    ),
    a.Renew: Permission("Only the host may renew a token.", _is_host),
    a.SetOptions: Permission("Only the host may change options.", _is_host),
    a.Ready: Permission("This takes the token of a seat.", _takes_part, "own"),
    a.Start: Permission("Only the host may start the game.", _is_host),
    a.Pause: Permission("Only the host may pause the game.", _is_host),
    a.Resume: Permission("Only the host may let the game go on.", _is_host),
    a.HandOver: Permission(
        "Only its holder or the host may give a seat to a bot.",
        lambda caller, _state, seat: caller.seat == seat or caller.host,
        "named",
    ),
    a.HandBack: Permission(
        "Only its holder may take a seat back.", lambda caller, _state, seat: caller.seat == seat, "named"
    ),
    a.Reopen: Permission("Only the host may open a seat again.", _is_host),
    a.Expire: Permission("Only the clock lets a deadline pass.", _is_clock),
    a.CreditOutage: Permission("Only the clock gives time back.", _is_clock),
}
"""Everything around play; each action of play itself is `PLAY`."""

PLAY = TABLE[a.Ready]
SEAT_A_BOT = Permission("Only the host may seat a bot.", _is_host, becomes=_place_of)


def command_of(
    action: a.AnyAction,
    caller: Caller,
    state: AnyState,
    request: RequestContext,
    *,
    seat: int,
    texts: Mapping[str, bytes],
) -> Command:
    """Return what a caller's request comes to.

    Args:
        action: What is to be done.
        caller: Who sent the request.
        state: The game as it is.
        request: What surrounds it.
        seat: The seat that the request names; 0 for none.
        texts: Typed-in text for the sidecar, by digest.

    Raises:
        NoSuchSeat: Nobody sits at the seat named.
        Unauthorized, Forbidden: The caller may not do it.
        RuleViolation: A bot's seat has moved since the move was planned.
    """
    permission = TABLE[type(action)] if isinstance(action, a.Open) else PLAY
    if isinstance(action, a.TakeSeat) and action.kind == "bot":
        permission = SEAT_A_BOT
    # Without a token the answer is 401, whatever seat is named.
    if seat and caller.given:
        seat_exists(state, seat)
    if not permission.may(caller, state, seat):
        raise refused(caller, permission.why_not)
    if request.if_moves is not None:
        sitter = state.seats[caller.seat]
        if not sitter.bot or sitter.moves != request.if_moves:
            raise refuse("prompt_gone", "The seat has moved since, or is a person's again.")
    return Command(
        action=permission.becomes(action, caller, state) if permission.becomes else action,
        seat=seat if permission.acts == "named" else caller.seat if permission.acts == "own" else 0,
        actor=caller.actor,
        id=action_id(f"{state.game}\x00{caller.scope}", request.key),
        received=request.received,
        texts=texts,
    )


def action_id(scope: str, key: str | None) -> str:
    """Make an action id: SHA-256 of scope and idempotency key; without a key one is made."""
    return sha256(f"{scope}\x00{key or secrets.token_hex(16)}".encode()).hexdigest()


def refused(caller: Caller, why_not: str) -> Forbidden | Unauthorized:
    """Return the refusal of a caller: 403, or 401 for one who sent no token."""
    return Forbidden(why_not) if caller.given else Unauthorized(f"{why_not} Send its token as a bearer token.")


def seat_exists(state: AnyState, seat: int) -> None:
    """Check that a seat is taken.

    Raises:
        NoSuchSeat: It is not.
    """
    if seat not in state.seats:
        raise NoSuchSeat(f"Nobody sits at {seat}.")


class Gate:
    """Recognises callers, and shows nothing of a private game to anyone who has no token of it.

    Args:
        store: Where the games lie.
        operator_token: Token of the person who runs the service; empty for none.
    """

    def __init__(self, store: Store, operator_token: str = "") -> None:
        self._store = store
        self._operator_token = operator_token

    def identify(self, request: RequestContext, tokens: Mapping[str, bytes]) -> Caller:
        """Return the caller; an unknown token gives a caller without names."""
        if request.system:
            return _system_caller(request.system)
        if request.admitted:
            return Caller(frozenset({"watch"}), given=True, knows_game=True)
        return _caller_of(request.token, tokens, self._operator_token)

    def recognise(self, request: RequestContext, game: str, tokens: Mapping[str, bytes], *, private: bool) -> Caller:
        """Return the caller, who may know of the game.

        Raises:
            NoSuchGame: It is private, and the caller has no token of it.
            Unauthorized: A token was sent, and it is none of this game's.
        """
        caller = self.identify(request, tokens)
        if (private or caller.given) and not caller.knows_game:
            if private:
                raise NoSuchGame(f"There is no game {game}.")
            raise Unauthorized("The token is not one of this game's.")
        return caller

    def seat_of(self, game: str, request: RequestContext) -> int:
        """Return the seat that a token is for, as the store has it now; 0 for none."""
        return self.identify(request, self._tokens_of(game)).seat

    def admit(self, game: str, request: RequestContext) -> Caller:
        """Return the caller of a game that cannot be folded.

        Raises:
            NoSuchGame, Unauthorized: As for any other.
        """
        return self.recognise(request, game, self._tokens_of(game), private=self._is_private(game))

    def hide(self, game: str, request: RequestContext) -> None:
        """Check that the caller may know what is wrong with a game.

        Raises:
            NoSuchGame: It is private, and the caller has no token of it.
        """
        if self._is_private(game) and not self.identify(request, self._tokens_of(game)).knows_game:
            raise NoSuchGame(f"There is no game {game}.")

    def is_operator(self, request: RequestContext) -> bool:
        """Return whether the token is the operator's."""
        return _caller_of(request.token, {}, self._operator_token).operator

    def _tokens_of(self, game: str) -> Mapping[str, bytes]:
        try:
            return self._store.sidecar.tokens(game)
        except StreamDamaged:
            return {}

    def _is_private(self, game: str) -> bool:
        """Ask the first event, or where that cannot be read, the games index."""
        try:
            (first,) = self._store.streams.read(game, count=1)
            created = codec.decode(first.data).data
        except (*HISTORY, ValueError):
            created = None
        if isinstance(created, GameCreated):
            return created.private
        try:
            return _is_private(self._store.index.about(game))
        except StreamDamaged:
            return True


def _caller_of(token: str | None, hashes: Mapping[str, bytes], operator_token: str) -> Caller:
    """Return whose token it is, comparing in constant time."""
    if token is None:
        return Caller()
    mine = sha256(token.encode()).digest()
    names = [name for name, stored in hashes.items() if hmac.compare_digest(stored, mine)]
    operator = bool(operator_token) and hmac.compare_digest(operator_token.encode(), token.encode())
    seat = next((int(name[5:]) for name in names if name.startswith("seat:")), 0)
    # What ended a token or a code can be repeated with it, and nothing else can be done.
    lasting = sorted(name.removeprefix("used:").replace("left:", "seat:") for name in names)
    return Caller(
        names=frozenset(names),
        operator=operator,
        given=True,
        knows_game=operator or any(not name.startswith(("left:", "used:")) for name in names),
        seat=seat,
        actor=f"seat:{seat}" if seat else "host" if "host" in names else "system",
        scope=",".join(lasting) or ("operator" if operator else "anyone"),
    )


def _system_caller(system: str) -> Caller:
    """Return the service itself as a caller: `clock`, or `bot:2` for the bot of seat 2."""
    return Caller(knows_game=True, seat=number_in([system], "bot:"), actor=system, scope=system.partition(":")[0])


def _is_private(line: bytes) -> bool:
    """Read from a game's line in the index whether it is private; one that does not say counts as private."""
    try:
        return msgspec.json.decode(line, type=dict[str, Any]).get("private") is not False
    except msgspec.DecodeError:
        return True
