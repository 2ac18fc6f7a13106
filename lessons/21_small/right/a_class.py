import json
import re

THINK, CALL = "<think>[\\s\\S]*?</think>", "<tool_call>([\\s\\S]*?)</tool_call>"


class Calls(list):
    made = 0

    def add(self, name, arguments):
        Calls.made += 1
        function = {"name": name, "arguments": json.dumps(arguments)}
        self.append({"id": f"call_by_hand_{Calls.made}", "type": "function", "function": function})

    def message(self, text=""):
        return {"role": "assistant", "content": text, "tool_calls": list(self)}


def opening(messages, looks, call_tool):
    calls = Calls()
    for look in looks:
        calls.add(*look)
    texts = [call_tool(each["function"]["name"], each["function"]["arguments"]) for each in calls]
    answers = [{"role": "tool", "tool_call_id": c["id"], "content": t} for c, t in zip(calls, texts)]
    return messages + [calls.message()] + answers


def mended(message, names):
    text, calls = re.sub(THINK, "", message.get("content") or ""), Calls()
    for raw in re.findall(CALL, text):
        try:
            asked = json.loads(raw)
        except ValueError:
            return message
        fits = isinstance(asked, dict) and set(asked) >= {"name", "arguments"} and asked["name"] in names
        if not fits or not isinstance(asked["arguments"], dict):
            return message
        calls.add(asked["name"], asked["arguments"])
    return message if message.get("tool_calls") or not calls else calls.message(re.sub(CALL, "", text).strip())
