"""One file that proves one payment: it is made, handed on, and checked offline by both verifiers."""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from click.testing import CliRunner

from service.audit.proofs.event_proof import prove
from service.audit.proofs.merkle_tree import Trees
from service.cli import main
from service.keys.notes import Signer
from tests.support.played import finished
from tests.support.tampered import PROGRAM, SIGNER

Json = dict[str, Any]


@cache
def good() -> Json:
    """The proof of a game's first payment."""
    table = finished(months=1)
    entries = table.store.streams.read(table.game)
    version = next(n for n, entry in enumerate(entries, 1) if b'"money_moved"' in entry.data)
    tree = Trees(table.store.streams, table.store.keyframes).at(table.game, table.version, also=[version - 1])
    proof = prove(table.game, tree, version, entries[version - 1].data, SIGNER)
    return dict(msgspec.to_builtins(proof))


def both(proof: object, folder: Path, *key: str) -> list[tuple[int, str]]:
    """Exit code and output of both verifiers."""
    path = folder / "payment.json"
    path.write_text(json.dumps(proof), encoding="utf-8")
    ours = CliRunner().invoke(main, ["verify", *key, str(path)])
    theirs = subprocess.run(
        [sys.executable, "-I", "-S", PROGRAM, *key, path], capture_output=True, text=True, check=False
    )
    assert "Traceback" not in ours.output + theirs.stderr
    return [(ours.exit_code, ours.output), (theirs.returncode, theirs.stdout + theirs.stderr)]


@pytest.mark.parametrize("key", [(), ("--key", SIGNER.verifier.text)])
def test_a_payment_is_proved_to_anyone(key: tuple[str, ...], tmp_path: Path) -> None:
    """With the key of the service, or with the one in the file, which is then open."""
    for code, said in both(good(), tmp_path, *key):
        assert (code, said.split(":")[0]) == (0, "verified")
        assert "money_moved" in said
        assert ("compare it (--key)" in said) == (not key)


def test_another_key_is_not_verified(tmp_path: Path) -> None:
    other = Signer("rollbook", b"9" * 32).verifier.text
    assert [code for code, _ in both(good(), tmp_path, "--key", other)] == [3, 3]


CHANGES: dict[str, Callable[[Json], object]] = {
    "the amount": lambda p: p.update(event=p["event"].replace('"amount":', '"amount":1')),
    "the version": lambda p: p.update(version=p["version"] + 1),
    "the size": lambda p: p.update(size=p["size"] - 1),
    "the leaf": lambda p: p.update(leaf="ab" * 32),
    "the root": lambda p: p.update(root="ab" * 32),
    "a hash of the way": lambda p: p.update(proof=["ab" * 32, *p["proof"][1:]]),
    "a hash more": lambda p: p.update(proof=[*p["proof"], "ab" * 32]),
    "a hash less": lambda p: p.update(proof=p["proof"][:-1]),
    "the game": lambda p: p.update(game="tea"),
    "the size that was signed": lambda p: p.update(checkpoint=p["checkpoint"].replace(f"\n{p['size']}\n", "\n7\n")),
    "the signed head": lambda p: p.update(checkpoint=p["checkpoint"].replace("head ", "head 0")),
    "the note": lambda p: p.update(checkpoint="tea"),
}


@pytest.mark.parametrize("what", CHANGES)
def test_whatever_is_changed_both_find_it(what: str, tmp_path: Path) -> None:
    changed = dict(good())
    CHANGES[what](changed)
    assert changed != good()
    assert [code for code, _ in both(changed, tmp_path, "--key", SIGNER.verifier.text)] == [1, 1]


@pytest.mark.parametrize("proof", [{"proof": []}, {**good(), "tea": 1}, {**good(), "key": "tea"}])
def test_what_is_no_proof_is_one_line(proof: object, tmp_path: Path) -> None:
    for code, said in both(proof, tmp_path):
        assert (code, said.count("\n")) == (1, 1)
