"""Figures about a lab, for the course's dashboard."""

from __future__ import annotations

import sqlite3
from collections import Counter

from fastapi import APIRouter, HTTPException, Query

from app.database import Database

router = APIRouter()


def tasks_of(database: sqlite3.Connection, lab: str) -> list[dict]:
    """The tasks of a lab, in order. Raises 404 for a lab that there is not."""
    row = database.execute("SELECT id FROM items WHERE slug = ? AND type = 'lab'", (lab,)).fetchone()
    if row is None:
        raise HTTPException(404, f"Lab {lab} not found")
    return database.execute("SELECT * FROM items WHERE parent_id = ? ORDER BY id", (row["id"],)).fetchall()


def attempts_at(database: sqlite3.Connection, lab: str) -> list[dict]:
    """The attempts at a lab's tasks, with the learner's name and group."""
    numbers = [task["id"] for task in tasks_of(database, lab)]
    marks = ", ".join("?" * len(numbers))
    return database.execute(
        f'SELECT i.*, l.name, l."group" FROM interactions i JOIN learners l ON l.id = i.learner_id '
        f"WHERE i.item_id IN ({marks}) ORDER BY i.created_at",
        numbers,
    ).fetchall()


@router.get("/scores")
def scores(database: Database, lab: str) -> list[dict]:
    """How many attempts fall into each quarter of the scale."""
    known = [each["score"] for each in attempts_at(database, lab) if each["score"] is not None]
    buckets = Counter(min(int(score // 25), 3) for score in known)
    names = ("0-25", "25-50", "50-75", "75-100")
    return [{"bucket": name, "count": buckets[place]} for place, name in enumerate(names)]


@router.get("/pass-rates")
def pass_rates(database: Database, lab: str) -> list[dict]:
    """Average score and number of attempts for each task."""
    rates = []
    for task in tasks_of(database, lab):
        given = [each["score"] for each in attempts_at(database, lab) if each["item_id"] == task["id"]]
        known = [score for score in given if score is not None]
        average = round(sum(known) / len(known), 1) if known else None
        rates.append({"task": task["title"], "avg_score": average, "attempts": len(given)})
    return rates


@router.get("/completion-rate")
def completion_rate(database: Database, lab: str) -> dict:
    """Which share of those who began the lab has reached its last task."""
    attempts = attempts_at(database, lab)
    last_task = tasks_of(database, lab)[-1]["id"]
    began = {each["learner_id"] for each in attempts}
    finished = {each["learner_id"] for each in attempts if each["item_id"] == last_task}
    rate = len(finished) / len(began) * 100
    return {"lab": lab, "began": len(began), "finished": len(finished), "completion_rate": round(rate, 1)}


@router.get("/top-learners")
def top_learners(database: Database, lab: str, limit: int = Query(10, ge=1, le=100)) -> list[dict]:
    """The learners with the best average score."""
    by_learner: dict[str, list[float]] = {}
    for each in attempts_at(database, lab):
        given = by_learner.setdefault(each["name"], [])
        if each["score"] is not None:
            given.append(each["score"])
    averages = [
        {"learner": name, "avg_score": sum(given) / len(given) if given else None, "graded": len(given)}
        for name, given in by_learner.items()
    ]
    ranked = sorted(averages, key=lambda each: each["avg_score"], reverse=True)
    return ranked[:limit]


@router.get("/groups")
def groups(database: Database, lab: str) -> list[dict]:
    """Learners and average score for each group."""
    by_group: dict[str, list[dict]] = {}
    for each in attempts_at(database, lab):
        by_group.setdefault(each["group"], []).append(each)
    rows = []
    for name, several in sorted(by_group.items()):
        known = [each["score"] for each in several if each["score"] is not None]
        average = round(sum(known) / len(known), 1) if known else None
        rows.append({"group": name, "learners": len({each["learner_id"] for each in several}), "avg_score": average})
    return rows


@router.get("/timeline")
def timeline(database: Database, lab: str) -> list[dict]:
    """Attempts for each day."""
    days = Counter(each["created_at"][:10] for each in attempts_at(database, lab))
    return [{"date": day, "attempts": count} for day, count in sorted(days.items())]
