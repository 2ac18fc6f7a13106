import sqlite3
from contextlib import closing


def plain(query):
    return " ".join(query.lower().rstrip("; \n").split())


def evidence(path, query):
    try:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
            answer = database.execute(query)
            return [each[0] for each in answer.description or ()], answer.fetchall(), ""
    except (sqlite3.Error, sqlite3.Warning) as error:
        return [], [], f"it cannot be run: {error}"


def judge(finding, taken, path):
    columns, rows, problem = evidence(path, finding["query"])
    rules = [
        (plain(finding["query"]) in map(plain, (each["query"] for each in taken)), "it is known"),
        (problem, problem),
        ("id" not in columns, "it does not say which rows"),
        (len(rows) != finding["affected"], f"it gives {len(rows)} rows"),
        (not rows, "it gives no row"),
    ]
    return next((f"This does not count: {why}." for broken, why in rules if broken), "")
