"""`rollbook` commands as real processes, each on a data folder of its own."""

import os
import re
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import psutil

ROOT = Path(__file__).parents[2]
# Of the caller's environment; compiling our modules again would be a third of what the start of a process costs.
UNSET = ("ROLLBOOK_", "PYTHONDONTWRITEBYTECODE")
AT_ANY_SPEED = {"ROLLBOOK_LIMIT_RATE_PER_ADDRESS": "0", "ROLLBOOK_LIMIT_RATE_PER_TOKEN": "0"}
LONG = 30.0  # seconds until a wait gives up: a limit, not a measure


def until(condition: Callable[[], object], what: str) -> None:
    end = time.monotonic() + LONG
    while not condition():
        assert time.monotonic() < end, f"waited in vain until {what}"
        time.sleep(0.02)


class Serve:
    """One running command, and what it wrote."""

    def __init__(self, folder: Path, *arguments: str, output: Path, module: str, imports_from: Path) -> None:
        self.folder = folder
        self._output = output
        environment = {name: value for name, value in os.environ.items() if not name.startswith(UNSET)}
        hangup = signal.signal(signal.SIGHUP, signal.SIG_DFL)  # under nohup, children would inherit that it is ignored
        with output.open("wb") as file:
            self.process = subprocess.Popen(
                [sys.executable, "-P", "-m", module, *arguments, "--data", str(folder)],
                stdout=file,
                stderr=subprocess.STDOUT,
                cwd=folder.parent if folder.parent.is_dir() else "/",
                env={**environment, **AT_ANY_SPEED, "PYTHONPATH": str(imports_from)},
                start_new_session=True,  # a group of its own, as a terminal gives to its foreground command
            )
        signal.signal(signal.SIGHUP, hangup)

    @property
    def output(self) -> str:
        return self._output.read_text()

    @property
    def url(self) -> str:
        found = re.search(r"ready at (\S+)", self.output)
        assert found, self.output
        return found[1]

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])

    def ready(self) -> "Serve":
        until(lambda: "ready at" in self.output or self.process.poll() is not None, "it is ready")
        assert self.process.poll() is None, self.output
        return self

    def get(self, path: str) -> str:
        with urllib.request.urlopen(self.url + path, timeout=LONG) as answer:
            text: str = answer.read().decode()
            return text

    def ended(self) -> int:
        return self.process.wait(timeout=LONG)

    def stop(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.ended()


def processes_of(folder: Path) -> list[psutil.Process]:
    """All living processes that belong to a data folder: by their environment, or as its Valkey."""
    found = []
    for process in psutil.process_iter():
        try:
            belongs = process.environ().get("ROLLBOOK_DATA") == str(folder) or process.cwd() == str(folder / "valkey")
            if belongs and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except (psutil.NoSuchProcess, psutil.AccessDenied):
            continue
    return found
