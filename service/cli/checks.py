"""The checks of `rollbook doctor`: small functions in a list.

A check gets the `Patient` and yields its results; its docstring is what holds when all is well. A new check is a
function and a line in `CHECKS`. None of them writes to the store.
"""

import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from events.store import HeadLog, Store, StoreError, connect
from service.games.clock import Clock
from service.games.heads import HEADS_LOG, damaged_log
from service.games.integrity import lost_tail
from service.hosting.health import background_faults
from service.hosting.store_info import Info, eviction_faults, log_faults, memory_faults
from service.hosting.supervisor.children import ServeError
from service.hosting.supervisor.listener import bind
from service.hosting.valkey import DataFolder, EmbeddedStoreError
from service.jobs import JobQueue
from service.keys.claim import key_fault
from service.keys.files import read_key, server_key
from service.keys.signing import read_signer
from service.settings import Settings, SettingsError

Status = Literal["ok", "warn", "fail"]
LEAST_PYTHON = (3, 11)
LOW_DISK = 1_000_000_000  # bytes
NO_DISK = 100_000_000


@dataclass(frozen=True)
class CheckResult:
    """What one check found."""

    check: str
    status: Status
    detail: str


@dataclass(frozen=True, kw_only=True)
class Patient:
    """The installation that is checked.

    Attributes:
        settings: How Rollbook would run here.
        url: The store's address; None where no store was opened.
        info: Asks the store for one section of `INFO` on each of its nodes; None where no store was opened.
        why_no_store: The result that says why no store was opened; None where one was.
        environ: The environment.
    """

    settings: Settings
    url: str | None
    info: Info | None
    why_no_store: CheckResult | None
    environ: Mapping[str, str]


def python(_patient: Patient) -> Iterable[CheckResult]:
    """Python is new enough."""
    version = ".".join(map(str, sys.version_info[:3]))
    yield CheckResult("Python", "ok" if sys.version_info >= LEAST_PYTHON else "fail", version)


def variables(patient: Patient) -> Iterable[CheckResult]:
    """No variable is misspelt."""
    known = {*patient.settings.environment(), "ROLLBOOK_DEBUG"}
    unknown = sorted(name for name in patient.environ if name.startswith("ROLLBOOK_") and name not in known)
    if unknown:
        yield CheckResult("Variables", "warn", f"not known, so without effect: {', '.join(unknown)}")


def data_folder(patient: Patient) -> Iterable[CheckResult]:
    """The data folder can be written; this makes it, as `rollbook serve` would."""
    folder = DataFolder(patient.settings.data)
    try:
        folder.prepare()
    except EmbeddedStoreError as error:
        yield CheckResult("Data folder", "fail", str(error))
        return
    yield CheckResult("Data folder", "ok", str(folder.root))


def key_files(patient: Patient) -> Iterable[CheckResult]:
    """Keys can be used, and only their owner can read them."""
    for name, path in (
        ("Server key", patient.settings.secret_file),
        ("Signing key", patient.settings.signing_key_file),
        ("Operator token", patient.settings.operator_token_file),
    ):
        try:
            mode = path.stat().st_mode
        except OSError:
            yield CheckResult(name, "ok", f"{path} is made at the first start")
            continue
        try:
            read_signer(path) if name == "Signing key" else read_key(path, variable=name)
        except SettingsError as error:
            yield CheckResult(name, "fail", str(error))
            continue
        open_to = stat.S_IMODE(mode) & 0o077
        detail = f"{path} can be read by others (chmod 600)" if open_to else str(path)
        yield CheckResult(name, "warn" if open_to else "ok", detail)


def key_fits(patient: Patient) -> Iterable[CheckResult]:
    """The store was written with this server key."""
    path = patient.settings.secret_file
    if patient.url is None or not path.is_file():
        return
    claimed = Store(connect(patient.url)).ownership.claimed_key()
    fault = key_fault(claimed, server_key(patient.settings), path=path)
    yield CheckResult("Key and store", "fail" if fault else "ok", fault or "the store was written with this server key")


def locks(patient: Patient) -> Iterable[CheckResult]:
    """The folder's locks show a `rollbook serve` that runs, or that none does."""
    folder = DataFolder(patient.settings.data)
    if folder.serve_lock.is_held():
        yield CheckResult("Lock", "ok", f"`rollbook serve` runs (process {folder.serve_lock.read_note()})")
    elif folder.children_lock.is_held():
        yield CheckResult("Lock", "warn", "a `rollbook serve` was killed, and its processes are still ending")
    else:
        yield CheckResult("Lock", "ok", "no `rollbook serve` runs on the data folder")


def store(patient: Patient) -> Iterable[CheckResult]:
    """The store answers."""
    if patient.info is None:
        if patient.why_no_store is not None:
            yield patient.why_no_store
        return
    servers = patient.info("server")
    names = sorted({f"{info.get('server_name', 'redis')} {_version(info)}" for info in servers})
    yield CheckResult("Store", "ok", f"{', '.join(names)}, {len(servers)} node(s)")


def buckets(patient: Patient) -> Iterable[CheckResult]:
    """The store has the number of buckets that this program uses."""
    if patient.url is not None:
        try:
            Store(connect(patient.url)).ownership.is_claimed()
        except StoreError as error:
            yield CheckResult("Buckets", "fail", str(error))


def append_only_file(patient: Patient) -> Iterable[CheckResult]:
    """The store keeps what it acknowledged in a file."""
    if patient.info is None:
        return
    failed = [node for node in patient.info("persistence") if node.get("aof_last_write_status", "ok") != "ok"]
    if failed:
        yield CheckResult("Append-only file", "fail", f"the last write failed on {len(failed)} node(s)")
    else:
        yield _volatility(patient, "Append-only file", log_faults(patient.info), "on")


