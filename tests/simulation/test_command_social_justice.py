"""`rollbook simulate social-justice`: its report, house rules from files, comparisons, and its refusals."""

import io
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from service.cli import main
from service.cli.simulate.game_options import options_of
from service.cli.simulate.tables import made, parts
from service.rules.options import OF_SOCIAL_JUSTICE
from service.simulation.social_justice.rule_signs import SIGNS
from tests.simulation.sj import BASIC_INCOME

FEW = ("--games", "3", "--players", "3", "--rounds", "3", "--seed", "s", "--processes", "1")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["simulate", "social-justice", *arguments], env={"COLUMNS": "200"})


def written(folder: Path, content: Any) -> str:
    path = folder / "rules.json"
    path.write_text(json.dumps(content))
    return str(path)


def test_the_report_as_tables() -> None:
    result = run(*FEW, "--option", "jail.enabled=off", "--option", "jail.immune_roles=owner,manager")
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "3 games of 3, bots: sensible, seed: s"
    assert lines[1] == "options: end.rounds=3, jail.enabled=false, jail.immune_roles=owner,manager"
    for part in (
        "Length of a game", "Why games ended", "Net worth in the end", "Wealth after each round", "From role to role",
        "Bankruptcies and deaths", "Ranks", "How often each rule", "Faces of the dice", "Change cards",
    ):  # fmt: skip
        assert sum(line.startswith(part) for line in lines) == 1, part
    assert [line.split()[0] for line in lines if line.startswith("SJG-")] == list(SIGNS)


def test_a_pipe_gets_every_figure_whole() -> None:
    """However narrow the terminal is that the command was typed in."""
    whole = CliRunner().invoke(main, ["simulate", "social-justice", *FEW], env={"COLUMNS": "30"}).stdout
    lines = whole.replace("1, 2, 3 …", "").splitlines()
    assert not any("…" in line for line in lines)
    heads = next(line for line in lines if line.split()[:2] == ["round", "Gini"])
    assert all(head in heads for head in ("employee $", "employee share", "owner in"))


@pytest.mark.parametrize("width", [40, 80])
def test_a_narrow_terminal_gets_narrow_tables(width: int) -> None:
    """A table that is too wide is printed in parts; each has the first column, and no figure is cut or lost."""
    heads = ("round", *(f"{role} {what}" for what in ("$", "share") for role in ("unemployed", "employee", "owner")))
    whole = made(heads, [(str(at), *(1_234_567 + part for part in range(6))) for at in range(3)])
    screen = Console(file=io.StringIO(), width=width)
    screen.print(*parts(whole, width), sep="\n")
    assert isinstance(screen.file, io.StringIO)
    printed = screen.file.getvalue()
    assert max(map(len, printed.splitlines())) <= width
    assert "…" not in printed
    assert all(printed.count(f"{1_234_567 + part:,}") == 3 for part in range(6))
    assert all(head in printed for head in heads)
    assert printed.count("round") > 1


def test_the_report_as_json_with_house_rules(tmp_path: Path) -> None:
    """Numbers on the standard output alone; the same command gives the same."""
    rules = written(tmp_path, [BASIC_INCOME, {"op": "set", "param": "hospital.va_fee", "value": 0}])
    first = run(*FEW, "--rules", rules, "--json")
    report = json.loads(first.stdout)
    assert (report["rulebook"], report["games"], report["players"], report["seed"]) == ("social_justice", 3, 3, "s")
    assert (report["options"]["end.rounds"], report["options"]["hospital.va_fee"]) == (3, 0)
    assert [operation["op"] for operation in report["house_rules"]] == ["add_transfer", "set"]
    assert report["happened"]["rule_adopted:transfers"] >= 3
    assert run(*FEW, "--rules", rules, "--json").stdout == first.stdout


def test_a_comparison(tmp_path: Path) -> None:
    """Tables for people; as JSON both reports and every difference."""
    rules = written(tmp_path, {"operations": [BASIC_INCOME]})
    shown = run(*FEW, "--compare", rules).stdout
    assert "house rule: add_transfer, trigger round_end, from bank, to all, amount fixed 100" in shown
    assert "\n    1  " in shown
    assert "+100 ± 0" in shown
    found = json.loads(run(*FEW, "--compare", rules, "--json").stdout)
    assert set(found) == {"without", "with", "differences"}
    assert found["differences"]["worth.owner@1"] == {
        "without": found["without"]["wealth"][1]["mean"]["owner"], "with": found["with"]["wealth"][1]["mean"]["owner"],
        "change": 100.0, "deviation": 0.0, "error": 0.0, "rose": 3, "fell": 0,
    }  # fmt: skip


