"""The OpenAPI document against the server, by schemathesis: every check, every route, what fits and what does not."""

import subprocess
import sys
from pathlib import Path

import pytest

# A request without its token also has other headers that cannot be read, and those are found first: test_permissions.py
# shows what is answered to a request without a token.
WITHOUT = "missing_required_header"
EXCEPTIONS = Path(__file__).with_name("schemathesis.toml")


@pytest.mark.long
def test_every_answer_is_one_that_the_document_promises(base: str, tmp_path: Path) -> None:
    command = [
        Path(sys.executable).with_name("schemathesis"),
        "--config-file",
        EXCEPTIONS,
        "run",
        f"{base}/openapi.json",
    ]
    options = [
        "--checks",
        "all",
        "--exclude-checks",
        WITHOUT,
        "--max-examples",
        "15",
        "--seed",
        "1",
        "--continue-on-failure",
    ]
    done = subprocess.run([*command, *options], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-20_000:]
    assert "Tested: 51" in done.stdout
