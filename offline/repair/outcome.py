"""What a search found, as it is told to the process that started it."""

from __future__ import annotations

from dataclasses import dataclass, field

from .ranking.candidates import Candidate


@dataclass
class Outcome:
    """What the search found; `passing` holds the candidates that make all tests pass, the chosen one first."""

    status: str
    message: str = ""
    passing: list[Candidate] = field(default_factory=list)
    tried: int = 0
    suspicious: list[tuple[str, int]] = field(default_factory=list)
    reasons: list[str] = field(default_factory=list)  # why, for the first of them
    partial: Candidate | None = None  # where nothing passes: what makes most failing tests pass and breaks none
    fixed: list[str] = field(default_factory=list)  # the tests that it makes pass
    failing: list[str] = field(default_factory=list)
    evidence: list[float] = field(default_factory=list)  # for the chosen one, see `choice.evidence_for`


class HintUnusable(Exception):
    """The test made from the user's words fails in itself."""