def eviction(patient: Patient) -> Iterable[CheckResult]:
    """The store drops nothing when its memory is full."""
    if patient.info is not None:
        yield _volatility(patient, "Eviction", eviction_faults(patient.info), "noeviction")


def memory(patient: Patient) -> Iterable[CheckResult]:
    """The store has room for more events."""
    if patient.info is not None:
        faults = memory_faults(patient.info)
        yield CheckResult("Memory", "fail" if faults else "ok", faults[0] if faults else "below the store's limit")


def disk(patient: Patient) -> Iterable[CheckResult]:
    """There is room in the data folder."""
    free = shutil.disk_usage(_existing(patient.settings.data)).free
    status: Status = "fail" if free < NO_DISK else "warn" if free < LOW_DISK else "ok"
    yield CheckResult("Disk", status, f"{free / 1e9:,.1f} GB free")


def port(patient: Patient) -> Iterable[CheckResult]:
    """The API can listen, or listens already."""
    name = f"{patient.settings.host}:{patient.settings.port}"
    address = DataFolder(patient.settings.data).url()
    if address and urlsplit(address).port == patient.settings.port:
        yield CheckResult("Port", "ok", f"`rollbook serve` answers at {address}")
        return
    try:
        bind(patient.settings.host, patient.settings.port).close()
    except ServeError as error:
        yield CheckResult("Port", "fail", f"{error}; `rollbook serve` answers at {address}" if address else str(error))
        return
    yield CheckResult("Port", "ok", f"`rollbook serve` answers at {address}" if address else f"{name} is free")


def heads_log(patient: Patient) -> Iterable[CheckResult]:
    """The log of heads can be written, all of it can be read, and it was not cut in its last line."""
    path = patient.settings.data / HEADS_LOG
    for aside in sorted(path.parent.glob(f"{HEADS_LOG}.damaged-*")):
        detail = f"{aside} had lines that cannot be read; remove it when you have looked"
        yield CheckResult("Heads log", "warn", detail)
    try:
        with path.open("rb+") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 1))
            whole = file.read() in (b"\n", b"")
        log = HeadLog(path, reading=True)
        log.close()
    except FileNotFoundError:
        yield CheckResult("Heads log", "ok", "empty: nothing was appended yet")
    except OSError as error:
        yield CheckResult("Heads log", "fail", f"{path} cannot be used: {error.strerror}")
    else:
        if log.damaged:
            yield CheckResult("Heads log", "fail", damaged_log(log))
        elif whole:
            yield CheckResult("Heads log", "ok", f"{path}, {size:,} bytes")
        else:
            yield CheckResult("Heads log", "warn", f"{path}: the last line is cut")


def lost_tails(patient: Patient) -> Iterable[CheckResult]:
    """No game is shorter than what was acknowledged."""
    path = patient.settings.data / HEADS_LOG
    if patient.url is None:
        return
    store = Store(connect(patient.url))
    known, lost = 0, []
    if path.is_file():
        log = HeadLog(path, reading=True)
        known, lost = log.count(), log.compare(store.streams)
        log.close()
    wrong = store.streams.frozen() | {tail.game: lost_tail(tail) for tail in lost}
    for why in wrong.values():
        yield CheckResult("History", "fail", why)
    if not known and store.index.games(limit=1):
        detail = f"the store has games, and {path} knows none: what they lost is not noticed"
        yield CheckResult("History", "warn", detail)
    elif not wrong:
        yield CheckResult("History", "ok", "every game has all events that were acknowledged")


def background(patient: Patient) -> Iterable[CheckResult]:
    """There are processes that keep the clocks and move the bots."""
    if patient.url is None:
        return
    if patient.settings.redis_url is None and not DataFolder(patient.settings.data).serve_lock.is_held():
        yield CheckResult("Background", "ok", "a clock and a worker begin with `rollbook serve`")
        return
    store = Store(connect(patient.url))
    clock = Clock(store.now)
    clock.follow(store.heartbeats.newest())
    faults = list(background_faults(store.heartbeats, clock.now(), lambda: _workers(patient), apart=clock.apart))
    for fault in faults:
        yield CheckResult("Background", "warn", fault)
    if not faults:
        yield CheckResult("Background", "ok", "a clock and a worker are there")


def _workers(patient: Patient) -> int | None:
    try:
        return JobQueue.at(patient.settings.queue_url or patient.url or "").workers()
    except (SettingsError, ValueError):  # a cluster is no queue
        return None


CHECKS: list[Callable[[Patient], Iterable[CheckResult]]] = [
    python,
    variables,
    data_folder,
    key_files,
    locks,
    store,
    buckets,
    key_fits,
    append_only_file,
    eviction,
    memory,
    disk,
    port,
    heads_log,
    lost_tails,
    background,
]


def examine(patient: Patient) -> list[CheckResult]:
    """Run all checks; one that breaks has that as its result, and the others still run."""
    results: list[CheckResult] = []
    for check in CHECKS:
        try:
            results += check(patient)
        except Exception as error:
            results.append(CheckResult(check.__name__, "fail", f"the check broke: {type(error).__name__}: {error}"))
    return results


def _version(info: Mapping[str, Any]) -> str:
    return str(info.get("valkey_version") or info.get("redis_version"))


def _volatility(patient: Patient, check: str, faults: list[str], well: str) -> CheckResult:
    if not faults:
        return CheckResult(check, "ok", well)
    return CheckResult(check, "warn" if patient.settings.allow_volatile else "fail", faults[0])


def _existing(path: Path) -> Path:
    """Return the nearest folder that exists."""
    return next(parent for parent in (path, *path.parents) if parent.is_dir())
