"""The checks of `rollbook doctor`: small functions in a list.

A check gets the `Patient` and returns one or more findings. Another check is a function and a line in `CHECKS`. None
of them writes to the store.
"""

import os
import shutil
import socket
import stat
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from events.store import HeadLog, Store, StoreError, connect
from service.games.heads import HEADS_LOG, damaged_log
from service.games.writing import lost_tail
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
class Finding:
    """What one check says."""

    check: str
    status: Status
    detail: str


@dataclass(frozen=True, kw_only=True)
class Patient:
    """What the checks look at.

    Attributes:
        settings: How Rollbook would run here.
        url: The store's address; None: no store was opened.
        info: Asks the store for one section of `INFO` on each of its nodes; None: no store was opened.
        why_no_store: Then the reason, and whether it is a fault.
        environ: The environment.
    """

    settings: Settings
    url: str | None
    info: Info | None
    why_no_store: Finding | None
    environ: Mapping[str, str]


def python(_patient: Patient) -> Iterable[Finding]:
    """Python is new enough."""
    version = ".".join(map(str, sys.version_info[:3]))
    yield Finding("Python", "ok" if sys.version_info >= LEAST_PYTHON else "fail", version)


def variables(patient: Patient) -> Iterable[Finding]:
    """No variable is misspelt."""
    known = {*patient.settings.environment(), "ROLLBOOK_DEBUG"}
    unknown = sorted(name for name in patient.environ if name.startswith("ROLLBOOK_") and name not in known)
    if unknown:
        yield Finding("Variables", "warn", f"not known, so without effect: {', '.join(unknown)}")


def data_folder(patient: Patient) -> Iterable[Finding]:
    """The data folder can be written; it is made by this, as `rollbook serve` would."""
    folder = DataFolder(patient.settings.data)
    try:
        folder.prepare()
    except EmbeddedStoreError as error:
        yield Finding("Data folder", "fail", str(error))
        return
    yield Finding("Data folder", "ok", str(folder.root))


def key_files(patient: Patient) -> Iterable[Finding]:
    """Keys can be used, and are readable by their owner alone."""
    for name, path in (
        ("Server key", patient.settings.secret_file),
        ("Signing key", patient.settings.signing_key_file),
        ("Operator token", patient.settings.operator_token_file),
    ):
        try:
            mode = path.stat().st_mode
        except OSError:
            yield Finding(name, "ok", f"{path} is made at the first start")
            continue
        try:
            read_signer(path) if name == "Signing key" else read_key(path, variable=name)
        except SettingsError as error:
            yield Finding(name, "fail", str(error))
            continue
        open_to = stat.S_IMODE(mode) & 0o077
        detail = f"{path} can be read by others (chmod 600)" if open_to else str(path)
        yield Finding(name, "warn" if open_to else "ok", detail)


def key_fits(patient: Patient) -> Iterable[Finding]:
    """The store was written with this server key."""
    path = patient.settings.secret_file
    if patient.url is None or not path.is_file():
        return
    claimed = Store(connect(patient.url)).ownership.claimed_key()
    fault = key_fault(claimed, server_key(patient.settings), path=path)
    yield Finding("Key and store", "fail" if fault else "ok", fault or "the store was written with this server key")


def locks(patient: Patient) -> Iterable[Finding]:
    """Who runs on the folder."""
    folder = DataFolder(patient.settings.data)
    if folder.serve_lock.is_held():
        yield Finding("Lock", "ok", f"`rollbook serve` runs (process {folder.serve_lock.read_note()})")
    elif folder.children_lock.is_held():
        yield Finding("Lock", "warn", "a `rollbook serve` was killed, and its processes are still ending")
    else:
        yield Finding("Lock", "ok", "no `rollbook serve` runs on the data folder")


def store(patient: Patient) -> Iterable[Finding]:
    """The store answers."""
    if patient.info is None:
        if patient.why_no_store is not None:
            yield patient.why_no_store
        return
    servers = patient.info("server")
    names = sorted({f"{info.get('server_name', 'redis')} {_version(info)}" for info in servers})
    yield Finding("Store", "ok", f"{', '.join(names)}, {len(servers)} node(s)")


def buckets(patient: Patient) -> Iterable[Finding]:
    """The store is one that this program finds its games in."""
    if patient.url is not None:
        try:
            Store(connect(patient.url)).ownership.is_claimed()
        except StoreError as error:
            yield Finding("Buckets", "fail", str(error))


def append_only_file(patient: Patient) -> Iterable[Finding]:
    """What the store acknowledged is in a file."""
    if patient.info is None:
        return
    failed = [node for node in patient.info("persistence") if node.get("aof_last_write_status", "ok") != "ok"]
    if failed:
        yield Finding("Append-only file", "fail", f"the last write failed on {len(failed)} node(s)")
    else:
        yield _volatility(patient, "Append-only file", log_faults(patient.info), "on")


