"""The time limit of one test: a timer that ends the process, or a tracer where the process must live on."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from types import FrameType
from typing import Any

TIMERS = hasattr(signal, "setitimer")


class TimeIsUp(BaseException):
    """Raised inside a test that ran past its limit while it was being traced."""


def arm_limit(seconds: float, still: float | None = None) -> None:
    """End this process when it has used so much processor time from now, or when `still` seconds have passed
    (None: a second and ten times as long); 0 disarms.

    Where the process must live on (`use_tracing_for_limits`), TimeIsUp is raised in it instead.
    """
    if limits_by_tracing:
        sys.settrace(_deadline(time.process_time() + seconds) if seconds else None)
    elif TIMERS:
        signal.setitimer(signal.ITIMER_PROF, seconds)
        longest = 1.0 + 10 * seconds
        signal.setitimer(signal.ITIMER_REAL, seconds and (longest if still is None else min(still, longest)))


def end_without_verdict() -> None:
    """End this process as a limit does, where it need not live on: with more of what it lacked, a test may pass."""
    if TIMERS and not limits_by_tracing:
        os._exit(0)


def use_tracing_for_limits() -> None:
    """From now on a tracer that looks at the clock keeps the limits: slower, but it ends a test, not the process."""
    limits_by_tracing.append(True)


limits_by_tracing: list[bool] = []


def _deadline(end: float) -> Callable[[FrameType, str, Any], Any]:
    def look(frame: FrameType, event: str, argument: Any) -> Any:
        if time.process_time() > end:
            raise TimeIsUp
        return look

    return look
