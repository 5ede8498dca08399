"""`rollbook verify`: checks that a bundle is a whole and honest game, with no server and no store."""

import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import click

from service.audit.bundle import BadBundle, verify_bundle
from service.audit.proofs.event_proof import MOST_BYTES, BadProof, verify_event
from service.cli.audit import as_json_document, leave, show
from service.cli.checkpoints import pinned_options, read_keys, read_pins
from service.cli.display import echo_json, progress_bar
from service.cli.options import json_option
from service.settings import OperatorError


@click.command()
@click.argument("bundle", metavar="BUNDLE")
@pinned_options
@json_option
def verify(*, bundle: str, pinned: tuple[Path, ...], keys: tuple[str, ...], as_json: bool) -> None:
    """Check all of BUNDLE, or the proof of an event (a file, or - for standard input), offline.

    A key demands a signature by it.

    Exit code 0: verified; 1: failed; 3: not verified, since a check could not be made.
    """
    verifiers = read_keys(keys)
    pins = read_pins(pinned, verifiers)
    try:
        with _opened(bundle) as file, progress_bar(bundle) as progress:
            if _is_bundle(file):
                report = verify_bundle(file, pins=pins, keys=verifiers, progress=progress)
            else:
                report = verify_event(file.read(MOST_BYTES), verifiers)
    except (BadBundle, BadProof) as error:
        raise OperatorError(f"{bundle}: {error}") from None
    echo_json(as_json_document(report)) if as_json else show(report)
    leave([report])


def _is_bundle(file: BinaryIO) -> bool:
    """Return whether a file is to be read as a bundle: anything that is not one JSON object with a proof in it."""
    begin = file.read(MOST_BYTES)
    file.seek(0)
    return b'"proof":' not in begin or begin.startswith(b'{"bundle":')


@contextmanager
def _opened(name: str) -> Iterator[BinaryIO]:
    """Open a bundle to be read at any place; what comes through a pipe is put into a file first.

    Raises:
        OperatorError: It cannot be read.
    """
    try:
        with tempfile.TemporaryFile() if name == "-" else open(name, "rb") as file:
            if name == "-":
                shutil.copyfileobj(sys.stdin.buffer, file)
            yield file
    except FileNotFoundError:
        hint = f"; a game of a store is checked by `rollbook audit {name}`" if name.isalnum() else ""
        raise OperatorError(f"There is no file {name}{hint}.") from None
    except OSError as error:
        raise OperatorError(f"{name} cannot be read: {error.strerror}.") from None
