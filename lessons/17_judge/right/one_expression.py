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


def ask(path, query):
    try:
        return *run(path, query), ""
    except sqlite3.Error as error:
        return [], [], f"cannot be run, {error}"


def judge(finding, taken, path):
    query, said = finding["query"], finding["affected"]
    columns, rows, trouble = ask(path, query)
    return (
        ("the same query stands in another finding" if plain(query) in map(plain, (t["query"] for t in taken)) else "")
        or trouble
        or (f"select {KEY} too" if KEY not in columns else "")
        or (f"there are {len(rows)} such rows, you say {said}" if len(rows) != said else "")
        or ("there are 0 such rows" if not rows else "")
    )
