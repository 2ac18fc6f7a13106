"""Start the loading of the autochecker's results."""

from __future__ import annotations

from pathlib import Path

from fastapi import APIRouter, HTTPException

from app.database import Database
from app.etl import load_feed

FEED = Path(__file__).parents[2] / "data" / "feed.jsonl"

router = APIRouter()


@router.post("/sync")
def sync(database: Database) -> dict[str, int]:
    """Load what the feed holds, and say how much was new."""
    if not FEED.exists():
        raise HTTPException(503, "The feed is not there")
    return load_feed(database, FEED)
