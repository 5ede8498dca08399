"""The custodian's word for the books, in play and after the result (PA-10)."""

from hashlib import sha256

import pytest

from events.lobby import CustodianNamed, GameFinished, SeatLeft
from events.play import BooksAttested, MoneyMoved, PromptClosed, PromptOpened
from projections.ledger.chart import digest_of
from service.rules.legal import legal_actions
from tests.scenarios.checks import asked, happened, in_order, money, never, over, turn_of
from tests.scenarios.dsl import Game, Who, ann, bob, cid, given, purse
from tests.scenarios.table import NOW, at, public_assistance
from tests.support.rules import rule

DAY = 24 * 3600 * 1000


def two(**options: object) -> Game:
    """Ann is the custodian and on her turn, bob stands far away."""
    return given(public_assistance(ann=at("promenade:2", cash=80), bob=at("rut:30", cash=500), **options))


def last_lap(**options: object) -> Game:
    """Ann's next move ends the game; she is the custodian."""
    told = public_assistance(ann="promenade:51", bob="promenade:30", cid="rut:3", months=1, **options)
    return given(told)


def digest(rows: bytes) -> str:
    return sha256(rows).hexdigest()


@rule("PA-10")
def test_the_custodian_attests_the_books_as_they_stand() -> None:
    """Who, up to which event, and the balances in one number; nobody is paid and the turn goes on."""
    game = two()
    before = game.state.version
    game.when(ann.attests()).then(in_order(BooksAttested), never(MoneyMoved, PromptClosed), turn_of(ann))
    books = digest(b'[["custodian",-580],["seat:1",80],["seat:2",500]]')
    game.then(happened(BooksAttested, ann, version=before + 1, digest=books))


@rule("PA-10")
def test_books_are_attested_out_of_turn_too() -> None:
    """At any time in play."""
    told = public_assistance(ann="promenade:2", bob="promenade:30", turn=2)
    given(told).when(ann.attests()).then(happened(BooksAttested, ann), turn_of(bob))


@rule("PA-10")
def test_only_the_custodian_attests() -> None:
    """Another seat is refused, and the heir of the purse may."""
    game = two().refuses(bob.attests(), "not_custodian")
    game = given(public_assistance(ann="promenade:2", bob="promenade:30", cid="rut:3")).when(ann.leaves())
    game.then(happened(CustodianNamed, bob)).refuses(cid.attests(), "not_custodian").refuses(ann.attests(), "seat_left")
    game.when(bob.attests()).then(happened(BooksAttested, bob))


@rule("PA-10")
def test_the_same_books_are_not_attested_twice() -> None:
    """Once money has moved there is something new to attest."""
    game = two().when(ann.attests()).refuses(ann.attests(), "already_attested")
    assert "attest_books" not in {action.name for action in legal_actions(game.state, 1).open}
    game.when(ann.rolls(1, 2, 6)).refuses(ann.attests(), "already_attested")
    game.when(bob.rolls(1, 2, 3)).then(money((purse, bob, 150))).when(ann.attests()).then(happened(BooksAttested, ann))


@rule("PA-10")
def test_a_digest_knows_accounts_that_hold_something_alone() -> None:
    """An account at zero and one that was never opened are the same."""
    assert digest_of({"seat:2": 0, "seat:1": 5, "custodian": -5}) == digest_of({"custodian": -5, "seat:1": 5})
    assert digest_of({"custodian": -5, "seat:1": 5}) == digest(b'[["custodian",-5],["seat:1",5]]')
    assert digest_of({}) == digest(b"[]")


@rule("PA-10", "PA-48")
def test_unless_it_was_agreed_on_nobody_is_asked_behind_the_result() -> None:
    """The game is over with the action that ends it, and its books are closed."""
    game = last_lap().when(ann.rolls(1, 1, 3)).then(over(ann), never(PromptOpened))
    assert game.state.over()
    game.refuses(ann.attests(), "game_over").refuses(ann.attests_result(), "game_over")


