"""Every byte of a store and of a folder, for tests that look for what must not be there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any


def everything_in(client: Any) -> bytes:
    """Every key of one server, with all it holds."""
    readers: dict[bytes, Callable[[bytes], list[bytes]]] = {
        b"string": lambda key: [client.execute_command("GET", key)],
        b"hash": lambda key: _flat(client.execute_command("HGETALL", key)),
        b"set": lambda key: list(client.execute_command("SMEMBERS", key)),
        b"list": lambda key: client.execute_command("LRANGE", key, 0, -1),
        b"zset": lambda key: _flat(client.execute_command("ZRANGE", key, 0, -1)),
        b"stream": lambda key: _flat([list(row) for row in client.execute_command("XRANGE", key, "-", "+")]),
    }
    parts: list[bytes] = []
    for key in client.execute_command("KEYS", "*"):
        kind = client.execute_command("TYPE", key)
        parts += [key, *readers[kind if isinstance(kind, bytes) else kind.encode()](key)]
    return b"\n".join(parts)


def _flat(value: Any) -> list[bytes]:
    if isinstance(value, dict):
        return [part for pair in value.items() for one in pair for part in _flat(one)]
    if isinstance(value, list | tuple):
        return [part for one in value for part in _flat(one)]
    return [value if isinstance(value, bytes) else str(value).encode()]


def files_in(folder: Path) -> dict[Path, bytes]:
    """Every file below a folder; one that goes away meanwhile is not there."""
    found = {}
    for path in folder.rglob("*"):
        try:
            found[path] = path.read_bytes() if path.is_file() else b""
        except OSError:
            continue
    return found
