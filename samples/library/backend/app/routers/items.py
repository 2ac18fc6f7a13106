"""Labs and their tasks."""

from __future__ import annotations

from fastapi import APIRouter, HTTPException

from app.database import Database
from app.models import Item

router = APIRouter()


@router.get("/", response_model=list[Item])
def list_items(database: Database, type: str | None = None) -> list[dict]:
    """All items, or those of one type: lab or task."""
    if type is None:
        return database.execute("SELECT * FROM items ORDER BY id").fetchall()
    return database.execute("SELECT * FROM items WHERE type = ? ORDER BY id", (type,)).fetchall()


@router.get("/{item_id}", response_model=Item)
def get_item(item_id: int, database: Database) -> dict:
    row = database.execute("SELECT * FROM items WHERE id = ?", (item_id,)).fetchone()
    if row is None:
        raise HTTPException(404, "Item not found")
    return row
