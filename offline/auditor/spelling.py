"""How a question is spelt in the engine's language, so that anybody can run it again without this program."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

DATE = "9999-99-99"
CLASSES = {"9": "[0-9]", "A": "[A-Z]", "a": "[a-z]"}


def literal(value: Any) -> str:
    return str(value) if isinstance(value, (int, float)) else "'" + str(value).replace("'", "''") + "'"


def quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def among(expression: str, values: Iterable[Any]) -> str:
    return f"{expression} IN ({', '.join(map(literal, values))})"


def as_text(expression: str) -> str:
    return f"CAST({expression} AS TEXT)"


def like_pattern(expression: str, pattern: str, dialect: str) -> str:
    """That a value has a pattern: 9 for a digit, A and a for letters, everything else itself."""
    if dialect == "sqlite":
        glob = "".join(CLASSES.get(c) or (f"[{c}]" if c in "*?[" else c) for c in pattern)
        return f"{as_text(expression)} GLOB {literal(glob)}"
    return f"{as_text(expression)} SIMILAR TO {literal(''.join(CLASSES.get(c) or escaped(c) for c in pattern))}"


def like_shape(expression: str, shape: str, dialect: str) -> str:
    """That a value has a shape: a pattern in which each mark stands for one or more. SQLite can only ask for less."""
    if dialect == "sqlite":
        glob = "".join(f"{CLASSES[c]}*" if c in CLASSES else f"[{c}]" if c in "*?[" else c for c in shape)
        return f"{as_text(expression)} GLOB {literal(glob)}"
    text = "".join(f"{CLASSES[c]}+" if c in CLASSES else f"{escaped(c)}+" for c in shape)
    return f"{as_text(expression)} SIMILAR TO {literal(text)}"


def escaped(character: str) -> str:
    return f"\\{character}" if character in "%_|*+?{}()[].^$\\" else character


def is_number(expression: str, stats: dict[str, Any]) -> str:
    """That a value is a number: by its type where the engine keeps one for each value, else by its letters (a file's
    number of more digits than a computer keeps stays the text that it is)."""
    if is_numeric_type(stats):
        return f"{expression} IS NOT NULL"
    if stats["dialect"] != "sqlite":
        return f"{as_text(expression)} SIMILAR TO '[-+]?([0-9]+[.]?[0-9]*|[.][0-9]+)([eE][-+]?[0-9]+)?'"
    letters = f"trim({expression}, '0123456789.-+eE') = '' AND {expression} GLOB '*[0-9]*'"
    wrong = ("*[0-9.][-+]*", "*.*.*", "[eE]*", "*[eE]", "*[eE]*[eE.]*")
    letters += "".join(f" AND {expression} NOT GLOB '{each}'" for each in wrong)
    return f"(typeof({expression}) IN ('integer', 'real') OR {letters})" if stats["kinds"].get("number") else letters


def is_numeric_type(stats: dict[str, Any]) -> bool:
    return stats["dialect"] != "sqlite" and bool(
        re.match(r"int|big|small|hugeint|u?tinyint|u(small|big|hug)?int|num|dec|real|double|float", stats["declared"])
    )


def number(expression: str, stats: dict[str, Any]) -> str:
    """A value as a number, NULL where it is none."""
    if is_numeric_type(stats):
        return expression
    kind = "REAL" if stats["dialect"] == "sqlite" else "DOUBLE PRECISION"
    return f"CASE WHEN {is_number(expression, stats)} THEN CAST({expression} AS {kind}) END"


def rows_where(stats: dict[str, Any], condition: str, also: Sequence[str] = ()) -> str:
    """The key and the field of the rows for which a condition holds."""
    columns = ", ".join(dict.fromkeys([*key_in(stats), stats["sql"], *also]))
    return f"SELECT {columns} FROM {stats['table']} WHERE {condition}"


def key_in(stats: dict[str, Any], table: str = "") -> list[str]:
    """The key as a query selects it, with `table.` before it. SQLite calls each name of the row's number rowid, as a
    column may be called, unless it is told otherwise."""
    hidden = ('"_rowid_"', '"oid"')
    return [f"{table}{name} AS {name}" if name in hidden else f"{table}{name}" for name in key_of(stats)]


def key_of(stats: dict[str, Any]) -> list[str]:
    return [name if name in ("rowid", "ctid") else quoted(name) for name in stats["key"]]


def later_copies(stats: dict[str, Any], columns: Sequence[str], condition: str = "") -> str:
    """The rows that hold what a row before them holds already, in these columns."""
    keys = ", ".join(key_of(stats))
    listed = ", ".join(columns)
    where = f" WHERE {condition}" if condition else ""
    selected = ", ".join([*key_in(stats), listed])
    inner = f"SELECT {selected}, row_number() OVER (PARTITION BY {listed} ORDER BY {keys}) AS copy"
    return f"SELECT {keys}, {listed} FROM ({inner} FROM {stats['table']}{where}) AS numbered WHERE copy > 1"


def against_the_usual(stats: dict[str, Any], left: str, right: str, *, known: bool = False, least: float = 0.7) -> str:
    """The rows whose `right` is another than what the `least` share of rows with the same `left` have; with `known`
    only those where it is what goes with some other `left`."""
    usual = f" AND t.{right} IN (SELECT b FROM ranked WHERE place = 1 AND total > 2)" if known else ""
    keys = ", ".join(key_in(stats, "t."))
    table = stats["table"]
    return (
        f"WITH pairs AS (SELECT {left} AS a, {right} AS b, count(*) AS n FROM {table} "
        f"WHERE {left} IS NOT NULL AND {right} IS NOT NULL GROUP BY {left}, {right}), "
        "ranked AS (SELECT a, b, n, row_number() OVER (PARTITION BY a ORDER BY n DESC, b) AS place, "
        "sum(n) OVER (PARTITION BY a) AS total FROM pairs) "
        f"SELECT {keys}, t.{left}, t.{right}, r.b AS usual FROM {table} t JOIN ranked r ON r.a = t.{left} "
        f"WHERE r.place = 1 AND r.n >= {least} * r.total AND r.total > 2 AND t.{right} <> r.b{usual}"
    )
