"""The verification: a good game is found good, and a table of forgeries, each with the check that finds it."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from events.store import Entry
from events.store.keys import game_keys
from service.audit.verify import Report, StoredHistory, verify
from service.games.chance import SecretDice, commitment
from tests.support.forged import Held, Json, chained, change_at, forged, leaves, plain, put, stored, verdict, written
from tests.support.played import Table, empty, finished, games_on, play, sit_down, start


@pytest.fixture(scope="module")
def whole() -> tuple[Table, list[tuple[bytes, bytes]]]:
    table = finished(months=1)
    return table, stored(table)


@pytest.fixture
def table(whole: tuple[Table, list[tuple[bytes, bytes]]]) -> Iterator[Table]:
    yield whole[0]
    put(*whole)


def first(entries: list[Json], kind: str, nth: int = 0) -> Json:
    return [entry for entry in entries if entry["data"]["type"] == kind][nth]


def test_a_finished_game_is_good(table: Table) -> None:
    done: list[tuple[int, int]] = []
    report = verify(StoredHistory(table.store), table.game, progress=lambda now, of: done.append((now, of)))
    assert not report.findings
    assert (report.version, report.sealed) == (table.version, True)
    assert report.head_hex == stored(table)[-1][1].hex()
    assert done == [(table.version, table.version)]
    assert any(check.startswith("chance: the secret is the one committed to") for check in report.checks)


def test_a_running_game_is_good_and_its_chance_is_not_checked_yet() -> None:
    table = play(start(sit_down(games_on(empty()))), most=20)
    report = verify(StoredHistory(table.store), table.game)
    assert not report.findings
    assert not report.sealed
    assert any(check.startswith("chance: outcomes were not checked") for check in report.unchecked)


def test_a_game_that_goes_on_meanwhile_is_good() -> None:
    """The pass ends at the head that there was when it began, whatever is appended before, during and after it."""
    table = play(start(sit_down(games_on(empty()))), most=5)
    read, head, versions = table.store.streams.read, table.store.streams.head(table.game), list[int]()
    assert head is not None

    def late(game: str, **place: Any) -> list[Entry]:
        play(table, most=1)
        versions.append(table.version)
        return read(game, **place)

    table.store.streams.read = late  # type: ignore[method-assign] # the game goes on between two reads
    report = verify(StoredHistory(table.store), table.game)
    assert versions[-1] > head.version
    assert (report.findings, report.version, report.head_hex) == ([], head.version, head.link.hex())


@pytest.mark.parametrize("place", ["{top}-1", "{next}-0", "1796000932243-0"])
def test_an_entry_behind_the_head_is_found(table: Table, place: str) -> None:
    """Nobody appended it, so no chain names it: the game takes no more actions, and is not called good either."""
    top, key = table.version, game_keys(table.game).stream
    place = place.format(top=top, next=top + 1)
    table.store.client.execute_command("XADD", key, place, "e", b"{}", "h", b"0" * 32)
    assert [(f.version, f.check) for f in verify(StoredHistory(table.store), table.game).findings] == [(top, "head")]


def test_there_is_no_such_game(table: Table) -> None:
    assert [f.check for f in verify(StoredHistory(table.store), "nobody").findings] == ["stream"]


def test_reading_in_batches_makes_no_difference(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    reports: list[Report] = [verify(StoredHistory(table.store), table.game)]
    monkeypatch.setattr("service.audit.verify.run.BATCH", 7)
    reports.append(verify(StoredHistory(table.store), table.game))
    assert reports[0] == reports[1]


def test_one_byte_of_any_kind_of_event_breaks_the_chain(table: Table) -> None:
    """Whatever the byte: the finding names the event."""
    entries = stored(table)
    kinds = {json.loads(data)["data"]["type"]: place for place, (data, _) in enumerate(entries)}
    assert len(kinds) > 15
    for place in kinds.values():
        data, link = entries[place]
        middle = len(data) // 2
        bad = data[:middle] + bytes([data[middle] ^ 1]) + data[middle + 1 :]
        findings = verdict(table, [*entries[:place], (bad, link), *entries[place + 1 :]])
        assert (place + 1, "chain") in {(f.version, f.check) for f in findings}


def test_the_end_is_cut_off(table: Table) -> None:
    """The head record knows better; with the head record cut as well, a finished game is still marked as sealed."""
    entries = stored(table)
    assert {f.check for f in verdict(table, entries[:-3], head=False)} == {"execution", "head"}
    assert [f.check for f in verdict(table, entries[:-3])] == ["execution", "head"]


def test_the_last_event_alone_is_cut_off(table: Table) -> None:
    """Nothing else says that the secret is missing but the game, which is over."""
    entries = stored(table)[:-1]
    put(table, entries)
    table.store.client.execute_command("HDEL", game_keys(table.game).head, "s")
    report = verify(StoredHistory(table.store), table.game)
    table.store.client.execute_command("HSET", game_keys(table.game).head, "s", 1)
    assert [f.check for f in report.findings] == ["end"]


@pytest.mark.parametrize(
    ("forge", "checks"),
    [
        (lambda e: e.pop(40), {"gapless", "chain"}),
        (lambda e: e.insert(40, e[39]), {"gapless", "chain"}),
        (lambda e: e.insert(40, e.pop(41)), {"gapless", "chain"}),
        (lambda e: e.__setitem__(40, (e[40][0], e[41][1])), {"chain"}),
    ],
    ids=["dropped", "inserted", "swapped", "another link"],
)
def test_entries_are_moved_about(table: Table, forge: Callable[[list[Any]], object], checks: set[str]) -> None:
    entries = stored(table)
    forge(entries)
    found = {f.check for f in verdict(table, entries)}
    assert checks <= found
    if "gapless" in checks:  # with a chain made again, the versions still tell
        assert "gapless" in {f.check for f in verdict(table, chained(table.game, [data for data, _ in entries]))}


@pytest.mark.parametrize("hole", [1, 40, 41])
def test_an_entry_is_missing(table: Table, hole: int) -> None:
    key = game_keys(table.game).stream
    table.store.client.execute_command("XDEL", key, f"{hole}-0")
    findings = verify(StoredHistory(table.store), table.game).findings
    assert (findings[0].version, findings[0].check) == (hole, "gapless")


def renumbered(entries: list[Json]) -> None:
    """Number entries by their places, with everything that a forger can make fit."""
    for version, entry in enumerate(entries, start=1):
        entry["version"] = version


def test_an_entry_at_a_place_between_versions_is_found(table: Table) -> None:
    """It is there for a reader of a range, and not for a request for its version."""
    put(table, stored(table))
    client, keys = table.store.client, game_keys(table.game)
    rows = client.execute_command("XRANGE", keys.stream, "-", "+")
    client.execute_command("DEL", keys.stream)
    for version, (_, fields) in enumerate(rows, start=1):
        place = "4-1" if version == 5 else f"{version}-0"
        client.execute_command("XADD", keys.stream, place, "e", fields[b"e"], "h", fields[b"h"])
    found = verify(StoredHistory(table.store), table.game).findings
    assert (5, "gapless") in [(finding.version, finding.check) for finding in found]


def test_an_event_is_left_out_and_all_is_made_anew(table: Table) -> None:
    """Prompts carry the version at which they were opened: every later one betrays the gap, whatever was left out."""
    for kind in sorted({entry["data"]["type"] for entry in plain(table)} - {"secret_revealed"}):

        def left_out(entries: list[Json], kind: str = kind) -> None:
            entries.remove(first(entries, kind))
            renumbered(entries)

        assert forged(table, left_out), kind


def test_a_die_a_card_and_an_amount(table: Table) -> None:
    """Changed with chain and head made again."""

    def die(entries: list[Json]) -> None:
        faces = first(entries, "dice_rolled", 9)["data"]["faces"]
        faces[0] = faces[0] % 6 + 1

    def card(entries: list[Json]) -> None:
        drawn, other = first(entries, "card_drawn"), first(entries, "card_drawn", 1)
        drawn["data"].update(card=other["data"]["card"], text=other["data"]["text"])

    def amount(entries: list[Json]) -> None:
        first(entries, "money_moved", 8)["data"]["amount"] += 50

    def coordinate(entries: list[Json]) -> None:
        first(entries, "dice_rolled", 9)["data"].update(first(entries, "dice_rolled", 8)["data"])

    assert "chance" in {f.check for f in forged(table, die)}
    assert "chance" in {f.check for f in forged(table, card)}
    assert {"execution"} & {f.check for f in forged(table, amount)}
    assert "coordinate" in {f.check for f in forged(table, coordinate)}


@pytest.mark.parametrize("purpose", ["first_roll", "movement", "side_track"])
def test_a_throw_at_a_coordinate_of_ones_choice(table: Table, purpose: str) -> None:
    """The faces are those of the secret, each coordinate is used once, chain and head are made again."""
    inputs, own = table.state.inputs, table.state.secret

    def ground(entries: list[Json]) -> None:
        event = next(entry["data"] for entry in entries if entry["data"].get("purpose") == purpose)
        event["coordinate"] = f"{event['coordinate'].rpartition('/')[0]}/9999"
        dice = SecretDice(bytes.fromhex(own), table.game, inputs)
        event["faces"] = list(dice.roll(event["coordinate"], count=len(event["faces"]), sides=6))

    event = next(entry["data"] for entry in plain(table) if entry["data"].get("purpose") == purpose)
    (found,) = [f.expected for f in forged(table, ground) if f.check == "execution"]
    assert f"an outcome at {event['coordinate']}, where none is recorded" in found


def test_it_reads_in_batches_that_leave_room_for_others(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two batches other requests of the process go on; an event takes up to 50 µs here."""
    held, asked = Held(table, stored(table)), list[int]()

    def read(game: str, *, after: int, upto: int | None = None, count: int) -> list[Entry]:
        asked.append(count)
        return Held.read(held, game, after=after, upto=upto, count=count)

    monkeypatch.setattr(held, "read", read)
    assert not verify(held, table.game).findings
    assert max(asked) <= 500


