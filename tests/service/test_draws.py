"""Coordinates of chance: each part of each one is compared with the state and with the events before it."""

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from msgspec.structs import replace

from events.base import Envelope, Event
from events.play import CardDrawn, DiceRolled, OrderDecided, PromptOpened, TurnStarted
from events.public_assistance.events import SideTrackEntered
from projections import evolve as fold
from projections.state.public_assistance import PublicAssistanceState
from service.audit.verify.draws import Draws
from tests.properties.games import play
from tests.support.kinds import pa

PURPOSES = ("movement", "jail", "horses", "lottery", "side_track", "partner", "first_roll")
ROLLS = {
    "first_roll/1", "first_roll/2", "movement", "jail", "horses", "lottery", "side_track", "partner/placed",
    "partner/govt_job", "partner/doubles",
}  # fmt: skip
WANTED = ROLLS | {"benefit", "burden", "heist", "union_job", "order", "turn", "why govt_job", "why doubles"}


@dataclass
class Moment:
    """An event, and what is known right before it."""

    draws: Draws
    state: PublicAssistanceState
    envelope: Envelope[Event]

    @property
    def event(self) -> Any:
        return self.envelope.data

    def differs(self, **changed: Any) -> list[str]:
        """Change fields of the event and name what does not agree then."""
        envelope = replace(self.envelope, data=replace(self.event, **changed))
        return [what for what, expected, found in self.draws.claims(self.state, envelope) if expected != found]


def kind_of(event: Event) -> str:
    match event:
        case DiceRolled(purpose="first_roll" | "partner"):
            return f"{event.purpose}/{event.coordinate.split('/')[-1]}"
        case DiceRolled():
            return event.purpose
        case CardDrawn():
            return event.deck if event.coordinate else ""
        case SideTrackEntered():
            return event.track
        case PromptOpened(kind="partner_roll"):
            return f"why {event.why}"
        case OrderDecided():
            return "order"
        case TurnStarted():
            return "turn"
    return ""


def moments(seed: int) -> Iterator[Moment]:
    draws = Draws()
    state: PublicAssistanceState | None = None
    for envelope in play(seed).envelopes:
        if state is not None:
            yield Moment(draws, state, envelope)
            draws.note(state, envelope)
        state = pa(fold.advance(state, envelope))


@pytest.fixture(scope="module")
def sample() -> dict[str, Moment]:
    """One moment of each kind, out of as many random games as it takes; in none of them is anything found."""
    found: dict[str, Moment] = {}
    for seed in (24, 39, 13, *range(100)):  # three that have all, as long as the rules stay
        for moment in moments(seed):
            assert moment.differs() == [], (seed, moment.envelope)
            kind = kind_of(moment.event)
            if kind in WANTED - set(found):
                found[kind] = Moment(copy.deepcopy(moment.draws), moment.state.copy(), moment.envelope)
        if set(found) == WANTED:
            break
    assert set(found) == WANTED
    return found


def other(part: str) -> list[str]:
    """Return other values that a part of a coordinate might have."""
    if part.isdigit():
        return [str(int(part) + 1), str(int(part) - 1), f"0{part}", ""]
    return [name for name in ("placed", "govt_job", "doubles", "heist", "hustle", "union_job", "x") if name != part]


@pytest.mark.parametrize("kind", sorted(ROLLS))
def test_each_part_of_a_throws_coordinate(sample: dict[str, Moment], kind: str) -> None:
    """Another seat, own turn, round, track, number or cause; one part more or less; another purpose altogether."""
    moment = sample[kind]
    purpose, *parts = moment.event.coordinate.split("/")
    for place, part in enumerate(parts):
        for value in other(part):
            changed = "/".join((purpose, *parts[:place], value, *parts[place + 1 :]))
            assert "the coordinate" in moment.differs(coordinate=changed), changed
    for changed in ("/".join((purpose, *parts[:-1])), "/".join((purpose, *parts, "1"))):
        assert "the coordinate" in moment.differs(coordinate=changed), changed
    for name in (*PURPOSES, "luck"):
        if name != purpose:
            assert "the coordinate" in moment.differs(purpose=name, coordinate="/".join((name, *parts))), name


@pytest.mark.parametrize("kind", sorted(ROLLS))
def test_a_throw_is_for_whose_turn_it_is(sample: dict[str, Moment], kind: str) -> None:
    moment = sample[kind]
    purpose, seat, *rest = moment.event.coordinate.split("/")
    another = int(seat) % len(moment.state.players) + 1
    changed = "/".join((purpose, str(another), *rest))
    assert moment.differs(seat=another) == ["a throw of seat"]
    assert moment.differs(seat=another, coordinate=changed) == ["the coordinate", "a throw of seat"]


@pytest.mark.parametrize("kind", sorted(ROLLS))
def test_nothing_is_thrown_twice(sample: dict[str, Moment], kind: str) -> None:
    """After a throw the next one is another: of a side track the next number, of first rolls the next seat."""
    moment = sample[kind]
    after = Moment(copy.deepcopy(moment.draws), moment.state, moment.envelope)
    after.draws.note(moment.state, moment.envelope)
    assert "the coordinate" in after.differs()


@pytest.mark.parametrize("deck", ["benefit", "burden"])
def test_each_part_of_a_cards_coordinate(sample: dict[str, Moment], deck: str) -> None:
    """The deck is the block's, the draw the next one, with both changed alike in the event."""
    moment = sample[deck]
    another = "burden" if deck == "benefit" else "benefit"
    assert "coordinate" in moment.differs(coordinate=f"{deck}/{moment.event.draw + 1}")
    assert "draw" in moment.differs(draw=moment.event.draw + 1, coordinate=f"{deck}/{moment.event.draw + 1}")
    draws = moment.state.decks[another].draws + 1
    assert "the deck of the block" in moment.differs(deck=another, draw=draws, coordinate=f"{another}/{draws}")
    assert "a draw of seat" in moment.differs(seat=moment.event.seat % 4 + 1)


def test_what_coordinates_are_made_of_is_given_too(sample: dict[str, Moment]) -> None:
    """Which side track, why the partner rolls, who goes first, whose turn it is."""
    assert sample["heist"].differs(track="hustle") == ["the side track of block or card"]
    assert sample["union_job"].differs(track="business") == ["the side track of block or card"]
    assert sample["why govt_job"].differs(why="doubles") == ["a partner that rolls for"]
    assert sample["why doubles"].differs(why="govt_job") == ["a partner that rolls for"]
    order = sample["order"].event.order
    assert sample["order"].differs(order=order[1:] + order[:1]) == ["the order from the highest first roll on"]
    assert sample["turn"].differs(seat=sample["turn"].event.seat % 4 + 1) == ["the turn of seat"]
