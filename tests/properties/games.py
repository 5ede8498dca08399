"""Whole random games, each told by its seed; what holds of every one of them is checked after every event.

A failure names its seed: `play(seed)` plays the same game again.
"""

import random
from collections import Counter
from collections.abc import Set
from hashlib import sha256
from typing import Any, Self

import msgspec

from events import codec
from events.base import Envelope, Event
from events.lobby import GameCreated
from projections import evolve as folding
from projections.evolve import AnyState
from projections.ledger.books import Books
from projections.ledger.check import check
from projections.ledger.debts import debts_of
from service.games.chance import SecretDice
from service.rules import actions as a
from service.rules import options as agreed
from service.rules.bounds import Bound, OneOf, Range
from service.rules.decide import Command, Decision, decide, default_of, parse
from service.rules.legal import legal_actions
from service.rules.rulebooks import PUBLIC_ASSISTANCE
from service.rules.typed_text import with_digests
from service.rules.violations import RuleViolation
from tests.properties.players import MAY_STILL_BE_REFUSED, legal, nonsense
from tests.support.invariants import after_any_event, between_actions
from tests.support.kinds import pa
from tests.support.packed import packed, state_from

ZERO = "0" * 64
NOW = 1_767_225_600_000
MOST_ACTIONS = 3_000
EXTREME = 0.15
"""Share of options that are drawn from their whole bounds; the others keep their default, so that games stay games."""


class CountingDice:
    """The dice of a real game, and how often they were asked."""

    def __init__(self, dice: SecretDice) -> None:
        self._dice = dice
        self.asked = 0

    def roll(self, coordinate: str, *, count: int, sides: int) -> tuple[int, ...]:
        self.asked += 1
        return self._dice.roll(coordinate, count=count, sides=sides)

    def pick(self, coordinate: str, *, among: int) -> int:
        self.asked += 1
        return self._dice.pick(coordinate, among=among)


