"""What a player kept, against a service that lost the tail, was told to go on, and signed what came then."""

import json
from collections.abc import Callable
from pathlib import Path

from tests.integration.service.test_lost_tail import CLI, cut
from tests.support.http import Client, Table
from tests.support.serving import Serve


def verified(serve: Callable[..., Serve], *arguments: str) -> tuple[int, str]:
    command = serve("audit", *arguments, module=CLI)
    return command.ended(), command.output


def test_a_fork_that_was_accepted_and_signed_fails_against_what_a_player_kept(
    serve: Callable[..., Serve], folder: Path, tmp_path: Path
) -> None:
    running = serve("serve", "--port", "0", "--workers", "1", module=CLI).ready()
    table = Table.open(Client(running.url))
    early = table.client.call("GET", f"/v1/games/{table.game}/checkpoint")
    answers = table.play(3)
    late = table.client.call("GET", f"/v1/games/{table.game}/checkpoint", Accept="text/plain")
    assert late.headers["Rollbook-Head"].split()[0] == str(answers[-1]["version"])
    (tmp_path / "early").write_text(early.text)
    (tmp_path / "late").write_text(late.text)
    both = [word for name in ("early", "late") for word in ("--pinned", str(tmp_path / name))]
    code, output = verified(serve, table.game, *both)
    assert code == 0, output
    assert "as it was signed" not in output

    assert running.stop() == 0
    cut(folder, before=answers[-1]["action"])
    again = serve("serve", "--port", "0", "--workers", "1", module=CLI).ready()
    table.client.base = again.url
    refused = table.client.call("GET", f"/v1/games/{table.game}/checkpoint")
    assert (refused.status_code, refused.json()["code"]) == (503, "game_frozen"), "nothing less is signed"
    assert serve("doctor", "--accept", table.game, "--json", "--port", "0", module=CLI).ended() == 0
    while table.state()["version"] <= answers[-1]["version"]:
        table.play(1)
    signed = table.client.call("GET", f"/v1/games/{table.game}/checkpoint", Accept="text/plain")
    assert signed.status_code == 200
    (tmp_path / "new").write_text(signed.text)
    assert verified(serve, table.game, "--pinned", str(tmp_path / "new"))[0] == 0
    assert verified(serve, table.game, "--pinned", str(tmp_path / "early"))[0] == 0
    code, output = verified(serve, table.game, *both, "--json")
    findings = json.loads(output)["findings"]
    assert (code, {finding["check"] for finding in findings}) == (1, {"pinned"})
    assert {finding["version"] for finding in findings} == {answers[-1]["version"]}

    keys = table.client.call("GET", "/v1/keys").json()["keys"]
    assert again.stop() == 0
    (folder / "signing.key").unlink()
    rotated = serve("serve", "--port", "0", "--workers", "1", module=CLI).ready()
    now = Client(rotated.url).call("GET", "/v1/keys").json()["keys"]
    assert [key["current"] for key in now] == [True, False]
    assert now[1]["key"] == keys[0]["key"]
    assert verified(serve, table.game, "--pinned", str(tmp_path / "new"))[0] == 0, "an old key is known"
    code, output = verified(serve, table.game, "--pinned", str(tmp_path / "new"), "--key", now[0]["key"])
    assert (code, "no key that is known here signed it" in output) == (1, True)
    assert verified(serve, table.game, "--pinned", str(tmp_path / "new"), "--key", "nonsense")[0] == 1
    assert rotated.stop() == 0