def test_anothers_secret(table: Table) -> None:
    """It does not fit the commitment; with the commitment changed as well, the dice do not fit it."""

    def secret(entries: list[Json]) -> None:
        entries[-1]["data"]["secret"] = "ab" * 32

    def both(entries: list[Json]) -> None:
        secret(entries)
        entries[0]["data"]["commitment"] = commitment(table.game, bytes.fromhex("ab" * 32), known=True)

    assert [(f.version, f.check) for f in forged(table, secret)] == [(1, "commitment")]
    assert {f.check for f in forged(table, both)} == {"chance"}


UNSEEN = {
    "game_created": "action at code parent private rules",
}
"""What a forger who makes the chain again can change in a single event, unseen by all that needs no signature: the
opening follows from nothing, and known to all who noted its hash. A receipt may also be earlier than it was, and as
much later as it took to decide."""


def test_any_field_of_any_kind_of_event(table: Table, few: Callable[[list[str]], list[str]]) -> None:
    """Each changed alone, with the chain made again: all are found, most by executing the recorded actions again."""
    entries = plain(table)
    kinds = {entry["data"]["type"]: place for place, entry in reversed(list(enumerate(entries)))}
    unseen: dict[str, set[str]] = {}
    tried = few(list(kinds))
    for kind in tried:
        place = kinds[kind]
        for path in leaves(entries[place]):
            entry = json.loads(written(entries[place]))
            change_at(entry, path)
            held = Held(table, chained(table.game, [*entries[:place], entry, *entries[place + 1 :]]))
            # Another time of the opening shows only where the next event came within the same millisecond.
            by_luck = (kind, path[-1]) == ("game_created", "at")
            if path[-1] != "received" and (by_luck or not verify(held, table.game).findings):
                unseen.setdefault(kind, set()).add(str(path[1] if path[0] == "data" else path[0]))
    expected = {kind: fields for kind, fields in UNSEEN.items() if kind in tried}
    assert {kind: " ".join(sorted(fields)) for kind, fields in unseen.items()} == expected


