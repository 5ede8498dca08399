"""The README's commands, word for word, against a server that runs as `make run` starts it."""

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

from tests.support.serving import ROOT, Serve

README = (ROOT / "README.md").read_text(encoding="utf-8")
SHELL = "\n".join(re.findall(r"^```sh\n(.*?)^```", README, re.DOTALL | re.MULTILINE))
"""Every command that a reader types once the service runs, in order."""


def test_every_make_target_that_it_names_is_there() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert {"run", "test", "demo", "lint"} <= set(re.findall(r"`?make ([a-z-]+)", README)) <= targets


def test_every_page_that_it_links_is_there() -> None:
    links = re.findall(r"\]\(([^)#:]+)\)", README)
    assert links
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_the_first_game_by_curl(serve: Callable[..., Serve], folder: Path, tmp_path: Path) -> None:
    """Each command succeeds, and says what the README promises."""
    running = serve("serve", "--port", "0", "--workers", "1", module="service.cli").ready()
    tools = tmp_path / "bin"
    tools.mkdir()
    shim = tools / "rollbook"
    shim.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -P -m service.cli "$@"\n')
    shim.chmod(0o755)
    script = "set -eux\n" + SHELL.replace("http://127.0.0.1:8000", running.url)
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={
            **os.environ,
            "PATH": f"{tools}:{os.environ['PATH']}",
            "ROLLBOOK_DATA": str(folder),
            "ROLLBOOK_PORT": running.url.rpartition(":")[2],
        },
    )
    assert done.returncode == 0, done.stdout + done.stderr
    for promised in (
        '"open":[{"name":"roll"',  # the list of legal actions
        '"type":"dice_rolled"',  # a roll on the stream
        '"pointer":"/stake"',  # 2.5 dollars are refused by name
        '"code":"prompt_gone"',  # a second roll finds its prompt gone
        '"findings":[]',  # the verification
        '"reasons":[{"reason":',  # a balance explained
        'option "operating_currency" "MNY"',  # the export for Beancount
        "commodity 1000. MNY",  # the export for hledger
        "In play: $",  # the policy of the bank
        "Trial balance",  # the ledger on the command line
        "verified",
        "opened (UTC)",  # the list of games
    ):
        assert promised in done.stdout, f"{promised} in {done.stdout}"
    refusals = re.findall(r'"type":"/docs#error-(\w+)"', done.stdout)  # curl succeeds whatever the status is
    assert refusals == ["invalid_input", "of_the_rules"]  # those two that it means to show
    assert '"type":"books_attested"' not in done.stdout  # the loop plays for those who are asked, and nothing else
    assert running.stop() == 0
