"""A conversation as the planner reads it, whichever wire it came over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Step:
    """A tool call that was made since the last prompt: what was said with it, what was asked, what came back."""

    said: str
    name: str
    arguments: Mapping[str, Any]
    result: str

    @property
    def failed(self) -> bool:
        return self.result.startswith("Error: ")


@dataclass(frozen=True)
class Conversation:
    """The last prompt, the steps since then in order, and the names of the tools that may be called now."""

    prompt: str
    steps: tuple[Step, ...]
    tools: frozenset[str]

    def results_of(self, name: str) -> list[Step]:
        return [step for step in self.steps if step.name == name]


@dataclass(frozen=True)
class Call:
    name: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True)
class Decision:
    """The next message: a text, and the calls that go with it (none: the text is the answer)."""

    text: str
    calls: tuple[Call, ...] = field(default=())


Think = Callable[[str], None]  # told a line about what is being tried
