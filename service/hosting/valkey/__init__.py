"""The embedded store: a real Valkey in a data folder, without Docker, root or a port.

`EmbeddedStore` is the whole interface; `open_store` is what a command uses that takes either store.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from service.hosting.valkey.folder import DataFolder, EmbeddedStoreError
from service.hosting.valkey.mending import mend
from service.hosting.valkey.store import EmbeddedStore
from service.settings import Settings

__all__ = ["DataFolder", "EmbeddedStore", "EmbeddedStoreError", "mend", "open_store"]


@contextmanager
def open_store(settings: Settings, *, existing: bool = False) -> Iterator[str]:
    """Yield the URL of the store: the one in the settings, or the embedded one, started if it does not run yet.

    Args:
        settings: How this process runs.
        existing: Make no new one.

    Raises:
        EmbeddedStoreError: It cannot be used, or there is none and none is to be made.
    """
    if settings.redis_url is not None:
        yield settings.redis_url
        return
    store = EmbeddedStore(settings.data)
    if existing:
        store.folder.expect_store()
    with store:
        yield store.url
