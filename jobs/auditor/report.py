"""The report of an audit: as data (docs/audit.schema.json), and as Markdown. The page stands in page.py."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any

from agent.run import Run
from jobs.auditor.audit import SEVERITIES, Audit
from jobs.auditor.store import Store, difference

Report = dict[str, Any]
WEIGHTS = {"low": 1, "medium": 3, "high": 8, "critical": 20}  # points off a hundred, times the confidence
SCORE = (
    "100, less for each finding its weight (low 1, medium 3, high 8, critical 20) times its confidence; not below 0."
)
PATTERNS = 4


def report(run: Run, answer: str) -> Report | None:
    """Return the report of a run; None where no audit was opened."""
    audit: Audit | None = run.resources.get("audit")
    if audit is None:
        return None
    worst_first = sorted(audit.findings, key=lambda found: (-SEVERITIES.index(found.severity), -found.confidence))
    findings = [found.to_json() for found in worst_first]
    named = {field for found in audit.findings for field in found.fields}
    return {
        "audit": audit.number,
        "source": audit.database.source,
        "collection": audit.collection,
        "dialect": audit.database.dialect,
        "rows": audit.size,
        "key": list(audit.database.key(audit.collection)),
        "sampled": {"rows": audit.sampled, "statistics": any(each.sampled for each in audit.profiles.values())},
        "score": {"value": score(findings), "explained": SCORE},
        "findings": findings,
        "dismissed": [{**each.finding.to_json(), "reason": each.reason} for each in audit.dismissed],
        "fields": [field_of(audit, path) for path in audit.fields],
        "clean": [path for path in audit.investigated if path not in named],
        "not_investigated": [path for path in audit.fields if path not in audit.investigated],
        "evaluations": audit.evaluations,
        "compared": compared(run.resources.get("store"), audit, findings, run.resources.get("compare", 0)),
        "tokens": {
            "input": run.tokens.input,
            "output": run.tokens.output,
            "by_iteration": list(map(list, audit.usage)),
        },
        "iterations": run.turns,
        "queries": len(audit.queries),
    }


def score(findings: Iterable[Mapping[str, Any]]) -> int:
    return max(0, round(100 - sum(WEIGHTS[each["severity"]] * each["confidence"] for each in findings)))


def field_of(audit: Audit, path: str) -> dict[str, Any]:
    """A field for its small picture: missing, kinds, the most frequent values, patterns, range."""
    seen = audit.profiles.get(path)
    if seen is None:
        return {"field": path}
    told = asdict(seen)
    bounds = {name: told["range"][name] for name in ("min", "p25", "p50", "p75", "max") if name in told["range"]}
    return {
        "field": path,
        **{name: told[name] for name in ("rows", "null", "distinct", "kinds")},
        "top": [[str(value)[:40], times] for value, times in seen.top[:PATTERNS]],
        "patterns": [[pattern[:40], times] for pattern, times in seen.patterns[:PATTERNS]],
        "range": bounds,
    }


def compared(store: Store | None, audit: Audit, findings: list[dict[str, Any]], wanted: int) -> dict[str, Any] | None:
    """What is new, persists and is gone against the audit that is asked for, else against the last one."""
    earlier = store.earlier(audit.database.source, audit.collection, audit.number) if store else []
    against = wanted or (earlier[0] if earlier else 0)
    return {"against": against, **difference(store.findings(against), findings)} if against and store else None


def partial(events: Iterable[Mapping[str, Any]]) -> Report:
    """Return what the trace of a killed run holds of its report."""
    found: Report = {"findings": [], "dismissed": [], "evaluations": [], "partial": True}
    for event in events:
        if event["kind"] == "finding":
            if event["dismissed"]:
                found["dismissed"].append({**event["finding"], "reason": event["dismissed"]})
            else:
                found["findings"].append(event["finding"])
        elif event["kind"] == "evaluation":
            found["evaluations"].append({name: value for name, value in event.items() if name not in ("kind", "at")})
    found["score"] = {"value": score(found["findings"]), "explained": SCORE}
    return found


def markdown(told: Report) -> str:
    """Return the report as Markdown."""
    lines = [f"# Audit of {told.get('collection', 'a collection')}", ""]
    if told.get("partial"):
        lines += ["The audit was stopped before its end: this is what it had found.", ""]
    else:
        lines += [
            f"{told['source']}, {told['rows']:,} rows, {len(told['fields'])} fields; {told['iterations']} iterations.",
            "",
        ]
    lines += [f"Score: {told['score']['value']} of 100. ({told['score']['explained']})", ""]
    for number, each in enumerate(told["findings"], 1):
        lines += finding_lines(number, each)
    for title, name in (("Looked at and found clean", "clean"), ("Not looked at", "not_investigated")):
        if told.get(name):
            lines += [f"## {title}", "", ", ".join(f"`{field}`" for field in told[name]), ""]
    if told["dismissed"]:
        lines += ["## Dismissed", "", *(f"- {each['claim']} {each['reason']}" for each in told["dismissed"]), ""]
    against = told.get("compared")
    if against:
        lines += [f"## Against audit {against['against']}", ""]
        lines += [f"- {kind}: {each['claim']}" for kind in ("new", "persisting", "gone") for each in against[kind]]
    return "\n".join(lines).rstrip() + "\n"


def finding_lines(number: int, each: Mapping[str, Any]) -> list[str]:
    rows = ", ".join(map(str, each["rows"][:20])) + (", ..." if each["affected"] > 20 else "")
    return [
        f"## {number}. {each['claim']}",
        "",
        f"{each['category']}, {each['severity']}, confidence {each['confidence']:.0%}. {each['suggestion']}",
        "",
        f"{each['affected']:,} rows: {rows}",
        "",
        "```sql",
        each["query"],
        "```",
        "",
    ]
