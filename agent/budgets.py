"""Limits that a run has when somebody sets them: how many calls, how many tokens, how much time. 0 means no limit."""

from __future__ import annotations

from agent.run import Run
from agent.setup import Limit
from config import Settings


class Calls(Limit):
    """At most this many tool calls, whatever they are; a turn that begins below it may go beyond."""

    stop_reason = "max_calls"
    setting = "GLASSBOX_MAX_CALLS"

    def __init__(self, most: int) -> None:
        self.most = most

    def after_turn(self, run: Run) -> str:
        return ""

    def reached(self, run: Run) -> bool:
        return bool(self.most) and len(run.trajectory) >= self.most


class Tokens(Limit):
    """At most this many tokens, read ("input") or written ("output") by the model, over all requests of the run.

    The coming turn is the last one when another of the same size after it would go beyond.
    """

    stop_reason = "token_budget"

    def __init__(self, most: int, kind: str) -> None:
        self.most, self.kind, self.setting = most, kind, f"GLASSBOX_MAX_{kind.upper()}_TOKENS"
        self._used = self._last = 0
        self._told = False

    def after_turn(self, run: Run) -> str:
        used = getattr(run.tokens, self.kind)
        if used is not None:
            self._last, self._used = used - self._used, used
        elif self.most and not self._told:
            self._told = True
            run.notice(f"The server does not count tokens, so {self.setting} cannot be held.")
        return ""

    def reached(self, run: Run) -> bool:
        return bool(self.most) and bool(run.turns) and self._used + 2 * self._last > self.most


class Seconds(Limit):
    """At most this many seconds of wall time: agent/deadline.py stops what is under way then.

    So that there is an answer by then, the coming turn is the last one when another as long as the longest so far would
    go beyond.
    """

    stop_reason = "time_budget"
    setting = "GLASSBOX_MAX_SECONDS"

    def __init__(self, most: int) -> None:
        self.most = most
        self._ended, self._longest = 0.0, 0.0

    def after_turn(self, run: Run) -> str:
        now = run.seconds
        self._longest, self._ended = max(self._longest, now - self._ended), now
        return ""

    def reached(self, run: Run) -> bool:
        return bool(self.most) and run.seconds + 2 * self._longest >= self.most


def budgets_of(settings: Settings) -> list[Limit]:
    """Return these limits as the person set them, in the order in which they are looked at."""
    return [
        Calls(settings.max_calls),
        Tokens(settings.max_input_tokens, "input"),
        Tokens(settings.max_output_tokens, "output"),
        Seconds(settings.max_seconds),
    ]
