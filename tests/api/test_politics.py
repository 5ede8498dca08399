"""Rules in force and votes, as a client sees them."""

from typing import Any

import pytest

from events.store import connect
from service.api.app import create_app
from service.bootstrap import assemble
from service.games.texts import commit_text
from service.rules.social_justice.catalogue import PARAMETERS
from tests.api.checked import Api, ok, refused
from tests.api.conftest import application
from tests.api.tables import started
from tests.support.databases import DATABASES
from tests.support.voting import Assembly

TEXT = "The richest player makes the tea."
DIGEST, SEALED = commit_text(TEXT)
GONE, _ = commit_text("erased")
RENT: dict[str, Any] = {"op": "set", "param": "property.rent_pct", "value": 150}
WORDS: dict[str, Any] = {"op": "add_text", "text": DIGEST}
DUES: dict[str, Any] = {
    "op": "add_transfer", "trigger": "round_end", "from": "all", "to": "bank", "amount": {"fixed": 5}, "label": GONE,
}  # fmt: skip


@pytest.fixture(scope="module")
def api() -> Api:
    return application("social_justice")


@pytest.fixture(scope="module")
def voted() -> tuple[Api, str, Assembly]:
    """A game in which rents were raised by a rule that is repealed, under one in words with a transfer."""
    services = assemble(connect(DATABASES.new()), server_key=b"a key of at least thirty-two bytes", allow_volatile=True)
    game = Assembly(seats=3)
    game.proposes(RENT, yes=[1])
    game.proposes(WORDS, DUES, yes=[1])
    game.proposes({"op": "repeal", "rule_id": "r1"}, no=[1], yes=[2])
    game.put(services.games.store, {DIGEST: SEALED})
    return Api(create_app(services)), f"/v1/games/{game.state.game}", game


def test_rules_come_newest_first_with_since_when_and_whose_votes(voted: tuple[Api, str, Assembly]) -> None:
    api, path, game = voted
    answer = ok(api.get(f"{path}/rules"))
    newest, first = answer["rules"]
    assert (newest["rule"], newest["repealed"], newest["origin"]) == ("r2", None, "vote")
    assert (first["rule"], first["repealed_by"]) == ("r1", "v3")
    assert first["repealed"]["version"] > newest["since"]["version"] > first["since"]["version"]
    assert len(newest["yes"]) == 2
    assert sorted([*newest["yes"], *newest["no"], *newest["abstain"]]) == [1, 2, 3]
    assert answer["version"] == game.state.version


def test_every_parameter_tells_its_value_and_where_it_comes_from(voted: tuple[Api, str, Assembly]) -> None:
    api, path, game = voted
    lines = {line["name"]: line for line in ok(api.get(f"{path}/rules"))["parameters"]}
    assert set(lines) == set(PARAMETERS)
    assert (lines["property.rent_pct"]["value"], lines["property.rent_pct"]["source"]) == (100, "default")
    then = next(e.version for e in game.envelopes if type(e.data).__name__ == "RuleAdopted")
    before, after = (
        {line["name"]: line for line in ok(api.get(f"{path}/rules?at={version}"))["parameters"]}["property.rent_pct"]
        for version in (then - 1, then)
    )
    assert (before["value"], before["rule"]) == (100, "")
    assert (after["value"], after["source"], after["rule"], after["default"]) == (150, "rule", "r1", 100)


def test_texts_are_shown_by_digest_while_they_are_there(voted: tuple[Api, str, Assembly]) -> None:
    api, path, _ = voted
    assert ok(api.get(f"{path}/rules"))["texts"] == {DIGEST: TEXT, GONE: "[missing]"}
    assert ok(api.get(f"{path}/votes"))["texts"] == {DIGEST: TEXT, GONE: "[missing]"}


