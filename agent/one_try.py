"""One try of several (tries.py): a run of its own for the loop, told to those who listen to the whole as one run."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from agent import events
from agent.run import Run
from agent.setup import Setup
from functions import Verdict


class Judged(NamedTuple):
    """What the tests say: a line, how many pass, and the names of those that fail."""

    line: str
    passed: int
    failing: frozenset[str]

    @property
    def well(self) -> bool:
        return self.passed > 0 and not self.failing

    def better_than(self, other: Judged) -> bool:
        """More pass, and none fails that passed."""
        return self.passed > other.passed and self.failing <= other.failing


def judged(verdict: Verdict) -> Judged:
    """Read a verdict, unittest's or pytest's. Tests that could not be run do not pass."""
    return Judged(verdict.line.split(" (")[0], verdict.counted[0], verdict.names)


class Try(Run):
    """One try. Its turns go on where the `whole` is; `verdict` is what the tests said of the files as they are, None
    where nobody has seen that since they changed."""

    def __init__(self, setup: Setup, whole: Run) -> None:
        super().__init__(setup)
        self.whole = whole
        self.verdict: Judged | None = None
        self.resources = whole.resources  # which the screen looks into
        self.turns, self.tokens = whole.turns, whole.tokens

    @property
    def seconds(self) -> float:
        return self.whole.seconds

    def emit(self, event: events.Event) -> None:
        """Tell it, but for the end of a try, and the beginning of a further one."""
        match event:
            case events.Finished():
                return
            case events.Started():
                again = bool(self.whole.model)
                self.whole.model, self.whole.prompt = event.model, event.prompt
                if again:
                    return
            case events.CallFinished():
                self._look(event)
        self.whole.emit(event)

    def _look(self, event: events.CallFinished) -> None:
        call, verdict = event.result.call, event.result.verdict
        if not self.catalogue.reads_only(call):
            of_all = isinstance(call.readable, dict) and call.readable.get("path", ".") in ("", ".")
            self.verdict = judged(verdict) if verdict and of_all else None

    def stopped_by(self, close: Callable[[], None]) -> None:
        self.whole.stopped_by(close)

    def remember(self, why: type[BaseException]) -> None:
        self.whole.remember(why)

    def stop(self, why: type[BaseException] = KeyboardInterrupt) -> None:
        self.whole.stop(why)

    def go_on(self, seconds: float = 0.0) -> None:
        self.whole.go_on(seconds)
