"""Key files: the server key, the signing key and the operator's token.

Each is made at the first start, from the system's randomness, with mode 0600. The file appears under its name whole or
not at all, and of two processes that make it at once both read the one that won.
"""

import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from service.settings import Settings, SettingsError

LEAST_LENGTH = 32  # characters; what `secrets` makes here is longer


def server_key(settings: Settings) -> bytes:
    """Return the key that game ids and seat tokens are derived from.

    Raises:
        SettingsError: The file can neither be read nor made, or holds too little.
    """
    return read_or_make(settings.secret_file, variable="ROLLBOOK_SECRET_FILE").encode()


def operator_token(settings: Settings) -> str:
    """Return the bearer token of the operator.

    Raises:
        SettingsError: The file can neither be read nor made, or holds too little.
    """
    return read_or_make(settings.operator_token_file, variable="ROLLBOOK_OPERATOR_TOKEN_FILE")


def read_or_make(path: Path, *, variable: str, new: Callable[[], str] = lambda: secrets.token_urlsafe(32)) -> str:
    """Read a key file; where there is none, make it.

    Args:
        path: The file.
        variable: What it is called in messages.
        new: Gives what a new one holds, a line of plain ASCII.

    Raises:
        SettingsError: The file can neither be read nor made, or holds too little.
    """
    try:
        if not path.exists():
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _make(path, new())
    except OSError as error:
        raise SettingsError(f"{variable}: {path} cannot be made ({error.strerror})") from None
    return read_key(path, variable=variable)


def read_key(path: Path, *, variable: str) -> str:
    """Read a key file that exists.

    Args:
        path: The file.
        variable: What it is called in messages.

    Raises:
        SettingsError: It cannot be read, or holds too little.
    """
    try:
        text = path.read_text(encoding="ascii").strip()
    except UnicodeDecodeError:
        raise SettingsError(f"{variable}: {path} does not hold a key in plain ASCII") from None
    except OSError as error:
        raise SettingsError(f"{variable}: {path} cannot be used ({error.strerror})") from None
    if len(text) < LEAST_LENGTH:
        raise SettingsError(
            f"{variable}: {path} holds fewer than {LEAST_LENGTH} characters; remove it to get a new one"
        )
    return text


def _make(path: Path, content: str) -> None:
    """Write aside, then link: unlike a rename, a link never replaces what another process put there first."""
    aside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(content + "\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(aside, path)
    finally:
        aside.unlink()
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
