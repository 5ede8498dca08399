"""`rollbook simulate`: its report, its refusals, and an end in the middle."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO

import psutil
import pytest
from click.testing import CliRunner, Result

from service.cli import main
from service.simulation.public_assistance.rule_signs import SIGNS

FEW = ("--games", "6", "--players", "2", "--months", "2", "--seed", "s", "--processes", "1")
PATIENCE = 60


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["simulate", "public-assistance", *arguments], env={"COLUMNS": "120"})


def test_the_report_as_tables() -> None:
    result = run(*FEW, "--option", "bump=on", "--option", "child_levy_to=custodian")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == "6 games of 2, 2 months, bots: sensible, seed: s"
    assert lines[1] == "options: bump=true, child_levy_to=custodian, months=2"
    for part in ("Length of a game", "Where winners ended", "Dollars in the end", "Income tax", "How often each rule"):
        assert sum(line.startswith(part) for line in lines) == 1, part
    assert any(line.startswith("Faces of the dice (chi-square ") and " p 0." in line for line in lines)
    assert any(line.startswith("Cards of the benefit deck") for line in lines)
    assert [line.split()[0] for line in lines if line.startswith("PA-")] == list(SIGNS)


def test_the_report_as_json() -> None:
    """Numbers on the standard output alone; the same command gives the same."""
    first = run(*FEW, "--bots", "random", "--preset", "pa_reissue", "--json")
    report = json.loads(first.stdout)
    assert (report["games"], report["players"], report["bots"], report["seed"]) == (6, 2, "random", "s")
    assert (report["options"]["months"], report["options"]["dice"], report["turns"]["count"]) == (2, 2, 6)
    assert set(report["rules"]) == set(SIGNS)
    assert run(*FEW, "--bots", "random", "--preset", "pa_reissue", "--json").stdout == first.stdout


def test_without_a_seed_a_new_one_is_drawn_and_said() -> None:
    """What it says gives the same report again."""
    few = [part for part in FEW if part not in ("--seed", "s")]
    first = json.loads(run(*few, "--json").stdout)
    again = json.loads(run(*few, "--json").stdout)
    assert first["seed"] != again["seed"]
    assert json.loads(run(*few, "--json", "--seed", first["seed"]).stdout) == first


def test_without_months_the_number_of_seats_decides() -> None:
    report = json.loads(run("--games", "1", "--players", "3", "--processes", "1", "--json").stdout)
    assert report["options"]["months"] == 9


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--option", "bump"], "--option takes NAME=VALUE, not 'bump'."),
        (["--option", "jump=1"], "There is no option called 'jump'."),
        (["--option", "grant=lots"], "The option grant must be a whole number from 0 to 10000, not 'lots'."),
        (["--option", "grant=-1"], "The option grant must be a whole number from 0 to 10000."),
        (["--option", "dice=٢"], "The option dice must be a whole number from 2 to 3, not '٢'."),
        (["--option", "grant=1_000"], "The option grant must be a whole number from 0 to 10000, not '1_000'."),
        (["--option", "grant= 5"], "The option grant must be a whole number from 0 to 10000, not ' 5'."),
        (
            ["--option", "grant=" + "9" * 5000],
            f"The option grant must be a whole number from 0 to 10000, not '{'9' * 5000}'.",
        ),
        (["--option", "grant=5", "--option", "grant=6"], "The option grant is given twice."),
        (["--option", "months=5", "--months", "3"], "The option months is given twice."),
        (["--option", "=3"], "There is no option called ''."),
        (["--option", "lottery_match=none"], "The option lottery_match must be one of any_order, exact_order."),
        (["--seed", ""], "--seed must be some text."),
        (["--seed", "\udcff"], "--seed must be some text."),
        (["--games", "-1"], "--games must be a whole number from 1 to 10000000."),
        (["--games", "1_0"], "--games must be a whole number from 1 to 10000000, not '1_0'."),
        (["--players", "٣"], "--players must be a whole number from 2 to 4, not '٣'."),
        (["--months", " 3"], "--months must be a whole number from 0 to 60, not ' 3'."),
        (["--processes", "two"], "--processes must be a whole number from 1 to 1024, not 'two'."),
        (["--option", "bump=perhaps"], "The option bump must be true or false, not 'perhaps'."),
        (["--months", "61"], "--months must be a whole number from 0 to 60."),
        (["--preset", "pa_other"], "The preset must be one of pa_standard, pa_reissue."),
        (["--option", "custodian=3", "--players", "2"], "Nobody sits at 3, which is to be custodian."),
        (["--players", "5"], "--players must be a whole number from 2 to 4."),
        (["--games", "0"], "--games must be a whole number from 1 to 10000000."),
        (["--bots", "clever"], "--bots must be one of random, sensible, default, not 'clever'."),
        (["--processes", "0"], "--processes must be a whole number from 1 to 1024."),
    ],
)
def test_what_is_not_possible_is_said_in_one_line(arguments: list[str], said: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.output) == (1, f"Error: {said}\n")


def test_another_rulebook_is_not_simulated() -> None:
    result = CliRunner().invoke(main, ["simulate", "chess"])
    assert result.exit_code == 1
    assert result.output == "Error: The rulebook must be one of public-assistance, social-justice, not 'chess'.\n"


@pytest.mark.parametrize("moment", ["while processes start", "in the middle"])
def test_an_interrupt_ends_it_cleanly(moment: str) -> None:
    """As a terminal sends it, to every process of the group: no trace, nobody left."""
    with _running("--games", "100000", "--processes", "2", "--bots", "default") as process:
        assert process.stderr is not None
        if moment == "in the middle":
            _wait_for_progress(process.stderr)
        children = _wait_for_children(process.pid)
        os.killpg(process.pid, signal.SIGINT)
        out, error = process.communicate(timeout=PATIENCE)
    assert (process.returncode, out) == (1, "")
    assert error.rstrip().endswith("Aborted!")
    assert "Traceback" not in error
    assert psutil.wait_procs(children, timeout=PATIENCE)[1] == []


@contextmanager
def _running(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run the command in a group of its own, as a terminal would; nothing is left of it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "service.cli", "simulate", "public-assistance", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # A shell has what it starts in the background ignore interrupts, and the tests may have been started so.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # noqa: PLW1509 # no thread runs here
        env={**os.environ, "FORCE_COLOR": "1", "COLUMNS": "120"},
    )
    with process:
        try:
            yield process
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def _wait_for_progress(stream: IO[str]) -> None:
    """Read until the bar says that some games are done."""
    text = ""
    while not re.search(r"\d0/100000", text):
        read = stream.read(1)
        assert read, f"it ended: {text}"
        text += read


def _wait_for_children(pid: int) -> list[psutil.Process]:
    """Wait until the helper of `multiprocessing` and both players are there."""
    deadline = time.monotonic() + PATIENCE
    while len(children := psutil.Process(pid).children(recursive=True)) < 3:
        assert time.monotonic() < deadline, children
        time.sleep(0.01)
    return children
