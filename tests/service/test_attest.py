"""The custodian's word after the result, with a store: reveal and seal wait for it, and never for ever (PA-10)."""

import json
from typing import Any

import fakeredis
import pytest

from events import codec
from events.lobby import SecretRevealed
from events.play import BooksAttested
from service.audit.verify import StoredHistory, verify
from service.errors import ServiceError
from service.games.clock import Clock
from service.games.due import due_of
from service.games.games import Games
from service.games.records import RequestContext
from service.rules.actions import AttestBooks, AttestResult, DeclineResult, Leave
from service.rules.timing import GRACE_MS, SETTLE_MS
from service.rules.violations import RuleViolation
from tests.support.forged import forged
from tests.support.played import Table, begun, empty, finished, games_on, play, sit_down, start
from tests.support.rules import rule

DAY = 24 * 3600 * 1000


def asked(games: Games, key: str = "one") -> Table:
    """A finished game whose custodian, seat 1, is asked for his word."""
    table = play(start(sit_down(games, key=key, months=1, attest=True)))
    assert [prompt.kind for prompt in table.state.prompts.values()] == ["attest"]
    return table


def sealed(table: Table) -> bool:
    """Whether the store takes no more events; then the secret is the last."""
    head = table.store.streams.head(table.game)
    assert head
    last = codec.decode(table.store.streams.read(table.game, after=head.version - 1, count=1)[0].data).data
    assert head.sealed == isinstance(last, SecretRevealed) == bool(table.state.secret)
    return head.sealed


@rule("PA-10")
@pytest.mark.parametrize("answer", [AttestResult, DeclineResult])
def test_the_seal_comes_with_the_answer(answer: type[AttestResult | DeclineResult]) -> None:
    """Until then the result stands, the secret is kept, and the game is in order."""
    table = asked(games_on(empty()))
    assert not sealed(table)
    assert not verify(StoredHistory(table.store), table.game).findings
    (prompt,) = table.state.prompts
    with pytest.raises(RuleViolation):
        table.games.actions.perform(table.game, answer(prompt=prompt), RequestContext(table.tokens[2]))
    done = table.games.actions.perform(table.game, answer(prompt=prompt), RequestContext(table.tokens[1], key="mine"))
    assert any(isinstance(e.data, BooksAttested) for e in done.envelopes) == (answer is AttestResult)
    assert sealed(table)
    assert not verify(StoredHistory(table.store), table.game).findings
    assert table.games.actions.perform(
        table.game, answer(prompt=prompt), RequestContext(table.tokens[1], key="mine")
    ).repeated


@rule("PA-10")
def test_the_seal_comes_when_the_last_who_could_be_asked_has_left() -> None:
    """Seat 1 goes without an answer, and seat 2 is asked; then it goes too, and the third."""
    table = asked(games_on(empty()))
    table.games.actions.perform(table.game, Leave(), RequestContext(table.tokens[1]), seat=1)
    assert [(prompt.seat, prompt.kind) for prompt in table.state.prompts.values()] == [(2, "attest")]
    assert not verify(StoredHistory(table.store), table.game).findings
    for seat in (2, 3):
        assert not sealed(table)
        table.games.actions.perform(table.game, Leave(), RequestContext(table.tokens[seat]), seat=seat)
    assert sealed(table)
    assert not verify(StoredHistory(table.store), table.game).findings


@rule("PA-10")
def test_the_seal_comes_with_the_deadline() -> None:
    """A day later, by anyone who looks at the game, or by the clock that finds it in the index of what is due."""
    client, now = fakeredis.FakeRedis(protocol=2), [1_767_225_600_000]
    games = games_on(client, clock=Clock(lambda: now[0], lambda: now[0] / 1000))
    table = asked(games)
    due = due_of(table.state)
    assert due == now[0] + DAY + GRACE_MS + SETTLE_MS
    now[0] += DAY
    games.watch(table.game, RequestContext())
    assert not sealed(table)
    now[0] += 1500
    games.watch(table.game, RequestContext())
    assert sealed(table)
    assert due_of(table.state) is None
    assert not verify(StoredHistory(table.store), table.game).findings


@rule("PA-10")
def test_without_the_option_nothing_waits() -> None:
    """The action that ends the game seals it."""
    table = finished(months=1)
    assert sealed(table)
    with pytest.raises((RuleViolation, ServiceError)):
        table.games.actions.perform(table.game, AttestBooks(), RequestContext(table.tokens[1]))


@rule("PA-10")
def test_the_auditor_compares_what_was_attested_with_the_ledger() -> None:
    """Another seat, another version, another digest: each is found, in a chain made again."""
    table = play(begun(games_on(empty()), "one", months=1), most=8)
    table.games.actions.perform(table.game, AttestBooks(), RequestContext(table.tokens[1]))
    assert not verify(StoredHistory(table.store), table.game).findings

    def forge(**changes: Any) -> set[str]:
        def change(entries: list[dict[str, Any]]) -> None:
            attested = next(entry["data"] for entry in entries if entry["data"]["type"] == "books_attested")
            attested.update(changes)

        whole = [json.loads(e.data) for e in table.store.streams.read(table.game)]
        found = {finding.check for finding in forged(table, change)}
        forged(table, lambda entries: entries.__setitem__(slice(None), whole))
        return found

    assert forge(seat=2) == forge(version=3) == forge(digest="0" * 64) == {"facts", "execution"}
