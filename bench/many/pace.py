"""How fast a provider may be asked: so many requests and tokens in any minute, counted for all who ask together."""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

WINDOW = 60.0


@dataclass
class Turn:
    """One request. It counts from its beginning until a window after its end, because only then it is sure to lie more
    than a window back by the provider's own clock as well."""

    tokens: int
    ended: float | None = None


class Pace:
    """`requests` and `tokens` a window, 0 for no limit. Any number of threads may ask."""

    def __init__(self, requests: int, tokens: int = 0, window: float = WINDOW) -> None:
        self._requests, self._tokens, self._window = requests, tokens, window
        self._turns: deque[Turn] = deque()
        self._closed_until = 0.0
        self._changed = threading.Condition()

    @contextlib.contextmanager
    def turn(self, tokens: int) -> Iterator[Turn]:
        """Wait until there is room for a request of about so many tokens. Whoever knows better afterwards sets them."""
        with self._changed:
            while (wait := self._wait(tokens)) > 0:
                self._changed.wait(wait)
            turn = Turn(tokens)
            self._turns.append(turn)
        try:
            yield turn
        finally:
            with self._changed:
                turn.ended = time.monotonic()
                self._changed.notify_all()

    def pause(self, seconds: float) -> None:
        """The provider asks for a pause: nobody asks it anything for so long."""
        with self._changed:
            self._closed_until = max(self._closed_until, time.monotonic() + seconds)

    def _wait(self, tokens: int) -> float:
        """Seconds until it is worth looking again, 0 or less when there is room."""
        now = time.monotonic()
        self._turns = deque(turn for turn in self._turns if turn.ended is None or turn.ended + self._window > now)
        if now < self._closed_until:
            return self._closed_until - now
        used = sum(turn.tokens for turn in self._turns)
        full = bool(self._requests) and len(self._turns) >= self._requests
        if not full and not (self._tokens and self._turns and used + tokens > self._tokens):
            return 0.0
        ends = [turn.ended + self._window - now for turn in self._turns if turn.ended is not None]
        return max(0.001, min([*ends, self._window]))
