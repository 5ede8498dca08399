"""Signed notes: text with Ed25519 signatures below it, in the form of C2SP's signed-note.

Everything about the form is here, and nothing about what a text says (`service.audit.proofs.checkpoints`) or where
keys are kept (`service.keys.signing`). The one rule to know: the text of a note means nothing before `opened` has found
a known key's signature on it.
"""

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

ED25519 = b"\x01"
MOST_BYTES = 64 * 1024
MOST_SIGNATURES = 100
_KEY = re.compile(r"(PRIVATE\+KEY\+)?([^\s+]+)\+([0-9a-f]{8})\+([0-9A-Za-z+/]{44})")
_LINE = re.compile(r"— ([^\s+]+) ([0-9A-Za-z+/]+={0,2})")


class BadNote(Exception):
    """A note, or a key, that cannot be taken; the message is one line and holds nothing of a private key."""


@dataclass(frozen=True, slots=True)
class Verifier:
    """A public key by its name.

    Attributes:
        name: Of the key, without spaces and plus signs.
        public: 32 bytes.
    """

    name: str
    public: bytes

    @property
    def id(self) -> bytes:
        """The id that tells keys of the same name apart: 4 bytes."""
        return sha256(self.name.encode() + b"\n" + ED25519 + self.public).digest()[:4]

    @property
    def text(self) -> str:
        """The verifier key as text: name, id and key, joined by plus signs."""
        return f"{self.name}+{self.id.hex()}+{b64encode(ED25519 + self.public).decode()}"

    @classmethod
    def parse(cls, text: str) -> "Verifier":
        """Read a verifier key.

        Raises:
            BadNote: It is none, or none of Ed25519.
        """
        private, name, number, key = _parts(text)
        verifier = cls(name, key)
        if private or verifier.id.hex() != number:
            raise BadNote("this is no verifier key of Ed25519 (name+id+key)")
        return verifier

    def signed(self, text: str, signature: bytes) -> bool:
        """Return whether it signed a text."""
        try:
            Ed25519PublicKey.from_public_bytes(self.public).verify(signature, text.encode())
        except InvalidSignature:
            return False
        return True


class Signer:
    """A private key by its name.

    Args:
        name: Of the key.
        seed: The private key, 32 bytes.
    """

    def __init__(self, name: str, seed: bytes) -> None:
        self._key = Ed25519PrivateKey.from_private_bytes(seed)
        self.verifier = Verifier(name, self._key.public_key().public_bytes_raw())

    @classmethod
    def parse(cls, text: str) -> "Signer":
        """Read a signer key.

        Raises:
            BadNote: It is none, or none of Ed25519.
        """
        private, name, number, seed = _parts(text)
        signer = cls(name, seed)
        if not private or signer.verifier.id.hex() != number:
            raise BadNote("this is no signer key of Ed25519 (PRIVATE+KEY+name+id+key)")
        return signer

    def sign(self, text: str) -> str:
        """Make a note of a text, which ends with a line feed."""
        assert text.endswith("\n"), "a note's text is lines"
        signature = self.verifier.id + self._key.sign(text.encode())
        return f"{text}\n— {self.verifier.name} {b64encode(signature).decode()}\n"


def signer_key(name: str, seed: bytes) -> str:
    """Write a signer key: the line that `Signer.parse` reads."""
    return f"PRIVATE+KEY+{name}+{Signer(name, seed).verifier.id.hex()}+{b64encode(ED25519 + seed).decode()}"


def opened(note: bytes, known: Sequence[Verifier]) -> tuple[str, list[Verifier]]:
    """Return a note's text, and the known keys that signed it: at least one. Other signatures are ignored.

    Raises:
        BadNote: It is no note, no known key signed it, or a signature that claims to be of a known key is not.
    """
    text, found = read(note, known)
    if not found:
        raise BadNote("no key that is known here signed it")
    return text, found


def read(note: bytes, known: Sequence[Verifier]) -> tuple[str, list[Verifier]]:
    """Return a note's text, and the known keys that signed it; none of them may have.

    Raises:
        BadNote: It is no note, a key signed it twice, or a signature that claims to be of a known key is not.
    """
    text, lines = _split(note)
    found: list[Verifier] = []
    seen: set[tuple[str, bytes]] = set()
    for line in lines:
        name, number, signature = _signature(line)
        if (name, number) in seen:
            raise BadNote(f"the key {name} signed it twice")
        seen.add((name, number))
        verifier = next((one for one in known if (one.name, one.id) == (name, number)), None)
        if verifier is None:
            continue
        if not verifier.signed(text, signature):
            raise BadNote(f"the signature of the key {verifier.text} does not fit the text")
        found.append(verifier)
    return text, found


def _split(note: bytes) -> tuple[str, list[str]]:
    """Take a note apart, at its last empty line; a last line feed that was lost in copying is no fault."""
    if len(note) > MOST_BYTES:
        raise BadNote(f"it has more than {MOST_BYTES} bytes")
    try:
        whole = note.decode()
    except UnicodeDecodeError:
        raise BadNote("it is not UTF-8") from None
    if any(character < " " and character != "\n" for character in whole):
        raise BadNote("it holds control characters")
    text, gap, signatures = whole.rpartition("\n\n")
    lines = signatures.removesuffix("\n").split("\n")
    if not gap or lines == [""]:
        raise BadNote("it has no signatures below an empty line")
    if len(lines) > MOST_SIGNATURES:
        raise BadNote(f"it has {len(lines)} signatures, and at most {MOST_SIGNATURES} are read")
    return text + "\n", lines


def _signature(line: str) -> tuple[str, bytes, bytes]:
    """Read a signature line: name, id, signature."""
    found = _LINE.fullmatch(line)
    try:
        raw = b64decode(found[2], validate=True) if found else b""
    except binascii.Error:
        raw = b""
    if found is None or len(raw) <= 4 or b64encode(raw).decode() != found[2]:
        raise BadNote("a line below the empty line is no signature")
    return found[1], raw[:4], raw[4:]


def _parts(text: str) -> tuple[bool, str, str, bytes]:
    found = _KEY.fullmatch(text.strip())
    raw = b64decode(found[4]) if found else b""
    if found is None or raw[:1] != ED25519:
        raise BadNote("this is no key of Ed25519")
    return bool(found[1]), found[2], found[3], raw[1:]
