import sqlite3
from contextlib import closing


def same(one, other):
    return one.lower().rstrip("; \n").split() == other.lower().rstrip("; \n").split()


def judge(finding, taken, path):
    query = finding["query"]
    if any(same(query, other["query"]) for other in taken):
        return "Once is enough: this is in the list."
    with closing(sqlite3.connect("file:" + path + "?mode=ro", uri=True)) as database:
        cursor = database.cursor()
        try:
            cursor.execute(query)
            names = [column[0] for column in cursor.description or []]
            number = sum(1 for _ in cursor)
        except sqlite3.Error as error:
            return "SQLite says: " + str(error)
    if "id" not in names:
        return "Name the rows: the column id is missing."
    if number == 0:
        return "There are 0 such rows."
    return "" if number == finding["affected"] else f"There are {number} such rows, not {finding['affected']}."
