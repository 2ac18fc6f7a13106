"""Tool: the fields of the collection, with types, missing values and samples."""

from __future__ import annotations

import json

from functions.tool import Tool
from jobs.auditor.audit import Audit, unanswered
from reach.database.database import SAMPLED_ROWS, Failed, Refused

SHOWN_FIELDS = 120
SHOWN_ROWS = 3
LONGEST = 40  # characters of a sample value

SCHEMA = {
    "name": "schema_sample",
    "description": "The fields of the collection: type, missing share, different values, samples. Call this first.",
    "parameters": {
        "type": "object",
        "properties": {
            "sample_size": {
                "type": "integer",
                "description": "Rows that are looked at",
                "minimum": 1,
                "maximum": SAMPLED_ROWS,
                "default": 1000,
            }
        },
        "required": [],
    },
}


def schema_sample(audit: Audit, sample_size: int = 1000) -> str:
    """Return the schema as JSON: how queries name the table, its key and its fields, and what stands in them."""
    try:
        return looked_at(audit, sample_size)
    except (Refused, Failed) as problem:
        return unanswered(problem)


def looked_at(audit: Audit, sample_size: int) -> str:
    database, collection = audit.database, audit.collection
    here = [each for each in audit.fields.values() if each.table == collection]
    rows = database.rows(collection, here, sample_size)
    columns = {each.path: [row[at] for row in rows] for at, each in enumerate(here)}
    fields = []
    for each in list(audit.fields.values())[:SHOWN_FIELDS]:
        values = columns[each.path] if each.path in columns else list(database.counts(each).times)
        filled = [value for value in values if value is not None]
        samples = list(dict.fromkeys(str(value)[:LONGEST] for value in filled))[:SHOWN_ROWS]
        told = {"field": each.path, "type": each.declared or kinds(filled), "samples": samples}
        told |= {"null": round(1 - len(filled) / len(values), 4)} if values else {}
        told |= {"table": each.table, "key": database.key(each.table)} if each.table != collection else {}
        fields.append(told | ({"sql": each.expression} if each.expression != f'"{each.path}"' else {}))
    audit.sampled = max(audit.sampled, len(rows))
    audit.did(f"schema_sample({sample_size})")
    found = {
        "collection": collection,
        "rows": audit.size,
        "sampled": len(rows),
        "dialect": database.dialect,
        "table": database.name(collection),
        "key": database.key(collection),
        "other_collections": [name for name in database.collections() if name != collection],
        "fields": fields,
        "fields_not_shown": max(0, len(audit.fields) - SHOWN_FIELDS),
    }
    return json.dumps(found, ensure_ascii=False)


def kinds(values: list[object]) -> str:
    return "/".join(sorted({type(value).__name__ for value in values})) or "nothing"


TOOL = Tool(name="schema_sample", function=schema_sample, schema=SCHEMA, reads_only=True, resource="audit")
