"""The endpoints of an API as it describes them itself, in lines that fit into a tool's description."""

from __future__ import annotations

import json
import re
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
    """`?lab=(required)&type=(task|lab)&limit=(at most 500)`: what the query must have, and what may stand there."""
    found = [each for each in about.get("parameters", []) if each.get("in") == "query"]
    shown = [f"{each['name']}={f'({said})' if (said := _told(each)) else ''}" for each in found]
    return f"?{'&'.join(shown)}" if shown else ""


def _told(parameter: dict[str, Any]) -> str:
    """What the schema says of a parameter: that it is required, its choices, an example, the most that it may be."""
    schema = parameter.get("schema", {})
    kinds = [schema, *schema.get("anyOf", [])]  # anyOf: with null, for one that may be left out
    choices = next((each["enum"] for each in kinds if isinstance(each.get("enum"), list)), [])
    choices = choices or [
        each for each in (parameter.get("example"), *schema.get("examples", [])[:1]) if each is not None
    ]
    most = next((each["maximum"] for each in kinds if isinstance(each.get("maximum"), int | float)), None)
    said = ["required"] if parameter.get("required") else []
    said += ["|".join(str(each) for each in choices if re.fullmatch(r"[\w.-]+", str(each)))] if choices else []
    return " ".join(filter(None, [*said, f"at most {most:g}" if most is not None else ""]))


def _summary(about: dict[str, Any]) -> str:
    said = about.get("description") or about.get("summary") or ""
    first = " ".join(str(said).split()).partition(". ")[0].rstrip(".")
    return f" - {first}" if first else ""
