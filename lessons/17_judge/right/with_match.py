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
    match finding:
        case {"query": query} if any(plain(query) == plain(old["query"]) for old in taken):
            return f"taken before: {query}"
        case {"query": query, "affected": affected}:
            try:
                answer = run(path, query)
            except sqlite3.Error as error:
                answer = error
    match answer:
        case sqlite3.Error():
            return f"{query} cannot be run: {answer}"
        case (columns, _) if KEY not in columns:
            return f"no {KEY} in {', '.join(columns)}"
        case (_, []):
            return "0 rows: the fault is not there"
        case (_, rows) if len(rows) != affected:
            return f"{len(rows)} rows, and not {affected}"
        case _:
            return ""
