"""Playing over HTTP: actions ready to send, each done once."""

import json
from typing import Any

import pytest

from tests.api.checked import Api, ok, refused
from tests.api.tables import Table, play, seated, started

BEYOND = {"public_assistance": ("bet_horses", "stake", 10_000), "social_justice": ("set_rate", "rate", 501)}
"""An action that is open at the start of a game for two, and more of something than is possible."""
CLOSED = {"public_assistance": {"borrow", "repay"}, "social_justice": {"repay_loan", "end_turn", "cast_ballot"}}
"""Actions that are not open then."""
ILLEGAL: dict[str, list[tuple[dict[str, Any], str]]] = {
    "public_assistance": [
        ({"action": "borrow", "amount": 1000}, "only_in_rut"),
        ({"action": "take_job"}, "wrong_prompt"),
    ],
    "social_justice": [
        ({"action": "repay_loan", "loan": 1}, "no_loan"),
        ({"action": "end_turn"}, "wrong_prompt"),
        ({"action": "borrow", "amount": 1000}, "other_rulebook"),
    ],
}


def rolls(table: Table) -> int:
    """Dice on the stream."""
    events = ok(table.api.get(f"{table.path}/events?limit=1000"))["events"]
    return sum(entry["event"]["data"]["type"] == "dice_rolled" for entry in events)


def test_open_actions_are_ready_to_send_and_closed_ones_say_why(api: Api) -> None:
    table = started(api)
    seat = table.active()
    menu = table.menu(seat)
    assert [action["name"] for action in menu["open"] if action["default"]] == ["roll"]
    for action in menu["open"]:
        api.document.validator(action["schema"]).validate(action["body"])
        assert api.document.validator({"$ref": "#/components/schemas/PlayAction"}).is_valid(action["body"])
    assert CLOSED[api.rulebook] <= {action["name"] for action in menu["closed"]}
    assert all(action["code"] and action["reason"] for action in menu["closed"])
    other = table.menu(3 - seat)
    assert other["open"] == [action for action in other["open"] if not action["prompt"]]
    assert "not_your_turn" in {action["code"] for action in other["closed"]}


def test_every_open_action_is_accepted_as_it_stands(api: Api) -> None:
    """What the list offers, the service takes: each by a dry run."""
    table = started(api)
    for _ in range(10):
        seat = table.active()
        for action in table.menu(seat)["open"]:
            ok(table.api.post(f"{table.path}/actions?dry_run=true", action["body"], token=table.seats[seat]))
        table.step()


def test_an_action_answers_with_its_events_and_the_state_after_it(api: Api) -> None:
    table = started(api)
    before = table.state()
    answer = table.act(table.active(), table.body(), key="roll")
    did = ok(answer)
    after = table.state()
    assert answer.status_code == 201
    assert (did["first"], did["version"]) == (before["version"] + 1, after["version"])
    assert (did["head"], did["etag"]) == (after["head"], after["etag"])
    assert answer.headers["ETag"] == f'"{after["etag"]}"'
    assert [entry["event"]["version"] for entry in did["events"]] == list(range(did["first"], did["version"] + 1))
    assert {entry["event"]["action"] for entry in did["events"]} == {did["action"]}


def test_a_repeat_gets_the_first_answer_even_after_the_turn_has_passed(api: Api) -> None:
    table = started(api)
    seat, body = table.active(), table.body()
    first = table.act(seat, body, key="the roll")
    play(table, 5)
    before = table.version
    again = table.act(seat, body, key="the roll")
    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Idempotency-Hit"] == "true"
    assert again.headers["ETag"] == first.headers["ETag"]
    assert table.version == before


def test_a_repeat_is_answered_before_a_stale_tag_and_a_gone_prompt(api: Api) -> None:
    """S5: a known key wins over the check of the version."""
    table = started(api)
    seat, body, etag = table.active(), table.body(), table.state()["etag"]
    first = table.act(seat, body, key="k", headers={"If-Match": f'"{etag}"'})
    again = table.act(seat, body, key="k", headers={"If-Match": f'"{etag}"'})
    assert again.data == first.data


def test_a_key_with_another_body_path_or_seat_is_not_a_repeat(api: Api) -> None:
    """S7: nothing is appended, and the first answer is as it was."""
    table = started(api)
    seat, body = table.active(), table.body()
    first = table.act(seat, body, key="k")
    before = table.version
    refused(table.act(seat, {**body, "prompt": "p1"}, key="k"), 422, "idempotency_key_reused")
    refused(
        api.call("DELETE", f"{table.path}/seats/{seat}", token=table.seats[seat], key="k"),
        422,
        "idempotency_key_reused",
    )
    gone = refused(table.act(3 - seat, body, key="k"), 409, "prompt_gone")
    assert gone["type"] == "/docs#error-of_the_rules"
    assert table.act(seat, body, key="k").data == first.data
    assert table.version == before


def test_a_second_click_never_counts_for_the_next_turn(api: Api) -> None:
    """Two clicks with two keys: one roll; also when the seat's next turn has come."""
    table = started(api)
    seat, body = table.active(), table.body()
    ok(table.act(seat, body, key="click 1"))
    count = rolls(table)
    refused(table.act(seat, body, key="click 2"), 409, "prompt_gone")
    while table.active() != seat:
        table.step()
    count = rolls(table)
    refused(table.act(seat, body, key="click 3"), 409, "prompt_gone")
    assert rolls(table) == count


