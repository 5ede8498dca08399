"""Signed notes and checkpoints: published figures, and signatures checked by an implementation of the tests' own."""

from base64 import b64decode, b64encode
from hashlib import sha256

import pytest

from service.audit.proofs.checkpoints import Checkpoint
from service.keys.notes import BadNote, Signer, Verifier, opened, signer_key
from tests.support import ed25519

# From the documentation of Go's golang.org/x/mod/sumdb/note, where the form comes from.
SIGNER = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
VERIFIER = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
NOTE = (
    TEXT
    + "\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
# RFC 8032, section 7.1, tests 1 to 3: public key, message, signature.
RFC_8032 = [
    (
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b",
    ),
    (
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c", "72",
        "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
    ),
    (
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    ),
]  # fmt: skip
ANN, BOB = Signer("rollbook", b"a" * 32), Signer("rollbook", b"b" * 32)
SAID = Checkpoint("abc", 12, sha256(b"root").digest(), sha256(b"head").digest())


@pytest.mark.parametrize(("public", "message", "signature"), RFC_8032)
def test_the_tests_own_implementation_is_right(public: str, message: str, signature: str) -> None:
    key, said, good = (bytes.fromhex(text) for text in (public, message, signature))
    assert ed25519.verify(key, said, good)
    assert not ed25519.verify(key, said + b"x", good)
    assert not any(ed25519.verify(key, said, good[:at] + bytes([good[at] ^ 1]) + good[at + 1 :]) for at in (0, 31, 40))


def test_a_published_note_is_made_and_opened() -> None:
    signer = Signer.parse(SIGNER)
    assert signer.verifier.text == VERIFIER
    assert signer.sign(TEXT) == NOTE
    assert opened(NOTE.encode(), [Verifier.parse(VERIFIER)]) == (TEXT, [signer.verifier])


def test_another_implementation_accepts_our_signature() -> None:
    """The note is taken apart here by hand, from what c2sp.org/signed-note says of it."""
    note = ANN.sign(SAID.text)
    text, _, line = note.rpartition("\n\n")
    dash, name, coded = line.split()
    raw = b64decode(coded)
    public = ANN.verifier.public
    assert (dash, name) == ("—", "rollbook")
    assert raw[:4] == sha256(b"rollbook\n\x01" + public).digest()[:4]
    assert ed25519.verify(public, text.encode() + b"\n", raw[4:])
    assert not ed25519.verify(BOB.verifier.public, text.encode() + b"\n", raw[4:])


def test_a_checkpoint_has_the_form_of_the_specification() -> None:
    lines = SAID.text.split("\n")
    assert lines == ["rollbook/abc", "12", b64encode(SAID.root).decode(), f"head {SAID.head.hex()}", ""]
    assert Checkpoint.parse(SAID.text) == SAID
    assert Checkpoint.parse("\n".join([*lines[:3], ""])).head == b""
    assert Checkpoint.parse(SAID.text + "something of later\n") == SAID


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace("rollbook/", "elsewhere/"),
        lambda text: text.replace("\n12\n", "\n012\n"),
        lambda text: text.replace("\n12\n", "\n-12\n"),
        lambda text: text.replace("\n12\n", "\n１２\n"),
        lambda text: text.replace("=\n", "\n"),
        lambda text: text + "\n",
        lambda text: text.removesuffix("\n"),
        lambda _: "",
    ],
)
def test_what_is_no_checkpoint(change: object) -> None:
    assert callable(change)
    with pytest.raises(BadNote):
        Checkpoint.parse(change(SAID.text))


def test_any_byte_of_a_note_that_is_changed_is_found() -> None:
    note = ANN.sign(SAID.text).encode()
    for place, byte in enumerate(note):
        for other in {byte ^ 1, byte ^ 0x20, 0x0A} - {byte}:
            changed = note[:place] + bytes([other]) + note[place + 1 :]
            with pytest.raises(BadNote):
                opened(changed, [ANN.verifier])


