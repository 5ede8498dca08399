"""Settings and key files."""

import multiprocessing
import os
import re
import stat
from dataclasses import asdict
from pathlib import Path

import pytest

from service.api.http.parser import MOST_BYTES, MOST_DEPTH
from service.api.schemas.history import MOST_EVENTS, MOST_WAIT
from service.api.schemas.ledger import MOST_EXPORTED
from service.games.actions import LONGEST_WAIT
from service.games.opening import MOST_COPIED
from service.hosting.supervisor import gunicorn_conf
from service.keys.files import operator_token, server_key
from service.limits import IDLE, Limits
from service.settings import Settings, SettingsError, limit_variable


def test_the_defaults() -> None:
    settings = Settings.load({})
    assert (settings.redis_url, settings.queue_url) == (None, None)
    assert settings.data == Path.cwd() / "rollbook-data"
    assert (settings.host, settings.port) == ("127.0.0.1", 8000)
    assert settings.secret_file == settings.data / "server.key"
    assert settings.operator_token_file == settings.data / "operator.token"
    assert (settings.cors_origins, settings.allow_volatile) == ((), False)
    assert settings.workers == min(os.cpu_count() or 1, 4)


def test_an_empty_variable_counts_as_unset() -> None:
    assert Settings.load({"ROLLBOOK_REDIS_URL": "", "ROLLBOOK_PORT": " "}) == Settings.load({})


def test_a_child_reads_the_same_settings() -> None:
    settings = Settings.load(
        {
            "ROLLBOOK_REDIS_URL": "redis+cluster://:p%40ss@one:7000",
            "ROLLBOOK_QUEUE_URL": "redis://two/1",
            "ROLLBOOK_DATA": "some/where",
            "ROLLBOOK_HOST": "::1",
            "ROLLBOOK_PORT": "0",
            "ROLLBOOK_CORS_ORIGINS": "https://a.example, http://b.example:81/",
            "ROLLBOOK_ALLOW_VOLATILE": "yes",
            "ROLLBOOK_WORKERS": "3",
            "ROLLBOOK_TRUSTED_PROXIES": "1",
            "ROLLBOOK_LIMIT_HEAVY": "7",
        }
    )
    assert settings.cors_origins == ("https://a.example", "http://b.example:81")
    assert Settings.load(settings.environment()) == settings


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("REDIS_URL", "localhost:6379"),
        ("REDIS_URL", "redis://"),
        ("REDIS_URL", "unix://"),
        ("REDIS_URL", "redis://host:port"),
        ("REDIS_URL", "redis://[half"),
        ("QUEUE_URL", "redis+cluster://host"),
        ("DATA", "a\0b"),
        ("HOST", "127.0.0.1/8"),
        ("PORT", "65536"),
        ("PORT", "-1"),
        ("PORT", "８０００"),
        ("PORT", "8" * 5000),
        ("CORS_ORIGINS", "example.org"),
        ("CORS_ORIGINS", "https://example.org/path"),
        ("CORS_ORIGINS", "https://me@example.org"),
        ("ALLOW_VOLATILE", "maybe"),
        ("WORKERS", "1.5"),
        ("WORKERS", "0"),
        ("TRUSTED_PROXIES", "-1"),
        ("TRUSTED_PROXIES", "9"),
        ("LIMIT_STREAMS", "many"),
    ],
)
def test_a_bad_value_is_one_line_that_names_the_variable(name: str, value: str) -> None:
    with pytest.raises(SettingsError, match=rf"^ROLLBOOK_{name} [^\n]+$"):
        Settings.load({f"ROLLBOOK_{name}": value})


def test_no_error_shows_a_password() -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.load({"ROLLBOOK_REDIS_URL": "redis://:hunter2@host:port"})
    assert "hunter2" not in str(caught.value)


def test_each_variable_is_documented() -> None:
    text = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text(encoding="utf-8")
    documented = set(re.findall(r"^\| `(ROLLBOOK_\w+)`", text, re.MULTILINE))
    assert documented == {*Settings.load({}).environment(), "ROLLBOOK_DEBUG"}
    for name in Settings.load({}).environment():
        limit = name.removeprefix("ROLLBOOK_LIMIT_")
        doc, needle = (
            (Settings.__doc__, f"`{name}`") if limit == name else (Limits.__doc__, f"        {limit.lower()}: ")
        )
        assert needle in str(doc)


