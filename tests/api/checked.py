"""A test client that holds every answer against the OpenAPI document: status, media type and body."""

import json
import re
from functools import cache, cached_property
from typing import Any

from flask import Flask
from jsonschema_rs import Draft202012Validator
from werkzeug.test import TestResponse

from service.bootstrap import Services

METHODS = ("get", "put", "post", "delete")
USED: list[Services] = []
"""Of every application that was called, until they are closed."""


class Document:
    """An OpenAPI document."""

    def __init__(self, text: bytes) -> None:
        self.raw: dict[str, Any] = json.loads(text)
        self._validators: dict[str, Draft202012Validator] = {}

    @cached_property
    def operations(self) -> dict[tuple[str, str], dict[str, Any]]:
        """(method, path template) → operation."""
        return {
            (method, path): item[method]
            for path, item in self.raw["paths"].items()
            for method in METHODS
            if method in item
        }

    @cached_property
    def _patterns(self) -> list[tuple[str, re.Pattern[str]]]:
        paths = self.raw["paths"]
        return [(path, re.compile(re.sub(r"\{\w+\}", "[^/]+", path))) for path in paths]

    def find(self, method: str, path: str) -> dict[str, Any] | None:
        """Find the operation of a request; those that Flask answers by itself have none."""
        for template, pattern in self._patterns:
            if pattern.fullmatch(path):
                return self.operations.get((method.lower(), template))
        return None

    def validator(self, schema: dict[str, Any]) -> Draft202012Validator:
        key = json.dumps(schema, sort_keys=True)
        if key not in self._validators:
            self._validators[key] = Draft202012Validator({**schema, "components": self.raw["components"]})
        return self._validators[key]

    def check(self, method: str, path: str, response: TestResponse) -> None:
        """Check that an answer is one that the document promises."""
        if response.status_code >= 400:
            assert response.mimetype == "application/problem+json", response.data
            self.validator({"$ref": "#/components/schemas/Problem"}).validate(response.json)
            assert response.json is not None
            assert response.json["status"] == response.status_code
        operation = self.find(method, path)
        if operation is None or response.status_code == 405:
            return
        promised = operation["responses"].get(str(response.status_code))
        assert promised is not None, (method, path, response.status_code, response.data)
        if "content" not in promised:
            assert response.data == b""
            return
        media_type = response.mimetype or ""
        schema = promised["content"][media_type]["schema"]
        if media_type not in ("application/x-ndjson", "text/event-stream", "text/plain", "text/csv", "text/html"):
            self.validator(schema).validate(response.json)


@cache
def _read(text: bytes) -> Document:
    return Document(text)


def document_of(app: Flask) -> Document:
    """Return the document that an application publishes; applications that publish the same share one."""
    return _read(app.test_client().get("/openapi.json").data)


class Api:
    """An application to be called; nothing that it answers goes unchecked."""

    def __init__(self, app: Flask, rulebook: str = "public_assistance") -> None:
        self.app = app
        USED.append(app.extensions["rollbook"])
        self.rulebook = rulebook
        self.client = app.test_client()
        self.document = document_of(app)
        self.answers: list[bytes] = []

    def call(
        self,
        method: str,
        path: str,
        body: Any = None,
        *,
        token: str | None = None,
        key: str | None = None,
        headers: dict[str, str] | None = None,
        **options: Any,
    ) -> TestResponse:
        sent = dict(headers or {})
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        if key is not None:
            sent["Idempotency-Key"] = key
        if body is not None:
            options["json"] = body
        response = self.client.open(path, method=method, headers=sent, buffered=True, **options)
        if method not in ("HEAD", "OPTIONS"):
            self.document.check(method, path.partition("?")[0], response)
        self.answers.append(response.data)
        return response

    def get(self, path: str, **options: Any) -> TestResponse:
        return self.call("GET", path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> TestResponse:
        return self.call("POST", path, body, **options)


def ok(response: TestResponse) -> Any:
    """Return what a successful answer says."""
    assert 200 <= response.status_code < 300, (response.status_code, response.data)
    return response.json


def refused(response: TestResponse, status: int, code: str) -> Any:
    """Return the problem document of a refusal that must have this status and code."""
    assert (response.status_code, response.json and response.json.get("code")) == (status, code), response.data
    return response.json
