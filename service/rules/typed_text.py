"""Typed-in text in actions: the rules and the stream know its digest alone."""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import inspect

from service.rules.actions import Action, PlayAction
from service.rules.rulebooks import ACTIONS

TYPED = frozenset({"text", "label"})
"""Names of the fields of an action, and of its parts, that people typed in."""


def _may_hold_text(kind: type[Action]) -> bool:
    """Return whether an action of a kind has a field for typed-in text, or parts that may have one."""
    fields = inspect.type_info(kind).fields  # type: ignore[attr-defined] # of a record
    return any(field.name in TYPED or isinstance(field.type, inspect.VarTupleType) for field in fields)


MAY_HOLD_TEXT = frozenset(filter(_may_hold_text, ACTIONS.values()))
"""Kinds of actions that may hold typed-in text."""


def with_digests(action: PlayAction, digest_of: Callable[[str], str]) -> PlayAction:
    """Put a digest in the place of every typed-in text of an action, however deep; blank text counts as none.

    Args:
        action: The action as it was sent.
        digest_of: Gives 64 hex digits for a text.
    """
    if type(action) not in MAY_HOLD_TEXT:
        return action
    return msgspec.convert(_replaced(msgspec.to_builtins(action), digest_of), type(action))


def _replaced(value: Any, digest_of: Callable[[str], str]) -> Any:
    if isinstance(value, list | tuple):
        return [_replaced(item, digest_of) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        name: _digest(part, digest_of) if name in TYPED and isinstance(part, str) else _replaced(part, digest_of)
        for name, part in value.items()
    }


def _digest(text: str, digest_of: Callable[[str], str]) -> str:
    return digest_of(text) if text.strip() else ""
