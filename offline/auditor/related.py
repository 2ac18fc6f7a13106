"""Suspicions about several fields at once: where a relation holds for nearly all rows, the others are suspect."""

from __future__ import annotations

import datetime
from collections.abc import Iterator, Sequence
from typing import Any

from offline.auditor.dates import plausible
from offline.auditor.spelling import against_the_usual, as_text, key_of, later_copies, literal, number, rows_where
from offline.auditor.suspicion import Suspicion

Stats = dict[str, Any]
OPERATORS = {"sum": "+", "product": "*"}


def suspicions_of_relations(stats: Stats) -> Iterator[Suspicion]:
    for relation in stats["related"]:
        kind, names = relation["kind"], tuple(relation["fields"])
        query = QUERIES[kind](stats, *names, *relation.get("target", ()))
        because = f"the others agree ({relation['share']:.2%} of the rows)"
        if kind == "swapped":
            because = "each is usual in the other field alone"
        elif kind == "reference":
            because = f"{relation['share']:.2%} stand in {'.'.join(relation['target'])}"
        yield Suspicion(kind, names, because, query, relation["share"])


def copies(stats: Stats, columns: Sequence[str], unique: Sequence[str]) -> Iterator[Suspicion]:
    """Rows that stand twice: in all fields, and in all but those that are meant to be unique."""
    names = [quoted(name) for name in columns]
    rest = [quoted(name) for name in columns if name not in unique]
    if len(rest) >= 4:
        because = "an earlier row holds the same" + (f", but for {', '.join(unique)}" if unique else "")
        yield Suspicion("copy", tuple(columns[:1]), because, later_copies(stats, rest), 0.9)
    elif len(names) >= 3:
        yield Suspicion("copy", tuple(columns[:1]), "an earlier row holds the same", later_copies(stats, names), 0.9)


def order(stats: Stats, first: str, second: str) -> str:
    """Numbers are compared as numbers, dates as they are spelt, each where it is one."""
    a, b = quoted(first), quoted(second)
    if "number" in "".join(stats["kinds"]):
        condition = f"{number(a, stats)} > {number(b, stats)}"
    elif stats["declared"].startswith(("date", "time")):
        condition = f"{a} > {b}{within(stats, a, b)}"
    else:
        are_dates = " AND ".join(f"{as_text(x)} LIKE '____-__-__%'" for x in (a, b))
        condition = f"{are_dates} AND {a} > {b}{within(stats, a, b)}"
    return rows_where(stats, condition, [a, b])


def within(stats: Stats, *dates: str) -> str:
    """That dates lie where nearly all do: one that is impossible by itself is looked at by itself."""
    days = plausible(stats)
    if not days:
        return ""
    low, high = (literal(datetime.date.fromordinal(int(day)).isoformat()) for day in days)
    return "".join(f" AND {date} BETWEEN {low} AND {high}" for date in dates)


def arithmetic(operator: str):  # noqa: ANN201 - a function that spells one kind of question
    def query(stats: Stats, result: str, left: str, right: str) -> str:
        r, a, b = (number(quoted(name), stats) for name in (result, left, right))
        columns = [quoted(name) for name in (result, left, right)]
        return rows_where(stats, f"abs(({r}) - (({a}) {operator} ({b}))) > 0.0051", columns)

    return query


def days(stats: Stats, result: str, start: str, end: str) -> str:
    n, a, b = map(quoted, (result, start, end))
    between = {
        "sqlite": f"CAST(julianday(substr({b}, 1, 10)) - julianday(substr({a}, 1, 10)) AS INTEGER)",
        "duckdb": f"date_diff('day', CAST({a} AS DATE), CAST({b} AS DATE))",
        "postgres": f"(CAST({b} AS DATE) - CAST({a} AS DATE))",
    }[stats["dialect"]]
    return rows_where(stats, f"{n} <> {between} AND {a} <= {b}", [n, a, b])


def swapped(stats: Stats, left: str, right: str) -> str:
    """Each holds what is usual in the other and strange in itself."""
    a, b, table = quoted(left), quoted(right), stats["table"]
    least = max(5, int(0.002 * stats["rows"]))
    usual = "(SELECT {0} FROM {1} WHERE {0} IS NOT NULL GROUP BY {0} HAVING count(*) >= {2})"
    condition = f"{a} IN {usual.format(b, table, least)} AND {b} IN {usual.format(a, table, least)}"
    return rows_where(stats, condition, [a, b])


def reference(stats: Stats, field: str, target: str, column: str) -> str:
    a, keys = quoted(field), ", ".join(f"t.{key}" for key in key_of(stats))
    missing = f"NOT EXISTS (SELECT 1 FROM {quoted(target)} o WHERE o.{quoted(column)} = t.{a})"
    return f"SELECT {keys}, t.{a} FROM {stats['table']} t WHERE t.{a} IS NOT NULL AND {missing}"


def against(stats: Stats, left: str, right: str) -> str:
    return against_the_usual(stats, quoted(left), quoted(right))


def mismatched(stats: Stats, left: str, right: str) -> str:
    """Two values that each belong to another. One that belongs to nothing is looked at by itself."""
    return against_the_usual(stats, quoted(left), quoted(right), known=True)


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


QUERIES = {
    "determines": against,
    "same": mismatched,
    "order": order,
    "sum": arithmetic("+"),
    "product": arithmetic("*"),
    "days": days,
    "swapped": swapped,
    "reference": reference,
}
