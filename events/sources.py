"""The project's own files as they are installed, and a fingerprint of them: which code and data made a value."""

from collections.abc import Iterable, Iterator
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable


def sources(package: str, *, without: str = "") -> Iterator[tuple[str, bytes]]:
    """List path and bytes of every source and data file of a package, in order of name.

    Args:
        package: Its dotted name.
        without: Name of a folder that is left out.
    """
    return files(resources.files(package), package.replace(".", "/"), without=without)


def files(folder: Traversable, path: str, *, without: str = "") -> Iterator[tuple[str, bytes]]:
    """List the same of a folder; paths begin with `path`."""
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        name = f"{path}/{item.name}"
        if item.is_dir() and item.name != without:
            yield from files(item, name, without=without)
        elif item.name.endswith((".py", ".json")):
            yield name, item.read_bytes()


def fingerprint_of(found: Iterable[tuple[str, bytes]]) -> str:
    """Return the SHA-256 of paths and bytes in hex: it differs when a file was moved, renamed or changed."""
    digest = sha256()
    for name, data in found:
        digest.update(b"%d %d %s\n" % (len(name), len(data), name.encode()) + data)
    return digest.hexdigest()
