"""What `rollbook demo` makes of what it reads back: whatever is off is named, and the command ends with 1."""

import copy
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from service.cli.demo import command as demonstration

GOOD: dict[str, Any] = {
    "/games/g": {
        "state": {
            "rulebook": "public_assistance",
            "status": "finished",
            "version": 3,
            "standings": [],
            "cash": {"custodian": -500, "seat:1": 500, "escrow": 0},
        },
        "names": {"1": "Ann"},
    },
    "/games/g/steps?limit=100&after=0": {
        "steps": [{"first": 1, "last": 2, "lines": ["one", "two"]}],
        "after": 2,
        "more": True,
    },
    "/games/g/steps?limit=100&after=2": {
        "steps": [{"first": 3, "last": 3, "lines": ["three"]}],
        "after": 3,
        "more": False,
    },
    "/games/g/ledger/trial-balance": {
        "debit": 500,
        "credit": 500,
        "rows": [
            {"account": "custodian", "debit": 0, "credit": 500},
            {"account": "seat:1", "debit": 500, "credit": 0},
        ],
    },
    "/games/g/verification": {"verdict": "holds; actions not executed", "checks": ["books"], "findings": []},
}


def not_over(told: dict[str, Any]) -> None:
    told["/games/g"]["state"]["status"] = "playing"


def a_lost_step(told: dict[str, Any]) -> None:
    told["/games/g/steps?limit=100&after=2"]["steps"] = []


def other_totals(told: dict[str, Any]) -> None:
    told["/games/g/ledger/trial-balance"]["debit"] = 400


def another_row(told: dict[str, Any]) -> None:
    told["/games/g/ledger/trial-balance"]["rows"][1]["debit"] = 400


def other_cash(told: dict[str, Any]) -> None:
    told["/games/g"]["state"]["cash"]["seat:1"] = 600


def a_finding(told: dict[str, Any]) -> None:
    told["/games/g/verification"]["findings"] = [{"version": 2, "check": "chain"}]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (None, "All is well."),
        (not_over, "the game is not finished"),
        (a_lost_step, "the replay tells 2 of 3 events"),
        (other_totals, "the trial balance does not balance"),
        (another_row, "the trial balance does not balance"),
        (other_cash, "ledger and game disagree on the cash of seat:1"),
        (a_finding, "event 2: chain"),
    ],
)
def test_whatever_is_off_is_named_and_ends_with_1(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, change: Any, said: str
) -> None:
    told = copy.deepcopy(GOOD)
    if change:
        change(told)
    monkeypatch.setattr(demonstration.Api, "get", lambda _api, path: told[path])
    monkeypatch.setattr(demonstration, "server", lambda _settings: nullcontext("http://nowhere"))
    monkeypatch.setattr(demonstration, "open_table", lambda *_: ("g", []))
    monkeypatch.setattr(demonstration, "play", lambda *_, **__: None)
    for form in ((), ("--json",)):
        done = CliRunner().invoke(demonstration.demo, [*form, "--data", str(tmp_path)])
        assert done.exit_code == (1 if change else 0), done.output
        assert form or said in done.output