def eviction(patient: Patient) -> Iterable[Finding]:
    """The store forgets nothing when its memory is full."""
    if patient.info is not None:
        yield _volatility(patient, "Eviction", eviction_faults(patient.info), "noeviction")


def memory(patient: Patient) -> Iterable[Finding]:
    """The store has room for more events."""
    if patient.info is not None:
        faults = memory_faults(patient.info)
        yield Finding("Memory", "fail" if faults else "ok", faults[0] if faults else "below the store's limit")


def disk(patient: Patient) -> Iterable[Finding]:
    """There is room in the data folder."""
    free = shutil.disk_usage(_existing(patient.settings.data)).free
    status: Status = "fail" if free < NO_DISK else "warn" if free < LOW_DISK else "ok"
    yield Finding("Disk", status, f"{free / 1e9:,.1f} GB free")


def port(patient: Patient) -> Iterable[Finding]:
    """The API can listen, or does already."""
    name = f"{patient.settings.host}:{patient.settings.port}"
    address = DataFolder(patient.settings.data).url()
    if address and urlsplit(address).port == patient.settings.port:
        yield Finding("Port", "ok", f"`rollbook serve` answers at {address}")
        return
    try:
        listener: socket.socket = bind(patient.settings.host, patient.settings.port)
    except ServeError as error:
        yield Finding("Port", "fail", f"{error}; `rollbook serve` answers at {address}" if address else str(error))
        return
    listener.close()
    yield Finding("Port", "ok", f"`rollbook serve` answers at {address}" if address else f"{name} is free")


def heads_log(patient: Patient) -> Iterable[Finding]:
    """The log of heads can be written, all of it can be read, and it was not cut in its last line."""
    path = patient.settings.data / HEADS_LOG
    for aside in sorted(path.parent.glob(f"{HEADS_LOG}.damaged-*")):
        yield Finding("Heads log", "warn", f"{aside} had lines that cannot be read; remove it when you have looked")
    try:
        with path.open("rb+") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 1))
            whole = file.read() in (b"\n", b"")
        log = HeadLog(path, reading=True)
        log.close()
    except FileNotFoundError:
        yield Finding("Heads log", "ok", "empty: nothing was appended yet")
    except OSError as error:
        yield Finding("Heads log", "fail", f"{path} cannot be used: {error.strerror}")
    else:
        yield _legibility(log, f"{path}, {size:,} bytes" if whole else f"{path}: the last line is cut", whole=whole)


def _legibility(log: HeadLog, detail: str, *, whole: bool) -> Finding:
    if log.damaged:
        return Finding("Heads log", "fail", damaged_log(log))
    return Finding("Heads log", "ok" if whole else "warn", detail)


def lost_tails(patient: Patient) -> Iterable[Finding]:
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
    for tail in lost:
        yield Finding("History", "fail", lost_tail(tail))
    if not known and store.index.games(limit=1):
        yield Finding("History", "warn", f"the store has games, and {path} knows none: what they lost is not noticed")
    elif not lost:
        yield Finding("History", "ok", "every game has all events that were acknowledged")


def background(patient: Patient) -> Iterable[Finding]:
    """Somebody keeps the clocks and moves the bots."""
    if patient.url is None:
        return
    if patient.settings.redis_url is None and not DataFolder(patient.settings.data).serve_lock.is_held():
        yield Finding("Background", "ok", "a clock and a worker begin with `rollbook serve`")
        return
    store = Store(connect(patient.url))
    faults = list(background_faults(store.heartbeats, store.now(), lambda: _workers(patient)))
    for fault in faults:
        yield Finding("Background", "warn", fault)
    if not faults:
        yield Finding("Background", "ok", "a clock and a worker are there")


def _workers(patient: Patient) -> int | None:
    try:
        return JobQueue.at(patient.settings.queue_url or patient.url or "").workers()
    except (SettingsError, ValueError):  # a cluster is no queue
        return None


CHECKS: list[Callable[[Patient], Iterable[Finding]]] = [
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


def examine(patient: Patient) -> list[Finding]:
    """Run all checks; one that breaks is a finding itself, and the others still run."""
    findings: list[Finding] = []
    for check in CHECKS:
        try:
            findings += check(patient)
        except Exception as error:
            findings.append(Finding(check.__name__, "fail", f"the check broke: {type(error).__name__}: {error}"))
    return findings


def _version(info: Mapping[str, Any]) -> str:
    return str(info.get("valkey_version") or info.get("redis_version"))


def _volatility(patient: Patient, check: str, faults: list[str], well: str) -> Finding:
    if not faults:
        return Finding(check, "ok", well)
    return Finding(check, "warn" if patient.settings.allow_volatile else "fail", faults[0])


def _existing(path: Path) -> Path:
    """Return the nearest folder that exists."""
    return next(parent for parent in (path, *path.parents) if parent.is_dir())
