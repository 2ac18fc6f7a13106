"""What ends a run that the model does not end itself: small objects, one place. 0 means no limit.

The turn in which a limit is reached is the last one: no tool may be called, so that the model must answer.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from agent.contracts import same_call
from agent.run import Run
from config import Settings

DURATION = re.compile(r"\d+\.\d+ ?s\b")  # a test run says how long it took, and that is no difference
NUDGE_BEFORE = 2  # repetitions before the last one allowed

REPEATED = (
    "This call has given this same result {times} times. Doing it again will change nothing: use what you know, "
    "try something else, or answer."
)

LAST = "No more tools can be called. Answer now, in plain text, from what you have seen."


class Limit:
    """Something that may run out. `stop_reason` is what the result says when it has, `setting` what moves it."""

    stop_reason: str
    setting: str

    def after_turn(self, run: Run) -> str:
        """Take in the turn that has ended; return what the model should be told of it, or ""."""
        return ""

    def reached(self, run: Run) -> bool:
        """Whether the turn that is about to begin must be the last one. Changes nothing."""
        raise NotImplementedError


class Iterations(Limit):
    """At most this many requests to the model."""

    stop_reason = "max_iters"
    setting = "MAX_ITERS"

    def __init__(self, most: int) -> None:
        self.most = most

    def reached(self, run: Run) -> bool:
        return bool(self.most) and run.turns + 1 >= self.most


class Calls(Limit):
    """At most this many tool calls, whatever they are; a turn that begins below it may go beyond."""

    stop_reason = "max_calls"
    setting = "GLASSBOX_MAX_CALLS"

    def __init__(self, most: int) -> None:
        self.most = most

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
    return [
        Iterations(settings.max_iters),
        Calls(settings.max_calls),
        Tokens(settings.max_input_tokens, "input"),
        Tokens(settings.max_output_tokens, "output"),
        Seconds(settings.max_seconds),
        Repeating(settings.max_repeats),
    ]


def after_turn(run: Run) -> str:
    """Let the limits take in the turn that has ended; return what the model should be told of it, or "".

    That no tools are offered any more does not tell a model enough: with calls all over the conversation a small one
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
