"""docs/format.md and the program beside it: the worked example is recomputed from its own bytes."""

import ast
import gzip
import hashlib
import hmac
import io
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from service.audit.bundle import Bundle
from tests.support.tampered import PROGRAM, second

PAGE = (PROGRAM.parent / "format.md").read_text(encoding="utf-8")
EXAMPLE = re.findall(r"^```ndjson\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)[0].encode()
TOLD: dict[str, str] = dict(re.findall(r"^\| ([^|`]+) \| `([0-9a-f]{64})` \|$", PAGE, re.MULTILINE))


def sha(*parts: bytes) -> bytes:
    return hashlib.sha256(b"".join(parts)).digest()


def stored() -> list[bytes]:
    """The events' bytes, cut out as the page says."""
    lines = [line for line in EXAMPLE.split(b"\n") if line.startswith(b'{"event":')]
    return [line[len(b'{"event":') : -75] for line in lines]


def test_the_chain_and_the_tree_of_the_example() -> None:
    found = {"link before event 1": sha(b"rollbook/chain/v1\x00", b"example")}
    link, leaves = found["link before event 1"], []
    for number, data in enumerate(stored(), start=1):
        leaves.append(sha(b"\x00", data))
        link = sha(b"\x02", link, leaves[-1])
        found |= {f"leaf of event {number}": leaves[-1], f"link of event {number}": link}
    pairs = {f"node over leaves {n} and {n + 1}": sha(b"\x01", *leaves[n - 1 : n + 1]) for n in (1, 3, 5)}
    one, two, three = pairs.values()
    four = sha(b"\x01", one, two)
    found |= {**pairs, "node over leaves 1 to 4": four, "root of the tree": sha(b"\x01", four, three)}
    assert {name: value.hex() for name, value in found.items()}.items() <= TOLD.items()
    assert set(TOLD) - set(found) == {"block 0 at movement/1/1"}


def test_the_dice_and_the_text_of_the_example() -> None:
    created, _, taken, _, rolled, revealed = (json.loads(data)["data"] for data in stored())
    secret = bytes(range(32))
    assert revealed["secret"] == secret.hex()
    assert created["commitment"] == sha(b"rollbook/commit/v2\x00example\x00drawn\x00", secret).hex()
    block = hmac.digest(secret, b"rollbook/chance/v1\nexample\n\nmovement/1/1\n0", "sha256")
    assert block.hex() == TOLD["block 0 at movement/1/1"]
    assert rolled["faces"] == [byte % 6 + 1 for byte in block if byte < 252][:3]
    text = json.loads(next(line for line in EXAMPLE.split(b"\n") if b'"text":' in line))
    assert sha(bytes(16), "Zoë".encode()).hex() == text["text"] == taken["name"]


def test_both_verifiers_read_the_example() -> None:
    """The second finds nothing wrong with it; ours reads it, and finds no more than that its events are short."""
    report = second().check(io.BytesIO(EXAMPLE))
    assert (report.faults, report.head, report.root) == ([], TOLD["link of event 6"], TOLD["root of the tree"])
    bundle = Bundle(io.BytesIO(EXAMPLE))
    assert bundle.findings.kept == []
    assert [entry.data for entry in bundle.read("example", after=0, count=9)] == stored()
    assert bundle.texts("example", bundle.unnamed.copy()) != {}


def test_the_second_verifier_is_short_and_needs_nothing() -> None:
    source = PROGRAM.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 540
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {name.name for node in imports for name in node.names}
    assert names <= set(sys.stdlib_module_names)
    assert not any(isinstance(node, ast.ImportFrom) for node in imports)


def program(*arguments: str | Path) -> tuple[int, str, str]:
    """Run it, isolated from everything that is installed."""
    command = [sys.executable, "-I", "-S", PROGRAM, *arguments]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.returncode, run.stdout, run.stderr


def test_the_second_verifier_as_a_program(tmp_path: Path) -> None:
    """The verdict first, a sentence for each check, and what it does not do; exit code 0 for what is good, else 1."""
    path = tmp_path / "game.ndjson"
    path.write_bytes(EXAMPLE)
    code, said, errors = program(path)
    assert (code, errors, said.splitlines()[0]) == (0, "", "holds; actions not executed: game example, 6 events")
    begins = ("lines", "events", "chain", "tree", "data", "texts", "nonces", "coordinates", "books", "chance")
    assert [line.split()[1].rstrip(":") for line in said.splitlines() if line.startswith("done")] == [*begins]
    assert "not done: actions were not executed again" in said
    path.write_bytes(EXAMPLE.replace(b'"turn":1', b'"turn":2'))
    code, said, errors = program(path)
    assert (code, errors, said.split(":")[0]) == (1, "", "failed")
    assert "event 4: chain" in said
    assert "failed: chain" in said


def test_a_prefix_is_not_called_fair(tmp_path: Path) -> None:
    """Without the secret the dice may be anything, and the program says so."""
    lines = EXAMPLE.splitlines(keepends=True)
    del lines[-2]
    path = tmp_path / "game.ndjson"
    path.write_bytes(b"".join(lines))
    assert "open: chance: 1 dice and cards were not checked, and may be anything" in program(path)[1]


NONE = {
    "nothing": (b"", "it is empty"),
    "CRLF": (EXAMPLE.replace(b"\n", b"\r\n"), "carriage return"),
    "BOM": (b"\xef\xbb\xbf" + EXAMPLE, "byte order mark"),
    "gzip": (gzip.compress(EXAMPLE), "compressed (gzip)"),
    "deep": (b"[" * 200_000 + b"\n", "nested too deep"),
    "a word": (b"tea", "no JSON"),
}


@pytest.mark.parametrize("what", NONE)
def test_what_is_no_bundle_is_told_why(what: str, tmp_path: Path) -> None:
    data, why = NONE[what]
    path = tmp_path / "game.ndjson"
    path.write_bytes(data)
    code, said, errors = program(path)
    assert (code, said, errors.count("\n"), why in errors) == (1, "", 1, True)
    assert "Traceback" not in errors


def test_how_the_second_verifier_is_used(tmp_path: Path) -> None:
    """Without a file it says so; a file that is not there is one line."""
    assert (program()[0], program("--help")[0]) == (2, 0)
    assert "verify_bundle.py [--key KEY] FILE" in program("--help")[1]
    code, _, errors = program(tmp_path / "none")
    assert (code, errors.count("\n"), "cannot be read" in errors) == (1, 1, True)


def test_deep_and_cut_lines_are_faults_and_no_traceback() -> None:
    lines = EXAMPLE.splitlines(keepends=True)
    for bad in (b"[" * 200_000 + b"\n", b'{"event":' + b"[" * 200_000 + lines[1][-76:], b"\n", b"{}\n"):
        faults = second().check(io.BytesIO(b"".join([*lines[:3], bad, *lines[3:]]))).faults
        assert {word for _, word in faults} & {"bundle", "readable"}
    assert second().check(io.BytesIO(EXAMPLE[:-1])).faults
