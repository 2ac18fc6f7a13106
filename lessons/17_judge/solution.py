"""Lesson 17: a judge."""

import sqlite3
from contextlib import closing

KEY = "id"  # the column that says which row it is


def run(path, query):
    """Ask the data, which nothing can change this way. Return (columns, rows). Raises sqlite3.Error."""
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        answer = database.execute(query)
        return [column[0] for column in answer.description or ()], answer.fetchall()


def plain(query):
    """A query without what makes no difference: large letters, spaces, the semicolon at its end."""
    return " ".join(query.lower().rstrip("; \n").split())


def judge(finding, taken, path):
    """Return "" when a finding holds, else why it does not. `taken`: the findings that hold so far."""
    if plain(finding["query"]) in [plain(other["query"]) for other in taken]:
        return "This finding is written down already."
    try:
        columns, rows = run(path, finding["query"])
    except sqlite3.Error as error:
        return f"The evidence does not reproduce: {error}."
    if KEY not in columns:
        return f"The query does not say which rows are wrong: select {KEY}, one row for each."
    if len(rows) != finding["affected"]:
        return f"The query gives {len(rows)} rows, and not {finding['affected']}. Correct the one or the other."
    return "" if rows else "The query gives no row: nothing is wrong."
