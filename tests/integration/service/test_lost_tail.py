"""A store that lost the tail of a game: named at the start and by `doctor`, read, and never played on silently.

Then what a player kept, against a service that went on by order of its operator, and signed what came then.
"""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.command import rollbook
from tests.support.http import Client, Table
from tests.support.serving import Serve

CLI = "service.cli"


def started(serve: Callable[..., Serve]) -> Serve:
    return serve("serve", "--port", "0", "--workers", "1", module=CLI).ready()


def cut(folder: Path, before: str) -> None:
    """Cut the append-only file before these words, as a full disk or a copy taken too early does."""
    (log,) = (folder / "valkey").glob("**/*.incr.aof")
    with log.open("rb+") as file:
        file.truncate(file.read().rindex(before.encode()))


def verified(folder: Path, *arguments: str) -> tuple[int, str]:
    done = rollbook(folder, "audit", *arguments)
    return done.exit_code, done.output


def check_frozen(folder: Path, lost: Table, whole: Table, *, end: int) -> None:
    """S41: the store starts without a word; the log of heads beside it knows better."""
    assert lost.state()["version"] == end
    prompt = next(iter(lost.state()["prompts"].values()))
    path = f"/v1/games/{lost.game}/actions"
    body = {"action": "roll", "prompt": prompt["prompt"]}
    refused = lost.client.call("POST", path, token=lost.tokens[prompt["seat"]], body=body)
    assert (refused.status_code, refused.json()["code"]) == (503, "game_frozen")
    assert "Retry-After" in refused.headers
    unsigned = lost.client.call("GET", f"/v1/games/{lost.game}/checkpoint")
    assert (unsigned.status_code, unsigned.json()["code"]) == (503, "game_frozen"), "nothing less is signed"
    assert whole.play(1)
    doctor = rollbook(folder, "doctor", "--json", "--port", "0")
    assert doctor.exit_code == 1
    history = [check for check in json.loads(doctor.output)["checks"] if check["check"] == "History"]
    assert [lost.game in check["detail"] for check in history] == [True]


def test_a_cut_append_only_file_freezes_the_game_and_a_fork_fails_against_what_a_player_kept(
    serve: Callable[..., Serve], folder: Path, tmp_path: Path
) -> None:
    running = started(serve)
    client = Client(running.url)
    whole, table = Table.open(client), Table.open(client)
    early = client.call("GET", f"/v1/games/{table.game}/checkpoint")
    answers = table.play(3)
    late = client.call("GET", f"/v1/games/{table.game}/checkpoint", Accept="text/plain")
    assert late.headers["Rollbook-Head"].split()[0] == str(answers[-1]["version"])
    (tmp_path / "early").write_text(early.text)
    (tmp_path / "late").write_text(late.text)
    both = [word for name in ("early", "late") for word in ("--pinned", str(tmp_path / name))]
    code, output = verified(folder, table.game, *both)
    assert code == 0, output
    assert "as it was signed" not in output

    assert running.stop() == 0
    cut(folder, before=answers[-1]["action"])
    again = started(serve)
    client.base = again.url
    assert f"has lost events of game {table.game}" in again.output
    assert f"game {whole.game}" not in again.output
    check_frozen(folder, table, whole, end=answers[-1]["first"] - 1)
    accepted = rollbook(folder, "doctor", "--accept", table.game, "--json", "--port", "0")
    assert accepted.exit_code == 0, accepted.output
    while table.state()["version"] <= answers[-1]["version"]:
        table.play(1)
    signed = client.call("GET", f"/v1/games/{table.game}/checkpoint", Accept="text/plain")
    assert signed.status_code == 200
    (tmp_path / "new").write_text(signed.text)
    assert verified(folder, table.game, "--pinned", str(tmp_path / "new"))[0] == 0
    assert verified(folder, table.game, "--pinned", str(tmp_path / "early"))[0] == 0
    code, output = verified(folder, table.game, *both, "--json")
    findings = json.loads(output)["findings"]
    assert (code, {finding["check"] for finding in findings}) == (1, {"pinned"})
    assert {finding["version"] for finding in findings} == {answers[-1]["version"]}
    assert again.stop() == 0


@pytest.mark.long
def test_a_note_by_a_key_that_was_changed_is_known_and_fits_no_other(
    serve: Callable[..., Serve], folder: Path, tmp_path: Path
) -> None:
    running = started(serve)
    client = Client(running.url)
    table = Table.open(client)
    (tmp_path / "new").write_text(client.call("GET", f"/v1/games/{table.game}/checkpoint", Accept="text/plain").text)
    keys = client.call("GET", "/v1/keys").json()["keys"]
    assert running.stop() == 0
    (folder / "signing.key").unlink()
    rotated = started(serve)
    now = Client(rotated.url).call("GET", "/v1/keys").json()["keys"]
    assert [key["current"] for key in now] == [True, False]
    assert now[1]["key"] == keys[0]["key"]
    assert verified(folder, table.game, "--pinned", str(tmp_path / "new"))[0] == 0, "an old key is known"
    code, output = verified(folder, table.game, "--pinned", str(tmp_path / "new"), "--key", now[0]["key"])
    assert (code, "no key that is known here signed it" in output) == (1, True)
    assert verified(folder, table.game, "--pinned", str(tmp_path / "new"), "--key", "nonsense")[0] == 1
    assert rotated.stop() == 0
