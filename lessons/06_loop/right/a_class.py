import dispatch
from messages import start


class Stop(Exception):
    pass


class Agent:
    def __init__(self, model, task):
        self.model, self.messages, self.seen = model, start("You are an agent that repairs programs.", task), {}

    def turn(self):
        reply = self.model(self.messages)
        self.messages += [reply]
        for call in reply.get("tool_calls") or ():
            self.messages += [self.answer(call)]
        return reply

    def answer(self, call):
        function = call["function"]
        text = dispatch.call_tool(function["name"], function["arguments"])
        key = f"{function['name']}|{function['arguments']}|{text}"
        self.seen[key] = self.seen.get(key, 0) + 1
        if self.seen[key] > 2:
            raise Stop("the same call got the same result three times")
        return {"tool_call_id": call["id"], "role": "tool", "content": text}


def run(model, task, max_turns):
    agent = Agent(model, task)
    try:
        for _ in range(max_turns):
            reply = agent.turn()
            if not reply.get("tool_calls"):
                return reply["content"]
    except Stop as why:
        return f"Stopped, for {why}."
    return "Stopped, for the limit of turns was reached."
