"""A headless Chromium, spoken to over a pipe: one page, opened from disk, without any network."""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


class Page:
    """An open page."""

    def __init__(self, send: Any, session: str) -> None:
        self._send = send
        self._session = session

    def run(self, script: str) -> Any:
        """Run JavaScript in the page; gives its value, or what a promise comes to."""
        options = {"expression": script, "returnByValue": True, "awaitPromise": True}
        answer = self._send("Runtime.evaluate", options, self._session)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")


@contextmanager
def opened(path: Path, profile: Path) -> Iterator[tuple[Page, list[dict[str, Any]]]]:
    """Open a file; gives the page, and everything that the browser told meanwhile (requests, errors, dialogs)."""
    assert CHROMIUM is not None
    to_browser, our_write = os.pipe()
    our_read, from_browser = os.pipe()
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--remote-debugging-pipe"]
    command += [f"--user-data-dir={profile}", "--no-first-run", "--disable-background-networking", "about:blank"]
    script = f'exec 3<&{to_browser} 4>&{from_browser}; exec "$@"'  # the browser reads from 3 and writes to 4
    process = subprocess.Popen(
        ["bash", "-c", script, "chromium", *command], pass_fds=(to_browser, from_browser), stderr=subprocess.DEVNULL
    )
    os.close(to_browser)
    os.close(from_browser)
    told: list[dict[str, Any]] = []
    with os.fdopen(our_write, "wb", buffering=0) as out, os.fdopen(our_read, "rb") as incoming:
        talk = _Talk(out, incoming, told)
        try:
            target = talk.send("Target.createTarget", {"url": "about:blank"})["targetId"]
            session = talk.send("Target.attachToTarget", {"targetId": target, "flatten": True})["sessionId"]
            for domain in ("Page", "Runtime", "Network", "Log"):
                talk.send(f"{domain}.enable", {}, session)
            talk.send("Page.navigate", {"url": path.as_uri()}, session)
            talk.await_event("Page.loadEventFired")
            yield Page(talk.send, session), told
        finally:
            process.kill()
            process.wait()


class _Talk:
    """The protocol: JSON documents that end with a zero byte."""

    def __init__(self, out: Any, incoming: Any, told: list[dict[str, Any]]) -> None:
        self._out, self._in, self._told = out, incoming, told
        self._number = 0
        self._left = b""

    def send(self, method: str, params: dict[str, Any], session: str = "") -> Any:
        self._number += 1
        message = {"id": self._number, "method": method, "params": params}
        self._out.write(json.dumps({**message, **({"sessionId": session} if session else {})}).encode() + b"\0")
        while True:
            answer = self._receive()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                return answer["result"]

    def await_event(self, method: str) -> None:
        while not any(event["method"] == method for event in self._told):
            self._receive()

    def _receive(self) -> Any:
        while b"\0" not in self._left:
            part = self._in.read1(1 << 20)
            assert part, "the browser ended"
            self._left += part
        document, _, self._left = self._left.partition(b"\0")
        answer = json.loads(document)
        if "method" in answer:
            self._told.append(answer)
        return answer
