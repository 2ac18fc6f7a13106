"""A run with everything that is said of it: --verbose."""

from __future__ import annotations

import sys

from agent.contracts import AgentResult, Reply, ToolCall, ToolResult
from agent.events import Started
from cli.screen.terminal import Terminal, arguments_text, one_line


class Verbose(Terminal):
    """What is said with --verbose in the place of the short lines: all of it."""

    most_thought = sys.maxsize

    def started(self, event: Started) -> None:
        super().started(event)
        self.say(f"User prompt: {event.prompt}")

    def replied(self, reply: Reply) -> None:
        super().replied(reply)
        self.say(f"Prompt tokens: {reply.usage.input}")
        self.say(f"Response tokens: {reply.usage.output}")

    def call_started(self, call: ToolCall) -> None:
        self.say(one_line(f"Calling function: {call.name}({arguments_text(call)})"))

    def call_finished(self, result: ToolResult) -> None:
        self.say(f"-> {result.content}")

    def finished(self, result: AgentResult, also: str = "Final response:") -> None:
        super().finished(result, also)
        self.showed_answer = False
