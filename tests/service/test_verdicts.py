"""The three verdicts of a verification, their exit codes, and findings that are grouped by cause."""

import gzip
import io
import json
import logging
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from events.store import HeadLog
from service.audit.bundle import verify_bundle
from service.audit.verify import Report
from service.bootstrap import assemble
from service.cli import main
from service.cli.audit import leave
from service.keys.notes import Signer
from tests.support.forged import Json
from tests.support.played import begun, empty, finished, games_on
from tests.support.tampered import SIGNER, Case, case, ours, signed


@cache
def good() -> Case:
    return case(finished(months=1))


def run(bundle: bytes, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["verify", "-", *arguments], input=bundle)


def of(bundle: bytes, **options: Any) -> Report:
    return verify_bundle(io.BytesIO(bundle), **options)


def changed(change: Callable[[list[Json]], object]) -> bytes:
    """The bundle of a game whose events were changed, chained and signed again."""
    entries = good().plain()
    change(entries)
    chained = good().rechained(entries)
    return good().bundle(chained, note=signed(good().game, chained))


def unlawful(entries: list[Json]) -> None:
    """A payment by a rule that there is not."""
    next(entry["data"] for entry in reversed(entries) if entry["data"]["type"] == "money_moved")["rule"] = "PA-999"


def test_a_key_demands_a_signature_by_it() -> None:
    """Not signed, or signed by another: not verified. Signed by it, and not over this game: failed."""
    whole, key = good(), ("--key", SIGNER.verifier.text)
    signed_bundle, bare = whole.bundle(whole.entries), whole.bundle(whole.entries, note="")
    other = Signer("rollbook", b"8" * 32).verifier.text
    assert [run(bundle, *key).exit_code for bundle in (signed_bundle, bare)] == [0, 3]
    assert (run(bare).exit_code, run(signed_bundle, "--key", other).exit_code) == (0, 3)
    assert run(bare, *key).stdout.startswith("not verified: game ")
    forged = signed_bundle.replace(b"\\nhead ", b"\\nhead 0", 1)
    assert forged != signed_bundle
    assert run(forged, *key).exit_code == 1


def test_a_signature_line_is_not_enough_for_a_text_of_another_form() -> None:
    """An extra line in a checkpoint that no key was asked about is found."""
    whole = good()
    note = whole.note.replace("\n\n", "\nmore\n\n")
    assert [(f.check) for f in of(whole.bundle(whole.entries, note=note)).findings] == ["checkpoint"]


def test_rules_that_are_not_held_are_not_verified() -> None:
    """Whatever else was changed: what only executing it would show cannot be said to be right."""

    def foreign(entries: list[Json]) -> None:
        unlawful(entries)
        entries[0]["data"]["rules"] = 99

    report = of(changed(foreign))
    assert (report.verdict, report.execution) == ("not verified", None)
    assert "played by rules 99 and this release holds rules 1" in " ".join(report.missing)
    done = run(changed(foreign))
    assert (done.exit_code, done.stdout.splitlines()[0].split(":")[0]) == (3, "not verified")


def test_an_event_of_a_later_release_is_not_verified_where_its_rules_are_not_held() -> None:
    def later(entries: list[Json]) -> None:
        entries[0]["data"]["rules"] = 99
        payment = next(entry for entry in entries if entry["data"]["type"] == "money_moved")
        payment["data"] = {"type": "tea_served", "schema": 1}

    assert of(changed(later)).verdict == "not verified"
    assert "since tea_served is not known here" in " ".join(of(changed(later)).missing)


def test_other_code_under_the_same_number_of_the_rules() -> None:
    """It may be right where it was played, and looks like a forged one here."""

    def code(entries: list[Json]) -> None:
        entries[0]["data"]["code"] = "ab" * 32

    def both(entries: list[Json]) -> None:
        code(entries)
        unlawful(entries)

    assert of(changed(code)).verdict == "not verified"
    report = of(changed(both))
    assert (report.verdict, report.findings) == ("not verified", [])
    assert "opened by other code under the same number of the rules" in " ".join(report.missing)
    assert of(changed(unlawful)).verdict == "failed"


