"""Bundles: written and read back, and what is said of those that are cut, hostile, or of another kind."""

import io
import json
import tracemalloc
from base64 import b64encode
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from events.store import Entry, Head
from service.audit.bundle import BadBundle, Bundle, verify_bundle, write
from service.audit.bundle.lines import MOST_LINE, read_entry, write_entry
from service.audit.verify import StoredHistory
from service.cli import main
from service.rules import versions
from tests.support.played import empty, finished, games_on, play, sit_down, start
from tests.support.tampered import SIGNER, Case, case, checks, ours, signed, theirs


@cache
def good() -> Case:
    return case(finished(months=1))


def lines(bundle: bytes) -> list[bytes]:
    return bundle.splitlines(keepends=True)


def found(bundle: bytes) -> set[str]:
    return checks({(finding.version, finding.check) for finding in ours(bundle)})


def run(*arguments: str, data: bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["verify", *arguments], input=data)


def test_a_bundle_holds_what_is_stored() -> None:
    """The events' very bytes in order, every data file, every text; and it is the same in any batches."""
    whole = good()
    bundle = Bundle(io.BytesIO(whole.bundle(whole.entries)))
    assert bundle.read(whole.game, after=0, count=9999) == [Entry(*pair) for pair in whole.entries]
    assert {name for name, _ in bundle.data} == {f"public_assistance_{what}" for what in ("board", "benefit", "burden")}
    names = [seat.name for seat in whole.table.state.seats.values()]
    assert bundle.texts(whole.game, names) == whole.table.store.sidecar.texts(whole.game, names)
    assert (bundle.findings.kept, bundle.events) == ([], len(whole.entries))


def test_it_is_read_from_any_version_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.audit.bundle.reader.EVERY", 7)
    whole = good()
    bundle = Bundle(io.BytesIO(whole.bundle(whole.entries)))
    for after in (140, 0, 7, 6, 8, 148, 149, 500, 3):
        expected = [Entry(*pair) for pair in whole.entries[after : after + 10]]
        assert bundle.read(whole.game, after=after, count=10) == expected


def test_what_could_not_be_checked_is_said() -> None:
    """No key, no checkpoint, no secret, other rules: each in a sentence with its reason."""
    whole = good()
    bundle = whole.bundle(whole.entries)
    assert "no verifier key was given" in " ".join(verify_bundle(io.BytesIO(bundle)).unchecked)
    unsigned = verify_bundle(io.BytesIO(whole.bundle(whole.entries, note="")), keys=[SIGNER.verifier])
    assert "checkpoint: nobody signed this bundle" in " ".join(unsigned.missing)
    table = play(start(sit_down(games_on(empty()))), most=20)
    head = table.store.streams.head(table.game)
    assert head is not None
    running = verify_bundle(io.BytesIO(b"".join(write(StoredHistory(table.store), table.game, head))))
    assert running.findings == []
    assert "the secret is not revealed yet" in " ".join(running.unchecked)


