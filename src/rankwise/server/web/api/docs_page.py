"""The page ``/api/docs``: what the OpenAPI file says, for people, made here and without script."""

import json
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from rankwise.server.web.pages import render

router = APIRouter()


@router.get("/api/docs")
def api_page(request: Request) -> Response:
    """Every route of the API on one page."""
    schema = request.app.openapi()
    groups, models = _groups(schema), _models(schema)
    return render(request, "api/docs.html", {"groups": groups, "models": models})


def _groups(schema: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            shown = _operation(method.upper(), path, operation)
            groups.setdefault(operation.get("tags", ["other"])[0], []).append(shown)
    return groups


def _operation(method: str, path: str, operation: dict[str, Any]) -> dict[str, Any]:
    answers = operation["responses"]
    success = next((status for status in answers if status.startswith("2")), "200")
    return {
        "method": method,
        "path": path,
        "summary": operation.get("description", operation.get("summary", "")),
        "parameters": operation.get("parameters", []),
        "body": _name(_content(operation.get("requestBody", {}))),
        "status": success,
        "answer": _name(_content(answers[success])) or "JSON lines",
    }


def _content(part: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = part.get("content", {}).get("application/json", {}).get("schema", {})
    return found


def _name(schema: dict[str, Any]) -> str:
    """A type in words; a model by its name.

    >>> _name({"type": "array", "items": {"$ref": "#/components/schemas/Finding"}})
    'list of Finding'
    >>> _name({"anyOf": [{"type": "integer"}, {"type": "null"}]})
    'integer or null'
    """
    if "$ref" in schema:
        return str(schema["$ref"]).rsplit("/", 1)[1]
    if "anyOf" in schema:
        return " or ".join(_name(one) for one in schema["anyOf"])
    if "enum" in schema:
        return " | ".join(json.dumps(value) for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list of {_name(schema.get('items', {})) or 'anything'}"
    if "additionalProperties" in schema and schema["additionalProperties"] is not True:
        return f"object of {_name(schema['additionalProperties'])}"
    return str(schema.get("type", ""))


def _models(schema: dict[str, Any]) -> list[dict[str, Any]]:
    found = []
    for name, model in sorted(schema.get("components", {}).get("schemas", {}).items()):
        required = model.get("required", [])
        fields = [
            (field, _name(kind), field in required)
            for field, kind in model.get("properties", {}).items()
        ]
        found.append({"name": name, "says": model.get("description", ""), "fields": fields})
    return found
