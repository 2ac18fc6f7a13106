"""What learners did with items."""

from __future__ import annotations

from fastapi import APIRouter, Query

from app.database import Database
from app.models import Interaction
from app.settings import load_settings

router = APIRouter()


@router.get("/", response_model=list[Interaction])
def list_interactions(
    database: Database,
    item_id: int | None = None,
    learner_id: int | None = None,
    limit: int = Query(load_settings().page_size, ge=1, le=5000),
    offset: int = Query(0, ge=0),
) -> list[dict]:
    """A page of interactions, oldest first."""
    return database.execute(
        "SELECT * FROM interactions WHERE (:item IS NULL OR item_id = :item) "
        "AND (:learner IS NULL OR learner_id = :learner) ORDER BY created_at, id LIMIT :limit OFFSET :offset",
        {"item": item_id, "learner": learner_id, "limit": limit, "offset": offset},
    ).fetchall()
