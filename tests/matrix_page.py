"""Make docs/verifying.md, what each verifier can find: `python -m tests.matrix_page`.

It holds the whole matrix of planted changes; the tests hold a sample of it against the page, the long ones all of it.
"""

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from tests.support.events_planted import EVENTS
from tests.support.lines_planted import LINES
from tests.support.matrix import GAMES, Found, fields_of, found, of_events, of_lines, types

PAGE = Path(__file__).parents[1] / "docs" / "verifying.md"
BEGIN = "<!-- made by python -m tests.matrix_page -->\n"
HEADS = "| change | `rollbook verify` | `verify_bundle.py` |\n|---|---|---|\n"
FIELDS = (
    "Of every type of event each field was changed. `rollbook verify` finds them all, and `verify_bundle.py` those of"
    " the envelope: `action`, `actor`, `at` and `version`; but for these types:\n\n"
    "| event | not found by `rollbook verify` | found by `verify_bundle.py`, too |\n|---|---|---|\n"
)
ENVELOPE = {"action", "actor", "at", "version"}


def row(name: str, results: dict[str, Found]) -> str:
    """A row of the matrix: what each verifier says of a change, in both games or in one."""
    cells = [_cell({game: getattr(one, who) for game, one in results.items()}) for who in ("ours", "theirs")]
    return f"| {name} | {' | '.join(cells)} |"


def _cell(said: dict[str, str]) -> str:
    words = {word or "–" for word in said.values()}
    if len(words) == 1:
        return words.pop()
    return "; ".join(f"{word or '–'} ({''.join(part[0] for part in game.split())})" for game, word in said.items())


def line_row(name: str) -> str:
    return row(name, {game: found(of_lines(name, game)) for game in GAMES})


def event_row(group: str, name: str) -> str:
    results: dict[str, Found] = {}
    for game in GAMES:
        with suppress(IndexError):  # what is changed is not in every game
            results[game] = found(of_events(group, name, game))
    return row(name, results)


def field_row(kind: str) -> str:
    """A row for a type of event of which other fields are found than of most; empty for any other type."""
    results = list(fields_of(kind))
    unseen = dict.fromkeys(label for label, one in results if not one.ours)
    theirs = dict.fromkeys(label for label, one in results if one.theirs and label not in ENVELOPE)
    missed = [label for label, one in results if not one.theirs and label in ENVELOPE]
    more = ", ".join([*(f"`{name}`" for name in theirs), *(f"not `{name}`" for name in missed)])
    return f"| `{kind}` | {_names(unseen)} | {more or '–'} |" if unseen or more else ""


def _names(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names) or "–"


def tables() -> str:
    """Every table of the page."""
    parts = ["\n### Lines\n\n" + HEADS + "\n".join(map(line_row, LINES)) + "\n"]
    for group, changes in EVENTS.items():
        rows = "\n".join(event_row(group, name) for name in changes)
        parts.append(f"\n### {group}\n\n{HEADS}{rows}\n")
    parts.append("\n### Each field alone\n\n" + FIELDS + "\n".join(filter(None, map(field_row, types()))) + "\n")
    return "".join(parts)


if __name__ == "__main__":
    head, begin, _ = PAGE.read_text(encoding="utf-8").partition(BEGIN)
    PAGE.write_text(head + begin + tables(), encoding="utf-8")
