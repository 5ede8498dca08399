"""Mending an append-only file that is broken in its middle: cut before its first bad byte, and kept whole beside."""

import shutil
import subprocess
from pathlib import Path

from service.hosting.valkey.folder import DataFolder, EmbeddedStoreError
from service.hosting.valkey.server import program

CHECKER = "valkey-check-aof"
"""The server checks a file when it is called by this name."""
BROKEN = "Bad file format"
"""What the server says of such a file when it ends."""


def mend(folder: DataFolder) -> Path | None:
    """Cut the newest part of the append-only file; return the copy of it as it was, None if nothing was wrong.

    Raises:
        EmbeddedStoreError: The store runs, there is none, or the file cannot be mended.
    """
    parts = sorted((folder.valkey / "appendonlydir").glob("*.incr.aof"), key=lambda path: int(path.name.split(".")[2]))
    if not parts:
        raise EmbeddedStoreError(f"There is no append-only file in {folder.valkey}.")
    if not folder.store_lock.take():
        raise EmbeddedStoreError("The store runs: stop `rollbook serve` first.")
    try:
        newest, copy = parts[-1], parts[-1].with_suffix(".broken")
        shutil.copyfile(newest, copy)
        done = subprocess.run(  # noqa: S603 -- no shell; the program is the store's own
            [CHECKER, "--fix", str(newest)],
            executable=program(),
            input="y\n",
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        folder.store_lock.close()
    if newest.stat().st_size == copy.stat().st_size and done.returncode == 0:
        copy.unlink()
        return None
    if done.returncode != 0:
        raise EmbeddedStoreError(f"{newest} cannot be mended: {done.stdout.strip().splitlines()[-1]}")
    return copy
