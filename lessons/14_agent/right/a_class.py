import dispatch
from context import trim
from gate import may_finish
from menu import schema
from messages import start
from parallel import run_calls
from toolbox import TOOLS

MAX_TURNS, BUDGET = 20, 30_000


class Run:
    def __init__(self, ask, task):
        self.ask, self.messages, self.trajectory = ask, start("You repair programs. Test what you change.", task), []
        self.menu = [{"type": "function", "function": schema(tool)} for tool in TOOLS.values()]

    def turn(self):
        self.messages.append(self.ask(trim(self.messages, BUDGET), self.menu))
        if self.messages[-1].get("tool_calls"):
            return self.act(self.messages[-1]["tool_calls"])
        problem = may_finish(self.trajectory)
        if problem:
            self.trajectory.append({"name": "push_back", "result": problem})
            self.messages.append({"role": "user", "content": problem})
        return not problem

    def act(self, calls):
        for call, result in zip(calls, run_calls(calls)):
            self.messages.append({"role": "tool", "tool_call_id": call["id"], "content": result})
            self.trajectory.append({"name": call["function"]["name"], "result": result})


def agent(ask, task, root):
    dispatch.ROOT, run = root, Run(ask, task)
    dispatch.TOOLS.update(TOOLS)
    done = any(run.turn() for _ in range(MAX_TURNS))
    return run.messages[-1]["content"] if done else f"No answer after {MAX_TURNS} turns."
