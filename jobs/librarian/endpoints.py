"""The endpoints of an API as it describes them itself, in lines that fit into a tool's description."""

from __future__ import annotations

import json
from typing import Any

from reach.api import Api, ApiRefusal

DESCRIPTION = "/openapi.json"
MOST = 40  # endpoints
LONGEST = 120  # characters of a line


def endpoints(api: Api) -> str:
    """Return a line for each endpoint, `GET /items/?type= - All items`; "" where the API does not describe itself."""
    for auth in (False, True):  # with the key only where it is asked for
        try:
            answer = api.request("GET", DESCRIPTION, auth=auth)
            if answer.status == 200:
                return "\n".join(_lines(json.loads(answer.text))[:MOST])
        except (ApiRefusal, ValueError, RecursionError, AttributeError, TypeError):
            return ""
    return ""


def _lines(document: dict[str, Any]) -> list[str]:
    return [
        f"{method.upper()} {path}{_parameters(about)}{_summary(about)}"[:LONGEST]
        for path, methods in document.get("paths", {}).items()
        for method, about in methods.items()
        if method in ("get", "post", "put", "patch", "delete") and isinstance(about, dict)
    ]


def _parameters(about: dict[str, Any]) -> str:
    """`?lab=&limit=` of the parameters in the query, with the most that a number may be."""
    found = [each for each in about.get("parameters", []) if each.get("in") == "query"]
    shown = []
    for each in found:
        most = each.get("schema", {}).get("maximum")
        shown.append(f"{each['name']}={f'(at most {most:g})' if most is not None else ''}")
    return f"?{'&'.join(shown)}" if shown else ""


def _summary(about: dict[str, Any]) -> str:
    said = about.get("description") or about.get("summary") or ""
    first = " ".join(str(said).split()).partition(". ")[0].rstrip(".")
    return f" - {first}" if first else ""
