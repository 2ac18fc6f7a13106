"""Lesson 17: a table with faults in it, new each time, and findings that are right, wrong, and only sound right."""

from __future__ import annotations

import hashlib
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

dice = random.SystemRandom()
SENTENCE = "a sentence that says why it does not hold"


def word() -> str:
    return "".join(dice.choices("bcdfghklmnprstvw", k=5))


class Table:
    """Visits of patients. `bad` of them are wrong: their ages are above `most`."""

    def __init__(self, path: Path) -> None:
        self.path, self.name, self.field = path, f"t_{word()}", f"f_{word()}"
        self.size, self.bad, self.most = dice.randrange(60, 90), dice.randrange(4, 12), dice.randrange(110, 140)
        wrong = set(dice.sample(range(self.size), self.bad))
        with closing(sqlite3.connect(path)) as database, database:
            database.execute(f"CREATE TABLE {self.name} (id INTEGER PRIMARY KEY, {self.field} INTEGER, day TEXT)")
            for number in range(self.size):
                age = self.most + dice.randrange(1, 90) if number in wrong else dice.randrange(1, self.most)
                row = (number + 100, age, f"2026-01-{number % 28 + 1:02}")
                database.execute(f"INSERT INTO {self.name} VALUES (?, ?, ?)", row)

    @property
    def query(self) -> str:
        return f"SELECT id, {self.field} FROM {self.name} WHERE {self.field} > {self.most}"

    def finding(self, **other: Any) -> dict[str, Any]:
        claim = f"{self.bad} values of {self.field} are above {self.most}"
        return {"claim": claim, "query": self.query, "affected": self.bad, "confidence": 0.6, **other}

    def digest(self) -> str:
        return hashlib.sha256(self.path.read_bytes()).hexdigest()


