"""Fingerprints of the project's own files: they change with every file."""

from pathlib import Path

import pytest

from events.sources import files, fingerprint_of
from service.rules import versions


def laid_out(folder: Path, **found: str) -> str:
    for name, text in found.items():
        path = folder / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return fingerprint_of(files(folder, "rules"))


@pytest.mark.parametrize(
    "other",
    [
        {"bets": "x = 2", "loans__notes": "y = 1"},
        {"bets": "x = 1", "jail__notes": "y = 1"},
        {"bets": "x = 1", "notes": "y = 1"},
        {"bets": "x = 1", "loans__note": "y = 1"},
        {"bets": "x = 1"},
        {"bets": "x = 1", "loans__notes": "y = 1", "turn": ""},
    ],
    ids=["changed", "moved", "moved up", "renamed", "removed", "added"],
)
def test_a_fingerprint_is_of_paths_and_bytes(tmp_path: Path, other: dict[str, str]) -> None:
    one = laid_out(tmp_path / "one", bets="x = 1", loans__notes="y = 1")
    assert laid_out(tmp_path / "same", bets="x = 1", loans__notes="y = 1") == one
    assert laid_out(tmp_path / "other", **other) != one


def test_the_rules_fingerprint_covers_their_code_and_the_data_by_path() -> None:
    names = [name for name, _ in versions.covered()]
    assert {"service/rules/decide.py", "service/rules/public_assistance/bets.py"} <= set(names)
    assert "events/data/public_assistance_board_v1.json" in names
    assert not [name for name in names if name.startswith("events/") and name.endswith(".py")]
    assert len(names) == len(set(names))
    assert versions.fingerprint() == fingerprint_of(versions.covered())
