"""The record of a run, and the events that tell of it.

A loop reports what happens to its `Run`; the terminal, the JSON result and the trace are listeners of the same events.
Nothing of this folder is imported here but the contracts, the setup and the events.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from agent import events
from agent.contracts import AgentResult, Reply, TokenUsage, ToolCall, ToolResult, files_and_lines
from agent.events import Event, Listener
from agent.setup import Help, Setup
from functions import Sources

if TYPE_CHECKING:
    from agent.context import Context


class Run:
    """One run of the agent. The loop and the tool threads report to it; listeners hear one event at a time."""

    def __init__(self, setup: Setup, listeners: Sequence[Listener] = ()) -> None:
        self.setup = setup
        self.provider, self.job = setup.provider, setup.job
        self.root, self.resources = setup.root, {**setup.resources, "root": setup.root}
        self.catalogue, self.system_prompt, self.history = setup.catalogue, setup.system_prompt, setup.history
        self.gates, self.hooks, self.limits = tuple(setup.gates), tuple(setup.hooks), tuple(setup.limits)
        self.known = setup.known
        self.model = self.prompt = ""
        self.help = Help()
        self.answer_due = ""  # what is answered where the model says nothing more, once all is done
        self.told = ""  # what this program knows was done: it stands below the model's words, which it may shorten
        self.context_window: int | None = None  # tokens, where the server tells
        self.turns = 0
        self.tokens = TokenUsage()
        self.partial_answer = ""
        self.enforced = ""  # what the next request must make sure of, since the last reply failed in it
        self.sandbox = ""
        self.errors: list[str] = []
        self.trajectory: list[dict[str, Any]] = []
        self._open: dict[str, int] = {}  # by id, the places in the trajectory of calls that have no result yet
        self.drawn: list[Sources] = []  # what each entry of the trajectory rests on
        self._listeners = tuple(listeners)
        self._stopping: type[BaseException] | None = None
        self._closing: list[Callable[[], None]] = []
        self._lock = threading.RLock()
        self.finishing = self.over = False
        self._began = time.monotonic()

    def listen(self, *listeners: Listener) -> None:
        """Let these hear all that happens from now on, after those that hear it already."""
        self._listeners += listeners

    def stopped_by(self, close: Callable[[], None]) -> None:
        """Let this be called when the run is stopped: it closes what the loop may be waiting for."""
        self._closing.append(close)

    def remember(self, why: type[BaseException]) -> None:
        """Let what has been told to end the run end it before its next request, if it did not at once. A signal's
        handler may call this: it takes no lock."""
        self._stopping = why

    def stop(self, why: type[BaseException] = KeyboardInterrupt) -> None:
        """End the run from another thread, as Ctrl-C does: a tool and a connection that are under way end at once."""
        self.remember(why)
        self.root.cancelled.set()
        for close in self._closing:
            close()

    def go_on(self, seconds: float = 0.0) -> None:
        """Pause for so long. Raises what ends the run, where it has been stopped."""
        until = time.monotonic() + seconds
        while not self._stopping and (left := until - time.monotonic()) > 0:
            time.sleep(min(0.2, left))
        if self._stopping:
            raise self._stopping

    @property
    def seconds(self) -> float:
        """Seconds since the run began."""
        return time.monotonic() - self._began

    def emit(self, event: Event) -> None:
        """Tell every listener, one event after the other, with the time. After `Finished` nothing more is told: a tool
        may end later than a run that was interrupted. A listener that fails ends no run."""
        with self._lock:
            if self.over:
                return
            self.over = isinstance(event, events.Finished)
            event = event._replace(at=self.seconds)
            failed = [(listener, error) for listener in self._listeners if (error := heard(listener, event))]
            for deaf, error in failed:
                self._listeners = tuple(each for each in self._listeners if each is not deaf)
                name = getattr(deaf, "__qualname__", type(deaf).__name__)
                self.error(
                    f"The listener {name} failed and hears no more of this run ({type(error).__name__}: {error})."
                )

    def started(self, prompt: str, model: str) -> None:
        self.model, self.prompt = model, prompt
        self.emit(events.Started(prompt, self.provider, model))
        self.help = self.setup.help(self) or Help()
        self.gates, self.hooks = (*self.gates, *self.help.gates), (*self.hooks, *self.help.hooks)

    def message(self, message: Mapping[str, Any]) -> None:
        self.emit(events.Message(message))

    def asking(self) -> None:
        """A request goes to the model: a turn begins."""
        self.go_on()
        for hook in self.hooks:
            hook.before_request(self)
        self.turns += 1
        self.emit(events.Asking(self.turns, self.context_window))

    def request(self, wire: str, body: Mapping[str, Any]) -> None:
        self.emit(events.Request(wire, body))

    def text(self, delta: str) -> None:
        self.emit(events.Text(delta))

    def thought(self, delta: str) -> None:
        """It is shown, and never taken for an answer."""
        self.emit(events.Thought(delta))

    def replied(self, reply: Reply) -> None:
        """The model's reply is whole."""
        self.tokens = self.tokens + reply.usage
        self.partial_answer = reply.text or self.partial_answer
        self.enforced = "a call" if reply.fault else ""
        for call in reply.calls:
            self.called(call)
        self.emit(events.Replied(self.turns, reply))

    def called(self, call: ToolCall) -> None:
        """A call is about to be run: it stands in the trajectory from now on."""
        entry = {"id": call.id, "turn": self.turns, "name": call.name, "arguments": call.readable}
        self._open[call.id] = len(self.trajectory)
        self.trajectory.append({**entry, "result": None, "status": "called", "seconds": None})
        self.drawn.append([])

    def replayed(self, context: Context) -> Reply | None:
        """The reply of this turn where a fork knows it, else None."""
        return self.known.reply(context, self) if self.known else None

    def refused(self, call: ToolCall) -> str | None:
        """Why a call may not run: a gate's word, or the person's, who is asked last; None when it may."""
        for hook in self.hooks:
            hook.before_call(call, self)
        said = (gate.action(call, self) for gate in self.gates)
        objection = next((words for words in said if words), None)
        unasked = self.catalogue.reads_only(call) or (self.known is not None and self.known.knows(call))
        return objection or (self.setup.approve(call, self) if self.setup.approve and not unasked else None)

    def typed(self) -> list[str]:
        """What the person typed since this was asked last."""
        return [*(self.known.typed() if self.known else ()), *self.setup.typed()]

    def call_started(self, call: ToolCall) -> None:
        self.emit(events.CallStarted(call))

    def call_finished(self, result: ToolResult) -> None:
        with self._lock:
            place = self._open.pop(result.call.id, None)
            if place is not None:
                status = "completed" if result.ok else "error"
                self.trajectory[place] |= {"result": result.content, "status": status}
                self.trajectory[place]["seconds"] = round(result.seconds, 4)
                self.drawn[place] = result.sources
            self.emit(events.CallFinished(result))

    def confined(self, line: str, warning: str) -> None:
        self.sandbox = line
        self.emit(events.Confined(line, warning))

    def notice(self, text: str) -> None:
        self.emit(events.Notice(text))

    def warn(self, text: str) -> None:
        """Something is wrong with the answer, though the run went well: shown now and kept for the result."""
        self.errors.append(text)
        self.emit(events.Notice(text))

    def error(self, text: str) -> None:
        """Something went wrong: shown now and kept for the result."""
        self.errors.append(text)
        self.emit(events.Error(text))

    def broken(self, error: Exception) -> None:
        """Something failed that never should: in this program, or in a job's own gate, hook or report."""
        from agent.broken import said_of

        self.error(said_of(error))

    def finish(self, stop_reason: str, answer: str | None = None) -> AgentResult:
        """End the run: build the result (by default with the last partial answer) and tell it."""
        self.finishing = True
        answer = self.partial_answer if answer is None else answer
        report = None
        try:
            for hook in self.hooks:
                hook.ended(self)
            report = self.setup.report(self, answer)
        except Exception as error:
            self.broken(error)
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
            sources=tuple(files_and_lines(self.drawn)),
            job=self.job,
            report=report,
        )
        self.emit(events.Finished(result))
        return result


def heard(listener: Listener, event: Event) -> Exception | None:
    """Tell a listener; return what it failed with. A disk or a screen that fails (OSError) is for those who opened
    them, who say so in their own words."""
    try:
        listener(event)
    except OSError:
        raise
    except Exception as error:
        return error
    return None