def test_each_limit_is_documented_with_its_default() -> None:
    text = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text(encoding="utf-8")
    for name, most in asdict(Limits()).items():
        assert re.search(rf"^\| `{limit_variable(name)}` \| {most:,} ", text, re.MULTILINE), name
    fixed = {
        "connections": f"the limits of requests, streams and polls, and {IDLE} more",
        "calls to one game": f"wait up to {LONGEST_WAIT:.0f} s",
        "idle connection": f"{gunicorn_conf.keepalive} s",
        "body": f"{MOST_BYTES:,} bytes, nested {MOST_DEPTH} deep",
        "address line and headers": f"{gunicorn_conf.limit_request_line:,} bytes; {gunicorn_conf.limit_request_fields} "
        f"headers of {gunicorn_conf.limit_request_field_size:,} bytes",
        "`wait`": f"{MOST_WAIT} s",
        "events on a page": f"{MOST_EVENTS:,}",
        "ledgers in one export": f"{MOST_EXPORTED}",
        "events copied into a fork": f"{MOST_COPIED:,}",
    }
    for name, words in fixed.items():
        assert f"| {name} | {words} |" in text


@pytest.mark.parametrize(
    ("name", "least"), [("requests", 1), ("body_seconds", 1), ("rate_per_token", 0), ("store_connections", 10)]
)
def test_a_limit_has_bounds(name: str, least: int) -> None:
    variable = limit_variable(name)
    assert getattr(Settings.load({variable: str(least)}).limits, name) == least
    for value in (least - 1, 1_000_001):
        with pytest.raises(SettingsError, match=f"^{variable} "):
            Settings.load({variable: str(value)})


def _in(folder: Path) -> Settings:
    return Settings.load({"ROLLBOOK_DATA": str(folder)})


def test_keys_are_made_once_and_are_private(tmp_path: Path) -> None:
    settings = _in(tmp_path / "data")
    key, token = server_key(settings), operator_token(settings)
    assert len(key) >= 32
    assert key.decode() != token
    assert (server_key(settings), operator_token(settings)) == (key, token)
    for path in (settings.secret_file, settings.operator_token_file):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(list(settings.data.iterdir())) == 2, "nothing half written is left"


def test_a_key_that_is_there_is_never_replaced(tmp_path: Path) -> None:
    settings = _in(tmp_path)
    settings.secret_file.write_text("k" * 32 + "\n")
    assert server_key(settings) == b"k" * 32


@pytest.mark.parametrize("content", ["", "short", "é" * 40])
def test_a_file_without_a_key_is_refused(tmp_path: Path, content: str) -> None:
    settings = _in(tmp_path)
    settings.secret_file.write_text(content, encoding="utf-8")
    with pytest.raises(SettingsError, match=r"^ROLLBOOK_SECRET_FILE: [^\n]+$"):
        server_key(settings)


def test_a_place_that_cannot_hold_a_key_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match=r"^ROLLBOOK_SECRET_FILE: [^\n]+$"):
        server_key(_in(tmp_path / "file"))


def test_a_key_that_another_process_made_meanwhile_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = _in(tmp_path)

    def late(_length: int) -> str:
        settings.secret_file.write_text("t" * 40)
        return "o" * 40

    monkeypatch.setattr("service.keys.files.secrets.token_urlsafe", late)
    assert server_key(settings) == b"t" * 40
    assert server_key(settings) == b"t" * 40


def _read(folder: Path) -> bytes:
    return server_key(_in(folder))


def test_processes_that_start_at_once_get_one_key(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        for round_ in range(5):
            assert len(set(pool.map(_read, [tmp_path / str(round_)] * 16, chunksize=1))) == 1


def test_jobs_go_to_the_store_unless_it_is_a_cluster() -> None:
    assert Settings.load({}).jobs_url() is None
    assert Settings.load({"ROLLBOOK_REDIS_URL": "redis://one"}).jobs_url() == "redis://one"
    cluster = {"ROLLBOOK_REDIS_URL": "redis+cluster://one"}
    with pytest.raises(SettingsError, match="ROLLBOOK_QUEUE_URL"):
        Settings.load(cluster).jobs_url()
    assert Settings.load({**cluster, "ROLLBOOK_QUEUE_URL": "redis://two"}).jobs_url() == "redis://two"


def test_a_path_from_a_folder_that_is_gone_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(SettingsError, match="ROLLBOOK_DATA begins at the folder"):
        Settings.load({"ROLLBOOK_DATA": "here"})
