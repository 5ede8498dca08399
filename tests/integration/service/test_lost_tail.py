"""A store that lost the tail of a game: named at the start and by `doctor`, read, and never played on silently."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.support.http import Client, Table
from tests.support.serving import Serve

CLI = "service.cli"


def cut(folder: Path, before: str) -> None:
    """Cut the append-only file before these words, as a full disk or a copy taken too early does."""
    (log,) = (folder / "valkey").glob("**/*.incr.aof")
    with log.open("rb+") as file:
        file.truncate(file.read().rindex(before.encode()))


def test_a_cut_append_only_file_is_named_and_the_game_frozen(serve: Callable[..., Serve], folder: Path) -> None:
    """S41: the store starts without a word; the log of heads beside it knows better."""
    running = serve("serve", "--port", "0", "--workers", "1", module=CLI).ready()
    client = Client(running.url)
    whole, lost = Table.open(client), Table.open(client)
    answers = lost.play(3)
    assert running.stop() == 0
    cut(folder, before=answers[-1]["action"])
    again = serve("serve", "--port", "0", "--workers", "1", module=CLI).ready()
    lost.client.base = again.url
    assert f"has lost events of game {lost.game}" in again.output
    assert f"game {whole.game}" not in again.output
    assert lost.state()["version"] == answers[-1]["first"] - 1
    prompt = next(iter(lost.state()["prompts"].values()))
    path = f"/v1/games/{lost.game}/actions"
    body = {"action": "roll", "prompt": prompt["prompt"]}
    refused = lost.client.call("POST", path, token=lost.tokens[prompt["seat"]], body=body)
    assert (refused.status_code, refused.json()["code"]) == (503, "game_frozen")
    assert "Retry-After" in refused.headers
    assert whole.play(1)
    doctor = serve("doctor", "--json", "--port", "0", module=CLI)
    assert doctor.ended() == 1
    history = [check for check in json.loads(doctor.output)["checks"] if check["check"] == "History"]
    assert [lost.game in check["detail"] for check in history] == [True]
    accepted = serve("doctor", "--accept", lost.game, "--json", "--port", "0", module=CLI)
    assert accepted.ended() == 0, accepted.output
    assert lost.play(1)
    assert again.stop() == 0
