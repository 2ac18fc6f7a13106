"""What happens in a run, as typed values: a loop tells its Run, and the terminal, the trace and undo hear of it.

docs/trace-format.md describes them as lines. What only one job has to tell is an Event of its own, in its folder.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple, Protocol, Self

from agent.contracts import AgentResult, Reply, ToolCall, ToolResult


class Event(Protocol):
    """Something that happened, `at` so many seconds after the run began: a NamedTuple. `kind` is what the trace calls
    it."""

    @property
    def at(self) -> float: ...
    @property
    def kind(self) -> str: ...
    def _replace(self, *, at: float = ...) -> Self: ...
    def _asdict(self) -> dict[str, Any]: ...


Listener = Callable[[Event], None]


class Started(NamedTuple):
    prompt: str
    provider: str
    model: str
    at: float = 0.0
    kind: str = "started"


class Message(NamedTuple):
    """A message entered the history, exactly as it goes over the wire."""

    message: Mapping[str, Any]
    at: float = 0.0
    kind: str = "message"


class Asking(NamedTuple):
    """A turn begins; `window` is the model's, in tokens, where it is known."""

    turn: int
    window: int | None
    at: float = 0.0
    kind: str = "asking"


class Request(NamedTuple):
    """The whole body of a request, in the words of its wire ("openai" or "gemini")."""

    wire: str
    body: Mapping[str, Any]
    at: float = 0.0
    kind: str = "request"


class Text(NamedTuple):
    """A piece of the model's text."""

    text: str
    at: float = 0.0
    kind: str = "text"


class Thought(NamedTuple):
    """A piece of what the model thinks beside its text."""

    text: str
    at: float = 0.0
    kind: str = "thought"


class Replied(NamedTuple):
    turn: int
    reply: Reply
    at: float = 0.0
    kind: str = "replied"


class CallStarted(NamedTuple):
    call: ToolCall
    at: float = 0.0
    kind: str = "call_started"


class CallFinished(NamedTuple):
    result: ToolResult
    at: float = 0.0
    kind: str = "call_finished"


class Confined(NamedTuple):
    """What holds code in on this system, as it was observed, and what the person must know of that."""

    line: str
    warning: str
    at: float = 0.0
    kind: str = "sandbox"


class Notice(NamedTuple):
    """Something that the person should know."""

    text: str
    at: float = 0.0
    kind: str = "notice"


class Error(NamedTuple):
    """Something that went wrong."""

    text: str
    at: float = 0.0
    kind: str = "error"


class Try(NamedTuple):
    """One of several tries at an order begins; `seed` and `temperature` are what its model draws by, None where nobody
    names them."""

    number: int
    of: int
    seed: int | None
    temperature: float | None
    at: float = 0.0
    kind: str = "try"


class Tried(NamedTuple):
    """A try has ended: why, what the tests then said, which paths it had changed, and whether that is what was asked
    for. If not, they are put back."""

    number: int
    ended: str
    verdict: str
    changed: list[str]
    solved: bool
    at: float = 0.0
    kind: str = "tried"


class Kept(NamedTuple):
    """The changes of this try stay (0: of none), and what the tests say of that."""

    number: int
    verdict: str
    at: float = 0.0
    kind: str = "kept"


class Finished(NamedTuple):
    result: AgentResult
    at: float = 0.0
    kind: str = "finished"
