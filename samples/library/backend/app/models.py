"""What goes over the wire."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, Field


class Item(BaseModel):
    id: int
    slug: str
    type: str
    title: str
    parent_id: int | None = None


class Learner(BaseModel):
    id: int
    name: str
    group: str
    enrolled_at: datetime


class LearnerCreate(BaseModel):
    name: str = Field(min_length=1, max_length=100)
    group: str = Field(pattern=r"^B\d\d-\d\d$")


class Interaction(BaseModel):
    id: int
    item_id: int
    learner_id: int
    kind: str
    score: float | None = None
    checks_passed: int | None = None
    checks_total: int | None = None
    created_at: datetime


class CheckResult(BaseModel):
    """One line of the autochecker's feed."""

    external_id: str
    item: str
    learner_id: int
    score: float | None = None
    checks_passed: int = 0
    checks_total: int = 0
    created_at: datetime
