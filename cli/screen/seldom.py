"""What few runs say: why one was stopped, and everything, with --verbose."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agent.contracts import AgentResult, Reply, ToolCall, ToolResult
from cli.screen.preview import arguments_text, one_line

if TYPE_CHECKING:
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


def verbosely(terminal: Terminal) -> dict[str, Callable[..., None]]:
    """What is said with --verbose in the place of the short lines, by the kind of event: all of it."""
    say = terminal.say
    terminal.most_thought = sys.maxsize

    def started(prompt: str, provider: str, model: str, **_: Any) -> None:
        terminal.started(prompt, provider, model)
        say(f"User prompt: {prompt}")

    def replied(turn: int, reply: Reply, **_: Any) -> None:
        terminal.replied(turn, reply)
        say(f"Prompt tokens: {reply.usage.input}")
        say(f"Response tokens: {reply.usage.output}")

    def call_started(call: ToolCall) -> None:
        say(one_line(f"Calling function: {call.name}({arguments_text(call)})"))

    def call_finished(result: ToolResult, **_: Any) -> None:
        say(f"-> {result.content}")

    def finished(result: AgentResult) -> None:
        terminal.finished(result, also="Final response:")
        terminal.showed_answer = False

    return {
        "started": started,
        "replied": replied,
        "call_started": call_started,
        "call_finished": call_finished,
        "finished": finished,
    }
