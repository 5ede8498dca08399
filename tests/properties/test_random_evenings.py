"""Random evenings: not only the game is played, but people come and go, clocks run, bots take over, games are forked.

Whatever happens around the rules, and in whatever order, the history is sound in every audit.
"""

import io
import random
from collections import Counter
from collections.abc import Callable
from itertools import count
from typing import Any

import msgspec
import pytest

from service.audit.bundle import verify_bundle, write
from service.audit.verify import StoredHistory, verify
from service.errors import NotForkable, Unauthorized
from service.games.due import dues_of
from service.games.games import Games
from service.games.records import Created, NewFork, NewGame, NewSeat, RequestContext
from service.replay import steps
from service.rules.actions import HandBack, HandOver, Leave, Pause, Resume, Start
from service.rules.decide import parse
from service.rules.legal import legal_actions
from service.rules.violations import RuleViolation
from tests.support.clocks import SetClock, clocked, history
from tests.support.executed import execute
from tests.support.played import Table
from tests.support.tampered import theirs
from workers.bots import BotMoves
from workers.clock import Ticker

LEVELS = ("random", "sensible")
SEEDS = [*range(6), *(pytest.param(seed, marks=pytest.mark.long) for seed in range(6, 150))]


class Evening:
    """A game and all that may happen around it; chance decides what."""

    def __init__(self, chance: random.Random, games: Games, clock: SetClock, opened: Created) -> None:
        self.chance, self.games, self.clock = chance, games, clock
        self.table = Table(games, opened.answer.game, opened.host_token, {})
        self.codes = [opened.join_code]
        self.done: Counter[str] = Counter()
        self._guests = count(1)
        self._jobs: list[tuple[str, int, int]] = []
        self._ticker = Ticker(games, games.store, lambda _job, *move: self._jobs.append(move))
        self._deeds: dict[Callable[[], object], int] = {
            self.act: 55, self.let_time_pass: 18, self.resume: 7, self.hand_over: 5, self.sit: 5, self.hand_back: 4,
            self.reopen: 3, self.pause: 3, self.leave: 1,
        }  # fmt: skip

    @property
    def game(self) -> str:
        return self.table.game

    def go_on(self, deeds: int) -> None:
        """Do some of it, allowed or not, until the game is over."""
        for _ in range(deeds):
            if self.table.state.status != "playing":
                return
            self.clock.at += self.chance.choice([0, 1, 10, 500, 3000])
            (deed,) = self.chance.choices([*self._deeds], [*self._deeds.values()])
            try:
                deed()
            except (RuleViolation, Unauthorized):
                self.done["refused"] += 1
            else:
                self.done[deed.__name__] += 1

    def act(self) -> None:
        """Do anything that is legal, for a seat that is asked or for any other."""
        state = self.table.state
        seat = self.chance.choice([prompt.seat for prompt in state.prompts.values()] or [1])
        if self.chance.random() < 0.2:
            seat = self._seat()
        if offered := legal_actions(state, seat).open:
            self.games.actions.perform(
                self.game, parse(msgspec.json.encode(self.chance.choice(offered).body)), self._by(seat)
            )

    def let_time_pass(self) -> None:
        """Do what is due by the clock, early, in time or late; workers may be away."""
        if dues := dues_of(self.table.state):
            self.clock.at = max(self.clock.at, dues[0].at + self.chance.choice([-1, 0, 3000]))
            self._ticker.tick()
        if self.chance.random() < 0.7:
            for job in self._jobs:
                BotMoves(self.games).move(*job)
            self._jobs.clear()

    def pause(self) -> None:
        self.games.actions.perform(self.game, Pause(), self._host())

    def resume(self) -> None:
        self.games.actions.perform(self.game, Resume(), self._host())

    def hand_over(self) -> None:
        seat = self._seat()
        ask = self.chance.choice([self._by(seat), self._host()])
        self.games.actions.perform(self.game, HandOver(level=self.chance.choice(LEVELS)), ask, seat=seat)

    def hand_back(self) -> None:
        seat = self._seat()
        self.games.actions.perform(self.game, HandBack(), self._by(seat), seat=seat)

    def reopen(self) -> None:
        self.codes.append(self.games.seats.reopen(self.game, self._seat(), self._host()).join_code)

    def sit(self) -> None:
        new = NewSeat(name=f"Zoe {next(self._guests)}")
        seated = self.games.seats.sit(self.game, new, self._ask(self.chance.choice(self.codes)))
        self.table.tokens[seated.seat] = seated.token

    def leave(self) -> None:
        seat = self._seat()
        self.games.actions.perform(self.game, Leave(), self._by(seat), seat=seat)

    def fork(self) -> "Evening | None":
        """Go on from any step, where that is possible."""
        number = self.chance.randint(1, self.table.state.steps)
        view = steps.one(self.games.loader, self.game, number)
        assert view.state is not None
        same = self.table.state.status == "finished" and self.chance.random() < 0.5
        try:
            new = NewFork(self.game, number, view.step.last, view.state.status, same_chance=same)
            return Evening(self.chance, self.games, self.clock, self.games.opening.fork(new, self._host()))
        except NotForkable:
            return None

    def check(self) -> None:
        """Every audit finds it sound: in the store, executed again, as a bundle, and by the second verifier."""
        assert verify(StoredHistory(self.table.store), self.game).findings == []
        assert list(execute(history(self.table))) == []
        store = self.table.store
        head = store.streams.head(self.game)
        assert head is not None
        bundle = b"".join(write(StoredHistory(store), self.game, head))
        assert (verify_bundle(io.BytesIO(bundle)).findings, theirs(bundle)) == ([], [])

    def _seat(self) -> int:
        return self.chance.choice(sorted(self.table.state.seats))

    def _by(self, seat: int) -> RequestContext:
        return self._ask(self.table.tokens.get(seat, "nobody"))

    def _host(self) -> RequestContext:
        return self._ask(self.table.host)

    def _ask(self, token: str) -> RequestContext:
        return RequestContext(token, key=f"{self.chance.getrandbits(64):x}")


