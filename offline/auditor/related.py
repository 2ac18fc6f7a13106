"""Suspicions about several fields at once: where a relation holds for nearly all rows, the others are suspect."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from offline.auditor.dates import plausible
from offline.auditor.spelling import (
    against_the_usual,
    among,
    as_text,
    is_number,
    key_in,
    later_copies,
    literal,
    number,
    quoted,
    rows_where,
)
from offline.auditor.suspicion import Suspicion

Stats = dict[str, Any]
LEAST_COMBINATIONS = 100  # times the pairs of rows, for a copy to be more than chance


def suspicions_of_relations(stats: Stats) -> Iterator[Suspicion]:
    for relation in stats["related"]:
        if relation["kind"] in ("same", "determines") and relation["share"] == 1:
            continue
        kind, names = relation["kind"], tuple(relation["fields"])
        query = QUERIES[kind](stats, *names, *relation.get("target", ()))
        because = f"the others agree ({relation['share']:.2%} of the rows)"
        if kind.startswith("swapped"):
            because = "each belongs to the other field"
        elif kind == "shifted":
            because = "the other field's own cell is empty"
        elif kind == "reference":
            because = f"{relation['share']:.2%} stand in {'.'.join(relation['target'])}"
        yield Suspicion(kind, names, because, query, relation["share"])


def copies(stats: Stats, columns: Mapping[str, int], unique: Sequence[str]) -> Iterator[Suspicion]:
    """Rows that stand twice: in all fields, and in all but those that are meant to be unique. `columns` says how many
    different values each has: where all together allow few combinations, rows are alike by chance."""
    if math.prod(columns.values()) < LEAST_COMBINATIONS * stats["rows"] ** 2:
        return
    names = [quoted(name) for name in columns]
    rest = [quoted(name) for name in columns if name not in unique]
    first = tuple(list(columns)[:1])
    if len(rest) >= 4:
        because = "an earlier row holds the same" + (f", but for {', '.join(unique)}" if unique else "")
        yield Suspicion("copy", first, because, later_copies(stats, rest), 0.9)
    elif len(names) >= 3:
        yield Suspicion("copy", first, "an earlier row holds the same", later_copies(stats, names), 0.9)


def order(stats: Stats, first: str, second: str) -> str:
    """Numbers are compared as numbers, dates as they are spelt, each where it is one."""
    a, b = quoted(first), quoted(second)
    if "number" in "".join(stats["kinds"]):
        condition = f"{number(a, stats)} > {number(b, stats)}"
        condition += f" AND NOT {among(number(a, stats), stats['apart'])}" if stats["apart"] else ""
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
    """Each value stands more often in the other field than in its own."""
    a, b, table = quoted(left), quoted(right), stats["table"]
    times = "{0} AS (SELECT {1} AS v, count(*) AS n FROM {2} GROUP BY {1})"
    often = "coalesce((SELECT n FROM {0} WHERE v = t.{1}), 0)"
    both = (("l", "r", a), ("r", "l", b))
    strange = " AND ".join(f"{often.format(own, x)} < {often.format(other, x)}" for own, other, x in both)
    keys = ", ".join(key_in(stats, "t."))
    counted = f"{times.format('l', a, table)}, {times.format('r', b, table)}"
    return f"WITH {counted} SELECT {keys}, t.{a}, t.{b} FROM {table} t WHERE {strange}"


def swapped_sorts(stats: Stats, numbers: str, words: str) -> str:
    a, b = quoted(numbers), quoted(words)
    condition = f"NOT ({is_number(a, stats)}) AND {is_number(b, {**stats, 'kinds': {}, 'declared': ''})}"
    return rows_where(stats, condition, [a, b])


def shifted(stats: Stats, left: str, right: str) -> str:
    """The second is empty, and the first ends with one of its values, or begins with one of the first's."""
    a, b, table = quoted(left), quoted(right), stats["table"]
    ends = (
        f"SELECT 1 FROM (SELECT DISTINCT {b} AS v FROM {table} WHERE {b} IS NOT NULL) AS u "
        f"WHERE t.{a} LIKE '_% ' || u.v"
    )
    begins = (
        f"SELECT 1 FROM (SELECT DISTINCT {a} AS v FROM {table} WHERE {b} IS NOT NULL) AS w "
        f"WHERE (t.{a} LIKE w.v || ' _%' OR t.{a} LIKE w.v || ', _%') AND substr(t.{a}, -1) NOT BETWEEN '0' AND '9'"
    )
    keys = ", ".join(key_in(stats, "t."))
    return f"SELECT {keys}, t.{a}, t.{b} FROM {table} t WHERE t.{b} IS NULL AND (EXISTS ({ends}) OR EXISTS ({begins}))"


def reference(stats: Stats, field: str, target: str, column: str) -> str:
    a, keys = quoted(field), ", ".join(key_in(stats, "t."))
    missing = f"NOT EXISTS (SELECT 1 FROM {quoted(target)} o WHERE o.{quoted(column)} = t.{a})"
    return f"SELECT {keys}, t.{a} FROM {stats['table']} t WHERE t.{a} IS NOT NULL AND {missing}"


def against(stats: Stats, left: str, right: str) -> str:
    share = next(each["share"] for each in stats["related"] if each["fields"] == [left, right])
    return against_the_usual(stats, quoted(left), quoted(right), least=0.7 if share > 0.9 else 0.4)


def mismatched(stats: Stats, left: str, right: str) -> str:
    """Two values that each belong to another. One that belongs to nothing is looked at by itself."""
    return against_the_usual(stats, quoted(left), quoted(right), known=True)


QUERIES = {
    "determines": against,
    "same": mismatched,
    "order": order,
    "sum": arithmetic("+"),
    "product": arithmetic("*"),
    "days": days,
    "swapped": swapped,
    "swapped sorts": swapped_sorts,
    "shifted": shifted,
    "reference": reference,
}
