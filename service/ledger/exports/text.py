"""What people typed in, made harmless: one line, printable, of a bounded length."""

import unicodedata
from datetime import date
from functools import lru_cache

from projections.ledger.chart import LedgerEntry

MOST = 100
"""Characters of a text that are kept."""

DAY_MS = 86_400_000
EPOCH = date(1970, 1, 1).toordinal()
LAST_DAY = date.max.toordinal() - 1
_BREAKERS = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})


def line(text: str) -> str:
    """Return a text as one line: characters that break, turn or hide a line become spaces, and a long text is cut."""
    if len(text) <= MOST and text.isprintable() and text == " ".join(text.split()):
        return text  # nearly every text: the rest is for texts that were meant to make trouble
    kept = text[: 4 * MOST]
    plain = "".join(" " if unicodedata.category(letter) in _BREAKERS else letter for letter in kept)
    words = " ".join(plain.split())
    return words if len(words) <= MOST and len(kept) == len(text) else words[: MOST - 1] + "…"


def day_of(at: int) -> int:
    """Return the day (UTC) of a time in milliseconds as an ordinal of `datetime.date`; the year 9999 is the last."""
    return min(EPOCH + at // DAY_MS, LAST_DAY)


@lru_cache(maxsize=64)
def written(day: int) -> str:
    """Write a day as ISO 8601 does."""
    return date.fromordinal(day).isoformat()


def moment(at: int) -> str:
    """Write a time as ISO 8601 does, in UTC to the millisecond."""
    seconds, ms = divmod(at % DAY_MS, 1000)
    hours, rest = divmod(seconds, 3600)
    return f"{written(day_of(at))}T{hours:02}:{rest // 60:02}:{rest % 60:02}.{ms:03}Z"


def details(entry: LedgerEntry) -> dict[str, int | str]:
    """Return what a file says of an entry besides its postings, by name, as it was recorded."""
    return {
        "version": entry.version,
        "turn": entry.turn,
        "step": entry.step,
        "at": moment(entry.at),
        "actor": entry.actor,
        "action": entry.action,
        "kind": entry.kind,
        "reason": entry.reason,
        "rule": entry.rule,
        "ref": entry.ref,
        "custodian": entry.custodian,
    }


def parts(entry: LedgerEntry) -> list[str]:
    """List the parts of a payment with their amounts."""
    return [f"{part.what}: {part.amount}" for part in entry.breakdown]