def test_a_board_that_is_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game on a board of a later release is not verified; nothing is wrong with it."""
    whole = good()

    def none(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr("service.audit.verify.run.pin", none)
    report = of(whole.bundle(whole.entries))
    assert (report.verdict, report.findings) == ("not verified", [])


def test_of_many_games_the_worst_counts() -> None:
    """1 beats 3 beats 0; what is open changes nothing."""
    whole = good()
    verified = of(whole.bundle(whole.entries))
    assert verified.unchecked
    missing = of(whole.bundle(whole.entries, note=""), keys=[SIGNER.verifier])
    failed = of(changed(unlawful))
    codes = []
    for reports in ([verified], [verified, missing], [missing, failed, verified]):
        done = CliRunner().invoke(_leaving(reports))
        codes.append(done.exit_code)
    assert codes == [0, 3, 1]


def _leaving(reports: list[Report]) -> Any:
    import click  # noqa: PLC0415 -- as a command, so that there is an exit code

    return click.command()(lambda: leave(reports))


def test_what_is_not_executed_holds_at_best() -> None:
    table = begun(games_on(empty()), "one")
    from service.audit.audit import audit_game  # noqa: PLC0415 -- of the store, as a request has it

    assert audit_game(table.games, table.game, execute=False).verdict == "holds; actions not executed"
    assert audit_game(table.games, table.game).verdict == "verified"


@pytest.mark.parametrize("place", [5, 40, 100])
def test_one_lost_line_is_one_finding(place: int) -> None:
    """With everything after it, and whatever else does not fit any more."""
    whole = good()
    lines = whole.bundle(whole.entries).splitlines(keepends=True)
    events = [n for n, line in enumerate(lines) if line.startswith(b'{"event":')]
    del lines[events[place]]
    causes = of(b"".join(lines), keys=[SIGNER.verifier]).causes
    assert [(one.check, one.version) for one in causes] == [("gapless", place + 1)]
    assert {"chain", "head", "tree", "checkpoint"} <= {one.check for one in causes[0].follows}


def test_an_event_left_out_with_the_chain_made_again_is_one_finding() -> None:
    """Though every prompt after it has another number."""

    def left_out(entries: list[Json]) -> None:
        del entries[60]
        for version, entry in enumerate(entries, start=1):
            entry["version"] = version

    assert len(of(changed(left_out)).causes) == 1


def test_two_changes_are_two_findings() -> None:
    whole = good()
    entries = list(whole.entries)
    for place in (40, 90):
        data, link = entries[place]
        entries[place] = (data.replace(b'"schema":1', b'"schema": 1'), link)
    assert [one.version for one in of(whole.bundle(entries)).causes] == [41, 91]


def test_findings_are_in_words() -> None:
    """Without the names of exceptions or classes, for each kind of event that is changed or left out."""
    for kind in good().kinds():
        place = good().first(kind)
        for unknown in (False, True):
            forged = good().plain()
            event = forged[place] if unknown else forged.pop(place)
            event["data"]["type"] = "tea_served"
            for version, entry in enumerate(forged, start=1):
                entry["version"] = version
            said = " ".join(f"{f.expected} {f.found}" for f in ours(good().bundle(good().rechained(forged))))
            assert not any(word in said for word in ("Error", "None", "True", "False", "Exception")), said


DISGUISED: dict[str, tuple[Callable[[bytes], bytes], str]] = {
    "CRLF": (lambda data: data.replace(b"\n", b"\r\n"), "carriage return"),
    "BOM": (lambda data: b"\xef\xbb\xbf" + data, "byte order mark"),
    "gzip": (gzip.compress, "compressed (gzip)"),
    "nothing": (lambda _: b"", "it is empty"),
    "deep": (lambda _: b'{"a":' * 100_000 + b"\n", "nested too deep"),
    "UTF-16": (lambda data: data.decode().encode("utf-16"), "no bundle"),
}


@pytest.mark.parametrize("how", DISGUISED)
def test_a_file_that_is_no_bundle_is_told_why(how: str) -> None:
    disguise, why = DISGUISED[how]
    done = run(disguise(good().bundle(good().entries)))
    assert (done.exit_code, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert why in done.stderr


def test_lines_that_are_out_of_place() -> None:
    """Data files in another order, a text at the end or too early, a sound event as bytes."""
    whole = good()
    lines = whole.bundle(whole.entries).splitlines(keepends=True)
    text = next(n for n, line in enumerate(lines) if line.startswith(b'{"record":'))
    event = next(n for n, line in enumerate(lines) if line.startswith(b'{"event":'))

    def swapped(split: list[bytes]) -> None:
        split[1], split[2] = split[2], split[1]

    def to_end(split: list[bytes]) -> None:
        split.insert(-1, split.pop(text))

    def early(split: list[bytes]) -> None:
        split.insert(event, split.pop(text))

    def as_bytes(split: list[bytes]) -> None:
        from base64 import b64encode  # noqa: PLC0415 -- here alone

        data, link = whole.entries[0]
        odd = {"bytes": b64encode(data).decode(), "link": link.hex()}
        split[event] = json.dumps(odd, separators=(",", ":")).encode() + b"\n"

    for change, check in ((swapped, "data"), (to_end, "bundle"), (early, "bundle"), (as_bytes, "bundle")):
        split = list(lines)
        change(split)
        assert [one.check for one in of(b"".join(split)).causes] == [check], change.__name__


def test_a_key_without_a_checkpoint_is_a_misuse() -> None:
    """`rollbook audit` has nothing that it could have signed."""
    done = CliRunner().invoke(main, ["audit", "game", "--key", SIGNER.verifier.text])
    assert (done.exit_code, "--pinned" in done.stderr) == (2, True)


def test_an_audit_of_one_game_says_nothing_of_others(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Which lost events, too."""
    client, heads = empty(), HeadLog(tmp_path / "heads.log")
    tables = [begun(games_on(client, heads=heads), key) for key in ("one", "two")]
    for table in tables:
        heads.note(table.game, table.version + 5, b"x" * 32)
    only = HeadLog(tmp_path / "heads.log", reading=True, only=tables[0].game)
    with caplog.at_level(logging.ERROR):
        assemble(client, server_key=b"k" * 32, heads=only, allow_volatile=True)
    assert (tables[0].game in caplog.text, tables[1].game in caplog.text) == (True, False)


OPENINGS: dict[str, Callable[[Json], object]] = {
    "a known secret that is not called so": lambda first: first["data"].update(known_secret=False),
    "more places than the rulebook has": lambda first: first["data"].update(places=9),
    "no places": lambda first: first["data"].update(places=0),
    "a parent that is no game": lambda first: first["data"].update(parent="Tea!"),
    "a parent at version 0": lambda first: first["data"].update(parent="abc@0"),
    "boards in another order": lambda first: first["data"]["pins"].reverse(),
    "opened by the clock": lambda first: first.update(actor="clock"),
}


@pytest.mark.parametrize("what", OPENINGS)
def test_the_first_event_has_bounds(what: str) -> None:
    """Though nothing before it could contradict it; and whether the secret is known is committed to."""
    bundle = changed(lambda entries: OPENINGS[what](entries[0]))
    assert of(bundle).causes[0].version == 1
