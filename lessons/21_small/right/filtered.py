import itertools
import json
import re

THOUGHT = re.compile(r"<think>.*?</think>", re.DOTALL)
CALL = re.compile(r"<tool_call>(.*?)</tool_call>", re.DOTALL)
NUMBERS = itertools.count(1)


def call(name, arguments):
    """A call of ours, as the model's own look in its message."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"id": f"ours_{next(NUMBERS)}", "type": "function", "function": function}


def result(call, text):
    """The tool message that answers a call."""
    return {"role": "tool", "tool_call_id": call["id"], "content": text}


def decoded(text):
    try:
        return json.loads(text)
    except ValueError:
        return None


def is_call(data, names):
    return (
        isinstance(data, dict)
        and {"name", "arguments"} <= data.keys()
        and isinstance(data["arguments"], dict)
        and any(data["name"] == name for name in names)
    )


def opening(messages, looks, call_tool):
    calls = [call(name, arguments) for name, arguments in looks]
    told = [result(c, call_tool(n, json.dumps(a))) for c, (n, a) in zip(calls, looks)]
    longer = messages.copy()
    longer.extend([{"role": "assistant", "content": "", "tool_calls": calls}] + told)
    return longer


def mended(message, names):
    said = THOUGHT.sub("", message.get("content") or "")
    found = [decoded(text) for text in CALL.findall(said)]
    calls = list(filter(lambda data: is_call(data, names), found))
    if message.get("tool_calls") or not found or len(calls) < len(found):
        return message
    new = dict(message)
    new.update(content=CALL.sub("", said).strip() or None, tool_calls=[call(c["name"], c["arguments"]) for c in calls])
    return new
