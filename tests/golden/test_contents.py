"""What each golden game of The Social Justice Game is there for: it says so only because it is so."""

from collections.abc import Callable, Mapping
from typing import TypeVar

import pytest

from events import codec
from events.base import Event
from events.clocks import BotTookOver, GamePaused, GameResumed, OutageCredited, SeatHandedBack, SeatRetaken
from events.forks import GameForked
from events.lobby import GameFinished, NonceOpened
from events.play import ActionTaken, DiceRolled, MoneyMoved
from events.social_justice.deals import (
    LoanGranted,
    LoanInherited,
    LoanTerms,
    LoanWrittenOff,
    OfferEnded,
    OfferMade,
    SaleTerms,
)
from events.social_justice.events import CitizenOut, RoleTaken
from events.social_justice.politics import (
    BallotCast,
    PresidencyEnded,
    PresidentElected,
    PrisonerPardoned,
    RuleAdopted,
    RuleDeclared,
    RuleRepealed,
    TroopsWithdrawn,
    VoteClosed,
)
from events.store import Entry
from projections import evolve as folding
from projections.state.social_justice import SocialJusticeState
from tests.golden.record import read
from tests.golden.scripts import OF_SOCIAL_JUSTICE
from tests.support.kinds import sjg

E = TypeVar("E", bound=Event)


class Recorded:
    """A golden game, read for what is in it."""

    def __init__(self, entries: list[Entry]) -> None:
        envelopes = codec.decode_all(entry.data for entry in entries)
        self.events: list[Event] = [envelope.data for envelope in envelopes]
        self.end: SocialJusticeState = sjg(folding.fold(envelopes))

    def all(self, kind: type[E]) -> list[E]:
        """List the events of a kind, in their order."""
        return [event for event in self.events if isinstance(event, kind)]

    def after(self, event: Event) -> list[Event]:
        """List what came after an event."""
        return self.events[self.events.index(event) + 1 :]

    def out(self, why: str) -> list[int]:
        """List the seats that are out for a reason."""
        return [event.seat for event in self.all(CitizenOut) if event.why == why]


def _two(game: Recorded) -> None:
    assert sorted(citizen.roles[0].role for citizen in game.end.citizens.values()) == ["owner", "unemployed"]
    assert game.end.options["utility.rate_max"] == 500
    assert [event.reason for event in game.all(GameFinished)] == ["completed"]


def _votes(game: Recorded) -> None:
    """Settings, words and a transfer adopted; paid; a rule repealed; a vote lost; play goes on under the new rules."""
    adopted = game.all(RuleAdopted)
    assert any(rule.settings for rule in adopted)
    assert any(rule.texts for rule in adopted)
    transfers = {rule.rule for rule in adopted if rule.transfers}
    paid = [event for event in game.all(MoneyMoved) if event.rule == "SJG-33"]
    assert {event.ref.partition(":")[0] for event in paid} <= transfers
    assert paid
    assert game.all(RuleRepealed)
    assert {event.outcome for event in game.all(VoteClosed)} >= {"passed", "failed"}
    assert len([e for e in game.after(adopted[0]) if isinstance(e, ActionTaken) and e.name == "roll"]) >= 10
    assert game.end.politics.stack


def _eight(game: Recorded) -> None:
    """Roles picked and dealt, nonces opened."""
    assert len(game.end.citizens) == 8
    assert game.end.options["assignment"] == "choose"
    assert {event.how for event in game.all(RoleTaken)} >= {"chosen", "dealt"}
    assert game.all(NonceOpened)


def _banker(game: Recorded) -> None:
    """A seat that keeps the bank sets a loan's terms and answers a sale; the bank lends."""
    assert (game.end.options["bank"], game.end.options["banker"]) == ("player", 2)
    ended = {event.offer: event.how for event in game.all(OfferEnded)}
    asked = [event for event in game.all(OfferMade) if 0 in (event.by, event.to)]
    assert any(isinstance(e.terms, LoanTerms) and e.by == 0 and ended[e.offer] == "accepted" for e in asked)
    assert any(isinstance(e.terms, SaleTerms) and ended[e.offer] in ("accepted", "declined") for e in asked)
    assert any(loan.lender == 0 and loan.borrower != 2 for loan in game.all(LoanGranted))


def _presidency(game: Recorded) -> None:
    """Elected, at least three areas declared, a prisoner freed, troops withdrawn; and it ended with its turn."""
    assert game.all(PresidentElected)
    assert len({event.area for event in game.all(RuleDeclared)}) >= 3
    assert game.all(PrisonerPardoned)
    assert game.all(TroopsWithdrawn)
    assert len(game.all(PresidencyEnded)) == len(game.all(PresidentElected))


def _combat(game: Recorded) -> None:
    """Two ones in a row, and the game goes on without who threw them."""
    (fallen,) = game.all(CitizenOut)
    assert fallen.why == "killed"
    faces = [event.faces for event in game.all(DiceRolled) if (event.seat, event.purpose) == (fallen.seat, "combat")]
    assert faces[-2:] == [(1,), (1,)]
    assert len([e for e in game.after(fallen) if isinstance(e, ActionTaken) and e.name == "roll"]) >= 5


def _bankruptcy(game: Recorded) -> None:
    """Who goes bankrupt owes what is written off, and is owed what runs on with the estate."""
    bankrupt = set(game.out("bankrupt"))
    owed = {event.borrower for event in game.all(LoanWrittenOff)}
    lent = {event.lender for event in game.all(LoanInherited)}
    assert bankrupt & owed & lent


def _clock(game: Recorded) -> None:
    """A seat is absent in votes and turns, and seats leave until one is left."""
    assert any(event.by_default for event in game.all(BallotCast))
    assert any(event.name == "expire" for event in game.all(ActionTaken))
    assert game.out("left")


def _presence(game: Recorded) -> None:
    """A pause, an outage, seats kept by bots for two reasons and played by persons again; a bot of its own seat."""
    assert [len(game.all(kind)) for kind in (GamePaused, GameResumed, OutageCredited)] == [1, 1, 1]
    assert {event.why for event in game.all(BotTookOver)} == {"absent", "asked"}
    assert [event.seat for event in game.all(SeatHandedBack)] == [1]
    assert [event.seat for event in game.all(SeatRetaken)] == [3]
    assert game.end.seats[4].kind == "bot"
    assert game.end.seats[4].moves > 5


def _forked(game: Recorded) -> None:
    """Everybody sat down again, and most of the game comes after that."""
    (fork,) = game.all(GameForked)
    assert {event.seat for event in game.all(SeatRetaken)} == set(game.end.seats)
    assert len([e for e in game.after(fork) if isinstance(e, ActionTaken) and e.name == "roll"]) >= 15


THERE_FOR: Mapping[str, Callable[[Recorded], None]] = {
    "sj_two": _two,
    "sj_three_banker": _banker,
    "sj_four_votes": _votes,
    "sj_four_combat": _combat,
    "sj_five_presidency": _presidency,
    "sj_six_bankruptcy": _bankruptcy,
    "sj_four_clock": _clock,
    "sj_four_presence": _presence,
    "sj_three_forked": _forked,
    "sj_eight": _eight,
}


def test_each_game_has_something_that_it_is_there_for() -> None:
    assert set(THERE_FOR) == set(OF_SOCIAL_JUSTICE)


@pytest.mark.parametrize("name", THERE_FOR)
def test_a_golden_game_contains_what_it_is_there_for(name: str) -> None:
    THERE_FOR[name](Recorded(read(name)))
