"""The run as a person watches it, line by line on standard error.

Everything a model, a file or a tool says is hostile until shown: control characters are spelled out, never obeyed.
"""

from __future__ import annotations

import json
from typing import Any, TextIO

from agent.run import AgentResult, Event, Reply, ToolCall, ToolResult, readable_arguments

WIDEST_ARGUMENT = 60  # characters of one argument in a call's line
EXIT_WORDS = {
    "max_iters": "Stopped: the limit of requests was reached (--max-iters). This is the last partial answer.",
    "interrupted": "Interrupted.",
}


class Terminal:
    """A listener of a run. `showed_answer` tells that the final answer already stands on the screen."""

    def __init__(self, stream: TextIO, *, verbose: bool = False, stdout_is_seen: bool = False) -> None:
        self.stream, self.verbose = stream, verbose
        self.showed_answer = False
        self._same_screen = stdout_is_seen and stream.isatty()
        self._column = 0
        utf8 = (getattr(stream, "encoding", "") or "").lower().replace("-", "").startswith("utf8")
        self._marks = {True: "✓", False: "✗"} if utf8 else {True: "ok", False: "failed"}

    def __call__(self, event: Event) -> None:
        handler = getattr(self, f"on_{event.kind}", None)
        if handler:
            handler(**event.data)

    def notice(self, text: str) -> None:
        self._line(text)

    def on_started(self, prompt: str, provider: str, model: str, **_: Any) -> None:
        self._line(f"{provider}: {model}")
        if self.verbose:
            self._line(f"User prompt: {prompt}")

    def on_sandbox(self, line: str, warning: str) -> None:
        self._line(line)
        if warning:
            self._line(warning)

    def on_text(self, text: str) -> None:
        self._write(text)

    def on_thought(self, text: str) -> None:
        self._write(text)

    def on_replied(self, turn: int, reply: Reply) -> None:
        self._end_line()
        if self.verbose:
            self._line(f"Prompt tokens: {reply.usage.input}")
            self._line(f"Response tokens: {reply.usage.output}")

    def on_call_started(self, call: ToolCall) -> None:
        if self.verbose:
            self._line(f"Calling function: {call.name}({arguments_text(call, None)})")

    def on_call_finished(self, result: ToolResult) -> None:
        if self.verbose:
            self._line(f"-> {result.content}")
            return
        first = result.content.split("\n", 1)[0] if not result.ok or result.call.name == "run_tests" else ""
        call = f"{result.call.name}({arguments_text(result.call, WIDEST_ARGUMENT)})"
        detail = f"  {first}" if first else ""
        self._line(f"  {self._marks[result.ok]} {call}  {result.seconds:.2f}s{detail}")

    def on_notice(self, text: str) -> None:
        self._line(text)

    def on_error(self, text: str) -> None:
        self._line(f"Error: {text}")

    def on_finished(self, result: AgentResult) -> None:
        self._end_line()
        if result.stop_reason != "answered":
            self._line(EXIT_WORDS.get(result.stop_reason, f"Stopped: {result.stop_reason}."))
        self.showed_answer = self._same_screen and result.stop_reason == "answered"
        if self.verbose:
            self._line("Final response:")
            self.showed_answer = False
        known = result.tokens.input is not None
        tokens = f", {result.tokens.input} tokens in, {result.tokens.output} out" if known else ""
        calls = len(result.tool_calls)
        self._line(f"[{result.turns} turns, {calls} calls{tokens}, {result.seconds:.1f} s]")

    def _line(self, text: str) -> None:
        self._end_line()
        self._write(f"{text}\n")

    def _end_line(self) -> None:
        if self._column:
            self._write("\n")

    def _write(self, text: str) -> None:
        text = printable(text)
        if not text:
            return
        self._column = 0 if text.endswith("\n") else 1
        self.stream.write(text)
        self.stream.flush()


def arguments_text(call: ToolCall, widest: int | None) -> str:
    """Return a call's arguments on one line, each cut to `widest` characters (None: whole)."""
    arguments = readable_arguments(call.arguments)
    if not isinstance(arguments, dict):
        return cut(str(arguments), widest)
    return ", ".join(
        f"{name}={cut(json.dumps(value, ensure_ascii=False), widest)}" for name, value in arguments.items()
    )


def cut(text: str, widest: int | None) -> str:
    return text if widest is None or len(text) <= widest else f"{text[: widest - 3]}..."


def printable(text: str) -> str:
    """Spell out every character that a terminal would obey: escapes, carriage returns, bidirectional controls."""
    return "".join(
        character if character in "\n\t" or character.isprintable() else character.encode("unicode_escape").decode()
        for character in text
    )
