"""Checking a bundle offline: everything that an audit of the store checks, and what only a bundle has."""

from collections.abc import Sequence
from typing import BinaryIO

from events import codec
from events.lobby import DataPin, GameCreated
from service.bundle.reading import Bundle
from service.notes import Verifier
from service.verify import Pinned, Progress, Report, verify
from service.verify.report import Findings


def verify_bundle(
    file: BinaryIO,
    *,
    pinned: Sequence[Pinned] = (),
    keys: Sequence[Verifier] = (),
    progress: Progress | None = None,
) -> Report:
    """Check all of a bundle.

    Args:
        file: Open for reading at any place.
        pinned: Checkpoints that somebody kept; the bundle's own is compared in any case.
        keys: Verifier keys that signatures are checked by; with none, they are not.
        progress: Told after each batch.

    Raises:
        BadBundle: It is no bundle at all. Anything else that is wrong is a finding.
    """
    bundle = Bundle(file)
    note = bundle.last.checkpoint.encode() if bundle.last else b""
    own = [Pinned(note, "the bundle's checkpoint", whole=True)] if note else []
    report = verify(bundle, bundle.header.game, pinned=[*own, *pinned], keys=keys, progress=progress)
    findings = Findings()
    _check_data(bundle, findings)
    _check_end(bundle, report, findings)
    for digest in sorted(bundle.unnamed):
        findings.add(0, "text", "a text that an event names", digest)
    report.findings[:0] = bundle.findings.listed()
    report.findings.extend(findings.listed())
    report.checks.append("bundle: its lines, data files, texts and last line are what its events say")
    report.unchecked.append("acknowledged: what the service has answered elsewhere, or since, is not in a bundle")
    return report


def _check_data(bundle: Bundle, findings: Findings) -> None:
    """See that the bundle holds every data file that the game is played on, and no other."""
    pinned = {(pin.name, pin.version): pin.sha256 for pin in _pins(bundle)}
    for name, version in sorted({*pinned, *bundle.data}):
        expected, found = pinned.get((name, version), "none"), bundle.data.get((name, version), "none")
        findings.compare(1, "data", [(f"the data file {name} v{version} in the bundle,", expected, found)])


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
