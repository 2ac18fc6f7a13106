"""Which of several passing changes to trust: small, close to the code as it is, and sane on inputs near the tests'."""

from __future__ import annotations

from math import log

from .candidates import Candidate
from .project import Project
from .source import Source
from .trials import Laboratory

SIZE = 40.0  # characters of change that cost as much as halving the likelihood


def in_order_of_trust(
    passing: list[Candidate],
    sources: dict[str, Source],
    laboratory: Laboratory,
    project: Project,
) -> list[Candidate]:
    """The passing candidates, the most trustworthy first."""
    return sorted(passing, key=lambda one: -_plausibility(one, sources))


def _plausibility(candidate: Candidate, sources: dict[str, Source]) -> float:
    """The logarithm of how likely a change is right, given that it passes."""
    size = sum(len(edit.text.strip()) + edit.end - edit.start for edit in candidate.edits)
    return log(candidate.likelihood) - log(candidate.operator.risk) - log(2) * size / SIZE
