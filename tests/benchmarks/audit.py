"""How fast a long game is exported, audited and verified, and how little memory that takes: each as a process."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from events.store import Store, connect
from tests.support.long_games import long_game, put

LONG, SHORT = 50_000, 1_000


@dataclass(frozen=True)
class AuditFigures:
    """What `make bench` writes down about audits: one process each, its start included.

    Attributes:
        audit_long_events_per_s: `rollbook audit` of 50,000 events, every action executed again.
        export_long_events_per_s: `rollbook export` of the same.
        verify_long_events_per_s: `rollbook verify` of what that wrote.
        audit_peak_mb: Most memory of the first.
        export_peak_mb: Of the second.
        verify_peak_mb: Of the third.
        audit_short_peak_mb: Of an audit of 1,000 events, for comparison.
    """

    audit_long_events_per_s: int
    export_long_events_per_s: int
    verify_long_events_per_s: int
    audit_peak_mb: int
    export_peak_mb: int
    verify_peak_mb: int
    audit_short_peak_mb: int


def measure(url: str, folder: Path, say: Callable[[str], None]) -> AuditFigures:
    """Write a long game and a short one into a store and measure the three commands on them."""
    store = Store(connect(url))
    for name, events in (("long", LONG), ("short", SHORT)):
        put(store, long_game(name, events=events))
    folder.mkdir(exist_ok=True)
    bundle = str(folder / "long.ndjson")
    at_store = ["--redis-url", url, "--data", str(folder)]
    audit, audit_peak = run("audit", "long", *at_store)
    export, export_peak = run("export", "long", "--output", bundle, *at_store)
    verify, verify_peak = run("verify", bundle)
    _, short_peak = run("audit", "short", *at_store)
    figures = AuditFigures(
        audit_long_events_per_s=int(LONG / audit),
        export_long_events_per_s=int(LONG / export),
        verify_long_events_per_s=int(LONG / verify),
        audit_peak_mb=audit_peak,
        export_peak_mb=export_peak,
        verify_peak_mb=verify_peak,
        audit_short_peak_mb=short_peak,
    )
    say(f"a game of {LONG:,} events, each command a process of its own:")
    say(
        f"  audit  {figures.audit_long_events_per_s:>8,} events/s, peak {audit_peak} MB (1,000 events: {short_peak} MB)"
    )
    say(f"  export {figures.export_long_events_per_s:>8,} events/s, peak {export_peak} MB")
    say(f"  verify {figures.verify_long_events_per_s:>8,} events/s, peak {verify_peak} MB")
    return figures


LAUNCHER = """
import resource, subprocess, sys
subprocess.run([sys.executable, "-m", "service.cli", *sys.argv[1:]], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def run(*arguments: str) -> tuple[float, int]:
    """Run a command that must succeed; gives seconds, and the most memory that it had at a time, in MB.

    A process counts what it was forked from: so a small one starts it, and not this one.
    """
    started = perf_counter()
    launched = subprocess.run([sys.executable, "-c", LAUNCHER, *arguments], stdout=subprocess.PIPE, check=True)
    kilobytes = int(launched.stdout) // (1024 if sys.platform == "darwin" else 1)
    return perf_counter() - started, kilobytes // 1024
