"""Load the autochecker's results: extract from the feed, check each line, load what is new."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterable, Iterator
from pathlib import Path

from pydantic import ValidationError

from app.models import CheckResult

log = logging.getLogger(__name__)


def load_feed(connection: sqlite3.Connection, feed: Path) -> dict[str, int]:
    """Load a feed of JSON lines. Loading it again adds nothing: `external_id` is unique, what is there is skipped."""
    counts = {"read": 0, "loaded": 0, "skipped": 0, "rejected": 0}
    for result in extract(feed, counts):
        item = connection.execute("SELECT id FROM items WHERE slug = ?", (result.item,)).fetchone()
        if item is None:
            log.warning("no item %s: line rejected", result.item)
            counts["rejected"] += 1
            continue
        added = connection.execute(
            "INSERT INTO interactions(external_id, item_id, learner_id, kind, score, checks_passed, checks_total, "
            "created_at) VALUES (?, ?, ?, 'attempt', ?, ?, ?, ?) ON CONFLICT(external_id) DO NOTHING",
            (result.external_id, item["id"], result.learner_id, result.score)
            + (result.checks_passed, result.checks_total, result.created_at.isoformat()),
        ).rowcount
        counts["loaded" if added else "skipped"] += 1
    return counts


def extract(feed: Path, counts: dict[str, int]) -> Iterator[CheckResult]:
    """Yield each valid line. One that is not valid is logged and counted, and never stops the rest."""
    for line in lines_of(feed):
        counts["read"] += 1
        try:
            yield CheckResult.model_validate(json.loads(line))
        except (ValueError, ValidationError) as error:
            log.warning("line rejected: %s", error)
            counts["rejected"] += 1


def lines_of(feed: Path) -> Iterable[str]:
    return filter(str.strip, feed.read_text(encoding="utf-8").splitlines())
