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


class Court:
    def __init__(self, path, taken):
        self.path = path
        self.known = set(map(lambda finding: plain(finding["query"]), taken))

    def hear(self, finding):
        for rule in (self.is_new, self.runs, self.has_key, self.same_count, self.not_empty):
            sentence = rule(finding)
            if sentence:
                return sentence
        return ""

    def is_new(self, finding):
        return "That query was used already" if plain(finding["query"]) in self.known else None

    def runs(self, finding):
        try:
            self.columns, self.rows = run(self.path, finding["query"])
        except sqlite3.Error as problem:
            return "Could not run it. SQLite: " + str(problem)

    def has_key(self, finding):
        if KEY not in self.columns:
            return "The column " + KEY + " is missing from the result"

    def same_count(self, finding):
        if len(self.rows) != finding["affected"]:
            return "Got " + str(len(self.rows)) + " rows"

    def not_empty(self, finding):
        if len(self.rows) == 0:
            return "Got no rows"


def judge(finding, taken, path):
    return Court(path, taken).hear(finding)
