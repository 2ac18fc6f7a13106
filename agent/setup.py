"""What a run is made of: the values that a job puts together, and what each of them must be able to do.

Nothing happens here; what does is agent/run.py's.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from agent.contracts import Reply, ToolCall, ToolResult
from functions.tool import Catalogue, Resources
from sandbox.files.root import Root

if TYPE_CHECKING:
    from agent.context import Context
    from agent.gates import Gate
    from agent.run import Run

Message = dict[str, Any]
Path = tuple[str | int, ...]
NO_TOOLS = Catalogue(())


class Hook:
    """Is told at some places of a run, from its own thread, and objects to nothing."""

    def before_request(self, run: Run) -> None:
        """A request is about to be sent to the model."""

    def before_call(self, call: ToolCall, run: Run) -> None:
        """A call is about to run, if nobody objects."""

    def after_call(self, result: ToolResult, run: Run) -> ToolResult:
        """A call has ended: its result, or the same with more in it."""
        return result

    def ended(self, run: Run) -> None:
        """The run ends, however it does."""


class Known(Protocol):
    """What a fork knows of its beginning; records/replay.py is one. A run that is none knows nothing."""

    def opened(self) -> bool: ...
    def knows_next(self, run: Run) -> bool: ...
    def reply(self, context: Context, run: Run) -> Reply | None: ...
    def knows(self, call: ToolCall) -> bool: ...
    def result(self, call: ToolCall, run: Run) -> ToolResult | None: ...
    def typed(self) -> list[str]: ...


@dataclass(frozen=True)
class Help:
    """What a model is given beside the job's own: agent/mechanisms.py says what and why. `opening` makes calls before
    the model is asked, in the conversation that it is handed."""

    gates: Sequence[Gate] = ()
    hooks: Sequence[Hook] = ()
    opening: Callable[[Context, Run], None] | None = None


def nothing_sent(run: Run, wire: Wire) -> Context:
    """The memory of a run that asks no model."""
    raise NotImplementedError


@dataclass(frozen=True)
class Setup:
    """What a run is made of; jobs/job.py puts it together.

    `root` is the working directory, `resources` what the tools hold beside it, `catalogue` the tools. `memory` makes
    what is sent out of what happened, `report` the job's own part of the result. `history` is an earlier conversation
    to go on with, as records/history.py has it. `approve` returns why a call that changes something may not run, and is
    None where nobody is asked; `typed` returns what the person typed meanwhile. `help` says what the model is given,
    once it is known which it is.
    """

    provider: str
    root: Root
    job: str = ""
    resources: Resources = field(default_factory=dict)
    catalogue: Catalogue = field(default_factory=lambda: NO_TOOLS)
    system_prompt: str = ""
    gates: Sequence[Gate] = ()
    hooks: Sequence[Hook] = ()
    limits: Sequence[Limit] = ()
    memory: Callable[[Run, Wire], Context] = nothing_sent
    report: Callable[[Run, str], dict[str, Any] | None] = lambda run, answer: None
    history: Sequence[Mapping[str, Any]] = ()
    approve: Callable[[ToolCall, Run], str | None] | None = None
    typed: Callable[[], Sequence[str]] = tuple
    known: Known | None = None
    help: Callable[[Run], Help | None] = lambda run: None


class Wire(Protocol):
    """What a provider's messages are made of: providers/openai_wire.py and providers/gemini_wire.py."""

    NAME: str

    def user_message(self, text: str) -> Message: ...
    def model_message(self, text: str, calls: Sequence[Mapping[str, Any]], number: int | str) -> Message:
        """What a model says, written by another than the model that is asked; no other has its `number`."""
        ...

    def tool_messages(self, results: Sequence[ToolResult], reply: Reply, remark: str = "") -> list[Message]: ...
    def has_calls(self, message: Message) -> bool: ...
    def outputs_in(self, message: Message) -> list[Path]:
        """Where a message holds the texts of tool results."""
        ...

    def beside(self, run: Run) -> object:
        """What is sent beside the messages, in a request: the tools, the system prompt."""
        ...


class Limit(Protocol):
    """Something that may run out: small classes in agent/limits.py and agent/budgets.py. `stop_reason` is what the
    result says when it has, `setting` what moves it."""

    stop_reason: str
    setting: str

    def after_turn(self, run: Run) -> str:
        """Take in the turn that has ended; return what the model should be told of it, or ""."""
        ...

    def reached(self, run: Run) -> bool:
        """Whether the turn that is about to begin must be the last one. Changes nothing."""
        ...
