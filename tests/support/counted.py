"""Games made up for counting: their events mean nothing, and what must be counted is worked out independently."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any, TypeAlias

from events import chain, codec
from events.base import Envelope, Event
from events.forks import GameForked
from events.lobby import DataPin, GameCreated, GameFinished, GameStarted, SecretRevealed
from events.play import CardDrawn, DiceRolled, TurnEnded
from events.store import SidecarUpdate, Store
from events.store.keys import BUCKETS, bucket_keys
from service.games.appending import chain_entries
from workers.counting import Counting

ZERO = "0" * 64
DAY = 86_400_000
BEGIN = 20_000 * DAY + 1
CARDS = {
    "public_assistance": {"benefit": ("BN01", "BN02"), "burden": ("BU01", "BU02")},
    "social_justice": {"change": ("CH01", "CH02")},
}

Entries: TypeAlias = list[Envelope[Event]]


class MadeUp:
    """A game, action by action: each is a list of entries that are appended together."""

    def __init__(self, chance: random.Random, rulebook: Any, at: int) -> None:
        self.chance, self.rulebook, self.at = chance, rulebook, at
        self.actions: list[Entries] = []
        self.version = 0

    def act(self, *events: Event) -> None:
        """Add an action, some time later."""
        self.at += self.chance.choice([0, 1, 5_000, DAY // 3])
        self.actions.append([_envelope(self.version + n, self.at, event) for n, event in enumerate(events, 1)])
        self.version += len(events)

    def play(self, actions: int) -> None:
        """Add actions of all kinds."""
        for _ in range(actions):
            self.act(*(self._event() for _ in range(self.chance.randint(1, 3))))

    def end(self) -> None:
        """End the game, and reveal its secret."""
        reason: Any = self.chance.choice(["completed", "abandoned"])
        self.act(GameFinished(reason=reason, standings=(), winners=()), SecretRevealed(secret=ZERO))

    def created(self, game: str, *, known: bool = False, parent: str = "") -> GameCreated:
        pins = (DataPin(name=f"{self.rulebook}_{deck}", version=1, sha256=ZERO) for deck in CARDS[self.rulebook])
        return GameCreated(
            game=game, rulebook=self.rulebook, rules=1, code=ZERO, pins=tuple(pins), options={}, places=2,
            private=False, commitment=ZERO, known_secret=known, parent=parent,
        )  # fmt: skip

    def _event(self) -> Event:
        chance, kind = self.chance, self.chance.randrange(3)
        if kind == 0:
            sides = chance.choice([1, 4, 6, 20])
            faces = tuple(chance.randint(1, sides) for _ in range(chance.randint(1, 3)))
            return DiceRolled(seat=1, purpose="movement", coordinate="x", sides=sides, faces=faces)
        if kind == 1:
            deck = chance.choice([*CARDS[self.rulebook]])
            card, draw = chance.choice(CARDS[self.rulebook][deck]), chance.randint(1, 3)
            return CardDrawn(seat=1, deck=deck, card=card, text="", draw=draw, coordinate="")
        return TurnEnded(seat=1)


def made_up(chance: random.Random, game: str, *, known: bool = False, over: bool = True) -> list[Entries]:
    """Make up a game."""
    made = MadeUp(chance, chance.choice([*CARDS]), BEGIN + chance.randrange(3 * DAY))
    made.act(made.created(game, known=known))
    made.act(GameStarted(seats=(1, 2), inputs=("", ""), options={}))
    made.play(chance.randrange(12))
    if over:
        made.end()
    return made.actions


def fork_of(chance: random.Random, parent: list[Entries], game: str) -> list[Entries]:
    """Make up a game that goes on from a moment of another one: what was there is appended with its first action."""
    copied = [envelope for action in parent[: chance.randint(2, max(2, len(parent) - 1))] for envelope in action]
    first = copied[0].data
    assert isinstance(first, GameCreated)
    made = MadeUp(chance, first.rulebook, copied[-1].at)
    made.version = len(copied)
    made.act(GameForked(parent=first.game, step=1, version=len(copied), head=ZERO, chance=""))
    created = made.created(game, parent=f"{first.game}@{len(copied)}")
    made.actions[0] = [_envelope(1, copied[0].at, created), *copied[1:], *made.actions[0]]
    made.play(chance.randrange(12))
    made.end()
    return made.actions


def _envelope(version: int, at: int, event: Event) -> Envelope[Event]:
    return Envelope(version=version, at=at, turn=0, actor="x", action=ZERO, data=event)


def write(store: Store, game: str, action: Entries) -> None:
    """Append an action, as the service would."""
    head = store.streams.head(game)
    previous = head.link if head else chain.genesis(game)
    store.streams.append(
        game,
        chain_entries(previous, action),
        action=f"{game}/{action[-1].version}",
        request="",
        expected=head.version if head else 0,
        previous=previous,
        sidecar=SidecarUpdate(created=action[0].at, seal=isinstance(action[-1].data, SecretRevealed)),
    )


def history(store: Store, game: str) -> Entries:
    return codec.decode_all(entry.data for batch in store.streams.stream(game) for entry in batch)


Counts: TypeAlias = tuple[dict[str, int], dict[str, int], dict[str, int]]
"""Versions that the games are counted to, figures, and days."""


def expected(store: Store) -> Counts:
    """Work out from the streams what must be kept."""
    counted, figures, days = dict[str, int](), Counter[str](), Counter[str]()
    for game in (listed.game for listed in store.index.games(limit=10_000)):
        told = history(store, game)
        counted[game] = len(told)
        created = told[0].data
        assert isinstance(created, GameCreated)
        figures[f"created/{created.rulebook}/{created.rules}"] += 1
        own = told[int(created.parent.split("@")[1]) if "@" in created.parent else 0 :]
        days.update([f"games/{own[0].at // DAY}", *(f"events/{envelope.at // DAY}" for envelope in own)])
        if isinstance(own[-1].data, SecretRevealed):
            days[f"finished/{own[-1].at // DAY}"] += 1
            figures += _ending(told, own, created)
    return counted, dict(figures), dict(days)


def _ending(told: Sequence[Envelope[Event]], own: Sequence[Envelope[Event]], created: GameCreated) -> Counter[str]:
    kind = f"{created.rulebook}/{created.rules}"
    (result,) = (envelope for envelope in own if isinstance(envelope.data, GameFinished))
    assert isinstance(result.data, GameFinished)
    started = [envelope.at for envelope in told if isinstance(envelope.data, GameStarted)]
    began = own[0].at if len(own) < len(told) else (started or [0])[0]
    found = Counter([f"ended/{kind}/{result.data.reason}", *[f"known/{kind}"] * created.known_secret])
    found += Counter({f"length/{kind}": len(own), f"lasted/{kind}": result.at - began})
    for event in (envelope.data for envelope in own if not created.known_secret):
        if isinstance(event, DiceRolled) and event.sides > 1:
            found.update(f"die/{event.sides}/{face}" for face in event.faces)
        if isinstance(event, CardDrawn):
            place = f"{created.rulebook}_{event.deck}/1/{event.card}"
            found.update([f"card/{place}", *[f"first/{place}"] * (event.draw == 1)])
    return found


def kept(client: Any) -> Counts:
    """Read everything that is kept."""
    found: list[Counter[str]] = [Counter(), Counter(), Counter()]
    for bucket in range(BUCKETS):
        keys = bucket_keys(bucket)
        for counts, key in zip(found, (keys.counted, keys.figures, keys.days), strict=True):
            answer = client.execute_command("HGETALL", key)
            pairs = answer.items() if isinstance(answer, dict) else zip(answer[::2], answer[1::2], strict=True)
            counts.update({word.decode(): int(times) for word, times in pairs})
    return dict(found[0]), dict(found[1]), dict(found[2])


def count_all(store: Store, client: Any) -> None:
    """Count until nothing is left to be counted."""
    counting = Counting(store)
    while behind := counting.behind():
        for bucket in behind:
            counting.count(bucket)