def test_votes_come_with_every_ballot(voted: tuple[Api, str, Assembly]) -> None:
    api, path, _ = voted
    votes = ok(api.get(f"{path}/votes"))["votes"]
    assert [(vote["vote"], vote["outcome"]) for vote in votes] == [("v1", "passed"), ("v2", "passed"), ("v3", "passed")]
    last = votes[-1]
    assert [ballot["ballot"] for ballot in last["ballots"]] == ["yes", "no", "yes"]
    assert last["operations"] == [{"op": "repeal", "rule_id": "r1"}]
    assert last["repealed"] == ["r1"]


def test_at_an_earlier_version_a_vote_is_open(voted: tuple[Api, str, Assembly]) -> None:
    api, path, game = voted
    opened = next(e.version for e in game.envelopes if type(e.data).__name__ == "VoteOpened")
    (vote,) = ok(api.get(f"{path}/votes?at={opened + 1}"))["votes"]
    assert (vote["outcome"], vote["closed"], len(vote["ballots"])) == ("", None, 1)
    assert ok(api.get(f"{path}/votes?at=1"))["votes"] == []


def test_a_version_that_is_not_there_is_said(voted: tuple[Api, str, Assembly]) -> None:
    api, path, game = voted
    for resource in ("rules", "votes"):
        refused(api.get(f"{path}/{resource}?at={game.state.version + 1}"), 404, "no_such_version")


def test_a_proposal_over_http_leaves_digests_on_the_stream_and_its_words_beside_it(api: Api) -> None:
    """What was typed in stands in a house rule and in a transfer's label; a ballot is an action like any other."""
    table = started(api, seats=3, rulebook="social_justice")
    while (menu := table.menu(table.active())) and not any(line["name"] == "propose" for line in menu["open"]):
        table.step()
    seat = table.active()
    body = table.body("propose")
    ok(table.act(seat, {**body, "operations": [{"op": "add_text", "text": TEXT}, {**DUES, "label": "Dues"}]}))
    voter = table.active()
    assert voter != seat
    refused(table.act(seat, {**table.body("cast_ballot"), "ballot": "no"}), 409, "not_your_prompt")
    ok(table.act(voter, {**table.body("cast_ballot"), "ballot": "yes"}))
    rules, votes = ok(api.get(f"{table.path}/rules")), ok(api.get(f"{table.path}/votes"))
    (adopted,) = rules["rules"]
    assert [rules["texts"][digest] for digest in adopted["texts"]] == [TEXT]
    assert rules["texts"][adopted["transfers"][0]["label"]] == "Dues"
    assert votes["texts"] == rules["texts"]
    stream = api.get(f"{table.path}/events?limit=1000").text
    assert TEXT not in stream
    assert "Dues" not in stream
    lines = [line for step in ok(api.get(f"{table.path}/steps"))["steps"] for line in step["lines"]]
    assert any(line.startswith("Rule r1 is in force") for line in lines)


@pytest.mark.parametrize(
    ("operation", "code"),
    [
        ({"op": "add_text", "text": " "}, "empty_text"),
        ({"op": "set", "param": "property.rent_pct", "value": 501}, "out_of_bounds"),
        ({**DUES, "to": "seat:2"}, "named_player"),
    ],
)
def test_a_proposal_that_is_wrong_is_refused_with_its_reason(api: Api, operation: dict[str, Any], code: str) -> None:
    table = started(api, seats=2, rulebook="social_justice")
    while table.body("propose")["action"] != "propose":
        table.step()
    version = table.version
    problem = refused(table.act(table.active(), {**table.body("propose"), "operations": [operation]}), 409, code)
    assert problem["errors"][0]["pointer"].startswith("/operations/0")
    assert table.version == version


def test_a_game_whose_rules_cannot_be_voted_on_has_none_of_it() -> None:
    api = application("public_assistance")
    path = started(api).path
    rules, votes = ok(api.get(f"{path}/rules")), ok(api.get(f"{path}/votes"))
    assert (rules["rules"], rules["parameters"], rules["presidencies"], rules["texts"]) == ([], [], [], {})
    assert (votes["votes"], votes["texts"]) == ([], {})
