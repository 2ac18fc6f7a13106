from dispatch import call_tool
from messages import start


def run(model, task, max_turns):
    messages = start("You are a coding agent", task)
    count = {}
    turn = 0
    while turn < max_turns:
        turn = turn + 1
        reply = model(messages)
        messages.append(reply)
        if "tool_calls" not in reply:
            return reply["content"]
        if not reply["tool_calls"]:
            return reply["content"]
        for call in reply["tool_calls"]:
            name = call["function"]["name"]
            arguments = call["function"]["arguments"]
            result = call_tool(name, arguments)
            message = {}
            message["role"] = "tool"
            message["tool_call_id"] = call["id"]
            message["content"] = result
            messages.append(message)
            key = name + "|" + arguments + "|" + result
            if key in count:
                count[key] = count[key] + 1
            else:
                count[key] = 1
            if count[key] == 3:
                return "I stopped because the model repeats itself."
    return "I stopped because the limit of " + str(max_turns) + " turns was reached."
