"""What happens in a run, as typed values: a loop tells its Run, and the terminal, the trace and undo hear of it.

docs/trace-format.md describes them as lines. What only one job has to tell is an Event of its own, in its folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

from agent.contracts import AgentResult, Reply, ToolCall, ToolResult


@dataclass(frozen=True)
class Event:
    """Something that happened, `at` so many seconds after the run began. `kind` is what the trace calls it."""

    kind: ClassVar[str]
    at: float = field(default=0.0, kw_only=True)


Listener = Callable[[Event], None]


@dataclass(frozen=True)
class Started(Event):
    kind = "started"
    prompt: str
    provider: str
    model: str


@dataclass(frozen=True)
class Message(Event):
    """A message entered the history, exactly as it goes over the wire."""

    kind = "message"
    message: Mapping[str, Any]


@dataclass(frozen=True)
class Asking(Event):
    """A turn begins; `window` is the model's, in tokens, where it is known."""

    kind = "asking"
    turn: int
    window: int | None


@dataclass(frozen=True)
class Request(Event):
    """The whole body of a request, in the words of its wire ("openai" or "gemini")."""

    kind = "request"
    wire: str
    body: Mapping[str, Any]


@dataclass(frozen=True)
class Text(Event):
    """A piece of the model's text."""

    kind = "text"
    text: str


@dataclass(frozen=True)
class Thought(Event):
    """A piece of what the model thinks beside its text."""

    kind = "thought"
    text: str


@dataclass(frozen=True)
class Replied(Event):
    kind = "replied"
    turn: int
    reply: Reply


@dataclass(frozen=True)
class CallStarted(Event):
    kind = "call_started"
    call: ToolCall


@dataclass(frozen=True)
class CallFinished(Event):
    kind = "call_finished"
    result: ToolResult


@dataclass(frozen=True)
class Confined(Event):
    """What holds code in on this system, as it was observed, and what the person must know of that."""

    kind = "sandbox"
    line: str
    warning: str


@dataclass(frozen=True)
class Notice(Event):
    """Something that the person should know."""

    kind = "notice"
    text: str


@dataclass(frozen=True)
class Error(Event):
    """Something that went wrong."""

    kind = "error"
    text: str


@dataclass(frozen=True)
class Try(Event):
    """One of several tries at an order begins; `seed` and `temperature` are what its model draws by, None where nobody
    names them."""

    kind = "try"
    number: int
    of: int
    seed: int | None
    temperature: float | None


@dataclass(frozen=True)
class Tried(Event):
    """A try has ended: why, what the tests then said, which paths it had changed, and whether that is what was asked
    for. If not, they are put back."""

    kind = "tried"
    number: int
    ended: str
    verdict: str
    changed: list[str]
    solved: bool


@dataclass(frozen=True)
class Kept(Event):
    """The changes of this try stay (0: of none), and what the tests say of that."""

    kind = "kept"
    number: int
    verdict: str


@dataclass(frozen=True)
class Finished(Event):
    kind = "finished"
    result: AgentResult