@pytest.mark.parametrize(
    ("forge", "check"),
    [
        (lambda d: d.replace(b'{"action"', b'{ "action"'), "canonical"),
        (lambda d: d.replace(b'"turn":0', b'"turn":0,"turn":0'), "canonical"),
        (lambda d: d.replace(b'"turn":0', b'"turn":0.0'), "readable"),
        (lambda d: d.replace(b',"schema":1', b""), "canonical"),
        (lambda d: d.replace(b"seat_taken", b"seat\\u005ftaken"), "canonical"),
        (lambda d: written(dict(reversed(json.loads(d).items()))).replace(b"}", b"}", 1)[:-1] + b"}\n", "canonical"),
        (lambda d: d.replace(b'"seat":1', b'"seat":"1"'), "readable"),
        (lambda d: d.replace(b'"seat":1', b'"seat":1,"tea":2'), "readable"),
        (lambda d: d.replace(b'"seat":1', b'"seat":1e400'), "readable"),
        (lambda d: d.replace(b'"seat":1', b'"seat":' + b"9" * 5000), "readable"),
        (lambda d: d.replace(b"seat_taken", b"tea_served"), "known"),
        (lambda d: d.replace(b'"kind":"person"', b'"kind":"\xff"'), "readable"),
        (lambda _: b"[" * 60_000, "readable"),
        (lambda _: b"", "readable"),
    ],
)
def test_bytes_that_are_not_as_they_should_be(table: Table, forge: Callable[[bytes], bytes], check: str) -> None:
    """In a chain made again: duplicate keys, white space, floats, missing fields, escapes; nothing raises."""
    datas = [data for data, _ in stored(table)]
    place = next(n for n, data in enumerate(datas) if b"seat_taken" in data)
    assert forge(datas[place]) != datas[place]
    datas[place] = forge(datas[place])
    findings = verdict(table, chained(table.game, datas))
    assert (place + 1, check) in {(f.version, f.check) for f in findings}


def test_texts_and_nonces_beside_the_stream(table: Table) -> None:
    """A kept text must be the one of its digest; an erased one is no fault."""
    own = start(sit_down(games_on(empty()), seats=2))
    name, nonce = own.state.seats[2].name, own.state.seats[1].nonce_input
    texts = game_keys(own.game).texts
    own.store.client.execute_command("HSET", texts, name, b"0" * 16 + b"Eve", nonce, b"your nonce")
    assert [f.check for f in verify(StoredHistory(own.store), own.game).findings] == [
        "text",
        "text",
        "nonce",
        "nonce",
    ]
    own.store.sidecar.erase_texts(own.game, [name, nonce], at=5, by="operator")
    assert not verify(StoredHistory(own.store), own.game).findings


def test_findings_are_bounded(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service.audit.verify.report.MOST_FINDINGS", 10)
    findings = verdict(table, [(data, bytes(32)) for data, _ in stored(table)])
    assert len(findings) == 11
    assert findings[-1].check == "findings"
