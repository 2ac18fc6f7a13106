"""Lesson 21: a small model, and what the harness can do."""

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
    """The list, longer by what any careful agent looks at first: calls that the model did not make, and their results."""
    raise NotImplementedError("a message of the model with a call for each look, then a result for each call")


def mended(message, names):
    """The model's message; where it wrote calls of the tools in names as text, with real calls in their place."""
    said = THOUGHT.sub("", message.get("content") or "")
    found = CALL.findall(said)  # what stands between <tool_call> and </tool_call>, outside of thoughts
    raise NotImplementedError("read each with json.loads; all of them are calls, or the message stays as it is")
