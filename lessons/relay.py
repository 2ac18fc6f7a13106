"""What a lesson's check asks of the walk, by files: it runs behind walls that let no network through."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SECONDS = 4.5  # of the learner's own time; what a model takes to answer is not counted
LOOK_SECONDS = 0.005


@dataclass
class RelayServer:
    """Answers what the child asks of the walk, and ends the child when its own time is used up."""

    folder: Path
    stop: threading.Event
    seconds: float = SECONDS
    services: Mapping[str, Callable[..., Any]] | None = None
    waited: float = 0.0
    ended: threading.Event = field(default_factory=threading.Event)

    def __enter__(self) -> RelayServer:
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.thread.join()

    def serve(self) -> None:
        began, number = time.monotonic(), 1
        while not self.ended.wait(LOOK_SECONDS):
            asked = self.folder / f"{number}.asked"
            if asked.exists():
                now = time.monotonic()
                self.answer(asked)
                self.waited += time.monotonic() - now
                number += 1
            if time.monotonic() - began - self.waited > self.seconds:
                self.stop.set()

    def answer(self, asked: Path) -> None:
        from lessons.services import SERVICES

        try:
            question: dict[str, Any] = json.loads(asked.read_text(encoding="utf-8"))
            service = (SERVICES if self.services is None else self.services)[question.pop("service")]
            answer: dict[str, Any] = {"answer": service(**question)}
        except Exception as error:
            answer = {"problem": f"{type(error).__name__}: {error}"}
        with suppress(OSError):
            draft = asked.with_suffix(".reply")
            draft.write_text(json.dumps(answer), encoding="utf-8")
            draft.rename(asked.with_suffix(".answered"))
