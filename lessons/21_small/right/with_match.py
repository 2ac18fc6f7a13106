import itertools
import json
import re

NUMBERS = itertools.count()
PART = re.compile(r"<think>.*?</think>|<tool_call>(?P<call>.*?)</tool_call>", re.DOTALL)


class NoCall(Exception):
    pass


def read(raw, names):
    try:
        asked = json.loads(raw)
    except ValueError:
        raise NoCall
    match asked:
        case {"name": str(name), "arguments": dict(arguments)} if name in names:
            return made(name, json.dumps(arguments, ensure_ascii=False))
    raise NoCall


def made(name, raw):
    return {"type": "function", "id": f"m{next(NUMBERS)}", "function": {"name": name, "arguments": raw}}


def mended(message, names):
    match message:
        case {"tool_calls": [_, *_]} | {"content": None}:
            return message
        case {"content": text}:
            raws = [part["call"] for part in PART.finditer(text) if part["call"] is not None]
    try:
        calls = [read(raw, names) for raw in raws]
    except NoCall:
        return message
    if not calls:
        return message
    return {"role": "assistant", "content": PART.sub("", text).strip(), "tool_calls": calls}


def opening(messages, looks, call_tool):
    calls, results = [], []
    for name, arguments in looks:
        raw = json.dumps(arguments)
        calls.append(made(name, raw))
        results.append({"content": call_tool(name, raw), "tool_call_id": calls[-1]["id"], "role": "tool"})
    return [*messages, {"tool_calls": calls, "role": "assistant", "content": ""}, *results]