def begun(seed: int) -> Evening:
    """A game of either kind, with persons and bots, with or without a clock."""
    chance = random.Random(seed)
    games, clock = clocked()
    options: dict[str, Any] = {"end.rounds": 4} if seed % 2 else {"months": chance.randint(1, 3)}
    if chance.random() < 0.7:
        play = chance.choice(["default", *LEVELS])
        options |= {"turn_seconds": chance.choice([1, 60]), "absent_after": chance.randint(1, 3), "absent_play": play}
    rulebook: Any = "social_justice" if seed % 2 else "public_assistance"
    opened = games.opening.create(
        NewGame(rulebook, options=options, secret=b"s" * 32), RequestContext(key=f"evening {seed}")
    )
    evening = Evening(chance, games, clock, opened)
    persons, bots = chance.randint(1, 3), chance.randint(0, 1)
    for _ in range(persons):
        evening.sit()
    for number in range(max(bots, 2 - persons)):
        games.seats.sit(
            evening.game,
            NewSeat(kind="bot", level=LEVELS[number % 2]),
            RequestContext(opened.host_token, key=f"bot {number}"),
        )
    for seat, token in evening.table.tokens.items():
        games.actions.ready(evening.game, 1, None, RequestContext(token, key=f"ready {seat}"))
    games.actions.perform(evening.game, Start(), RequestContext(opened.host_token))
    return evening


@pytest.mark.parametrize("seed", SEEDS)
def test_whatever_happens_around_the_rules_every_audit_is_content(seed: int) -> None:
    evening = begun(seed)
    evening.go_on(evening.chance.choice([40, 150, 400]))
    evening.check()
    for _ in range(2):
        if fork := evening.fork():
            fork.go_on(evening.chance.choice([0, 30, 120]))
            fork.check()


def test_everything_that_may_happen_does() -> None:
    """In a few evenings each deed succeeds, and some are refused: none is tried in vain alone."""
    done: Counter[str] = Counter()
    for seed in range(12):
        evening = begun(seed)
        evening.go_on(150)
        done += evening.done
    deeds = {"act", "let_time_pass", "pause", "resume", "hand_over", "hand_back", "reopen", "sit", "leave", "refused"}
    assert set(done) == deeds