def test_house_rules_may_hold_in_both(tmp_path: Path) -> None:
    """`--rules` in all games, `--compare` on top of them in one half."""
    (tmp_path / "a").mkdir()
    base = written(tmp_path / "a", [{"op": "disable", "rule": "jail.enabled"}])
    found = json.loads(run(*FEW, "--rules", base, "--compare", written(tmp_path, [BASIC_INCOME]), "--json").stdout)
    assert [len(found[half]["house_rules"]) for half in ("without", "with")] == [1, 2]
    assert [found[half]["options"]["jail.enabled"] for half in ("without", "with")] == [False, False]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("end.rounds=null", None),
        ("hospital.va_fee=007", 7),
        ("jail.enabled=Off", False),
        ("jail.die=6", 6),
        ("community.scope=group", "group"),
        ("jail.immune_roles=owner,manager", ["owner", "manager"]),
        ("jail.immune_roles=", []),
        ("college.aid_charge=[100, 90,80,70,60,0]", [100, 90, 80, 70, 60, 0]),
    ],
)
def test_an_option_is_read_as_the_kind_that_it_is(written: str, read: Any) -> None:
    """Numbers, flags, words, null, and lists with or without brackets."""
    options = options_of(OF_SOCIAL_JUSTICE, "sjg_standard", [written], players=3, purse="banker")
    assert options[written.partition("=")[0]] == read


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--option", "rent"], "--option takes NAME=VALUE, not 'rent'."),
        (["--option", "rent=1"], "There is no option called 'rent'."),
        (
            ["--option", "property.rent_pct=lots"],
            "The option property.rent_pct must be a whole number from 0 to 500, not 'lots'.",
        ),
        (["--option", "property.rent_pct=501"], "The option property.rent_pct must be a whole number from 0 to 500."),
        (
            ["--option", "property.rent_pct= 50"],
            "The option property.rent_pct must be a whole number from 0 to 500, not ' 50'.",
        ),
        (
            ["--option", "property.rent_pct=٥"],
            "The option property.rent_pct must be a whole number from 0 to 500, not '٥'.",
        ),
        (
            ["--option", "end.rounds=1_0"],
            "The option end.rounds must be null or a whole number from 1 to 200, not '1_0'.",
        ),
        (["--option", "jail.enabled=1"], "The option jail.enabled must be true or false, not '1'."),
        (["--option", "jail.die=5"], "The option jail.die must be one of 4, 6, 8, 10."),
        (
            ["--option", "college.aid_charge=1,2"],
            "The option college.aid_charge must be a list of 6, each a whole number from 0 to 100.",
        ),
        (
            ["--option", "jail.immune_roles=owner,king"],
            "The option jail.immune_roles must be a list of any of unemployed, employee, manager, owner.",
        ),
        (["--option", "bank=auto", "--option", "bank=player"], "The option bank is given twice."),
        (["--option", "end.rounds=5", "--rounds", "3"], "The option end.rounds is given twice."),
        (["--seed", ""], "--seed must be some text."),
        (["--seed", "\udcff"], "--seed must be some text."),
        (["--rounds", "201"], "--rounds must be a whole number from 1 to 200."),
        (["--rounds", "٣"], "--rounds must be a whole number from 1 to 200, not '٣'."),
        (["--players", "+3"], "--players must be a whole number from 2 to 8, not '+3'."),
        (["--preset", "pa_standard"], "The preset must be one of sjg_standard, sjg_last_standing."),
        (["--option", "banker=4", "--players", "3"], "Nobody sits at 4, which is to be banker."),
        (["--players", "9"], "--players must be a whole number from 2 to 8."),
        (["--games", "0"], "--games must be a whole number from 1 to 10000000."),
        (["--bots", "clever"], "--bots must be one of random, sensible, default, not 'clever'."),
    ],
)
def test_what_is_not_possible_is_said_in_one_line(arguments: list[str], said: str) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.output) == (1, f"Error: {said}\n")


def test_what_is_wrong_with_a_file_is_said_in_one_line(tmp_path: Path) -> None:
    missing = str(tmp_path / "none.json")
    assert run("--rules", missing).output == f"Error: {missing} cannot be read: No such file or directory.\n"
    wrong = written(tmp_path, [{"op": "set", "param": "rent", "value": 1}])
    said = f"Error: {wrong}: operations.0.param: There is no parameter called 'rent'.\n"
    assert run("--compare", wrong).output == said
    (tmp_path / "base").mkdir()
    base = written(tmp_path / "base", [BASIC_INCOME])
    assert run("--rules", base, "--compare", wrong).output == said
