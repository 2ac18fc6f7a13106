import json
import re


def looked(looks, call_tool):
    """Pairs of a call and its tool message."""
    for number, (name, arguments) in enumerate(looks, 100):
        raw = json.dumps(arguments)
        call = {"id": f"look-{number}", "type": "function", "function": {"name": name, "arguments": raw}}
        yield call, {"role": "tool", "tool_call_id": call["id"], "content": call_tool(name, raw)}


def opening(messages, looks, call_tool):
    calls, results = zip(*looked(looks, call_tool))
    return [*messages, {"role": "assistant", "content": "", "tool_calls": list(calls)}, *results]


def read(texts, names):
    for number, text in enumerate(texts):
        asked = json.loads(text)
        name, arguments = asked["name"], dict(asked["arguments"].items())
        if name not in names:
            raise KeyError(name)
        yield {
            "id": f"text-{number}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(arguments)},
        }


def mended(message, names):
    said = re.sub(r"<think>.*?</think>", "", message.get("content") or "", flags=re.DOTALL)
    parts = re.split(r"<tool_call>(.*?)</tool_call>", said, flags=re.DOTALL)
    try:
        calls = list(read(parts[1::2], names))
    except Exception:
        return message
    if message.get("tool_calls") or not calls:
        return message
    return {**message, "content": " ".join(parts[::2]).strip(), "tool_calls": calls}
