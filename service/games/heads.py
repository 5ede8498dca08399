"""The log of heads in the data folder: its place, how it is opened, and the message about a damaged one.

Apart from `service.bootstrap`, so that the supervisor, which only looks at it, loads no game.
"""

from events.store import HeadLog
from service.settings import OperatorError, Settings

HEADS_LOG = "heads.log"


def open_heads(settings: Settings, *, reading: bool = False, only: str | None = None) -> HeadLog:
    """Open the log of heads, to write in it or to read it, about all games or only one.

    Raises:
        OperatorError: It cannot be used.
    """
    path = settings.data / HEADS_LOG
    try:
        return HeadLog(path, reading=reading, only=only)
    except OSError as error:
        raise OperatorError(f"The log of heads {path} cannot be used: {error.strerror}") from None


def damaged_log(heads: HeadLog) -> str:
    """Return a sentence about how much of the log of heads is lost, and where the rest is."""
    kept = f"; the file is kept as {heads.aside}" if heads.aside else ""
    return f"{heads.damaged} lines of the log of heads cannot be read: what they guarded may be lost unnoticed{kept}"
