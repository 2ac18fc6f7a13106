"""What ends a run that the model does not end itself: small objects. 0 means no limit.

The turn in which a limit is reached is the last one: no tool may be called, so that the model must answer. What
few people set (calls, tokens, seconds) stands in agent/budgets.py.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from agent.contracts import same_call
from agent.run import Run
from agent.setup import Limit
from config import Settings

DURATION = re.compile(r"\d+\.\d+ ?s\b")  # a test run says how long it took, and that is no difference
NUDGE_BEFORE = 2  # repetitions before the last one allowed

REPEATED = (
    "This call has given this same result {times} times. Doing it again will change nothing: use what you know, "
    "try something else, or answer."
)

LAST = "No more tools can be called. Answer now, in plain text, from what you have seen."


class Iterations(Limit):
    """At most this many requests to the model."""

    stop_reason = "max_iters"
    setting = "MAX_ITERS"

    def __init__(self, most: int) -> None:
        self.most = most

    def after_turn(self, run: Run) -> str:
        return ""

    def reached(self, run: Run) -> bool:
        return bool(self.most) and run.turns + 1 >= self.most


class Repeating(Limit):
    """The same calls with the same results again and again, with nothing new between them.

    A call whose result differs is no repetition: waiting for something is not a loop (gemini-cli#8234), while two calls
    in turn, forever, are one. A call that stands several times in one message counts once.
    """

    stop_reason = "repeating"
    setting = "GLASSBOX_MAX_REPEATS"

    def __init__(self, most: int) -> None:
        self.most = most
        self.times = 0
        self._seen: set[tuple[str, str, str]] = set()
        self._counts: Counter[tuple[str, str, str]] = Counter()
        self._read = 0

    def after_turn(self, run: Run) -> str:
        keys = {key_of(entry) for entry in run.trajectory[self._read :]}
        self._read = len(run.trajectory)
        if keys - self._seen:
            self._counts.clear()
        self._seen |= keys
        self._counts.update(keys)
        self.times = max((self._counts[key] for key in keys), default=0)
        if not self.most or self.times < max(2, self.most - NUDGE_BEFORE):
            return ""
        return REPEATED.format(times=self.times)

    def reached(self, run: Run) -> bool:
        return bool(self.most) and self.times >= self.most


def key_of(entry: dict[str, Any]) -> tuple[str, str, str]:
    return *same_call(entry["name"], entry["arguments"]), DURATION.sub("", entry["result"] or "")


def limits_of(settings: Settings) -> list[Limit]:
    """Return the limits of any run, in the order in which they are looked at."""
    budgets: list[Limit] = []
    if settings.max_calls or settings.max_input_tokens or settings.max_output_tokens or settings.max_seconds:
        from agent.budgets import budgets_of

        budgets = budgets_of(settings)
    return [Iterations(settings.max_iters), *budgets, Repeating(settings.max_repeats)]


def after_turn(run: Run) -> str:
    """Let the limits take in the turn that has ended; return what the model should be told of it, or "".

    That no tool may be called any more does not tell a model enough: with calls all over the conversation a small one
    writes another, as text (seen with Qwen2.5-Coder 1.5B), and the person gets no answer.
    """
    said = " ".join(filter(None, [limit.after_turn(run) for limit in run.limits]))
    return LAST if run.answer_due or any(limit.reached(run) for limit in run.limits) else said


def limit_reached(run: Run) -> str | None:
    """Return the stop reason of the first limit that makes the coming turn the last one, else None."""
    limit = next((limit for limit in run.limits if limit.reached(run)), None)
    if limit is None:
        return None
    run.notice(f"A limit is reached ({limit.setting}): the model is asked for its answer, without tools.")
    return limit.stop_reason