def test_rules_that_this_release_does_not_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything but the execution is done, and the report says who does that: not verified, without a finding."""
    whole = good()
    bundle = whole.bundle(whole.entries)
    monkeypatch.setattr(versions, "SUPPORTED", frozenset({7}))
    report = verify_bundle(io.BytesIO(bundle), keys=[SIGNER.verifier])
    assert (report.findings, report.execution) == ([], None)
    assert report.verdict == "not verified"
    assert "rules 1 and this release holds rules 7; a release that holds rules 1" in " ".join(report.missing)
    assert not any(check.startswith("execution") for check in report.checks)
    assert any(check.startswith("chance: the secret is the one") for check in report.checks)


def test_a_text_that_was_erased_is_not_missed() -> None:
    whole = good()
    kept = [line for line in lines(whole.bundle(whole.entries)) if b'"text":"' not in line or b'"event":' in line]
    bundle = b"".join(kept)
    assert len(kept) < len(lines(whole.bundle(whole.entries)))
    assert (ours(bundle), theirs(bundle)) == ([], [])


def _changed(change: Callable[[list[bytes]], object]) -> bytes:
    split = lines(good().bundle(good().entries))
    change(split)
    return b"".join(split)


def _text(split: list[bytes]) -> int:
    return next(n for n, line in enumerate(split) if line.startswith(b'{"record":'))


def _other_text(split: list[bytes]) -> None:
    place = _text(split)
    text = json.loads(split[place])
    text["record"] = b64encode(bytes(16) + b"Eve").decode()
    split[place] = json.dumps(text, separators=(",", ":")).encode() + b"\n"


def _other_order(split: list[bytes]) -> None:
    text = json.loads(split[_text(split)])
    split[_text(split)] = json.dumps(dict(reversed(text.items())), separators=(",", ":")).encode() + b"\n"


def _strange_text(split: list[bytes]) -> None:
    split.insert(1, b'{"record":"AAAA","text":"%s"}\n' % (b"ab" * 32))


def _second_text(split: list[bytes]) -> None:
    place = _text(split)
    proper = split[place]
    _other_text(split)
    split.insert(place, proper)


def _second_data(split: list[bytes]) -> None:
    split.insert(1, split[1])


def _other_digest(split: list[bytes]) -> None:
    data = json.loads(split[1])
    split[1] = split[1].replace(data["sha256"].encode(), b"0" * 64)


TWICE: dict[str, Callable[[list[bytes]], object]] = {
    "a text, and then another of its digest": _second_text,
    "a data file, and then the same": _second_data,
    "a data file of another digest": _other_digest,
}
"""What would be read by one and passed over by another."""

BAD: dict[str, tuple[Callable[[list[bytes]], object], str]] = {
    "the last line is gone": (lambda s: s.pop(), "bundle"),
    "cut in the middle": (lambda s: s.__delitem__(slice(60, None)), "bundle"),
    "cut in a line": (lambda s: s.__setitem__(slice(60, None), [s[60][:40]]), "bundle"),
    "a data file is gone": (lambda s: s.pop(1), "data"),
    "a data file is another": (lambda s: s.__setitem__(1, s[1].replace(b"public_", b"pubic__", 1)), "data"),
    "a text is another": (_other_text, "text"),
    "a text that nobody names": (_strange_text, "text"),
    "a line that is no JSON": (lambda s: s.insert(5, b"{what\n"), "bundle"),
    "a line that is deep": (lambda s: s.insert(5, b"[" * 100_000 + b"\n"), "bundle"),
    "a line that is no text": (lambda s: s.insert(5, b"\xff\xfe\n"), "bundle"),
    "an empty line": (lambda s: s.insert(5, b"\n"), "bundle"),
    "a line of another kind": (lambda s: s.insert(5, b'{"tea":1}\n'), "bundle"),
    "a field too many": (lambda s: s.__setitem__(-1, s[-1].replace(b'"end"', b'"eel":1,"end"')), "bundle"),
    "keys in another order": (_other_order, "bundle"),
    "a link in capitals": (lambda s: s.__setitem__(30, s[30][:-70] + s[30][-70:].upper()), "bundle"),
    "two last lines": (lambda s: s.append(s[-1]), "bundle"),
    "a head of another": (lambda s: s.__setitem__(0, s[0].replace(b'"version":1', b'"version":2')), "head"),
    "another root": (lambda s: s.__setitem__(-1, s[-1][:-10] + b"00000000" + s[-1][-2:]), "bundle"),
    **{what: (change, "bundle") for what, change in TWICE.items()},
    "windows line ends": (lambda s: s.__setitem__(slice(None), [line.replace(b"\n", b"\r\n") for line in s[:]]), ""),
}  # fmt: skip
"""What was done to the lines of a good bundle → the check that finds it; empty for what is no bundle at all."""


@pytest.mark.parametrize("what", BAD)
def test_lines_that_are_not_as_they_should_be(what: str, tmp_path: Path) -> None:
    """Findings, or one clear line: never a traceback."""
    change, check = BAD[what]
    bundle = _changed(change)
    assert bundle != good().bundle(good().entries)
    path = tmp_path / "game.ndjson"
    path.write_bytes(bundle)
    done = run(str(path), "--key", SIGNER.verifier.text)
    assert (done.exit_code, "Traceback" in done.output, "a bug" in done.output) == (1, False, False)
    if check:
        assert check in found(bundle)
    else:
        assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("change", TWICE.values(), ids=TWICE)
def test_what_stands_twice_is_found_by_both(change: Callable[[list[bytes]], object]) -> None:
    """Each reader takes another one of two, so that neither may pass the other over."""
    bundle = _changed(change)
    assert "bundle" in found(bundle)
    assert {word for _, word in theirs(bundle)} & {"bundle", "text", "data"}


def test_a_first_line_that_says_it_is_not_over_is_found_by_both() -> None:
    bundle = _changed(lambda s: s.__setitem__(0, s[0].replace(b'"sealed":true', b'"sealed":false')))
    assert (found(bundle), theirs(bundle)) == ({"head"}, [(len(good().entries), "head")])


HEADER = b'{"bundle":"rollbook-bundle/1","game":"g","head":"%s","sealed":true,"version":1}\n' % (b"0" * 64)
NONE = {
    "nothing": b"",
    "a picture": b"\x89PNG\r\n\x1a\n" + bytes(200),
    "another line first": b'{"end":1,"checkpoint":"","tree":"00"}\n',
    "a later format": HEADER.replace(b"bundle/1", b"bundle/2"),
    "an endless line": b'{"event":' + b"x" * (MOST_LINE + 10),
    "an endless line after the first": HEADER + b"x" * (MOST_LINE + 10),
}


@pytest.mark.parametrize("what", NONE)
def test_what_is_no_bundle_is_one_clear_line(what: str, tmp_path: Path) -> None:
    path = tmp_path / "thing"
    path.write_bytes(NONE[what])
    done = run(str(path))
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "a bug" not in done.stderr
    with pytest.raises(BadBundle):
        verify_bundle(io.BytesIO(NONE[what]))


def test_files_that_are_not_there(tmp_path: Path) -> None:
    """A caller with a game's id is pointed to the other command."""
    done = run("abcdef")
    assert (done.exit_code, "rollbook audit abcdef" in done.stderr) == (1, True)
    for arguments in ((str(tmp_path),), (str(tmp_path / "no.ndjson"),), ("-", "--pinned", str(tmp_path / "no"))):
        done = run(*arguments, data=b"")
        assert (done.exit_code, done.stderr.count("\n"), "a bug" in done.stderr) == (1, 1, False)


