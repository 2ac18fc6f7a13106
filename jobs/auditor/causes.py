"""One finding a cause: those over the same rows are told together, the worst first, the others its evidence."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jobs.auditor.audit import Finding

SAME = 0.8  # of the rows that either has stand in both
MOST = 0.5  # of all rows: what more rows have shares them with anything
FIRST = 20  # rows that are compared before all are


def join(causes: list[list[Finding]], found: Finding, size: int) -> None:
    """Add a finding to the cause whose first one has nearly the same of all `size` rows, else as a new one."""
    rows = keys(found.rows)
    fits = (cause for cause in causes if 0 < len(rows) <= MOST * size and same(keys(cause[0].rows[:FIRST]), rows, 0.5))
    cause = next((cause for cause in fits if same(keys(cause[0].rows), rows, SAME, both=True)), None)
    if cause is None:
        causes.append([found])
    else:
        cause.append(found)


def same(some: set[Hashable], rows: set[Hashable], least: float, *, both: bool = False) -> bool:
    """Whether at least a share of some rows, or of those of both, stand in both."""
    return bool(some) and len(some & rows) >= least * len(some | rows if both else some)


def keys(rows: Iterable[Any]) -> set[Hashable]:
    return {tuple(row) if isinstance(row, list) else row for row in rows}


def told(causes: Iterable[Sequence[Finding]], worst_first: Any) -> list[dict[str, Any]]:
    """The worst of each cause as data, the worst cause first, with the others under `also`."""
    ordered = sorted((sorted(cause, key=worst_first) for cause in causes), key=lambda cause: worst_first(cause[0]))
    return [{**cause[0].to_json(), "also": [each.to_json() for each in cause[1:]]} for cause in ordered]


def every(findings: Iterable[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Every finding of a report with those that are told with it, each by itself."""
    return [one for each in findings for one in (each, *each.get("also", ()))]


def with_others(finding: Mapping[str, Any]) -> str:
    """A finding's claim in an index, with how many more there are over its rows."""
    also = finding.get("also", ())
    return f"{finding['claim']} And {len(also)} more over the same rows." if also else finding["claim"]
