"""A server to talk to: the one that runs on the data folder, or one of our own for as long as it is needed."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator

from service.embedded import DataFolder
from service.serving.children import python_module
from service.settings import OperatorError, Settings

PATIENCE = 90.0  # seconds for a server of our own to be ready, or to end


@contextlib.contextmanager
def server(settings: Settings) -> Iterator[str]:
    """Give the base URL of a server on the data folder.

    Raises:
        OperatorError: None runs, and none can be started.
    """
    folder = DataFolder(settings.data)
    folder.prepare()
    if folder.serve_lock.is_held():
        yield _wait_for_url(folder, None)
        return
    environment = {**os.environ, **settings.environment(), "ROLLBOOK_PORT": "0", "ROLLBOOK_HOST": "127.0.0.1"}
    process = subprocess.Popen(  # noqa: S603 -- no shell; the command is ours
        python_module("service.cli", "serve"),
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    try:
        yield _wait_for_url(folder, process)
    finally:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=PATIENCE)


def _wait_for_url(folder: DataFolder, process: "subprocess.Popen[bytes] | None") -> str:
    until = time.monotonic() + PATIENCE
    while not (url := folder.url()):
        if process is not None and process.poll() is not None:
            said = (process.stderr.read() if process.stderr else b"").decode(errors="replace").strip()
            raise OperatorError(said.removeprefix("Error: ") or "The server did not start")
        if time.monotonic() > until:
            raise OperatorError(f"The server on {folder.root} did not become ready")
        time.sleep(0.1)
    return url