class RandomGame:
    """One game on its way from the lobby to its end; of Public Assistance, unless it is a kind of its own.

    Attributes:
        rules: The rulebook.
        may_refuse: Refusals of bodies that are in the bounds of every parameter.
        most_actions: The game is over after so many.
    """

    rules = PUBLIC_ASSISTANCE
    may_refuse = frozenset(MAY_STILL_BE_REFUSED)
    most_actions = MOST_ACTIONS

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.chance = random.Random(seed)
        self.envelopes: list[Envelope[Event]] = []
        self.refusals: Counter[str] = Counter()
        self.books = Books()
        self.state = self._created()
        self.follower = self.state.copy()
        self.snapshot = packed(self.state)
        self.received = NOW

    def _created(self) -> AnyState:
        created = GameCreated(
            game=f"g_{self.seed}", rulebook=self.rules.rulebook, rules=1, code=ZERO, pins=self.rules.pins(),
            options=self.options(), places=self.rules.places, private=False, commitment=ZERO, known_secret=True,
            parent="",
        )  # fmt: skip
        envelope: Envelope[Event] = Envelope(version=1, at=NOW, turn=0, actor="host", action=ZERO, data=created)
        self.envelopes.append(envelope)
        self.books.fold(envelope)
        return folding.fold([envelope])

    def options(self) -> dict[str, Any]:
        """Draw the options of the game."""
        return drawn_options(self.chance)

    def wish(self) -> tuple[int, dict[str, Any]] | None:
        """Pick a seat and what it sends, out of what is offered."""
        return legal(self.state, self.chance)

    def nonsense(self) -> tuple[int, a.AnyAction]:
        """Make an action that may well be refused."""
        return nonsense(self.state, self.chance)

    def share_of_leaving(self) -> float:
        """Return how often a player leaves now; one who is still asked something after the result leaves soon."""
        return 0.28 if self.state.status == "finished" else 0.0015

    def progress(self) -> dict[int, int]:
        """Return for each seat a number that never falls."""
        return {seat: player.month for seat, player in pa(self.follower).players.items()}

    def play(self) -> Self:
        """Play to the end."""
        self._open()
        for _ in range(self.most_actions):
            if self.state.over():
                self._nothing_follows()
                return self
            self._step()
        raise AssertionError(f"seed {self.seed}: no end after {self.most_actions} actions")

    def _nothing_follows(self) -> None:
        """A finished game refuses whatever comes."""
        version = self.state.version
        for _ in range(20):
            self.act(*self.nonsense(), may_refuse=True)
        assert self.state.version == version, (self.seed, "something happened after the end")

    def _open(self) -> None:
        seats = self.chance.randint(2, self.rules.places)
        for seat in range(1, seats + 1):
            host, nonce = seat == 1 and self.chance.random() < 0.5, self._nonce(seat)
            self.act(0, a.TakeSeat(name="", kind="person", level="", nonce_commitment=nonce, host=host))
        for _ in range(3):
            self.act(*self.nonsense(), may_refuse=True)
        if self.state.status == "lobby":
            for seat in sorted(self.state.seats):
                self._ready(seat)
            self.act(0, a.Start())

    def _nonce(self, seat: int) -> str:
        return sha256(bytes([seat])).hexdigest() if self.chance.random() < 0.5 else ""

    def _ready(self, seat: int) -> None:
        committed = self.state.seats[seat].nonce_commitment
        opened = sha256(committed.encode()).hexdigest() if committed and self.chance.random() < 0.5 else ""
        action = a.Ready(edition=self.state.edition, nonce_hash=committed, nonce_input=opened)
        self.act(seat, action, may_refuse={"already_ready"})

    def _step(self) -> None:
        kind = self.chance.random()
        if kind < 0.12:
            self.act(*self.nonsense(), may_refuse=True)
        elif kind < 0.12 + self.share_of_leaving():
            asked = [prompt.seat for prompt in self.state.prompts.values()]
            self.act(self.chance.choice(asked if self.state.status == "finished" else self.state.alive()), a.Leave())
        elif kind < 0.16 and (late := [p for p in self.state.prompts.values() if p.deadline]):
            self.act(0, a.Expire(prompt=late[0].prompt, deadline=late[0].deadline or 0))
        elif wish := self.wish():
            seat, body = wish
            self.act(seat, self._read(body), may_refuse=self.may_refuse)
        if self.chance.random() < 0.02:
            self._offers_are_accepted()

    def act(self, seat: int, action: a.AnyAction, *, may_refuse: bool | Set[str] = False) -> None:
        """Decide an action and let its events happen; a refusal leaves no trace and asks no die."""
        before = packed(self.state)
        self.received += 1 + self.chance.randint(0, 500)
        command = Command(action, seat, self._actor(seat), ZERO, self.received)
        dice = CountingDice(SecretDice(bytes(32), self.state.game, self.state.inputs))
        try:
            decision = decide(self.state, command, dice, at=self.received)
        except RuleViolation as refused:
            code = refused.refusal.code
            assert may_refuse is True or (may_refuse and code in may_refuse), (self.seed, code, action)
            assert (packed(self.state), dice.asked) == (before, 0), (self.seed, "a refusal left a trace", action)
            self.refusals[code] += 1
            return
        assert packed(self.state) == before, (self.seed, "decide changed the state that it was given", action)
        self._happen(decision)

    def _actor(self, seat: int) -> str:
        """Return who acts for a seat: the bot that keeps it, once its person missed too much."""
        if not seat:
            return "host"
        sitter = self.state.seats.get(seat)
        return f"bot:{seat}" if sitter and sitter.keeper else f"seat:{seat}"

    def _happen(self, decision: Decision) -> None:
        for envelope in decision.envelopes:
            self._fold(envelope)
        assert packed(self.follower) == packed(decision.state), (self.seed, "events and decision differ")
        assert between_actions(self.follower) == [], (self.seed, decision.envelopes)
        self.envelopes += decision.envelopes
        self.state = decision.state
        if self.chance.random() < 0.05:
            self.snapshot = packed(self.state)
            self.state = state_from(self.snapshot)

    def _fold(self, envelope: Envelope[Event]) -> None:
        """One event onto the follower and the books, by way of its stored bytes."""
        stored = codec.encode(envelope)
        read = codec.decode(stored)
        assert codec.encode(read) == stored, (self.seed, stored)
        before = self.progress()
        self.follower = folding.advance(self.follower, read)
        self.books.fold(read)
        where = (self.seed, envelope.version, envelope.data)
        assert after_any_event(self.follower, read.data) == [], where
        assert check(self.books, self.follower.cash, debts_of(self.follower)) == [], where
        after = self.progress()
        assert all(after[seat] >= number for seat, number in before.items()), where

    def _read(self, body: dict[str, Any]) -> a.PlayAction:
        """Read a body that was offered; what is no action at all is a fault of the offer."""
        try:
            return with_digests(parse(msgspec.json.encode(body)), lambda text: sha256(text.encode()).hexdigest())
        except msgspec.ValidationError as error:
            raise AssertionError(self.seed, "offered is bad input", body) from error

    def _offers_are_accepted(self) -> None:
        """Each body that is offered is accepted as it stands; each seat that may act is offered something.

        Each prompt has one default, which is among what is offered: who is absent does nothing that he might not do.
        """
        menus = {seat: legal_actions(self.state, seat).open for seat in sorted(self.state.seats)}
        asked = {prompt.seat for prompt in self.state.prompts.values()}
        assert all(any(o.prompt for o in menus[seat]) for seat in asked), (self.seed, "nobody can act")
        assert asked or self.state.status == "finished", (self.seed, "nobody is asked")
        for prompt in self.state.prompts.values():
            defaults = [o for o in menus[prompt.seat] if o.prompt == prompt.prompt and o.default]
            assert [o.name for o in defaults] == [a.name_of(default_of(self.state, prompt.prompt))], (self.seed, prompt)
        for seat, menu in menus.items():
            for offered in menu:
                command = Command(self._read(offered.body), seat, "x", ZERO, NOW)
                dice = SecretDice(bytes(32), self.state.game, self.state.inputs)
                decide(self.state, command, dice, at=self.received)


def drawn_options(chance: random.Random) -> dict[str, Any]:
    """Draw every option within its bounds; most keep their default or the preset's, and the game is short."""
    options = agreed.preset(chance.choice(["pa_standard", "pa_standard", "pa_reissue"]))
    for name, (_, bound) in agreed.PUBLIC_ASSISTANCE.items():
        flag = isinstance(bound, OneOf) or name in ("dice", "turn_seconds")
        if name != "custodian" and chance.random() < (0.5 if flag else EXTREME):
            options[name] = _drawn(bound, chance)
    options["months"] = chance.choice([0, 1, 2, 3, 3, 4])
    return agreed.agree(options, agreed.defaults())


def _drawn(bound: Bound, chance: random.Random) -> Any:
    if isinstance(bound, OneOf):
        return chance.choice(list(bound.values))
    assert isinstance(bound, Range), bound
    middle = bound.low + bound.step * chance.randint(0, (bound.high - bound.low) // bound.step)
    return chance.choice([bound.low, bound.high, middle])


def play(seed: int) -> RandomGame:
    """Play the game of a seed."""
    return RandomGame(seed).play()
