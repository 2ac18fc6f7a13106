"""The rules of the gates, each a small function with a name: what it objects to in a sentence, or None.

A rule that begins its sentence with "warning: " lets the thing pass, and says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from jobs.auditor.audit import Audit, normal
from reach.database.database import Failed, Refused

Rule = Callable[[str, Mapping[str, Any], Audit], str | None]
WARNING = "warning: "
CRITICAL_SHARE, LOW_SHARE = 0.01, 0.2  # of the rows: critical needs more than the first, low less than the second
LEAST_LOOKED_AT = 0.5  # of the fields, up to the number below, before an audit may end
ENOUGH_FIELDS = 20


def schema_first(name: str, arguments: Mapping[str, Any], audit: Audit) -> str | None:
    if name != "schema_sample" and not audit.sampled:
        return "Look at the fields first: call schema_sample."
    return None


def no_repeat_query(name: str, arguments: Mapping[str, Any], audit: Audit) -> str | None:
    if name != "run_query":
        return None
    query = normal(str(arguments.get("query", "")))
    if query in audit.queries:
        known = audit.queries[query]
        return f"This query was run before and gave {known:,} rows. Write the finding, or test something else."
    if query in audit.asked:
        return "This query is asked in this turn already. Test something else."
    audit.asked.add(query)  # until it is answered: the calls of a turn pass the gate before any of them runs
    return None


def known_field(name: str, arguments: Mapping[str, Any], audit: Audit) -> str | None:
    if name == "get_stats" and arguments.get("field") in audit.investigated:
        return WARNING + "this field was looked at before; its statistics have not changed."
    return None


def fields_exist(name: str, arguments: Mapping[str, Any], audit: Audit) -> str | None:
    unknown = [field for field in arguments["fields"] if field not in audit.fields]
    if unknown or not arguments["fields"]:
        return f"There are no fields {unknown}. The fields are {', '.join(list(audit.fields)[:60])}."
    return None


def evidence_reproduces(name: str, arguments: Mapping[str, Any], audit: Audit) -> str | None:
    """The query is run again, and must give the number of rows that is claimed."""
    try:
        answer = audit.evidence(arguments["query"], again=True)
    except (Refused, Failed) as problem:
        return f"The evidence does not reproduce: {problem}."
    if answer.count != arguments["affected"]:
        return (
            f"The query gives {answer.count:,} rows, and not {arguments['affected']:,}. Correct the one or the other."
        )
    return None


def evidence_names_its_rows(name: str, arguments: Mapping[str, Any], audit: Audit) -> str | None:
    if audit.key_in(audit.evidence(arguments["query"])):
        return None
    names = audit.database.key(audit.collection)  # SQLite calls the column of a row's number rowid if it is not told
    key = ", ".join(f"{name} AS {name}" if name in ("_rowid_", "oid") else name for name in names)
    return f"The query does not say which rows are wrong: select the key ({key}) first, one row for each affected row."


def severity_fits_the_count(name: str, arguments: Mapping[str, Any], audit: Audit) -> str | None:
    share = arguments["affected"] / max(1, audit.size)
    if arguments["severity"] == "critical" and share < CRITICAL_SHARE and arguments["category"] != "uniqueness":
        return f"{share:.2%} of the rows are affected: that is not critical. Call it high, or less."
    if arguments["severity"] == "low" and share > LOW_SHARE:
        return f"{share:.0%} of the rows are affected: that is not low."
    return None


def not_written_before(name: str, arguments: Mapping[str, Any], audit: Audit) -> str | None:
    query = normal(arguments["query"])
    if any(normal(found.query) == query for found in audit.findings):
        return "This finding is written down already."
    dismissed = (each for each in audit.dismissed if normal(each.finding.query) == query)
    return next((f"This finding was dismissed before: {each.reason}" for each in dismissed), None)


def most_rows_are_no_exception(name: str, arguments: Mapping[str, Any], audit: Audit) -> str | None:
    if arguments["affected"] > 0.5 * audit.size and arguments["confidence"] > 0.5 and audit.size > 20:
        return WARNING + "more than half of the rows are affected. Is this how the data are meant to be?"
    return None


def minimum_investigation(name: str, arguments: Mapping[str, Any], audit: Audit) -> str | None:
    """An audit may end when enough fields were looked at, and something was asked."""
    least = min(ENOUGH_FIELDS, max(1, int(LEAST_LOOKED_AT * len(audit.fields))))
    if len(audit.investigated) < least:
        left = [field for field in audit.fields if field not in audit.investigated]
        looked = f"Only {len(audit.investigated)} of {len(audit.fields)} fields were looked at."
        return f"{looked} Go on with {', '.join(left[:8])}."
    if not audit.queries:
        return "Nothing was tested with a query yet. Test what the statistics make you suspect."
    return None


ACTION_RULES: tuple[Rule, ...] = (schema_first, no_repeat_query, known_field)
FINDING_RULES: tuple[Rule, ...] = (
    schema_first,
    fields_exist,
    not_written_before,
    evidence_reproduces,
    evidence_names_its_rows,
    severity_fits_the_count,
    most_rows_are_no_exception,
)
RUN_RULES: tuple[Rule, ...] = (schema_first, minimum_investigation)
