"""The real agent in place of the learner's judge(): the rules of its gate before a finding, on an audit of the data."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import Any

from jobs.auditor.audit import Audit
from jobs.auditor.tools.write_finding import SCHEMA
from functions.schema import check_arguments
from jobs.auditor import rules
from reach.database import open_database

RULES = (rules.not_written_before, rules.evidence_reproduces, rules.evidence_names_its_rows)
REST = {"category": "validity", "severity": "medium", "suggestion": "look at them"}


def judge(finding: dict[str, Any], taken: list[dict[str, Any]], path: str) -> str:
    with closing(sqlite3.connect(path)) as opened:
        [table] = [name for (name,) in opened.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    with open_database(path, lambda line: None) as database:
        audit = Audit(database, table)
        for other in taken:
            audit.commit(audit.finding(described(other, audit), None))
        arguments = described(finding, audit)
        try:
            check_arguments(arguments, SCHEMA["parameters"])
        except ValueError as problem:
            return str(problem)
        return next(filter(None, (rule("write_finding", arguments, audit) for rule in RULES)), "")


def described(finding: dict[str, Any], audit: Audit) -> dict[str, Any]:
    own = {name: finding[name] for name in ("claim", "query", "affected", "confidence")}
    return {**REST, **own, "fields": list(audit.fields)[1:2]}
