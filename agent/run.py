"""The record of a run, and the events that tell of it.

A loop reports what happens to its `Run`; the terminal, the JSON result and the trace are listeners of the same events.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from agent.context import Context
from agent.contracts import AgentResult, Reply, TokenUsage, ToolCall, ToolResult
from agent.replay import Replay
from agent.sources import Drawn, drawn_by, sources
from functions.tool import Catalogue, Resources
from sandbox.files.root import Root

if TYPE_CHECKING:
    from agent.gates import Gate
    from agent.limits import Limit

EMPTY: Resources = {}
NO_TOOLS = Catalogue(())


@dataclass(frozen=True)
class Event:
    """Something that happened: its kind, the seconds since the run began, and the data that goes with it."""

    kind: str
    at: float
    data: dict[str, Any] = field(default_factory=dict)


Listener = Callable[[Event], None]


class Run:
    """One run of the agent. The loop and the tool threads report to it; listeners hear one event at a time."""

    def __init__(
        self,
        provider: str,
        root: Root,
        listeners: Sequence[Listener] = (),
        *,
        job: str = "",
        resources: Resources = EMPTY,
        catalogue: Catalogue = NO_TOOLS,
        system_prompt: str = "",
        gates: Sequence[Gate] = (),
        limits: Sequence[Limit] = (),
        memory: Callable[[Run, Any], Context] = Context,
        report: Callable[[Run, str], dict[str, Any] | None] = lambda run, answer: None,
        history: Sequence[Mapping[str, Any]] = (),
        approve: Callable[[ToolCall, Run], str | None] = lambda call, run: None,
        typed: Callable[[], Sequence[str]] = tuple,
        replay: Replay | None = None,
    ) -> None:
        """`root` is the working directory, `resources` what the tools hold beside it, `catalogue` the tools. `memory`
        makes what is sent out of what happened, `report` the job's own part of the result. `history` is an earlier
        conversation to go on with, as records/history.py has it; `approve` returns why a call that changes
        something may not run; `typed` returns what the person typed meanwhile; `replay` is what is known of it already.
        jobs/job.py puts them together.
        """
        self.provider, self.job = provider, job
        self.root, self.resources = root, {**resources, "root": root}
        self.catalogue, self.system_prompt = catalogue, system_prompt
        self.gates, self.limits, self.memory, self._report = tuple(gates), tuple(limits), memory, report
        self.history = history
        self.approve, self._typed = approve, typed
        self.replay = replay or Replay()
        self.model = ""
        self.context_window: int | None = None  # tokens, where the server tells
        self.turns = 0
        self.tokens = TokenUsage()
        self.partial_answer = ""
        self.sandbox = ""
        self.errors: list[str] = []
        self.trajectory: list[dict[str, Any]] = []
        self._entries: dict[int, dict[str, Any]] = {}
        self._drawn: dict[int, Drawn] = {}
        self._listeners = tuple(listeners)
        self._lock = threading.RLock()
        self._finished = False
        self._began = time.monotonic()

    def listen(self, *listeners: Listener) -> None:
        """Let these hear all that happens from now on, after those that hear it already."""
        self._listeners += listeners

    @property
    def over(self) -> bool:
        """Whether it has been finished."""
        return self._finished

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self._began

    def emit(self, kind: str, **data: Any) -> None:
        """Tell every listener, one event after the other. After `finished` nothing more is told: a tool may end
        later than a run that was interrupted.
        """
        with self._lock:
            if self._finished:
                return
            self._finished = kind == "finished"
            event = Event(kind, self.seconds, data)
            for listener in self._listeners:
                listener(event)

    def started(self, prompt: str, model: str, **setting: Any) -> None:
        self.model = model
        self.emit("started", prompt=prompt, provider=self.provider, model=model, **setting)

    def message(self, message: Mapping[str, Any]) -> None:
        """A message entered the history, exactly as it goes over the wire."""
        self.emit("message", message=message)

    def asking(self) -> None:
        """A request goes to the model: a turn begins."""
        self.turns += 1
        self.emit("asking", turn=self.turns, window=self.context_window)

    def request(self, wire: str, body: Mapping[str, Any]) -> None:
        """A request is sent: its whole body, in the words of its wire ("openai" or "gemini")."""
        self.emit("request", wire=wire, body=body)

    def text(self, delta: str) -> None:
        """A piece of the model's text arrived."""
        self.emit("text", text=delta)

    def thought(self, delta: str) -> None:
        """A piece of the model's reasoning arrived; it is shown, and never taken for an answer."""
        self.emit("thought", text=delta)

    def replied(self, reply: Reply) -> None:
        """The model's reply is whole."""
        self.tokens = self.tokens + reply.usage
        self.partial_answer = reply.text or self.partial_answer
        for call in reply.calls:
            entry = {
                "id": call.id,
                "turn": self.turns,
                "name": call.name,
                "arguments": call.readable,
                "result": None,
                "status": "called",
                "seconds": None,
            }
            self.trajectory.append(entry)
            self._entries[id(call)] = entry
        self.emit("replied", turn=self.turns, reply=reply)

    def refused(self, call: ToolCall) -> str | None:
        """Why a call may not run: a gate's word, or the person's, who is asked last; None when it may."""
        said = (gate.action(call, self) for gate in self.gates)
        objection = next((words for words in said if words), None)
        unasked = self.catalogue.reads_only(call) or self.replay.knows(call)
        return objection if objection or unasked else self.approve(call, self)

    def typed(self) -> list[str]:
        """What the person typed since this was asked last."""
        return [*self.replay.typed(), *self._typed()]

    def call_started(self, call: ToolCall) -> None:
        self.emit("call_started", call=call)

    def call_finished(self, result: ToolResult) -> None:
        with self._lock:
            entry = self._entries.pop(id(result.call), None)
            drawn = drawn_by(self.catalogue.get(result.call.name), result)
            if entry is not None:
                status = "completed" if result.ok else "error"
                entry.update(result=result.content, status=status, seconds=round(result.seconds, 4))
                self._drawn[id(entry)] = drawn
            self.emit("call_finished", result=result, sources=drawn)

    def confined(self, line: str, warning: str) -> None:
        """What holds code in on this system was observed: the level in one line, and what the person must know."""
        self.sandbox = line
        self.emit("sandbox", line=line, warning=warning)

    def notice(self, text: str) -> None:
        """Something that the person should know, such as a retry."""
        self.emit("notice", text=text)

    def warn(self, text: str) -> None:
        """Something that is wrong with the answer, though the run went well: shown now and kept for the result."""
        self.errors.append(text)
        self.emit("notice", text=text)

    def error(self, text: str) -> None:
        """Something that went wrong; it is shown now and kept for the result."""
        self.errors.append(text)
        self.emit("error", text=text)

    def finish(self, stop_reason: str, answer: str | None = None) -> AgentResult:
        """End the run: build the result (by default with the last partial answer) and tell it."""
        answer = self.partial_answer if answer is None else answer
        for gate in self.gates:
            gate.end(self)
        report = self._report(self, answer)
        result = AgentResult(
            answer=answer,
            stop_reason=stop_reason,
            turns=self.turns,
            tool_calls=tuple(dict(entry) for entry in self.trajectory),
            tokens=self.tokens,
            seconds=self.seconds,
            provider=self.provider,
            model=self.model,
            errors=tuple(self.errors),
            sandbox=self.sandbox,
            sources=tuple(sources(self._drawn.get(id(entry), []) for entry in self.trajectory)),
            job=self.job,
            report=report,
        )
        self.emit("finished", result=result)
        return result
