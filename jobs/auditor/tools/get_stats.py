"""Tool: what the values of one field look like, and what they have to do with other fields."""

from __future__ import annotations

import json

from functions import ToolError
from functions.tool import Tool
from jobs.auditor.audit import Audit, no_room, unanswered
from jobs.auditor.profile import Profile
from jobs.auditor.relations import MOST_FIELDS, Relation
from jobs.auditor.tools.run_query import cut
from reach.database.database import Failed, Field, Refused

SCHEMA = {
    "name": "get_stats",
    "description": (
        "Statistics of one field: missing, kinds, frequent and rare values, patterns, range, look-alikes, and the "
        "relations to other fields that hold for nearly all rows."
    ),
    "parameters": {
        "type": "object",
        "properties": {"field": {"type": "string", "description": "The field, as schema_sample names it"}},
        "required": ["field"],
    },
}


def get_stats(audit: Audit, field: str) -> str:
    """Return the field's profile as JSON. Patterns have 9 for a digit, A and a for a letter."""
    if field not in audit.fields:
        return ToolError(f"there is no field {field[:80]!r}; the fields are {', '.join(list(audit.fields)[:60])}")
    try:
        held, seen, related = audit.fields[field], audit.profile(field), audit.relations()
    except (Refused, Failed) as problem:
        audit.investigated.append(field)
        return unanswered(problem)
    found = told_of(audit, field, held, seen, related)
    if not audit.fits(found):
        return no_room()
    audit.investigated = [*(other for other in audit.investigated if other != field), field]
    audit.did(f"get_stats({field})")
    return found


def told_of(audit: Audit, field: str, held: Field, seen: Profile, related: list[Relation]) -> str:
    found = {
        "field": field,
        "table": audit.database.name(held.table),
        "sql": held.expression,
        "declared": held.declared,
        "key": audit.database.key(held.table),
        "dialect": audit.database.dialect,
        "rows": seen.rows,
        "sampled": seen.sampled,
        "null": seen.null,
        "distinct": seen.distinct,
        "kinds": seen.kinds,
        "top": [[cut(value), times] for value, times in seen.top],
        "rare": [[cut(value), times] for value, times in seen.rare],
        "patterns": seen.patterns,
        "shapes": seen.shapes,
        "near": seen.near,
        "typos": seen.typos,
        "apart": seen.apart,
        "tails": seen.tails,
        "range": seen.range,
        "signs": seen.signs,
        "related": [each.to_json() for each in related if each.fields[0] == field],
    }
    if field in audit.unrelated():
        found["related_note"] = f"relations are looked for among the first {MOST_FIELDS} fields, and not here"
    return json.dumps(found, ensure_ascii=False)


TOOL = Tool(name="get_stats", function=get_stats, schema=SCHEMA, reads_only=True, resource="audit")
