"""Checking a bundle offline: everything that an audit of the store checks, and what only a bundle has."""

from collections.abc import Sequence
from typing import BinaryIO

from events import codec
from events.lobby import DataPin, GameCreated
from service.audit.bundle.reader import Bundle
from service.audit.proofs.checkpoints import Checkpoint
from service.audit.verify import Pin, Progress, Report, verify
from service.audit.verify.report import Findings
from service.keys.notes import BadNote, Verifier, read


def verify_bundle(
    file: BinaryIO,
    *,
    pins: Sequence[Pin] = (),
    keys: Sequence[Verifier] = (),
    progress: Progress | None = None,
) -> Report:
    """Check all of a bundle.

    Args:
        file: Open for reading at any place.
        pins: Kept checkpoints.
        keys: Verifier keys that the bundle's own checkpoint may be signed by; with none, its signature is not checked.
        progress: Called after each batch.

    Raises:
        BadBundle: It is no bundle at all. Anything else that is wrong is a finding.
    """
    bundle = Bundle(file)
    report = verify(bundle, bundle.header.game, pins=pins, progress=progress)
    findings = Findings()
    _check_data(bundle, findings)
    _check_end(bundle, report, findings)
    _check_note(bundle, report, keys, findings)
    for digest in sorted(bundle.unnamed):
        findings.add(0, "text", "a text that an event names", digest)
    report.findings[:0] = bundle.findings.listed()
    report.findings.extend(findings.listed())
    report.checks.append("bundle: its lines, data files, texts and last line are what its events say")
    report.unchecked.append("acknowledged: what the service has answered elsewhere, or since, is not in a bundle")
    return report


def _check_data(bundle: Bundle, findings: Findings) -> None:
    """Check that the bundle holds every data file that the game is played on, and no other."""
    pinned = {(pin.name, pin.version): pin.sha256 for pin in _pins(bundle)}
    for name, version in sorted({*pinned, *bundle.data}):
        expected, found = pinned.get((name, version), "none"), bundle.data.get((name, version), "none")
        findings.compare(1, "data", [(f"the data file {name} v{version} in the bundle,", expected, found)])
    if {*pinned} == {*bundle.data} and [*pinned] != [*bundle.data]:
        findings.add(1, "data", "the data files in the order of the first event", "another order")


def _pins(bundle: Bundle) -> Sequence[DataPin]:
    try:
        event = codec.decode(bundle.read(bundle.header.game, after=0, count=1)[0].data).data
    except (codec.DamagedEntry, IndexError):
        return ()
    return event.pins if isinstance(event, GameCreated) else ()


def _check_end(bundle: Bundle, report: Report, findings: Findings) -> None:
    """Compare the last line with what was read."""
    if bundle.last is not None:
        pairs = [
            ("a last line of so many events,", report.version, bundle.last.end),
            ("a last line with the root", report.tree_hex, bundle.last.tree),
        ]
        findings.compare(report.version, "tree", pairs)


def _check_note(bundle: Bundle, report: Report, keys: Sequence[Verifier], findings: Findings) -> None:
    """Compare the bundle's own checkpoint with all that was read, and report how far it can be relied on."""
    note = bundle.last.checkpoint.encode() if bundle.last else b""
    if not note:
        unsigned = "checkpoint: nobody signed this bundle"
        if keys:
            report.missing.append(f"{unsigned}, and a signature by a key that was given is asked for")
        else:
            report.unchecked.append(f"{unsigned}, so one that was made again is not noticed")
        return
    try:
        text, signers = read(note, keys)
        claimed = Checkpoint.parse(text)
    except BadNote as error:
        findings.add(report.version, "checkpoint", "a checkpoint that can be relied on", str(error))
        return
    computed = Checkpoint(report.game, report.version, bytes.fromhex(report.tree_hex), bytes.fromhex(report.head_hex))
    found = claimed.text if claimed.text != computed.text else text
    findings.compare(report.version, "checkpoint", [("the checkpoint", computed.text, found)])
    if signers:
        report.checks.append("checkpoint: signed by a key that is trusted, over the root and the head of all events")
    elif keys:
        report.missing.append("checkpoint: no key that was given signed it")
    else:
        report.unchecked.append("checkpoint: its signature was not checked, since no verifier key was given (--key)")
