"""One file that proves one event, such as a payment: the event, the way to a root, the signed root, and the key.

It is the API's answer to `GET …/events/{version}/proof`, and is checked with neither store nor service.
"""

from collections.abc import Sequence

import msgspec
from msgspec import Struct

from events import chain, codec
from events.base import Digest, Envelope, Event
from events.play import MoneyMoved
from projections import merkle
from service.audit.proofs.checkpoints import Checkpoint
from service.audit.proofs.merkle_tree import Tree
from service.audit.verify.canonical import oddities
from service.audit.verify.report import Findings, Report, name_of
from service.keys.notes import BadNote, Signer, Verifier, read

MOST_BYTES = 1 << 20


class BadProof(Exception):
    """The input is no proof of an event; the message is one line."""


class EventProof(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The proof that an event is in a game.

    Attributes:
        game: Id of the game.
        version: The event's.
        event: Its bytes, as they are stored.
        leaf: Hash of them; hex.
        size: Of the tree.
        root: Root of the tree; hex.
        proof: Hashes from the leaf up; hex.
        checkpoint: Signed note with root and size.
        key: Verifier key of its signature.
    """

    game: str
    version: int
    event: str
    leaf: Digest
    size: int
    root: Digest
    proof: list[Digest]
    checkpoint: str
    key: str


def prove(game: str, tree: Tree, version: int, stored: bytes, signer: Signer) -> EventProof:
    """Prove that an event is in a game, by a tree that has read its block."""
    leaf, path = tree.leaf(version - 1), tree.of(merkle.inclusion(version - 1, tree.size))
    assert chain.leaf(stored) == leaf, "the event is the one of the tree"
    assert merkle.includes(tree.root, tree.size, leaf, version - 1, path), "a proof proves"
    return EventProof(
        game=game,
        version=version,
        event=stored.decode(),
        leaf=leaf.hex(),
        size=tree.size,
        root=tree.root.hex(),
        proof=[one.hex() for one in path],
        checkpoint=signer.sign(Checkpoint(game, tree.size, tree.root, tree.head).text),
        key=signer.verifier.text,
    )


def verify_event(content: bytes, keys: Sequence[Verifier]) -> Report:
    """Check a proof.

    Args:
        content: Of the file.
        keys: By one of which it must be signed; with none it is held against the key that it names itself.

    Raises:
        BadProof: It is no proof at all. Anything else that is wrong is a finding.
    """
    try:
        proof = msgspec.json.decode(content, type=EventProof)
        named = Verifier.parse(proof.key)
    except (msgspec.DecodeError, UnicodeDecodeError, BadNote) as error:
        raise BadProof(f"this is no proof of an event: {error}") from None
    findings, checks, missing = Findings(), list[str](), list[str]()
    checks.append(f"event: {_check_event(proof, findings)}")
    _check_path(proof, findings)
    checks.append(f"inclusion: it is event {proof.version:,} of the {proof.size:,} under the signed root")
    head, signed = _check_note(proof, keys or [named], findings)
    if signed:
        checks.append(f"checkpoint: signed by the key {signed}")
    elif not findings.kept:
        missing.append("checkpoint: no key that was given signed it")
    unchecked = ["rules: whether the event was right takes the whole game (a bundle)"]
    if not keys:
        unchecked.append("key: whether it is the key of the service was not checked; compare it (--key)")
    return Report(
        proof.game,
        proof.size,
        head,
        sealed=False,
        findings=findings.listed(),
        checks=checks,
        unchecked=unchecked,
        missing=missing,
        tree_hex=proof.root,
    )


def _check_event(proof: EventProof, findings: Findings) -> str:
    """Check the event's own bytes; return what it says in words."""
    stored = proof.event.encode()
    findings.compare(proof.version, "leaf", [("the leaf", chain.leaf(stored).hex(), proof.leaf)])
    try:
        envelope = codec.decode(stored)
    except codec.DamagedEntry as error:
        findings.add(proof.version, "readable", "an event", str(error))
        return "it cannot be read"
    for odd in oddities(stored, envelope):
        findings.add(proof.version, "canonical", "canonical JSON", odd)
    findings.compare(proof.version, "gapless", [("event", proof.version, envelope.version)])
    return _in_words(envelope)


def _in_words(envelope: Envelope[Event]) -> str:
    event = envelope.data
    what = f"; {event.payer} paid {event.payee} {event.amount:,}" if isinstance(event, MoneyMoved) else ""
    return f"{name_of(event)} in turn {envelope.turn}, by {envelope.actor}{what}"


def _check_path(proof: EventProof, findings: Findings) -> None:
    path, leaf = [bytes.fromhex(one) for one in proof.proof], bytes.fromhex(proof.leaf)
    if not merkle.includes(bytes.fromhex(proof.root), proof.size, leaf, proof.version - 1, path):
        findings.add(proof.version, "inclusion", "hashes that lead from the event to the root", "others")


def _check_note(proof: EventProof, keys: Sequence[Verifier], findings: Findings) -> tuple[str, str]:
    """Check the signed note; return its head and the key that signed it, empty where none of them did."""
    try:
        text, signers = read(proof.checkpoint.encode(), keys)
        claimed = Checkpoint.parse(text)
    except BadNote as error:
        findings.add(proof.size, "checkpoint", "a checkpoint that can be relied on", str(error))
        return "", ""
    pairs: list[tuple[str, object, object]] = [
        ("a checkpoint of game", proof.game, claimed.game),
        ("a checkpoint of size", proof.size, claimed.size),
        ("a checkpoint of root", proof.root, claimed.root.hex()),
    ]
    findings.compare(proof.size, "checkpoint", pairs)
    return claimed.head.hex(), signers[0].text if signers else ""
