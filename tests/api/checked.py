"""A test client that holds every answer against the OpenAPI document: status, media type and body."""

import json
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any

import jsonschema
from flask import Flask
from werkzeug.test import TestResponse

METHODS = ("get", "put", "post", "delete")


def _one_of(validator: Any, schemas: Any, instance: Any, schema: Any) -> Iterator[Any]:
    """Check the one schema that the discriminator names; all of fifty would take too long."""
    discriminator = schema.get("discriminator")
    if not discriminator:
        yield from jsonschema.Draft202012Validator.VALIDATORS["oneOf"](validator, schemas, instance, schema)
        return
    name = instance.get(discriminator["propertyName"]) if isinstance(instance, dict) else None
    if name not in discriminator["mapping"]:
        yield jsonschema.ValidationError(f"{name!r} is none of the kinds known")
        return
    yield from validator.descend(instance, {"$ref": discriminator["mapping"][name]})


_extend: Any = jsonschema.validators.extend
Validator = _extend(jsonschema.Draft202012Validator, {"oneOf": _one_of})


class Document:
    """The OpenAPI document of an application."""

    def __init__(self, app: Flask) -> None:
        self.raw: dict[str, Any] = json.loads(app.test_client().get("/openapi.json").data)
        self._validators: dict[str, Any] = {}

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

    def validator(self, schema: dict[str, Any]) -> Any:
        key = json.dumps(schema, sort_keys=True)
        if key not in self._validators:
            self._validators[key] = Validator({**schema, "components": self.raw["components"]})
        return self._validators[key]

    def check(self, method: str, path: str, response: TestResponse) -> None:
        """See that an answer is one that the document promises."""
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


class Api:
    """An application to be called; nothing that it answers goes unchecked."""

    def __init__(self, app: Flask, rulebook: str = "public_assistance") -> None:
        self.app = app
        self.rulebook = rulebook
        self.client = app.test_client()
        self.document = Document(app)
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
        response = self.client.open(path, method=method, headers=sent, **options)
        if method not in ("HEAD", "OPTIONS"):
            self.document.check(method, path.partition("?")[0], response)
        self.answers.append(response.data)
        return response

    def get(self, path: str, **options: Any) -> TestResponse:
        return self.call("GET", path, **options)

    def post(self, path: str, body: Any = None, **options: Any) -> TestResponse:
        return self.call("POST", path, body, **options)


def ok(response: TestResponse) -> Any:
    """Give what a successful answer says."""
    assert 200 <= response.status_code < 300, (response.status_code, response.data)
    return response.json


def refused(response: TestResponse, status: int, code: str) -> Any:
    """Give the problem document of a refusal that must have this status and code."""
    assert (response.status_code, response.json and response.json.get("code")) == (status, code), response.data
    return response.json
