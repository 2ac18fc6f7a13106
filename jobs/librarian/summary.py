"""Facts about a JSON list that is too long to be shown whole."""

from __future__ import annotations

import json
from typing import Any

MOST_FIELDS = 30


def summary(text: str, *, fields: bool) -> dict[str, Any]:
    """Return `count` for a JSON list, and with `fields` what is in each field of its objects; {} for anything else."""
    try:
        rows = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    if not isinstance(rows, list):
        return {}
    objects = [row for row in rows if isinstance(row, dict)]
    if not fields or not objects:
        return {"count": len(rows)}
    names = list(dict.fromkeys(name for row in objects for name in row))[:MOST_FIELDS]
    return {"count": len(rows), "fields": {name: field([row.get(name) for row in objects]) for name in names}}


def field(values: list[Any]) -> dict[str, Any]:
    """How many different values, how many are missing, and the smallest and largest where they can be compared."""
    known = [value for value in values if value is not None]
    about: dict[str, Any] = {"different": len({json.dumps(value, sort_keys=True) for value in known})}
    if len(known) < len(values):
        about["empty"] = len(values) - len(known)
    if known and (all(isinstance(value, (int, float)) for value in known) or all(isinstance(v, str) for v in known)):
        about |= {"least": min(known), "most": max(known)}
    return about
