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
    new_messages = []
    for message in messages:
        new_messages.append(message)
    if len(looks) == 0:
        return new_messages
    calls = []
    for look in looks:
        name = look[0]
        arguments = look[1]
        calls.append(call(name, arguments))
    new_messages.append({"role": "assistant", "content": "", "tool_calls": calls})
    for one in calls:
        text = call_tool(one["function"]["name"], one["function"]["arguments"])
        new_messages.append(result(one, text))
    return new_messages


def mended(message, names):
    if message.get("tool_calls"):
        return message
    text = message.get("content")
    if text is None:
        text = ""
    text = THOUGHT.sub("", text)
    found = CALL.findall(text)
    if len(found) == 0:
        return message
    calls = []
    for piece in found:
        try:
            data = json.loads(piece)
        except ValueError:
            return message
        if type(data) != dict:  # noqa: E721
            return message
        if "name" not in data or "arguments" not in data:
            return message
        if type(data["arguments"]) != dict:  # noqa: E721
            return message
        if data["name"] not in names:
            return message
        calls.append(call(data["name"], data["arguments"]))
    new_message = {}
    for key in message:
        new_message[key] = message[key]
    new_message["content"] = CALL.sub("", text)
    new_message["tool_calls"] = calls
    return new_message
