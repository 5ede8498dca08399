"""How the events of deals change the state."""

from collections.abc import Callable
from typing import Any

from events.base import Event

HANDLERS: dict[type[Event], Callable[[Any, Any], None]] = {}
