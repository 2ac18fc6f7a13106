from __future__ import annotations
import re
from dataclasses import dataclass
from typing import Any

MARKS = {"open": "[ ]", "doing": "[>]", "done": "[x]"}
MOST = 20  # steps


def finished(steps):
    """The texts of those steps that are done. A step: {"step": text, "state": a key of MARKS, open where it is missing}"""
    return {each["step"] for each in steps if each.get("state") == "done"}


@dataclass(frozen=True)
class Step:
    text: str
    state: str

    @classmethod
    def of(cls, given: dict[str, str]) -> Step:
        return cls(given["step"], given.get("state", "open"))

    def __str__(self) -> str:
        return f"{MARKS[self.state]} " + re.sub(r"\s+", " ", self.text).strip()


def plan(steps: list[dict[str, str]], before: list[dict[str, str]], results: list[str]) -> str:
    now: list[Step] = [Step.of(each) for each in steps]
    if not 1 <= len(now) <= MOST:
        return f"Error: from 1 to {MOST} steps, not {len(now)}"
    unknown: list[str] = [step.state for step in now if step.state not in MARKS]
    if unknown:
        return f"Error: {unknown[0]!r} is no state; there are {', '.join(MARKS)}"
    if len([step for step in now if step.state == "doing"]) > 1:
        return "Error: do one step after the other"
    worked: bool = any(not result.startswith("Error: ") for result in results)
    new: set[str] = finished(steps) - finished(before)
    if new and not worked:
        return f"Error: nothing that worked stands behind {', '.join(sorted(new))}"
    return "\n".join([*map(str, now), f"{len([s for s in now if s.state == 'done'])} of {len(now)} done"])


def recite(messages: list[dict[str, Any]], shown: str) -> list[dict[str, Any]]:
    return [*messages, {"role": "user", "content": shown}] if shown else [*messages]
