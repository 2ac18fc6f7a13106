"""Two published tools that look for wrong cells, for the same tables and the same key as the auditor.

    uv run --with frictionless --with pyod python -m bench audits --strangers DIR --peers

frictionless validates against a schema, so it is given what the auditor is not: the types and the required fields of
the clean table. pyod's ECOD gives each number a score of how far out it lies, and calls the share that is its default.
Neither is told anything of the errors.
"""

from __future__ import annotations

import csv
import importlib
import io
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from bench.faults import Table
from jobs.auditor.profile import as_number

Report = dict[str, Any]


def peers() -> dict[str, Callable[[Table, str], Report]]:
    """The peers by name. Exits with the next step where one is not installed."""
    for name in ("frictionless", "pyod"):
        try:
            importlib.import_module(name)
        except ImportError:
            raise SystemExit(f"{name} is not installed: begin with uv run --with frictionless --with pyod") from None
    return {"frictionless": ByTypes(), "pyod's ECOD": by_scores}


class ByTypes:
    """The first table of each name gives the schema, with its full fields required: that is the clean one."""

    def __init__(self) -> None:
        self._schemas: dict[str, Any] = {}

    def __call__(self, table: Table, name: str) -> Report:
        import frictionless

        text = io.StringIO()
        writer = csv.DictWriter(text, list(table[0]))
        writer.writeheader()
        writer.writerows(table)
        data = text.getvalue().encode()
        if name not in self._schemas:
            with frictionless.Resource(data, format="csv") as resource:
                self._schemas[name] = resource.schema
            for field in self._schemas[name].fields:
                field.constraints["required"] = all(row[field.name] is not None for row in table)
        report = frictionless.Resource(data, format="csv", schema=self._schemas[name]).validate(limit_errors=1_000_000)
        errors = [error for task in report.tasks for error in task.errors if hasattr(error, "field_name")]
        return as_report((error.row_number - 2, error.field_name) for error in errors)


def by_scores(table: Table, name: str) -> Report:
    from pyod.models.ecod import ECOD

    cells = []
    for field in table[0]:
        numbers = [(row, number) for row, each in enumerate(table) if (number := as_number(each[field])) is not None]
        if len(numbers) > len(table) / 2 and len({number for _, number in numbers}) > 2:
            labels = ECOD().fit([[number] for _, number in numbers]).labels_
            cells += [(row, field) for (row, _), label in zip(numbers, labels, strict=True) if label]
    return as_report(cells)


def as_report(cells: Iterable[tuple[int, str]]) -> Report:
    """One finding a field, as the auditor writes them."""
    by_field: dict[str, list[list[Any]]] = defaultdict(list)
    for row, field in cells:
        by_field[field].append([row, field])
    findings = [{"claim": field, "cells": found, "confidence": 1.0} for field, found in by_field.items()]
    return {"findings": findings}
