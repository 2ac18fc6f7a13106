import sqlite3


class Bad(Exception):
    pass


def rows_of(path, query):
    database = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        found = database.execute(query)
        if found.description is None or "id" not in [name for name, *_ in found.description]:
            raise Bad("Select the id, too: which rows are meant?")
        return len(found.fetchall())
    except sqlite3.Error as error:
        raise Bad(f"It does not run: {error}")
    finally:
        database.close()


def judge(finding, taken, path):
    words = finding["query"].lower().rstrip("; \n").split()
    try:
        for other in taken:
            if other["query"].lower().rstrip("; \n").split() == words:
                raise Bad("It counts already.")
        count = rows_of(path, finding["query"])
        if count != finding["affected"] or count < 1:
            raise Bad(f"You say {finding['affected']}, the data say {count}.")
    except Bad as why:
        return str(why)
    return ""
