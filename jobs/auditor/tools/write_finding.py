"""Tool: write down what is wrong, with the query that proves it."""

from __future__ import annotations

from typing import Any

from functions import ToolError
from functions.tool import Tool
from jobs.auditor.audit import CATEGORIES, SEVERITIES, Audit, unanswered
from reach.database.database import Failed, Refused

SCHEMA = {
    "name": "write_finding",
    "description": "Write down a finding. Its query is run again: it must give the affected rows, as many as you say.",
    "parameters": {
        "type": "object",
        "properties": {
            "fields": {"type": "array", "items": {"type": "string"}, "description": "The fields that are wrong"},
            "category": {"type": "string", "enum": list(CATEGORIES)},
            "severity": {"type": "string", "enum": list(SEVERITIES)},
            "claim": {"type": "string", "description": "What is wrong, in one sentence"},
            "query": {"type": "string", "description": "Gives the affected rows, one each, the key's columns first"},
            "affected": {"type": "integer", "description": "How many rows the query gives", "minimum": 1},
            "confidence": {"type": "number", "description": "How sure you are, 0 to 1", "minimum": 0, "maximum": 1},
            "suggestion": {"type": "string", "description": "What would fix it"},
        },
        "required": ["fields", "category", "severity", "claim", "query", "affected", "confidence", "suggestion"],
    },
}


def write_finding(audit: Audit, **arguments: Any) -> str:
    """Keep the finding, with the rows that its query gives now."""
    unknown = [name for name in arguments["fields"] if name not in audit.fields]
    if unknown or not arguments["fields"]:
        return ToolError(f"fields {unknown} are not of this collection; they are {', '.join(list(audit.fields)[:60])}")
    try:
        answer = audit.evidence(arguments["query"])
    except (Refused, Failed) as problem:
        return unanswered(problem)
    finding = audit.finding(arguments, answer)
    audit.commit(finding)
    audit.did(f"write_finding {', '.join(finding.fields)} ({finding.category})")
    return f"Finding {len(audit.findings)} is written down: {finding.claim} ({finding.affected:,} rows)"


TOOL = Tool(name="write_finding", function=write_finding, schema=SCHEMA, reads_only=False, resource="audit")