def check(lesson: Any) -> None:
    table = Table(lesson.work / "visits.sqlite")

    def judge(finding: dict[str, Any], taken: list[dict[str, Any]] | None = None) -> Any:
        parts = ", ".join(f"{name}={finding[name]!r}" for name in finding if name not in ("claim", "rows", "fields"))
        more = f", with {len(taken)} taken" if taken else ""
        return lesson.call("judge", dict(finding), list(taken or ()), str(table.path), shown=f"judge({parts}{more})")

    def holds(finding: dict[str, Any], why: str, taken: list[dict[str, Any]] | None = None) -> None:
        said = judge(finding, taken)
        lesson.expect(said == "", '"": it holds', why)

    def refused(finding: dict[str, Any], must_say: str, why: str, taken: list[dict[str, Any]] | None = None) -> None:
        said = judge(finding, taken)
        lesson.expect(isinstance(said, str) and bool(said), SENTENCE, why)
        lesson.expect(must_say in said, f"a sentence with {must_say!r} in it", "the model must know what to correct")

    with lesson.case("the evidence reproduces: it holds", "a finding holds when the data say so"):
        holds(table.finding(), f"the query gives {table.bad} rows, which is what it claims")
        holds(table.finding(confidence=0.1), "how sure the model is makes no difference")
        query = table.query.replace("SELECT id,", f"SELECT day, {table.field}, day AS \u00fcber, day AS d, id,")
        holds(table.finding(query=query), "the key may stand anywhere among the columns")
        query = table.query + " AND '\u00fc' <> ''"
        holds(table.finding(query=query), "a query may hold any letter")
    with lesson.case("it claims another number", "a finding holds when the data say so"):
        for wrong in (table.bad + 1, table.bad - 1, table.bad * 10):
            finding = table.finding(affected=wrong, confidence=1.0)
            refused(finding, str(table.bad), f"the query gives {table.bad} rows, and not {wrong}")
        finding = table.finding(query=f"{table.query} UNION ALL {table.query}")
        refused(finding, str(2 * table.bad), "each row comes twice: two rows that are alike are two")
    with lesson.case("it brings its own rows along", "a finding holds when the data say so"):
        claimed = table.bad + 3
        rows = [[number + 100] for number in range(claimed)]
        refused(table.finding(affected=claimed, rows=rows), str(table.bad), "the model wrote these rows, not the data")
    with lesson.case("the query cannot be run", "what does not run proves nothing", SENTENCE):
        column = f"f_{word()}"
        query = f"SELECT id FROM {table.name} WHERE {column} > 1"
        refused(table.finding(query=query), column, "what does not run proves nothing; SQLite says what is wrong")
        refused(table.finding(query=f"SELEC id FROM {table.name}"), "", "what does not run proves nothing")
        refused(table.finding(query="-- nothing"), "", "what says nothing proves nothing")
        query = table.query.replace(str(table.most), "?")
        refused(table.finding(query=query), "", "a ? without its value cannot be run, which is another sqlite3.Error")
    with lesson.case("it does not say which rows", "a finding holds when the data say so"):
        query = table.query.replace("SELECT id, ", "SELECT ")
        refused(table.finding(query=query), "", "nobody can look at the rows, or mend them: the key is missing")
        query = f"{table.query.replace('SELECT id, ', 'SELECT ')} AND id > 0"
        refused(table.finding(query=query), "", "it asks for the id, and no column of what comes back is called so")
        for alias in ("paid", "id_of_it", "'the id'")[
            : 1 if lesson.shipped else 3
        ]:  # the real agent starts a program each time
            query = table.query.replace("SELECT id, ", f"SELECT day AS {alias}, ")
            refused(table.finding(query=query), "", f"a column that is called {alias} is no id")
        query = f"SELECT count(*) FROM {table.name} WHERE {table.field} > {table.most}"
        refused(table.finding(query=query), "", "a number is no row: the key is missing")
        refused(table.finding(query=query, affected=1), "", "one row came back, and it is a count: the key is missing")
    with lesson.case("nothing is affected", "a finding holds when the data say so"):
        query = table.query.replace(f"> {table.most}", f"> {table.most + 1000}")
        refused(table.finding(query=query, affected=0), "", "a query without a row proves that nothing is wrong")
    with lesson.case("it is written down already", "a finding holds when the data say so"):
        query = f"  {table.query.replace(' FROM', '  from').replace('WHERE', 'where')} ;"
        why = "one fault is one, however it is written, and whatever else was written down"
        others = [table.finding(query=table.query.replace(str(table.most), str(1000 + each))) for each in range(4)]
        refused(table.finding(query=query), "", why, [table.finding()])
        refused(table.finding(query=query), "", why, [*others, table.finding()])
        refused(table.finding(query=query), "", why, [table.finding(), *others])
        other = table.finding(query=table.query.replace(">", ">="), affected=-1)
        holds(table.finding(), "the other finding has another query", [other])
    with lesson.case(
        "a query that changes the data",
        "a finding is to be proved, not brought about",
        "a sentence, and the data as they were",
    ):
        before = table.digest()
        for query in (f"DELETE FROM {table.name} RETURNING id", f"UPDATE {table.name} SET day = '' RETURNING id"):
            refused(table.finding(query=query, affected=table.size), "", "a finding is to be proved, not brought about")
        lesson.expect(
            table.digest() == before, "the file as it was", "a judge that writes spoils the evidence", "changed"
        )
    with lesson.case(
        "the data are mended: the same finding does not hold any more", "a finding holds when the data say so"
    ):
        finding = table.finding()
        judge(finding)
        with closing(sqlite3.connect(table.path)) as database, database:
            database.execute(f"UPDATE {table.name} SET {table.field} = 1 WHERE {table.field} > {table.most}")
        refused(finding, "0", "the query is run each time: what held an hour ago is no evidence now")
    lesson.picture.append(story(lesson))


def story(lesson: Any) -> str:
    table = Table(lesson.work / "story.sqlite")
    count = f"SELECT count(*) FROM {table.name} WHERE {table.field} > {table.most}"
    findings = [
        table.finding(affected=table.bad * 3, confidence=0.99),
        table.finding(query=table.query.replace(table.field, "age")),
        table.finding(query=count),
        table.finding(),
        table.finding(query=table.query.lower()),
    ]
    taken: list[dict[str, Any]] = []
    lines = [f"{table.size} rows, {table.bad} of them wrong. Five findings, and your judge:"]
    for number, finding in enumerate(findings, 1):
        said = lesson.call("judge", finding, taken, str(table.path), shown="judge(a finding, taken)")
        lines += [f"{number}. {finding['query']}", f"   claims {finding['affected']}: {said or 'it holds'}"]
        taken += [] if said else [finding]
    return "\n".join([*lines, f"{len(taken)} of 5 hold."])
