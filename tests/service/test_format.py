"""docs/format.md and the program beside it: the worked example is recomputed from its own bytes."""

import ast
import hashlib
import hmac
import io
import json
import re
import subprocess
import sys
from pathlib import Path

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
    left, right = sha(b"\x01", *leaves[:2]), sha(b"\x01", *leaves[2:])
    found |= {"node over leaves 1 and 2": left, "node over leaves 3 and 4": right}
    found["root of the tree"] = sha(b"\x01", left, right)
    assert {name: value.hex() for name, value in found.items()}.items() <= TOLD.items()
    assert set(TOLD) - set(found) == {"block 0 at movement/1/1"}


def test_the_dice_and_the_text_of_the_example() -> None:
    created, taken, rolled, revealed = (json.loads(data)["data"] for data in stored())
    secret = bytes(range(32))
    assert revealed["secret"] == secret.hex()
    assert created["commitment"] == sha(b"rollbook/commit/v1\x00example\x00", secret).hex()
    block = hmac.digest(secret, b"rollbook/chance/v1\nexample\n\nmovement/1/1\n0", "sha256")
    assert block.hex() == TOLD["block 0 at movement/1/1"]
    assert rolled["faces"] == [byte % 6 + 1 for byte in block if byte < 252][:3]
    text = json.loads(next(line for line in EXAMPLE.split(b"\n") if b'"text":' in line))
    assert sha(bytes(16), "Zoë".encode()).hex() == text["text"] == taken["name"]


def test_both_verifiers_read_the_example() -> None:
    """The second finds nothing wrong with it; ours reads it, and finds no more than that its events are short."""
    wrong, head, root = second().check(io.BytesIO(EXAMPLE))
    assert (wrong, head, root) == ([], TOLD["link of event 4"], TOLD["root of the tree"])
    bundle = Bundle(io.BytesIO(EXAMPLE))
    assert bundle.findings.kept == []
    assert [entry.data for entry in bundle.read("example", after=0, count=9)] == stored()
    assert bundle.texts("example", bundle.unnamed.copy()) != {}


def test_the_second_verifier_is_short_and_needs_nothing() -> None:
    source = PROGRAM.read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 150
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {name.name for node in imports for name in node.names}
    assert names <= set(sys.stdlib_module_names)
    assert not any(isinstance(node, ast.ImportFrom) for node in imports)


def test_the_second_verifier_as_a_program(tmp_path: Path) -> None:
    """Isolated from everything that is installed; exit code 0 for what is good, 1 for what is not."""
    path = tmp_path / "game.ndjson"
    for data, code in ((EXAMPLE, 0), (EXAMPLE.replace(b'"turn":1', b'"turn":2'), 1)):
        path.write_bytes(data)
        run = subprocess.run([sys.executable, "-I", "-S", PROGRAM, path], capture_output=True, text=True, check=False)
        assert (run.returncode, run.stderr) == (code, ""), run.stdout
    assert "event 3: chain" in run.stdout
