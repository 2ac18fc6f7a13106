from dataclasses import dataclass, field
from typing import Any

import context
import dispatch
import gate
import menu as menus
import messages as conversation
import parallel
import toolbox

Message = dict[str, Any]

MAX_TURNS = 20
BUDGET = 30_000


@dataclass
class Run:
    ask: Any
    messages: list[Message]
    menu: list[Message]
    trajectory: list[dict[str, str]] = field(default_factory=list)

    def step(self) -> str | None:
        self.messages.append(reply := self.ask(context.trim(self.messages, BUDGET), self.menu))
        return self.act(reply["tool_calls"]) if reply.get("tool_calls") else self.judge(reply["content"])

    def act(self, calls: list[Message]) -> None:
        for call, text in zip(calls, parallel.run_calls(calls), strict=True):
            self.messages.append({"role": "tool", "tool_call_id": call["id"], "content": text})
            self.trajectory.append({"name": call["function"]["name"], "result": text})

    def judge(self, answer: str) -> Any:
        problem = gate.may_finish(self.trajectory)
        if not problem:
            return answer
        self.trajectory.append({"name": "push_back", "result": problem})
        self.messages.append({"role": "user", "content": problem})


def agent(ask, task, root):
    dispatch.ROOT = root
    dispatch.TOOLS.update(toolbox.TOOLS)
    tools = [{"type": "function", "function": menus.schema(tool)} for tool in toolbox.TOOLS.values()]
    run = Run(ask, conversation.start("You repair programs, and test what you change.", task), tools)
    for _ in range(MAX_TURNS):
        if (answer := run.step()) is not None:
            return answer
    return "Stopped: no turns left."
