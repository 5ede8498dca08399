"""Long JSON answers are compressed on request."""

import gzip
import json

from tests.api.checked import Api, ok
from tests.api.tables import started

GZIP = {"Accept-Encoding": "gzip"}


def test_a_long_answer_is_compressed_on_request_and_keeps_its_tag(api: Api) -> None:
    table = started(api)
    plain = api.client.get(table.path)
    packed = api.client.get(table.path, headers=GZIP)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    assert json.loads(gzip.decompress(packed.data)) == plain.json
    assert len(packed.data) < len(plain.data) / 2
    assert int(packed.headers["Content-Length"]) == len(packed.data)
    assert packed.headers["ETag"] == plain.headers["ETag"]
    assert all("Accept-Encoding" in answer.headers["Vary"] for answer in (plain, packed))
    refused = api.client.get(table.path, headers={"Accept-Encoding": "gzip;q=0, *;q=0.5"})
    assert "Content-Encoding" not in refused.headers


def test_short_answers_and_those_with_a_token_are_not(api: Api) -> None:
    """What is compressed with a secret shows by its length whether a guess at it is right."""
    table = started(api)
    made = api.client.post("/v1/games", json={"rulebook": api.rulebook}, headers=GZIP)
    assert ok(made)["host_token"]
    short = api.client.get(f"{table.path}/events?limit=1", headers=GZIP)
    assert all("Content-Encoding" not in answer.headers for answer in (made, short))
