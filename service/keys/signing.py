"""The keys that checkpoints are signed with: today's signer, and every verifier key that was ever in use.

The signing key is a key file like the others. Its verifier key is also noted in a list in the data folder, which only
grows: so old checkpoints stay valid under a new signing key. The list holds nothing secret.
"""

import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from service.keys.files import read_key, read_or_make
from service.keys.notes import BadNote, Signer, Verifier, signer_key
from service.settings import Settings, SettingsError

NAME = "rollbook"
"""Name of every key that is made here; keys differ by their ids."""

VERIFIERS = "verifier.keys"
VARIABLE = "ROLLBOOK_SIGNING_KEY_FILE"


@dataclass(frozen=True, slots=True)
class KeyRing:
    """The key that signs, and every key whose signatures are accepted.

    Attributes:
        signer: Signs new checkpoints.
        old: Verifier keys that were in use before, the oldest first.
    """

    signer: Signer
    old: Sequence[Verifier] = ()

    @property
    def verifiers(self) -> list[Verifier]:
        """Every known key, the current one first."""
        return [self.signer.verifier, *self.old]


def throwaway() -> KeyRing:
    """Make a key that ends with the process, for tests and for processes that sign nothing."""
    return KeyRing(Signer(NAME, secrets.token_bytes(32)))


def key_ring(settings: Settings) -> KeyRing:
    """Read the signing key, or make it; note its verifier key.

    Raises:
        SettingsError: The key can neither be read nor made, is none, or the list cannot be written.
    """
    path = settings.signing_key_file
    signer = _parsed(path, read_or_make(path, variable=VARIABLE, new=_new_key))
    known = noted_verifiers(settings)
    if signer.verifier not in known:
        _note(settings.data / VERIFIERS, signer.verifier)
    return KeyRing(signer, [one for one in known if one != signer.verifier])


def read_signer(path: Path) -> Signer:
    """Read a signing key that exists.

    Raises:
        SettingsError: It cannot be read, or is none.
    """
    return _parsed(path, read_key(path, variable=VARIABLE))


def noted_verifiers(settings: Settings) -> list[Verifier]:
    """Read the list of verifier keys, the oldest first, each once; empty where there is none.

    Raises:
        SettingsError: It cannot be read, or a line in it is no verifier key.
    """
    path = settings.data / VERIFIERS
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
        return list(dict.fromkeys(Verifier.parse(line) for line in lines if line.strip()))
    except FileNotFoundError:
        return []
    except OSError as error:
        raise SettingsError(f"The list of verifier keys {path} cannot be used ({error.strerror})") from None
    except (BadNote, UnicodeDecodeError):
        raise SettingsError(f"The list of verifier keys {path} has a line that is no verifier key") from None


def _new_key() -> str:
    return signer_key(NAME, secrets.token_bytes(32))


def _parsed(path: Path, text: str) -> Signer:
    try:
        return Signer.parse(text)
    except BadNote as error:
        raise SettingsError(f"{VARIABLE}: {path}: {error}; move it away to get a new one") from None


def _note(path: Path, verifier: Verifier) -> None:
    """Add a line by one write, which cannot mix with the lines of other processes; a repeated line counts once."""
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
        try:
            end = os.fstat(descriptor).st_size
            gap = "" if os.pread(descriptor, 1, max(0, end - 1)) in (b"", b"\n") else "\n"  # after an edit by hand
            os.write(descriptor, f"{gap}{verifier.text}\n".encode())
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise SettingsError(f"The list of verifier keys {path} cannot be written ({error.strerror})") from None
