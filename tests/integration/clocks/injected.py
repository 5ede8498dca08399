"""Services whose clock is a key of the store that the test sets; so every process reads the same injected time."""

import os
from typing import Any

from events.store import connect
from service.bootstrap import Services, build
from service.games import uptime
from service.games.clock import Clock
from service.settings import Settings

NOW = "test:now"


class KeyClock(Clock):
    """A clock that shows what stands in the key."""

    def __init__(self, client: Any) -> None:
        super().__init__(self.now, lambda: 0)
        self._client = client

    def now(self) -> int:
        self._last = max(self._last, int(self._client.execute_command("GET", NOW)))
        return self._last


def services() -> Services:
    """Wire the services from the environment, as every process does, but for their clock."""
    setattr(uptime, "OUTAGE_MS", 10_000)  # noqa: B010 - injected time goes in steps
    settings = Settings.load(os.environ)
    return build(settings, clock=KeyClock(connect(settings.redis_url or "")))
