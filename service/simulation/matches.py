"""Playing one game after another in process: no store, chance from a seed, bots at every seat."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, TypeAlias, TypeVar

import msgspec

from events.base import Envelope, Event, OptionValue, Rulebook
from events.lobby import GameCreated
from events.social_justice.operations import AnyOperation
from projections import evolve as folding
from projections.evolve import AnyState
from projections.state.base import GameState, Prompt
from projections.state.public_assistance import PublicAssistanceState
from projections.state.social_justice import SocialJusticeState
from service.bots import LEVELS, Bot, Json, menu_of, view_of
from service.bots.offers import waiting_seats
from service.games import chance
from service.rules import actions as a
from service.rules import actions_politics as politics
from service.rules import versions
from service.rules.decide import Command, carry_out, default_of, parse
from service.rules.play import Play
from service.rules.rulebooks import RULES
from service.rules.social_justice.shorthand import SjPlay
from service.rules.typed_text import with_digests

DOMAIN = b"rollbook/simulation/v1"
NO_BOTS = "default"
LEVELS_OF_PLAY = (*LEVELS, NO_BOTS)
Choose: TypeAlias = Callable[[AnyState], tuple[int, a.PlayAction]]
See: TypeAlias = Callable[[Event, Any], None]
S = TypeVar("S", bound=GameState)


@dataclass(frozen=True)
class Plan:
    """What is to be played.

    Attributes:
        games: How many games; they are numbered from 0.
        players: Seats at each table.
        options: Every option of the game with its value.
        bots: Who plays: a level of `service.bots`, or `default` for what an absent player does.
        seed: All chance follows from it, the bots' too.
        rulebook: Which of the two games.
        adopted: What all adopt by a vote in the very first turn, before its roll; empty for nothing.
    """

    games: int
    players: int
    options: Mapping[str, OptionValue]
    bots: str
    seed: str
    rulebook: Rulebook = "public_assistance"
    adopted: tuple[AnyOperation, ...] = ()


class Watching(Play[S]):
    """A play that shows each event at the moment at which the state has it."""

    see: See

    def record(self, event: Event) -> None:
        """Record an event, and show it."""
        super().record(event)
        self.see(event, self.state)


class WatchingSj(Watching[SocialJusticeState], SjPlay):
    """The same in The Social Justice Game."""


WATCHING: Mapping[type[GameState], Callable[..., Watching[GameState]]] = {
    PublicAssistanceState: Watching,
    SocialJusticeState: WatchingSj,  # type: ignore[dict-item] # its state is of the kind that it is found by
}


class Match:
    """One game from its creation to its end.

    Args:
        plan: What is to be played.
        number: Which of its games; with the seed it decides all chance, whatever else the plan says.
    """

    def __init__(self, plan: Plan, number: int) -> None:
        secret = digest(plan.seed, number, "secret")
        created = _created(plan, number, secret)
        self._created: Envelope[Event] = Envelope(version=1, at=0, turn=0, actor="host", action="0" * 64, data=created)
        self._plan = plan
        # Nobody brings a nonce.
        self._dice = chance.SecretDice(secret, created.game, [""] * plan.players)
        self._choose = _choosing(plan, number)
        self.state: AnyState = folding.advance(None, self._created)

    def play(self, see: See) -> AnyState:
        """Play and show each event, when the state has it; return the state that it ended in."""
        see(self._created.data, self.state)
        for _ in range(self._plan.players):
            self._do(see, 0, a.TakeSeat(name="", kind="bot", level=self._plan.bots, nonce_commitment="", host=False))
        self._do(see, 0, a.Start())
        waiting = bool(self._plan.adopted)
        while self.state.status == "playing":
            if waiting and (prompt := _first_turn(self.state)):
                self._adopt(see, prompt)
                waiting = False
            else:
                self._do(see, *self._choose(self.state))
        return self.state

    def _do(self, see: See, seat: int, action: a.AnyAction) -> None:
        command = Command(action, seat, f"bot:{seat}", self._created.action, 0)
        move = WATCHING[type(self.state)](self.state, self._dice, at=0, actor=command.actor, action=command.id)
        move.see = see
        carry_out(move, command)

    def _adopt(self, see: See, prompt: Prompt) -> None:
        """Propose as the first seat what all want, and vote for it as all others: a vote like any other."""
        proposal = politics.Propose(prompt=prompt.prompt, operations=self._plan.adopted)
        self._do(see, prompt.seat, with_digests(proposal, _digest_of))
        while ballot := next((p for p in self.state.prompts.values() if p.kind == "ballot"), None):
            self._do(see, ballot.seat, politics.CastBallot(prompt=ballot.prompt, ballot="yes"))


def _first_turn(state: AnyState) -> Prompt | None:
    return next((prompt for prompt in state.prompts.values() if prompt.kind == "turn_start"), None)


def play(plan: Plan, number: int, see: Callable[[Event], None]) -> AnyState:
    """Play one game and show each of its events; return the state that it ended in."""
    return Match(plan, number).play(lambda event, _state: see(event))


def digest(seed: str, number: int, what: str) -> bytes:
    """Draw 32 bytes for something of a game: from the seed, its number and what they are for."""
    return sha256(b"\x00".join((DOMAIN, seed.encode(), b"%d" % number, what.encode()))).digest()


def _created(plan: Plan, number: int, secret: bytes) -> GameCreated:
    game = f"simulated-{number}"
    return GameCreated(
        game=game,
        rulebook=plan.rulebook,
        rules=versions.NEWEST,
        code=versions.fingerprint(),
        pins=RULES[plan.rulebook].pins(),
        options=dict(plan.options),
        places=plan.players,
        private=False,
        commitment=chance.commitment(game, secret, known=True),
        known_secret=True,
        parent="",
    )


def _choosing(plan: Plan, number: int) -> Choose:
    """Seat the players; each bot has a chance of its own."""
    if plan.bots == NO_BOTS:
        return _by_default
    seats = range(1, plan.players + 1)
    bots: dict[int, Bot] = {
        seat: LEVELS[plan.bots](int.from_bytes(digest(plan.seed, number, f"bot {seat}"))) for seat in seats
    }

    def choose(state: AnyState) -> tuple[int, a.PlayAction]:
        """Choose for the seats that an offer waits for first, then for the one that is asked."""
        view = view_of(state)
        for seat in waiting_seats(state):
            body = bots[seat].answer(menu_of(state, seat, bots[seat].ignored), view)
            if body is not None:
                return seat, _read(body)
        seat = next(iter(state.prompts.values())).seat
        menu = menu_of(state, seat, bots[seat].ignored)
        # Asked twice: a bot may wait for answers once, and here nobody answers later.
        body = bots[seat].choose(menu, view) or bots[seat].choose(menu, view)
        assert body is not None, "a bot waits for an answer once"
        return seat, _read(body)

    return choose


def _read(body: Json) -> a.PlayAction:
    return with_digests(parse(msgspec.json.encode(body)), _digest_of)


def _digest_of(text: str) -> str:
    """Return the digest of a typed-in text; without salt, since the same plan gives the same events."""
    return sha256(text.encode()).hexdigest()


def _by_default(state: AnyState) -> tuple[int, a.PlayAction]:
    prompt = next(iter(state.prompts.values()))
    return prompt.seat, default_of(state, prompt.prompt)
