"""An example of a request for each route, made from what the document says of it."""

import json
from collections.abc import Mapping
from typing import Any

from service.api.docs.records import REFS


def request_of(method: str, path: str, operation: Mapping[str, Any], schemas: Mapping[str, Any]) -> str:
    """Return a request as a command of curl; what differs from game to game is a variable of the shell."""
    parts = ["curl -s", *([f"-X {method}"] if method not in ("GET", "POST") else [])]
    if any("bearer" in one for one in operation.get("security", ())):
        parts.append('-H "Authorization: Bearer $token"')
    body = operation.get("requestBody")
    if body is not None:
        sent = json.dumps(example_of(body["content"]["application/json"]["schema"], schemas))
        parts += ['-H "Content-Type: application/json"', f"-d '{sent}'"]
    return " ".join([*parts, f'"$server{path.replace("{", "$").replace("}", "")}"'])


def example_of(schema: Mapping[str, Any], schemas: Mapping[str, Any]) -> Any:
    """Return the least that fits a schema of a body: what is required, each with its first or least value."""
    if "$ref" in schema:
        return example_of(schemas[schema["$ref"].removeprefix(REFS)], schemas)
    if "oneOf" in schema:
        return example_of(schema["oneOf"][0], schemas)
    if "enum" in schema:
        return schema["enum"][0]
    match schema.get("type"):
        case "object":
            return {name: example_of(schema["properties"][name], schemas) for name in schema.get("required", ())}
        case "integer":
            return schema.get("minimum", 1)
    # The one string that a body needs is the id of a prompt.
    return "p1"
