"""The data folder: what lies where, and the socket's place.

valkey/       the append-only file        valkey.log   what the server said
valkey.sock   its socket                  socket       where the socket is, if the folder's own path is no place for it
store.lock    held by Valkey itself       users.lock   shared by all who use the store now
serve.lock    held by the supervisor      children.lock  held while its children live
guests.lock   shared by commands that talk to the API
serve.url     where its API answers; true only while the process that wrote it holds a lock on it
"""

import contextlib
import os
import re
import secrets
import shutil
import stat
import tempfile
from pathlib import Path

from service.hosting.valkey.locks import FileLock
from service.settings import OperatorError

LONGEST_SOCKET = 100  # bytes; the kernels' limits are 107 (Linux) and 103 (macOS)
PLAIN = re.compile(
    r"[A-Za-z0-9_./+-]+", re.ASCII
)  # redis-py fails at CLIENT LIST over a socket with a space in its path


class EmbeddedStoreError(OperatorError):
    """The embedded store cannot be used; the message is one line, or ends with the server's own last words."""


class DataFolder:
    """Paths and locks of one data folder."""

    def __init__(self, root: Path) -> None:
        self.root = Path(os.path.abspath(root))
        self.valkey = self.root / "valkey"
        self.log = self.root / "valkey.log"
        self.store_lock = FileLock(self.root / "store.lock")
        self.users_lock = FileLock(self.root / "users.lock")
        self.serve_lock = FileLock(self.root / "serve.lock")
        self.guests_lock = FileLock(self.root / "guests.lock")
        self.children_lock = FileLock(self.root / "children.lock")
        self._record = self.root / "socket"
        self._url = self.root / "serve.url"
        self._told = FileLock(self._url)

    def prepare(self) -> None:
        """Make the folder if it is missing, and check that it can be written.

        Raises:
            EmbeddedStoreError: It cannot be used.
        """
        try:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.valkey.mkdir(mode=0o700, exist_ok=True)
            for folder in (self.root, self.valkey):
                _try_to_write(folder)
        except OSError as error:
            raise EmbeddedStoreError(
                f"The data folder {self.root} cannot be used: {error.strerror} (ROLLBOOK_DATA names another)"
            ) from None

    def expect_store(self) -> None:
        """Check that there is a store already, without making anything.

        Raises:
            EmbeddedStoreError: There is none.
        """
        if not self.root.is_dir():
            raise EmbeddedStoreError(f"There is no data folder {self.root} (--data or ROLLBOOK_DATA names another)")
        if not (self.store_lock.is_held() or (self.valkey.is_dir() and any(self.valkey.iterdir()))):
            raise EmbeddedStoreError(f"There is no store in {self.root} (--data or ROLLBOOK_DATA names another folder)")

    def url(self) -> str:
        """Return where the API of the running `rollbook serve` answers; empty while it is not ready.

        A server that was killed leaves its file, but not the lock on it.
        """
        if not FileLock(self._url).is_held():
            return ""
        with contextlib.suppress(FileNotFoundError):
            return self._url.read_text(encoding="utf-8")
        return ""

    def note_url(self, url: str | None) -> None:
        """Note where the API answers, or that it does no longer; only for the holder of the serve lock."""
        if url is None:
            self._url.unlink(missing_ok=True)
            self._told.close()
            return
        aside = self._url.with_name(f".serve.url.{secrets.token_hex(8)}")
        aside.write_text(url, encoding="utf-8")
        self._told = FileLock(aside)
        self._told.take()
        aside.replace(self._url)

    def socket_path(self) -> Path:
        """Return where the socket is: in the folder, or where the record says."""
        own = self.root / "valkey.sock"
        if _suits_a_socket(own):
            return own
        try:
            return Path(self._record.read_text(encoding="utf-8").rstrip("\n"))
        except FileNotFoundError:
            return own

    def make_socket_path(self) -> Path:
        """Return a socket's path that a kernel takes; only for the holder of the store's lock."""
        path = self.socket_path()
        if _suits_a_socket(path) and (path.parent == self.root or _is_private(path.parent)):
            return path
        path = _runtime_folder() / "valkey.sock"
        aside = self._record.with_name(f".socket.{secrets.token_hex(8)}")
        aside.write_text(f"{path}\n", encoding="utf-8")
        aside.replace(self._record)
        return path

    def remove_socket(self) -> None:
        """Remove the socket and its private folder; only while no Valkey runs and none can start."""
        path = self.socket_path()
        if path.parent != self.root and _is_private(path.parent):
            shutil.rmtree(path.parent, ignore_errors=True)
            self._record.unlink(missing_ok=True)
        elif path.parent == self.root:
            path.unlink(missing_ok=True)


def _try_to_write(folder: Path) -> None:
    """Write for real: permission bits say nothing about read-only mounts, quotas or the superuser."""
    descriptor, name = tempfile.mkstemp(prefix=".try-", dir=folder)
    os.close(descriptor)
    with contextlib.suppress(FileNotFoundError):
        os.unlink(name)


def _runtime_folder() -> Path:
    """Make a short private folder; `mkdtemp` gives it mode 0700 and a name that is not taken."""
    for parent in (os.environ.get("XDG_RUNTIME_DIR", ""), tempfile.gettempdir(), "/tmp"):  # noqa: S108 -- mkdtemp's name is unguessable
        if parent and _suits_a_socket(Path(parent, "-" * 40)) and os.access(parent, os.W_OK):
            return Path(tempfile.mkdtemp(prefix="rollbook-", dir=parent))
    raise EmbeddedStoreError("No temporary folder has a path short and plain enough for a socket (TMPDIR names one)")


def _suits_a_socket(path: Path) -> bool:
    return len(os.fsencode(path)) <= LONGEST_SOCKET and PLAIN.fullmatch(str(path)) is not None


def _is_private(folder: Path) -> bool:
    try:
        status = folder.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and status.st_uid == os.getuid() and not status.st_mode & 0o077
