"""Make the database with its invented data: the same each time. Used by the service where there is none."""

from __future__ import annotations

import random
import sqlite3
import sys
from datetime import datetime, timedelta
from pathlib import Path

SCHEMA = Path(__file__).with_name("schema.sql")
GROUPS = ("B24-01", "B24-02", "B24-03")
LABS = (
    ("Command line and Git", 4),
    ("HTTP and REST", 5),
    ("A first service", 6),
    ("Containers", 5),
    ("Databases", 6),
    ("Deployment", 4),
    ("Agents", 5),
)
FIRST = "Ada Boris Clara Dmitri Elif Farid Greta Hugo Irina Jonas Kamila Leon Maya Nikita Olga Pavel".split()
LAST = "Novak Orlov Petrova Quist Rossi Sidorov Tanaka".split()
LEARNERS = 52
START = datetime(2026, 2, 2, 9, 0)


def make_database(path: Path) -> None:
    """Write a new database. `path` must not exist."""
    chance = random.Random(20260202)
    with sqlite3.connect(path) as database:
        database.executescript(SCHEMA.read_text(encoding="utf-8"))
        labs = add_items(database)
        learners = add_learners(database, chance)
        for number, tasks in enumerate(labs[:-1], 1):  # the last lab is not open yet: nobody has begun it
            for learner in learners:
                attempt(database, chance, number, tasks, learner)
    database.close()


def add_items(database: sqlite3.Connection) -> list[list[int]]:
    """Add labs and their tasks; return the tasks' numbers by lab."""
    labs = []
    for number, (title, count) in enumerate(LABS, 1):
        row = (f"lab-{number:02}", "lab", title, None)
        lab = database.execute("INSERT INTO items(slug, type, title, parent_id) VALUES (?, ?, ?, ?)", row).lastrowid
        tasks = []
        for task in range(1, count + 1):
            row = (f"lab-{number:02}-task-{task}", "task", f"Task {task} of {title}", lab)
            sql = "INSERT INTO items(slug, type, title, parent_id) VALUES (?, ?, ?, ?)"
            tasks.append(database.execute(sql, row).lastrowid)
        labs.append(tasks)
    return labs


def add_learners(database: sqlite3.Connection, chance: random.Random) -> list[int]:
    names = chance.sample([f"{first} {last}" for first in FIRST for last in LAST], LEARNERS)
    numbers = []
    for place, name in enumerate(names):
        enrolled = (START - timedelta(days=chance.randrange(3, 20))).isoformat()
        row = (name, GROUPS[place % len(GROUPS)], enrolled)
        sql = 'INSERT INTO learners(name, "group", enrolled_at) VALUES (?, ?, ?)'
        numbers.append(database.execute(sql, row).lastrowid)
    return numbers


def attempt(database: sqlite3.Connection, chance: random.Random, lab: int, tasks: list[int], learner: int) -> None:
    """A learner's attempts at a lab: fewer with each lab. Of lab 4 some are checked by hand, and have no score yet."""
    if chance.random() > 1.0 - lab * 0.08:
        return
    by_hand = lab == 4 and chance.random() < 0.2
    for task in tasks[: chance.randint(1, len(tasks))]:
        for number in range(chance.randint(1, 3)):
            total = chance.choice((4, 5, 8, 10))
            passed = chance.randint(total // 2, total)
            score = None if by_hand else round(100 * passed / total, 1)
            moment = START + timedelta(days=7 * (lab - 1) + number, minutes=chance.randrange(0, 4 * 24 * 60))
            outside = f"check-{learner}-{task}-{number + 1}"
            row = (outside, task, learner, "attempt", score, passed, total, moment.isoformat())
            database.execute(
                "INSERT INTO interactions(external_id, item_id, learner_id, kind, score, checks_passed, checks_total, "
                "created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                row,
            )


if __name__ == "__main__":
    make_database(Path(sys.argv[1]))
