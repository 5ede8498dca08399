"""A server that all tests share, and one of a module's own to trouble."""

import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest
import requests

from service.hosting.supervisor.children import api_child
from service.settings import limit_variable
from tests.support.http import Client
from tests.support.serving import AT_ANY_SPEED, UNSET
from tests.support.valkey import Valkey, valkey

ROOT = Path(__file__).parents[3]
LONG = 30.0


@contextmanager
def gunicorn(
    store: Valkey, data: Path, *, workers: int = 2, limits: Mapping[str, int] = {}, proxies: int = 0
) -> Iterator[str]:
    """Run the API on a free port of the loopback, with these limits beside the usual ones; gives its base URL."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(UNSET)}
    environment |= {**AT_ANY_SPEED, **{limit_variable(name): str(most) for name, most in limits.items()}}
    environment |= {
        "ROLLBOOK_REDIS_URL": store.url,
        "ROLLBOOK_DATA": str(data),
        "ROLLBOOK_WORKERS": str(workers),
        "ROLLBOOK_TRUSTED_PROXIES": str(proxies),
        "PYTHONPATH": str(ROOT),
    }
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen(256)
        spec = api_child(listener=listener.fileno())
        with (data / "log").open("wb") as log:
            process = subprocess.Popen(
                spec.arguments, env=environment, stdout=log, stderr=subprocess.STDOUT, pass_fds=spec.pass_fds
            )
        base = f"http://127.0.0.1:{listener.getsockname()[1]}"
        try:
            _await(base, process, data / "log")
            yield base
        finally:
            process.send_signal(signal.SIGINT)  # the quick end: idle connections are not waited for
            try:
                process.wait(LONG)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _await(base: str, process: "subprocess.Popen[bytes]", log: Path) -> None:
    end = time.monotonic() + LONG
    while True:
        try:
            if requests.get(f"{base}/readyz", timeout=LONG).status_code == 200:
                return
        except requests.RequestException:
            pass
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.1)


@pytest.fixture(scope="package")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server with two processes."""
    with valkey(tmp_path_factory.mktemp("store")) as store, gunicorn(store, tmp_path_factory.mktemp("data")) as url:
        yield url


@pytest.fixture
def client(base: str) -> Client:
    return Client(base)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    """A store of the module's own, which each test leaves as it found it."""
    with valkey(tmp_path_factory.mktemp("store")) as own:
        yield own


@pytest.fixture(scope="module")
def own(store: Valkey) -> Iterator[Client]:
    """A server of the module's own, with one process."""
    with tempfile.TemporaryDirectory() as data, gunicorn(store, Path(data), workers=1) as url:
        yield Client(url)
