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
    raise NotImplementedError("run the query of the finding again, and compare what comes back with what it claims")
