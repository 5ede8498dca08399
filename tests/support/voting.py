"""A whole game with votes, by the rules alone, and how its stream gets into a store."""

from hashlib import sha256
from typing import Any

import msgspec

from events import chain, codec
from events.base import Envelope, Event
from events.lobby import GameCreated
from events.social_justice.board import social_justice_pins
from events.store import Entry, SidecarUpdate, Store
from projections import evolve as fold
from projections.evolve import AnyState
from projections.state.social_justice import SocialJusticeState
from service.games import chance
from service.rules import actions as a
from service.rules import options as agreed
from service.rules import versions
from service.rules.decide import Command, decide, default_of, parse


class Assembly:
    """A game of The Social Justice Game that has begun; its secret follows from its id."""

    def __init__(self, game: str = "assembly", seats: int = 3) -> None:
        self.secret = sha256(game.encode()).digest()
        options = agreed.defaults(agreed.OF_SOCIAL_JUSTICE)
        created = GameCreated(
            game=game, rulebook="social_justice", rules=versions.NEWEST, code=versions.fingerprint(),
            pins=social_justice_pins(), options=options, places=8, private=False,
            commitment=chance.commitment(game, self.secret, known=True), known_secret=True, parent="",
        )  # fmt: skip
        first: Envelope[Event] = Envelope(version=1, at=1000, turn=0, actor="host", action="0" * 64, data=created)
        self.envelopes = [first]
        self.state: AnyState = fold.fold(self.envelopes)
        self.dice = chance.SecretDice(self.secret, game, [""] * seats)
        for number in range(1, seats + 1):
            self.do(a.TakeSeat(name="", kind="person", level="", nonce_commitment="", host=number == 1))
        for number in range(1, seats + 1):
            self.do(a.Ready(edition=1, nonce_hash="", nonce_input=""), seat=number)
        self.do(a.Start())

    @property
    def game(self) -> SocialJusticeState:
        """The state, which is of this game."""
        assert isinstance(self.state, SocialJusticeState)
        return self.state

    def do(self, action: a.AnyAction, seat: int = 0) -> list[Envelope[Event]]:
        """Decide an action."""
        command = Command(action, seat, f"seat:{seat}" if seat else "host", f"{len(self.envelopes):064x}", 1000)
        decision = decide(self.state, command, self.dice, at=self.state.at + 1)
        self.envelopes += decision.envelopes
        self.state = decision.state
        return decision.envelopes

    def act(self, seat: int, name: str, **fields: Any) -> list[Envelope[Event]]:
        """Act for a seat, as it would over the wire."""
        prompt = next(p.prompt for p in self.state.prompts.values() if p.seat == seat)
        written = {"action": name, "prompt": prompt, **fields}
        return self.do(parse(msgspec.json.encode(written)), seat)

    def proposes(self, *operations: dict[str, Any], **ballots: list[int]) -> int:
        """Propose as the active seat, and vote as the others: by place after the proposer, from 1. Return the seat."""
        seat = self.state.active
        self.act(seat, "propose", operations=list(operations))
        others = [prompt.seat for prompt in self.state.prompts.values()]
        for ballot, places in ballots.items():
            for place in places:
                self.act(others[place - 1], "cast_ballot", ballot=ballot)
        return seat

    def plays_on(self) -> None:
        """Do what the clock would do until another seat is asked how to begin its turn."""
        seat = self.state.active
        while self.state.status == "playing" and self.state.active == seat:
            prompt = next(iter(self.state.prompts.values()))
            self.do(default_of(self.state, prompt.prompt), prompt.seat)

    def put(self, store: Store, texts: dict[str, bytes] | None = None) -> None:
        """Write the whole stream into a store."""
        datas = [codec.encode(envelope) for envelope in self.envelopes]
        links = chain.links(chain.genesis(self.state.game), datas)
        store.streams.append(
            self.state.game,
            [Entry(data, link) for data, link in zip(datas, links, strict=True)],
            action="f" * 64,
            request="f" * 64,
            expected=0,
            previous=b"",
            sidecar=SidecarUpdate(created=1000, about=b"{}", texts=texts or {}, secret=self.secret),
        )
