"""The report of an audit: as data (docs/audit.schema.json), and as Markdown. The page stands in page.py."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from agent.run import Run
from jobs.auditor import causes
from jobs.auditor.audit import SEVERITIES, Audit, Finding, normal
from jobs.auditor.store import Store, difference

Report = dict[str, Any]
WEIGHTS = {"low": 1, "medium": 3, "high": 8, "critical": 20}  # points off a hundred, times the confidence
SCORE = (
    "100, less for each finding its weight (low 1, medium 3, high 8, critical 20) times its confidence; not below 0."
)
PATTERNS = 4
LOOKED_AT_BY = (
    "missing values and what stands for them, kinds, patterns, look-alikes, ranges and gaps, copies, and the relations "
    "to other fields"
)
CANNOT_SEE = (
    "a value that is possible and wrong, another unit whose values lie among the others, a broken rule that fewer than "
    "half of the rows keep, a typo in what hardly ever stands twice"
)


def report(run: Run, answer: str) -> Report | None:
    """Return the report of a run; None where no audit was opened."""
    audit: Audit | None = run.resources.get("audit")
    if audit is None:
        return None
    findings = causes.told(audit.causes, worst_first)
    named = {field for found in audit.findings for field in found.fields}
    return {
        "audit": audit.number,
        "source": audit.database.source,
        "collection": audit.collection,
        "dialect": audit.database.dialect,
        "rows": audit.size,
        "key": list(audit.database.key(audit.collection)),
        "read": list(audit.database.notes),
        "sampled": {"rows": audit.sampled, "statistics": any(each.sampled for each in audit.profiles.values())},
        "score": score(findings),
        "findings": findings,
        "dismissed": [{**each.finding.to_json(), "reason": each.reason} for each in audit.dismissed],
        "fields": [field_of(audit, path) for path in audit.fields],
        "nothing_found": {
            "fields": [path for path in audit.investigated if path not in named],
            "looked_at_by": LOOKED_AT_BY,
            "cannot_see": CANNOT_SEE,
            "no_relations": [path for path in audit.investigated if path in set(audit.unrelated())],
        },
        "suspected": suspected(audit),
        "not_investigated": [path for path in audit.fields if path not in audit.investigated],
        "evaluations": audit.evaluations,
        "compared": compared(run.resources.get("store"), audit, run.resources.get("compare", 0)),
        "tokens": {
            "input": run.tokens.input,
            "output": run.tokens.output,
            "by_iteration": list(map(list, audit.usage)),
        },
        "iterations": run.turns,
        "queries": len(audit.queries),
    }


def worst_first(found: Finding) -> tuple[int, float]:
    """The order of findings."""
    return -SEVERITIES.index(found.severity), -found.affected * found.confidence


def score(findings: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The score, and between which it lies as far as the findings' confidence goes (two standard deviations)."""
    weighed = [(WEIGHTS[each["severity"]], each["confidence"]) for each in findings]
    value = 100 - sum(weight * sure for weight, sure in weighed)
    width = 2 * sum(weight * weight * sure * (1 - sure) for weight, sure in weighed) ** 0.5
    low, middle, high = (min(100, max(0, round(each))) for each in (value - width, value, value + width))
    return {"value": middle, "low": low, "high": high, "explained": SCORE}


def suspected(audit: Audit) -> list[dict[str, Any]]:
    """What queries gave rows for and nobody wrote down, where the audit came to no end of its own."""
    if audit.concluded:
        return []
    written = [normal(found.query) for found in audit.findings]
    left = [(query, *told) for query, told in audit.suspected.items() if not any(query in each for each in written)]
    return [{"why": why, "query": query, "affected": count} for query, why, count in left]


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


def compared(store: Store | None, audit: Audit, wanted: int) -> dict[str, Any] | None:
    """What is new, persists and is gone against the audit that is asked for, else against the last one."""
    earlier = store.earlier(audit.database.identity, audit.collection, audit.number) if store else []
    against = wanted or (earlier[0] if earlier else 0)
    if not against or not store:
        return None
    findings = [found.to_json() for found in sorted(audit.findings, key=worst_first)]
    return {"against": against, **difference(store.findings(against), findings)}


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
    found["score"] = score(found["findings"])
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
    lines += [f"Score: {score_line(told['score'])}. ({told['score']['explained']})", ""]
    for number, each in enumerate(told["findings"], 1):
        lines += finding_lines(number, each)
    for title, text in unflagged(told):
        lines += [f"## {title}", "", text, ""]
    if told["dismissed"]:
        lines += ["## Dismissed", "", *(f"- {each['claim']} {each['reason']}" for each in told["dismissed"]), ""]
    against = told.get("compared")
    if against:
        lines += [f"## Against audit {against['against']}", ""]
        lines += [f"- {kind}: {each['claim']}" for kind in ("new", "persisting", "gone") for each in against[kind]]
    return "\n".join(lines).rstrip() + "\n"


def score_line(told: Mapping[str, Any]) -> str:
    return f"{told['value']} of 100 ({told['low']} to {told['high']})"


def unflagged(told: Report) -> Iterator[tuple[str, str]]:
    """Titles and texts of what has no finding: how the source was read, what was looked at, suspected alone, and not
    looked at."""
    if told.get("read"):
        yield "How it was read", " ".join(told["read"])
    nothing = told.get("nothing_found", {})
    if nothing.get("fields"):
        beyond = (
            f" No relations were looked for: {', '.join(nothing['no_relations'])}." if nothing["no_relations"] else ""
        )
        text = f"{', '.join(nothing['fields'])}. By {nothing['looked_at_by']}. They cannot see {nothing['cannot_see']}."
        yield "Looked at, nothing found", f"{text}{beyond}"
    if told.get("suspected"):
        yield (
            "Suspected, and not written down before the end",
            "; ".join(f"{each['why']} ({each['affected']:,} rows: {each['query']})" for each in told["suspected"]),
        )
    if told.get("not_investigated"):
        yield "Not looked at", ", ".join(told["not_investigated"])


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
        *(f"The same rows: {other['claim']} `{other['query']}`\n" for other in each.get("also", ())),
    ]
