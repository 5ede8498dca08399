"""The settings: one frozen record, read from the environment once.

Command-line options are laid over the environment under the same names, so that each value has one parser and one
error. Not in here: the contents of key files (`service.keys.files`) and every value that is a rule of a game. A new
variable is a field, a line in `load`, a line in `environment` and a row in `docs/configuration.md` (a test compares).
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

from service.limits import Limits

T = TypeVar("T")

STORE_SCHEMES = ("redis", "rediss", "unix", "redis+cluster", "rediss+cluster")
QUEUE_SCHEMES = ("redis", "rediss", "unix")  # RQ knows no cluster
MAX_WORKERS = 64
MAX_PROXIES = 8
MAX_LIMIT = 1_000_000
LEAST_LIMITS = {"rate_per_address": 0, "rate_per_token": 0, "store_connections": 10}
"""The least values of limits whose least is not 1."""
FLAGS = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}


class OperatorError(Exception):
    """An error that the operator of Rollbook can put right; the message is one line and says how."""


class SettingsError(OperatorError):
    """A setting has a value that cannot be used; the message names the variable, never a password."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """How this process runs.

    Attributes:
        redis_url: `ROLLBOOK_REDIS_URL`, the store; None: the embedded one in `data`.
        queue_url: `ROLLBOOK_QUEUE_URL`, the Redis of background jobs; None: the store itself.
        data: `ROLLBOOK_DATA`, the data folder, absolute (default `./rollbook-data`).
        host: `ROLLBOOK_HOST`, the address that the API listens on (default 127.0.0.1).
        port: `ROLLBOOK_PORT`, its port (default 8000); 0 takes a free one.
        secret_file: `ROLLBOOK_SECRET_FILE`, the server key (default `server.key` in `data`); made if missing.
        signing_key_file: `ROLLBOOK_SIGNING_KEY_FILE`, the key that signs checkpoints (default `signing.key` in `data`);
            made if missing.
        operator_token_file: `ROLLBOOK_OPERATOR_TOKEN_FILE` (default `operator.token` in `data`); made if missing.
        cors_origins: `ROLLBOOK_CORS_ORIGINS`, origins whose pages may call the API, comma-separated; or `*`.
        allow_volatile: `ROLLBOOK_ALLOW_VOLATILE`, accept a store that may forget (1 or 0; default 0).
        workers: `ROLLBOOK_WORKERS`, API processes (default: one per core, at most 4).
        trusted_proxies: `ROLLBOOK_TRUSTED_PROXIES`, how many proxies in front add the caller's address to
            `X-Forwarded-For` (default 0: the header is ignored).
        limits: `ROLLBOOK_LIMIT_…`, one for each field of `Limits`.
    """

    redis_url: str | None
    queue_url: str | None
    data: Path
    host: str
    port: int
    secret_file: Path
    signing_key_file: Path
    operator_token_file: Path
    cors_origins: tuple[str, ...]
    allow_volatile: bool
    workers: int
    trusted_proxies: int
    limits: Limits

    @classmethod
    def load(cls, environ: Mapping[str, str]) -> "Settings":
        """Read the settings from `environ`; a variable that is empty counts as unset.

        Raises:
            SettingsError: A value cannot be used.
        """
        env = _Environment(environ)
        data = env.get("ROLLBOOK_DATA", _path, "rollbook-data")
        return cls(
            redis_url=env.get("ROLLBOOK_REDIS_URL", _url(STORE_SCHEMES), ""),
            queue_url=env.get("ROLLBOOK_QUEUE_URL", _url(QUEUE_SCHEMES), ""),
            data=data,
            host=env.get("ROLLBOOK_HOST", _host, "127.0.0.1"),
            port=env.get("ROLLBOOK_PORT", _number(0, 65535), "8000"),
            secret_file=env.get("ROLLBOOK_SECRET_FILE", _path, str(data / "server.key")),
            signing_key_file=env.get("ROLLBOOK_SIGNING_KEY_FILE", _path, str(data / "signing.key")),
            operator_token_file=env.get("ROLLBOOK_OPERATOR_TOKEN_FILE", _path, str(data / "operator.token")),
            cors_origins=env.get("ROLLBOOK_CORS_ORIGINS", _origins, ""),
            allow_volatile=env.get("ROLLBOOK_ALLOW_VOLATILE", _flag, "0"),
            workers=env.get("ROLLBOOK_WORKERS", _number(1, MAX_WORKERS), str(min(os.cpu_count() or 1, 4))),
            trusted_proxies=env.get("ROLLBOOK_TRUSTED_PROXIES", _number(0, MAX_PROXIES), "0"),
            limits=_limits(env),
        )

    def jobs_url(self) -> str | None:
        """Return the Redis of background jobs; None: the embedded store.

        Raises:
            SettingsError: The store is a cluster, which RQ does not know, and no other was named.
        """
        url = self.queue_url or self.redis_url
        if url is not None and urlsplit(url).scheme not in QUEUE_SCHEMES:
            raise SettingsError("ROLLBOOK_QUEUE_URL must name a Redis for background jobs, which cannot use a cluster")
        return url

    def environment(self) -> dict[str, str]:
        """Return the variables that make `load` give this record again; a child process is started with them."""
        values = {
            "ROLLBOOK_REDIS_URL": self.redis_url,
            "ROLLBOOK_QUEUE_URL": self.queue_url,
            "ROLLBOOK_DATA": str(self.data),
            "ROLLBOOK_HOST": self.host,
            "ROLLBOOK_PORT": str(self.port),
            "ROLLBOOK_SECRET_FILE": str(self.secret_file),
            "ROLLBOOK_SIGNING_KEY_FILE": str(self.signing_key_file),
            "ROLLBOOK_OPERATOR_TOKEN_FILE": str(self.operator_token_file),
            "ROLLBOOK_CORS_ORIGINS": ",".join(self.cors_origins),
            "ROLLBOOK_ALLOW_VOLATILE": str(int(self.allow_volatile)),
            "ROLLBOOK_WORKERS": str(self.workers),
            "ROLLBOOK_TRUSTED_PROXIES": str(self.trusted_proxies),
            **{limit_variable(name): str(most) for name, most in asdict(self.limits).items()},
        }
        return {name: value or "" for name, value in values.items()}


class _Environment:
    """Variables, and errors that name them."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._environ = environ

    def get(self, name: str, parse: Callable[[str], T], default: str) -> T:
        """Return the parsed value of a variable, or of its default."""
        try:
            return parse(self._environ.get(name, "").strip() or default)
        except ValueError as error:
            raise SettingsError(f"{name} {error}") from None


