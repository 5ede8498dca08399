"""Bundles of games whose entries were tampered with, and both verifiers' answers to them."""

import importlib.util
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from events import chain
from events.store import Head
from projections import merkle
from service.audit.bundle import verify_bundle, write
from service.audit.proofs.checkpoints import Checkpoint
from service.audit.verify import Finding
from service.keys.notes import Signer
from tests.support.forged import Held, Json, chained, plain, stored
from tests.support.played import Table

SIGNER = Signer("rollbook", b"7" * 32)
Pairs = Sequence[tuple[bytes, bytes]]
PROGRAM = Path(__file__).parents[2] / "docs" / "verify_bundle.py"


@cache
def second() -> Any:
    """The second verifier: the program of docs/, as it stands."""
    spec = importlib.util.spec_from_file_location("verify_bundle", PROGRAM)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def signed(game: str, entries: Pairs) -> str:
    """What the service signed for a game when it was as it should be."""
    root = merkle.root(chain.leaf(data) for data, _ in entries)
    return SIGNER.sign(Checkpoint(game, len(entries), root, entries[-1][1]).text)


@dataclass(frozen=True)
class Case:
    """A whole game, and the checkpoint that was signed for it."""

    table: Table
    entries: Pairs
    note: str

    @property
    def game(self) -> str:
        return self.table.game

    def first(self, kind: str) -> int:
        """Index of the first event of a kind."""
        return next(i for i, entry in enumerate(self.plain()) if entry["data"]["type"] == kind)

    def kinds(self) -> list[str]:
        return sorted({entry["data"]["type"] for entry in self.plain()})

    def plain(self) -> list[Json]:
        return [json.loads(data) for data, _ in self.entries]

    def bundle(self, entries: Pairs, *, note: str | None = None) -> bytes:
        """Write a bundle of other entries, with a head that fits them and the checkpoint that was signed before."""
        held = Held(self.table, entries)
        head = Head(len(entries), entries[-1][1], sealed=True)
        written = b"".join(write(held, self.game, head))
        signed_note = json.dumps(self.note if note is None else note, ensure_ascii=False).encode()
        return written.replace(b'{"checkpoint":""', b'{"checkpoint":' + signed_note)

    def rechained(self, entries: Sequence[Json | bytes]) -> Pairs:
        return chained(self.game, entries)


def case(table: Table) -> Case:
    entries = stored(table)
    assert plain(table)[-1]["data"]["type"] == "secret_revealed"
    return Case(table, entries, signed(table.game, entries))


def ours(bundle: bytes) -> list[Finding]:
    return verify_bundle(io.BytesIO(bundle), keys=[SIGNER.verifier]).findings


def theirs(bundle: bytes) -> list[tuple[int, str]]:
    found: list[tuple[int, str]] = second().check(io.BytesIO(bundle)).faults
    return found


def both(bundle: bytes) -> set[tuple[int, str]]:
    """What we find; the second verifier finds something too, and the same of chain, chance and checkpoint."""
    found = {(finding.version, finding.check) for finding in ours(bundle)}
    other = set(theirs(bundle))
    assert other, "the second verifier finds nothing"
    assert {one for one in found if one[1] == "chain"} == {one for one in other if one[1] == "chain"}
    assert ("checkpoint" in checks(found)) == ("checkpoint" in checks(other))
    return found


def checks(found: set[tuple[int, str]]) -> set[str]:
    return {check for _, check in found}
