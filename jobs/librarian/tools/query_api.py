"""Tool: call the project's API."""

from __future__ import annotations

import json
from typing import Any

from config import MAX_CHARACTERS
from functions import Result, ToolError
from functions.tool import Tool
from jobs.librarian.citing import endpoint_of
from jobs.librarian.endpoints import endpoints
from jobs.librarian.summary import summary
from reach.api import READS, Api, ApiRefusal

SCHEMA = {
    "name": "query_api",
    "description": "Call the project's running API: for data, counts, status codes (auth=false to see what happens "
    "without a key). A failing endpoint: see the error here, then read the function that serves it and name the "
    "expression that fails. Returns JSON with status_code and body; a list has its count.",
    "parameters": {
        "type": "object",
        "properties": {
            "method": {"type": "string", "enum": ["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]},
            "path": {"type": "string", "description": 'Such as "/items/?limit=10"'},
            "body": {"type": "string", "description": "JSON, for POST, PUT and PATCH", "default": ""},
            "auth": {"type": "boolean", "description": "false sends no key", "default": True},
        },
        "required": ["method", "path"],
    },
}


def reads_only(arguments: dict[str, Any]) -> bool:
    return str(arguments.get("method", "")).upper() in READS


def query_api(api: Api, method: str, path: str, body: str = "", auth: bool = True) -> str:
    """Return `{"status_code": ..., "body": ...}` as JSON; `body` is what the server sent, as text.

    A list has `count` beside it. Of a text over 10,000 characters the first are shown, with how to narrow; of a list
    that is cut, `fields` says for each field how many different values there are.
    """
    try:
        answer = api.request(method, path, body, auth=auth)
    except ApiRefusal as refusal:
        return ToolError(refusal)
    said: dict[str, Any] = {"status_code": answer.status, "body": answer.text[:MAX_CHARACTERS]}
    if answer.location:
        said["location"] = f"{answer.location} (a redirect is not followed; ask for that path if it is of this API)"
    if answer.status in (401, 403) and not auth:
        said["note"] = "this was sent without the key, because auth was false: leave auth out to send it"
    is_long = len(answer.text) > MAX_CHARACTERS
    if is_long:
        size = f"more than {len(answer.text):,}" if answer.cut else f"{len(answer.text):,}"
        said["note"] = f"the first {MAX_CHARACTERS:,} of {size} characters: narrow it with the path's parameters"
    said.update(summary(answer.text, fields=is_long))
    return Result(json.dumps(said, ensure_ascii=False), [(endpoint_of(method, path), [])])


def described(api: Api) -> dict[str, Any]:
    """The schema with the API's own endpoints in its description: a model calls what it is told of."""
    known = endpoints(api)
    if not known:
        return SCHEMA
    return {**SCHEMA, "description": f"{SCHEMA['description']} Endpoints:\n{known}"}


TOOL = Tool(name="query_api", function=query_api, schema=SCHEMA, reads_only=reads_only, resource="api")
