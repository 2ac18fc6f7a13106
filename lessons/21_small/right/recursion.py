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
    def results(calls):
        if not calls:
            return []
        function = calls[0]["function"]
        return [result(calls[0], call_tool(function["name"], function["arguments"]))] + results(calls[1:])

    calls = list(map(lambda look: call(*look), looks))
    return [*messages, dict(role="assistant", content="", tool_calls=calls), *results(calls)]


def good(texts, names):
    """The calls of all the texts, None when one of them is none."""
    if not texts:
        return []
    try:
        first = json.loads(texts[0])
        if not (first["name"] in names and isinstance(first["arguments"], dict)):
            return None
    except (ValueError, KeyError, TypeError):
        return None
    rest = good(texts[1:], names)
    return None if rest is None else [call(first["name"], first["arguments"])] + rest


def mended(message, names):
    text = THOUGHT.sub("", message.get("content") or "")
    calls = good(CALL.findall(text), names)
    if calls and not message.get("tool_calls"):
        message = {**message, "tool_calls": calls, "content": " ".join(CALL.sub(" ", text).split())}
    return message
