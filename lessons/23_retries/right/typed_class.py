from __future__ import annotations
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
import random

PASSING = {408, 429, 500, 502, 503, 504}  # what may be otherwise in a moment
ATTEMPTS = 4  # in all
LONGEST = 60  # seconds; a server that asks for more is not waited for


@dataclass(frozen=True)
class Reply:
    status: int
    text: str
    wait: float | None = None

    @property
    def passes(self) -> bool:
        return self.status in PASSING and (self.wait or 0) <= LONGEST


class Persistent:
    def __init__(self, attempt: Callable[[], dict[str, Any]], sleep: Callable[[float], None]) -> None:
        self.attempt, self.sleep = attempt, sleep
        self.count: int = 0

    def request(self) -> Reply:
        self.count += 1
        try:
            return Reply(**self.attempt())
        except TimeoutError:
            return Reply(408, "the request timed out")

    def seconds(self, reply: Reply) -> float:
        least: float = reply.wait if reply.wait is not None else float(1 << (self.count - 1))
        return least + random.uniform(0, least / 4)

    def text(self) -> str:
        reply: Reply = self.request()
        while reply.passes and self.count < ATTEMPTS:
            self.sleep(self.seconds(reply))
            reply = self.request()
        if reply.status == 200:
            return reply.text
        return f"Error: {reply.status} {reply.text} (tried {self.count}x)"


def persist(attempt: Callable[[], dict[str, Any]], sleep: Callable[[float], None]) -> str:
    return Persistent(attempt, sleep).text()
