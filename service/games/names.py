"""Names of seats: what may be typed in, and which names look alike."""

import re
import unicodedata
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import Any

import msgspec

from service.errors import NameTaken
from service.games.texts import ERASED, MISSING

MOST_MARKS = 4
"""Most accents on one letter (UTS #39, 5.4)."""

_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cs", "Zl", "Zp"})
# Letters and marks by their category, and yet they print nothing.
_BLANK = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0") | set(map(chr, range(0xFE00, 0xFE10)))
# They print nothing either, but Persian, the scripts of India and emoji cannot be written without them.
_JOINERS = frozenset("\u200c\u200d\ufe0f")
_JOINED = frozenset({"Lo", "Mc", "Mn", "Sk", "So"})
_OURS = re.compile(
    r"\[erased\]|\[missing\]|seat \d+|nobody|(the )?(bank|public purse|system|host|clock|operator)|escrow|a bot for .*"
)


def fault(name: str) -> str:
    """Return what is wrong with a name in a sentence; empty when nothing is."""
    if not name.strip():
        return "Must not be blank."
    before = ""
    for letter in name:
        if _hidden(letter) and not (letter in _JOINERS and unicodedata.category(before or " ") in _JOINED):
            return "Must not hold control characters, nor characters that cannot be seen."
        before = letter
    if _most_marks(name) > MOST_MARKS:
        return f"Must not have more than {MOST_MARKS} accents on one letter."
    if _OURS.fullmatch(looks(name)[0]):
        return "Must not be what the service calls others."
    return ""


def check_free(name: str, others: Iterable[str]) -> None:
    """Check that a name does not look like another one at the table.

    Raises:
        NameTaken: It does.
    """
    wanted = looks(name)
    for other in others:
        if other not in ("", ERASED, MISSING) and any(
            one == two for one, two in zip(wanted, looks(other), strict=True)
        ):
            raise NameTaken("Someone at this table has this name, or one that looks like it.")


def looks(name: str) -> tuple[str, str]:
    """Return what two names have in common that are read as the same: in any case of letters, or by their shapes."""
    seen = "".join(letter for letter in unicodedata.normalize("NFKD", name) if not _hidden(letter))
    latin = " ".join(seen.translate(_look_alikes()).split())
    return latin.casefold(), latin.translate(_SHAPES).replace("rn", "m")


_SHAPES = str.maketrans("I1|0", "lllO")


def _hidden(letter: str) -> bool:
    return letter in _BLANK or unicodedata.category(letter) in _HIDDEN


def _most_marks(name: str) -> int:
    """Count the accents of the letter that has most."""
    most = here = 0
    for letter in name:
        here = here + 1 if unicodedata.category(letter) in ("Mn", "Me") else 0
        most = max(most, here)
    return most


@cache
def _look_alikes() -> dict[int, str]:
    """Return the letters that look like one of ASCII, with that one."""
    # Only the package's data are read: its module would keep all of them in memory, fifteen megabytes.
    stored = resources.files("confusable_homoglyphs").joinpath("confusables.json").read_bytes()
    known = msgspec.json.decode(stored, type=dict[str, list[dict[str, Any]]])
    found = {}
    for letter, others in known.items():
        plain = next((other["c"] for other in others if other["c"].isascii() and other["c"].isalnum()), "")
        if len(letter) == 1 and not letter.isascii() and plain:
            found[ord(letter)] = plain
    return found