@rule("PA-10", "PA-48")
def test_where_it_was_agreed_on_the_custodian_is_asked_behind_the_result() -> None:
    """The result stands; until he has answered nothing is sealed, and nobody else may do anything."""
    game = last_lap(attest=True, player_bets=True).when(ann.rolls(1, 1, 3))
    game.then(over(ann), in_order(GameFinished, PromptOpened), asked(ann, "attest"))
    assert not game.state.over()
    menu = legal_actions(game.state, 1)
    assert [(action.name, action.default) for action in menu.open] == [
        ("attest_result", False),
        ("decline_result", True),
    ]
    assert {action.refusal.code for action in menu.closed} == {"game_over"}
    for step in (ann.attests(), ann.rolls(1, 1, 1), ann.offers(5), bob.offers(5), bob.leaves(), bob.attests_result()):
        game.refuses(step, "game_over")
    before = game.state.version
    game.when(ann.attests_result()).then(
        happened(PromptClosed, how="answered"), happened(BooksAttested, ann, version=before + 2), over(ann)
    )
    assert game.state.over()
    game.refuses(ann.attests_result(), "game_over").refuses(ann.leaves(), "game_over")


@rule("PA-10", "PA-57")
@pytest.mark.parametrize(("seconds", "waits"), [(0, DAY), (60, 60_000)])
def test_who_does_not_answer_has_not_attested(seconds: int, waits: int) -> None:
    """The deadline is the table's clock, or a day where there is none: no game stays unsealed for ever."""
    game = last_lap(attest=True, turn_seconds=seconds).when(ann.rolls(1, 1, 3))
    assert [prompt.deadline for prompt in game.state.prompts.values()] == [NOW + waits]
    game.expires().then(happened(PromptClosed, how="defaulted"), never(BooksAttested), over(ann))
    assert game.state.over()


@rule("PA-10")
def test_the_custodian_may_decline() -> None:
    """The result stands without his word, and nobody else is asked."""
    game = last_lap(attest=True).when(ann.rolls(1, 1, 3)).when(ann.declines_result())
    game.then(never(BooksAttested, SeatLeft, CustodianNamed, PromptOpened), over(ann))
    assert game.state.over()


@rule("PA-10")
def test_behind_the_result_too_the_custodian_is_succeeded() -> None:
    """Purse and question go round the table while a player is there; the result stays what it was."""
    game = last_lap(attest=True).when(ann.rolls(1, 1, 3))
    result = game.state.standings
    game.when(ann.leaves()).then(
        in_order(PromptClosed, SeatLeft, CustodianNamed, PromptOpened), happened(PromptClosed, how="void"),
        happened(CustodianNamed, bob, why="succession"), asked(bob, "attest"), never(MoneyMoved, GameFinished),
        over(ann),
    )  # fmt: skip
    game.refuses(ann.attests_result(), "game_over").refuses(ann.leaves(), "game_over")
    game.when(bob.leaves()).then(happened(CustodianNamed, cid, why="succession"), asked(cid, "attest"))
    attested = Game(game.state).when(cid.attests_result()).then(happened(BooksAttested, cid), over(ann))
    assert attested.state.over()
    game.when(cid.leaves()).then(never(BooksAttested, CustodianNamed, PromptOpened), over(ann))
    assert game.state.over()
    assert game.state.standings == result


@rule("PA-10", "PA-1")
@pytest.mark.parametrize(("leaver", "staying"), [(bob, ann), (ann, bob)])
def test_a_game_without_players_asks_who_is_still_there(leaver: Who, staying: Who) -> None:
    """With ann, bob inherits the purse before the books are closed: what is booked then names him."""
    game = two(attest=True).when(leaver.leaves()).then(over(staying, reason="abandoned"), asked(staying, "attest"))
    assert game.state.custodian == staying.seat
    if leaver is ann:
        game.then(in_order(SeatLeft, CustodianNamed, GameFinished, PromptOpened))