def test_refusals_append_nothing(api: Api) -> None:
    """A4: ten illegal actions leave the stream as it was."""
    table = started(api)
    seat, body, etag = table.active(), table.body(), table.state()["etag"]
    for _ in range(10):
        for illegal, code in ILLEGAL[api.rulebook]:
            refused(table.act(seat, {"prompt": body["prompt"], **illegal}), 409, code)
        refused(table.act(3 - seat, body), 409, "not_your_prompt")
        refused(table.act(seat, {"action": "roll", "prompt": "p999"}), 409, "prompt_gone")
    assert table.state()["etag"] == etag


def test_a_parameter_out_of_its_bounds_is_pointed_at(api: Api) -> None:
    table = started(api)
    action, field, value = BEYOND[api.rulebook]
    problem = refused(table.act(table.active(), table.body(action) | {field: value}), 409, "out_of_bounds")
    assert [error["pointer"] for error in problem["errors"]] == [f"/{field}"]


def test_a_stale_tag_gets_the_missed_events_and_the_current_tag(api: Api) -> None:
    """A3: nothing is appended; 412 comes before 409."""
    table = started(api)
    old = table.state()
    table.step()
    new = table.state()
    for body in (table.body(), {"action": "roll", "prompt": "p1"}):
        answer = table.act(table.active(), body, headers={"If-Match": f'"{old["etag"]}"'})
        problem = refused(answer, 412, "stale")
        assert (problem["etag"], answer.headers["ETag"]) == (new["etag"], f'"{new["etag"]}"')
        missed = ok(api.get(f"{table.path}/events?after={old['version']}"))["events"]
        assert problem["missed"] == missed
    assert table.state()["etag"] == new["etag"]


def test_a_weak_tag_is_refused_as_weak(api: Api) -> None:
    """A proxy made it so; the game has not moved on, and the refusal does not say that it has."""
    table = started(api)
    etag = table.state()["etag"]
    problem = refused(table.act(table.active(), table.body(), headers={"If-Match": f'W/"{etag}"'}), 412, "stale")
    assert "without W/" in problem["detail"]
    assert (problem["etag"], problem["missed"]) == (etag, [])


def test_a_dry_run_stops_at_the_first_draw_and_writes_nothing(api: Api) -> None:
    """D10: what is not drawn yet is shown by nothing."""
    table = started(api)
    seat, body, before = table.active(), table.body(), table.state()
    tried = api.post(f"{table.path}/actions?dry_run=true", body, token=table.seats[seat], key="try")
    result = ok(tried)
    assert tried.status_code == 200
    assert result["stopped_at"]
    assert "dice_rolled" not in json.dumps(result)
    assert table.state() == before
    ok(table.act(seat, body, key="try"))
    for key in (None, "try"):  # nor is it taken for the repeat of what was done under its key
        again = api.post(f"{table.path}/actions?dry_run=true", body, token=table.seats[seat], key=key)
        refused(again, 409, "prompt_gone")


def test_before_the_start_and_after_the_end_nothing_is_open(api: Api) -> None:
    table = seated(api)
    menu = table.menu(1)
    assert (menu["status"], menu["open"]) == ("lobby", [])
    assert {action["code"] for action in menu["closed"]} == {"not_started"}
    refused(table.act(1, {"action": "roll", "prompt": "p1"}), 409, "not_started")
    table = started(api)
    assert table.menu(1)["status"] == "playing"
    ok(api.call("DELETE", f"{table.path}/seats/1", token=table.seats[1]))
    menu = table.menu(2)
    assert (menu["status"], menu["open"]) == ("finished", [])


def test_leaving_ends_a_game_of_two_and_the_answer_holds_the_secret_event(api: Api) -> None:
    """H7: the last event of every ending has the result; what comes after is refused."""
    table = started(api)
    left = ok(api.call("DELETE", f"{table.path}/seats/1", token=table.seats[1], key="leave"))
    assert [entry["event"]["data"]["type"] for entry in left["events"]][-2:] == ["game_finished", "secret_revealed"]
    state = table.state()["state"]
    assert (state["status"], state["reason"]) == ("finished", "abandoned")
    refused(table.act(2, {"action": "roll", "prompt": "p1"}), 409, "game_over")
    again = api.call("DELETE", f"{table.path}/seats/1", token=table.seats[1], key="leave")
    assert again.headers["Idempotency-Hit"] == "true"
    assert again.json == left


@pytest.mark.parametrize("path", ["start", "seats/1/token"])
def test_a_route_without_fields_takes_no_body_or_an_empty_object(api: Api, path: str) -> None:
    table = seated(api)
    for token in table.seats.values():
        ok(api.post(f"{table.path}/ready", {"edition": 1}, token=token))
    refused(api.post(f"{table.path}/{path}", {"a": 1}, token=table.host), 422, "invalid_input")
    ok(api.post(f"{table.path}/{path}", {}, token=table.host))


@pytest.mark.parametrize(
    ("body", "pointer"),
    [
        ({"action": "bet_lottery", "number": "123\n", "stake": 1}, "/number"),
        ({"action": "roll", "prompt": "p19\n"}, "/prompt"),
    ],
)
def test_a_line_feed_at_the_end_is_part_of_a_value(api: Api, body: dict[str, Any], pointer: str) -> None:
    """What a pattern allows is the whole value; nothing slips in after it and fails when the dice were thrown."""
    table = started(api)
    version = table.version
    prompt = table.body()["prompt"]
    problem = refused(table.act(table.active(), {"prompt": prompt, **body}), 422, "invalid_input")
    assert problem["errors"][0]["pointer"] == pointer
    assert table.version == version
