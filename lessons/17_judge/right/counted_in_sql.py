import sqlite3
from contextlib import closing


def ask(path, query):
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as database:
        return database.execute(query).fetchall()


def judge(finding, taken, path):
    query = finding["query"].strip().rstrip(";").strip()
    if any(query.lower().split() == other["query"].strip().rstrip(";").lower().split() for other in taken):
        return "Known already."
    try:
        [(count, distinct)] = ask(path, f"SELECT count(*), count(DISTINCT id) FROM ({query})")
    except Exception as error:
        return f"That query is no evidence: {error}"
    if not count or count != finding["affected"] or count != distinct:
        return f"There are {count} rows, {distinct} of them different, and you claim {finding['affected']}."
    return ""