def test_the_command_line_says_what_it_found() -> None:
    """Through a pipe; for people and for machines; with a checkpoint that was kept."""
    whole = good()
    bundle = whole.bundle(whole.entries)
    done = run("-", "--key", SIGNER.verifier.text, data=bundle)
    assert (done.exit_code, "verified" in done.stdout) == (0, True)
    report = json.loads(run("-", "--json", data=bundle).stdout)
    assert (report["findings"], report["execution"]["outcome"]) == ([], "same")
    bad = run("-", data=whole.bundle(whole.entries[:-1]))
    assert (bad.exit_code, bad.stdout.startswith("failed: game ")) == (1, True)


def test_a_checkpoint_that_somebody_kept(tmp_path: Path) -> None:
    """A fork from there on, with every link made again and signed again for its size, fails against it."""
    whole = good()
    kept = tmp_path / "kept"
    kept.write_text(whole.note, encoding="utf-8")
    keys = ("--key", SIGNER.verifier.text)
    assert run("-", *keys, "--pinned", str(kept), data=whole.bundle(whole.entries)).exit_code == 0
    entries = whole.plain()[:-1]
    entries[-1]["at"] += 5
    entries += [dict(entries[-1], version=entries[-1]["version"] + 1)]
    entries += [dict(entries[-1], version=entries[-1]["version"] + 1)]
    fork = whole.rechained(entries)
    done = run("-", *keys, "--json", "--pinned", str(kept), data=whole.bundle(fork, note=signed(whole.game, fork)))
    assert done.exit_code == 1
    follows = [one for finding in json.loads(done.stdout)["findings"] for one in finding["follows"]]
    assert {"check": "pinned", "version": len(whole.entries), "count": 2} in follows
    assert run("-", "--pinned", str(kept), data=whole.bundle(whole.entries)).exit_code == 1
    other = tmp_path / "other"
    other.write_text(whole.note.replace(whole.game, "another"), encoding="utf-8")
    assert run("-", *keys, "--pinned", str(other), data=whole.bundle(whole.entries)).exit_code == 1


def test_a_bundle_without_its_last_line_feed_was_cut() -> None:
    bundle = good().bundle(good().entries)
    assert found(bundle[:-1]) == {"bundle"}
    assert found(bundle[:-1] + b"\0") == {"bundle"}


@settings(max_examples=200, suppress_health_check=list(HealthCheck))
@given(st.data())
def test_any_bytes_anywhere(data: st.DataObject) -> None:
    """Whatever is cut, doubled or overwritten: findings or `BadBundle`, and never another exception."""
    bundle = good().bundle(good().entries)
    start_at = data.draw(st.integers(0, len(bundle) - 1))
    length = data.draw(st.integers(0, 400))
    put = data.draw(st.one_of(st.binary(max_size=60), st.just(bundle[start_at : start_at + length] * 2)))
    changed = bundle[:start_at] + put + bundle[start_at + length :]
    with suppress(BadBundle):
        report = verify_bundle(io.BytesIO(changed), keys=[SIGNER.verifier])
        assert report.findings or changed == bundle


def test_entries_of_any_bytes_are_written_as_one_line() -> None:
    for data in (b'{"a":1}', b"{\n}", b"\xff", b"", b"[" * 5000, b'{"event":1,"link":"'):
        line = write_entry(Entry(data, bytes(32)))
        assert (line.count(b"\n"), isinstance(json.loads(line), dict)) == (1, True)
        read = read_entry(line[:-1])
        assert read is None or read == Entry(data, bytes(32))


def test_a_bundle_passes_through_little_memory() -> None:
    """A stream of 20,000 entries is written in pieces of some hundred."""

    class Endless(type(good().table.store)):  # type: ignore[misc] # any store will do
        def __init__(self) -> None:
            """No client."""

        def read(self, _game: str, *, after: int = 0, upto: int | None = None, count: int = 1) -> list[Entry]:
            return [
                Entry(b'{"n":%d}' % n + b" " * 1000, bytes(32)) for n in range(after, min(after + count, upto or 1))
            ]

    head = Head(20_000, bytes(32), sealed=True)
    tracemalloc.start()
    size = sum(len(piece) for piece in write(Endless(), "g", head))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert size > 20_000_000
    assert peak < 4_000_000
