"""Who takes part."""

from __future__ import annotations

from datetime import datetime, timezone

from fastapi import APIRouter, HTTPException

from app.database import Database
from app.models import Learner, LearnerCreate

router = APIRouter()


@router.get("/", response_model=list[Learner])
def list_learners(database: Database, group: str | None = None) -> list[dict]:
    """All learners, or those of one group."""
    if group is None:
        return database.execute("SELECT * FROM learners ORDER BY id").fetchall()
    return database.execute('SELECT * FROM learners WHERE "group" = ? ORDER BY id', (group,)).fetchall()


@router.get("/{learner_id}", response_model=Learner)
def get_learner(learner_id: int, database: Database) -> dict:
    row = database.execute("SELECT * FROM learners WHERE id = ?", (learner_id,)).fetchone()
    if row is None:
        raise HTTPException(404, "Learner not found")
    return row


@router.post("/", response_model=Learner, status_code=201)
def create_learner(learner: LearnerCreate, database: Database) -> dict:
    now = datetime.now(timezone.utc).isoformat()
    sql = 'INSERT INTO learners(name, "group", enrolled_at) VALUES (?, ?, ?)'
    number = database.execute(sql, (learner.name, learner.group, now)).lastrowid
    return get_learner(number, database)