def limit_variable(name: str) -> str:
    """Return the variable that sets a limit."""
    return f"ROLLBOOK_LIMIT_{name.upper()}"


def _limits(env: _Environment) -> Limits:
    found = {}
    for field in fields(Limits):
        among = _number(LEAST_LIMITS.get(field.name, 1), MAX_LIMIT)
        found[field.name] = env.get(limit_variable(field.name), among, str(field.default))
    return Limits(**found)


def _path(text: str) -> Path:
    if "\0" in text:
        raise ValueError("is not a path")
    try:
        return Path(os.path.abspath(Path(text).expanduser()))
    except FileNotFoundError:
        raise ValueError("begins at the folder that this was started in, and that is gone") from None


def _url(schemes: tuple[str, ...]) -> Callable[[str], str | None]:
    def parse(text: str) -> str | None:
        if not text:
            return None
        parts = urlsplit(text)
        if parts.scheme not in schemes:
            raise ValueError(f"must begin with one of {', '.join(f'{scheme}://' for scheme in schemes)}")
        if not (parts.path.strip("/") if parts.scheme == "unix" else parts.hostname):
            raise ValueError("names no host (or, with unix://, no socket)")
        _ = parts.port  # raises ValueError for a port that is no number
        return text

    return parse


def _number(least: int, most: int) -> Callable[[str], int]:
    def parse(text: str) -> int:
        if not (text.isascii() and text.isdigit() and least <= int(text[:9]) <= most):
            raise ValueError(f"must be a whole number from {least} to {most}, not {text!r}")
        return int(text)

    return parse


def _host(text: str) -> str:
    if any(character.isspace() or character in "/@[]" for character in text):
        raise ValueError(f"must be a host name or an address without port, not {text!r}")
    return text


def _flag(text: str) -> bool:
    if text.lower() not in FLAGS:
        raise ValueError(f"must be 1 or 0, not {text!r}")
    return FLAGS[text.lower()]


def _origins(text: str) -> tuple[str, ...]:
    origins = tuple(part.strip().rstrip("/") for part in text.split(",") if part.strip())
    for origin in origins:
        parts = urlsplit(origin)
        whole = parts.scheme in ("http", "https") and parts.hostname and origin == f"{parts.scheme}://{parts.netloc}"
        if origin != "*" and not (whole and "@" not in origin):
            raise ValueError(f"must list origins such as https://example.org, not {origin!r}")
    return origins
