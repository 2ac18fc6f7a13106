"""What ends a run that the model does not end itself: small objects, one place. 0 means no limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from agent.run import Run


class Limit(Protocol):
    """Something that may run out. `stop_reason` is what the result says when it has."""

    stop_reason: str

    def last_turn(self, run: Run) -> bool:
        """Whether the turn that is about to begin must be the last one."""
        ...


@dataclass(frozen=True)
class Iterations:
    """At most this many requests to the model."""

    most: int
    stop_reason: str = "max_iters"

    def last_turn(self, run: Run) -> bool:
        return bool(self.most) and run.turns + 1 >= self.most


def limit_reached(limits: Sequence[Limit], run: Run) -> str | None:
    """Return the stop reason of the first limit that makes the coming turn the last one, else None."""
    return next((limit.stop_reason for limit in limits if limit.last_turn(run)), None)
