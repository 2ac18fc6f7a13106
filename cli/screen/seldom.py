"""What few runs say: why one was stopped, and everything, with --verbose."""

from __future__ import annotations

import sys

from agent.contracts import AgentResult, Reply, ToolCall, ToolResult
from agent.events import Started
from cli.screen.preview import arguments_text, one_line
from cli.screen.terminal import Terminal

GO_ON = "The answer is what the model knew by then; --continue goes on."
STOPPED = {  # a provider's error has its own line
    "max_iters": f"Stopped: the limit of requests was reached (--max-iters). {GO_ON}",
    "max_calls": f"Stopped: the limit of tool calls was reached (GLASSBOX_MAX_CALLS). {GO_ON}",
    "token_budget": "Stopped: the limit of tokens was reached (GLASSBOX_MAX_INPUT_TOKENS, "
    f"GLASSBOX_MAX_OUTPUT_TOKENS). {GO_ON}",
    "time_budget": f"Stopped: the time was up (--max-seconds). {GO_ON}",
    "repeating": "Stopped: the same call gave the same result again and again (GLASSBOX_MAX_REPEATS). "
    "Ask for a smaller step, or take a larger model.",
    "gate": "Stopped: what was found did not pass its gate.",
    "interrupted": "Interrupted.",
}


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
