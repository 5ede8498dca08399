"""The signing key: made once, private, told apart from what is none; replaced without the old ones being forgotten."""

import multiprocessing
import os
import stat
from pathlib import Path

import pytest

from service.keys.notes import BadNote, Signer, opened, signer_key
from service.keys.signing import VERIFIERS, key_ring, noted_verifiers, throwaway
from service.settings import Settings, SettingsError


def settings_in(folder: Path, **more: str) -> Settings:
    return Settings.load({"ROLLBOOK_DATA": str(folder), **more})


def test_the_key_is_made_once_and_is_private(tmp_path: Path) -> None:
    settings = settings_in(tmp_path / "data")
    mask = os.umask(0)
    try:
        ring = key_ring(settings)
    finally:
        os.umask(mask)
    assert key_ring(settings).verifiers == ring.verifiers == [ring.signer.verifier]
    path = settings.data / "signing.key"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert path.read_text() == path.read_text().strip() + "\n"
    assert Signer.parse(path.read_text()).verifier == ring.signer.verifier
    assert sorted(one.name for one in settings.data.iterdir()) == ["signing.key", VERIFIERS], "nothing half written"
    assert (settings.data / VERIFIERS).read_text() == ring.signer.verifier.text + "\n"


def test_rotation_keeps_the_old_keys_listed(tmp_path: Path) -> None:
    """docs/configuration.md: move the key away, start again. What was signed before can still be opened."""
    settings = settings_in(tmp_path)
    first = key_ring(settings)
    note = first.signer.sign("said\n").encode()
    settings.signing_key_file.rename(tmp_path / "old")
    second = key_ring(settings)
    settings.signing_key_file.unlink()
    third = key_ring(settings)
    signers = [ring.signer.verifier for ring in (first, second, third)]
    assert len(set(signers)) == 3
    assert third.verifiers == [signers[2], signers[0], signers[1]]
    assert opened(note, third.verifiers)[1] == [signers[0]]
    with pytest.raises(BadNote):
        opened(note, third.verifiers[:1])
    settings.signing_key_file.unlink()
    (tmp_path / "old").rename(settings.signing_key_file)
    assert key_ring(settings).verifiers == [signers[0], signers[1], signers[2]], "a key may come back"


def test_a_key_file_elsewhere_serves_many_machines(tmp_path: Path) -> None:
    shared = tmp_path / "shared.key"
    rings = [key_ring(settings_in(tmp_path / name, ROLLBOOK_SIGNING_KEY_FILE=str(shared))) for name in ("one", "two")]
    assert rings[0].verifiers == rings[1].verifiers
    assert noted_verifiers(settings_in(tmp_path / "two")) == rings[0].verifiers


@pytest.mark.parametrize("content", ["", "k" * 40, "rollbook+00000000+" + "A" * 44, "é" * 40])
def test_a_file_that_holds_no_signing_key_is_refused(tmp_path: Path, content: str) -> None:
    settings = settings_in(tmp_path)
    settings.signing_key_file.write_text(content, encoding="utf-8")
    with pytest.raises(SettingsError, match=r"^ROLLBOOK_SIGNING_KEY_FILE: [^\n]+$"):
        key_ring(settings)
    assert settings.signing_key_file.read_text(encoding="utf-8") == content, "a key that is there is never replaced"


def test_no_message_shows_a_key(tmp_path: Path) -> None:
    settings = settings_in(tmp_path)
    key = signer_key("rollbook", b"s" * 32)
    settings.signing_key_file.write_text(key.replace("rollbook+", "rollbook+0"))
    with pytest.raises(SettingsError) as caught:
        key_ring(settings)
    assert key[-30:] not in str(caught.value)


def test_places_that_cannot_hold_a_key_or_the_list_are_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match=r"^ROLLBOOK_SIGNING_KEY_FILE: [^\n]+$"):
        key_ring(settings_in(tmp_path / "file"))
    (tmp_path / VERIFIERS).mkdir()
    with pytest.raises(SettingsError, match=r"^The list of verifier keys [^\n]+$"):
        key_ring(settings_in(tmp_path))


def test_the_list_is_read_as_people_leave_it(tmp_path: Path) -> None:
    """Empty lines and repetitions are passed over, a line left open is closed; what is no key is refused."""
    settings, old = settings_in(tmp_path), throwaway().signer.verifier
    (tmp_path / VERIFIERS).write_text(f"\n{old.text}\n\n{old.text}")
    ring = key_ring(settings)
    assert ring.verifiers == [ring.signer.verifier, old]
    assert noted_verifiers(settings) == [old, ring.signer.verifier]
    (tmp_path / VERIFIERS).write_text(old.text + "x\n")
    with pytest.raises(SettingsError, match="no verifier key"):
        key_ring(settings)


def _made(folder: Path) -> list[str]:
    return [one.text for one in key_ring(settings_in(folder)).verifiers]


def test_processes_that_start_at_once_make_one_key(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        for round_ in range(3):
            folder = tmp_path / str(round_)
            found = pool.map(_made, [folder] * 16, chunksize=1)
            assert len({one for ring in found for one in ring}) == 1
            assert noted_verifiers(settings_in(folder)) == noted_verifiers(settings_in(folder))[:1]
