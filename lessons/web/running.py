"""A run of the learner's own agent on the page: as `python -m lessons agent` runs it, told while it goes on."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

from config import ConfigError
from lessons import words
from lessons.course import CourseError
from lessons.learner import Learner
from lessons.real import MODELS, work
from lessons.recorded import Step

PATIENCE = 5.0  # seconds for which a page that asks what is new waits for something


class Running:
    """One run. `events` grow while it is `going`: {"said", "look"}, {"step"} (begun, and again with what it got),
    {"answer", "changed", "player"} at its end, and {"problem"} where it came to no answer."""

    def __init__(self, learner: Learner, prompt: str, provider: str) -> None:
        self.prompt, self.going, self.events = prompt, True, list[dict[str, Any]]()
        self._learner, self._provider = learner, provider
        self._stop, self._news = threading.Event(), threading.Condition()
        self._thread = threading.Thread(target=self._work, daemon=True)
        self._thread.start()

    def stop(self, seconds: float = 0.0) -> None:
        """Ask it to end, and wait for so long that it does."""
        self._stop.set()
        self._thread.join(seconds)

    def after(self, number: int) -> dict[str, Any]:
        """What has come after so many events; waits a while for it."""
        with self._news:
            self._news.wait_for(lambda: len(self.events) > number or not self.going, PATIENCE)
            return {"events": self.events[number:], "after": len(self.events), "going": self.going}

    def _work(self) -> None:
        try:
            work(self.prompt, self._provider, self._learner, self, stop=self._stop)
        except (CourseError, ConfigError) as problem:
            self._tell(problem=str(problem))
        except Exception as error:  # of a model's server, or of the course's own code
            reason = f"{type(error).__name__}: {error}"
            self._tell(problem=words.WEB_FAULT.format(what="run", reason=reason))
        with self._news:
            self.going = False
            self._news.notify_all()

    def _tell(self, **event: Any) -> None:
        with self._news:
            self.events.append(event)
            self._news.notify_all()

    def said(self, sentence: str, look: str = "") -> None:
        self._tell(said=sentence, look=look)

    def step(self, step: Step) -> None:
        self._tell(step=step)

    def replied(self, number: int, reply: dict[str, Any]) -> None:
        """The steps say it."""

    def ended(self, answer: str, changed: list[str], player: Path | None) -> None:
        self._tell(answer=answer, changed=changed, player=player is not None)


def models() -> list[dict[str, str]]:
    """Each provider, with the model that it would ask, or why it cannot."""
    return [model_of(provider) for provider in MODELS]


def model_of(provider: str) -> dict[str, str]:
    try:
        return {"provider": provider, "model": MODELS[provider](False)[0], "why": ""}
    except (CourseError, ConfigError) as problem:
        return {"provider": provider, "model": "", "why": str(problem)}
