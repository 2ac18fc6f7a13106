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


def opening(messages, looks, call_tool):
    ours = [call(name, arguments) for name, arguments in looks]
    answers = [result(each, call_tool(**read(each))) for each in ours]
    return messages + [{"role": "assistant", "content": None, "tool_calls": ours}] + answers


def read(each):
    return {"name": each["function"]["name"], "raw_arguments": each["function"]["arguments"]}


def understood(text, names):
    """A call, or LookupError, TypeError, ValueError."""
    data = json.loads(text)
    name, arguments = data["name"], data["arguments"]
    if not isinstance(arguments, dict):
        raise TypeError("arguments are no object")
    if not isinstance(name, str) or name not in names:
        raise LookupError(name)
    return call(name, arguments)


def mended(message, names):
    said = THOUGHT.sub("", message.get("content") or "")
    try:
        calls = [understood(text, names) for text in CALL.findall(said)]
    except (LookupError, TypeError, ValueError):
        return message
    if message.get("tool_calls") or not calls:
        return message
    return {**message, "content": CALL.sub("", said).strip(), "tool_calls": calls}
