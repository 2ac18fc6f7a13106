import sqlite3


def problems(finding, taken, path):
    def normal(query):
        return " ".join(query.casefold().split()).rstrip("; ")

    for other in taken:
        if normal(other["query"]) == normal(finding["query"]):
            yield "You have proposed this before."
    database = sqlite3.connect(path)
    database.execute("PRAGMA query_only = ON")
    try:
        database.row_factory = sqlite3.Row
        rows = database.execute(finding["query"]).fetchall()
    except (sqlite3.Error, sqlite3.Warning) as error:
        yield f"Your query failed: {error}"
        return
    finally:
        database.close()
    if len(rows) == 0:
        yield "It gives 0 rows."
    elif "id" not in rows[0].keys():
        yield "Select the id of each row, too."
    if finding["affected"] != len(rows):
        yield f"It gives {len(rows)} rows."


def judge(finding, taken, path):
    return " ".join(problems(finding, taken, path))