def test_a_signature_is_written_in_one_way() -> None:
    """The last character has bits that no byte takes: they must be unset, or one note could be written in four ways."""
    note = next(note for n in range(200) if (note := ANN.sign(f"{n}\n")).endswith("0=\n"))
    assert opened(note.encode(), [ANN.verifier])
    with pytest.raises(BadNote):
        opened(note.replace("0=\n", "1=\n").encode(), [ANN.verifier])


def test_others_may_sign_below_and_only_known_keys_count() -> None:
    one, two = ANN.sign(SAID.text), BOB.sign(SAID.text).rpartition("\n\n")[2]
    both = (one + two).encode()
    assert opened(both, [ANN.verifier]) == (SAID.text, [ANN.verifier])
    assert opened(both, [BOB.verifier]) == (SAID.text, [BOB.verifier])
    assert opened(both, [BOB.verifier, ANN.verifier])[1] == [ANN.verifier, BOB.verifier]
    many = [Signer("witness", bytes([n]) * 32).sign(SAID.text).rpartition("\n\n")[2] for n in range(99)]
    assert opened((one + "".join(many)).encode(), [ANN.verifier])[1] == [ANN.verifier]
    with pytest.raises(BadNote, match="it has 101 signatures, and at most 100 are read"):
        opened((one + "".join(many) + two).encode(), [ANN.verifier])
    with pytest.raises(BadNote, match="no key that is known"):
        opened(both, [Signer("rollbook", b"c" * 32).verifier])
    with pytest.raises(BadNote, match="no key that is known"):
        opened(both, [Verifier("other", ANN.verifier.public)])


def test_one_key_signs_once() -> None:
    """Two equal lines of one key, known or not, are refused: one note could be written in many ways."""
    note = ANN.sign(SAID.text)
    line = note.rpartition("\n\n")[2]
    for known in (ANN, BOB):
        with pytest.raises(BadNote, match="signed it twice"):
            opened((note + line).encode(), [known.verifier])


def test_a_last_line_feed_that_was_lost_in_copying() -> None:
    assert opened(ANN.sign(SAID.text)[:-1].encode(), [ANN.verifier]) == (SAID.text, [ANN.verifier])


@pytest.mark.parametrize(
    "note",
    [b"", b"\n", b"text\n", b"text\n\n", b"text\n\nno dash\n", "text\n\n— rollbook AAAA\n".encode(), b"\xff\n\n",
     b"te\rxt\n\n\xe2\x80\x94 rollbook AAAAAAAA\n", "text\n\n— rollbook A===\n".encode(), b"x" * 70_000,
     b"text\n\n" + "— rollbook AAAAAAAA\n".encode() * 101],
)  # fmt: skip
def test_what_is_no_note(note: bytes) -> None:
    with pytest.raises(BadNote):
        opened(note, [ANN.verifier])


@pytest.mark.parametrize(
    "text",
    ["", "rollbook", SIGNER, VERIFIER[:-1], VERIFIER.replace("c74f", "c74e"), "a b+00+AAAA",
     VERIFIER.replace("+AR", "+BR")],
)  # fmt: skip
def test_what_is_no_verifier_key(text: str) -> None:
    with pytest.raises(BadNote):
        Verifier.parse(text)


@pytest.mark.parametrize("text", ["", VERIFIER, SIGNER[:-1], SIGNER.replace("c74f", "c74e")])
def test_what_is_no_signer_key_and_no_message_shows_it(text: str) -> None:
    with pytest.raises(BadNote) as caught:
        Signer.parse(text)
    assert SIGNER[-20:] not in str(caught.value)


def test_keys_are_read_as_they_are_written() -> None:
    assert Signer.parse(signer_key("rollbook", b"a" * 32)).verifier == ANN.verifier
    assert Verifier.parse(ANN.verifier.text) == ANN.verifier
