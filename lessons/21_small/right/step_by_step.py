import json
import re
import uuid


def made(name, arguments):
    return {"id": uuid.uuid4().hex, "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}


def opening(messages, looks, call_tool):
    longer = list(messages)
    longer.append({"role": "assistant", "content": "", "tool_calls": []})
    for name, arguments in looks:
        call = made(name, arguments)
        longer[len(messages)]["tool_calls"].append(call)
        text = call_tool(name, json.dumps(arguments))
        longer.append({"role": "tool", "tool_call_id": call["id"], "content": text})
    return longer


def mended(message, names):
    if message.get("tool_calls"):
        return message
    text = re.sub(r"(?s)<think>.*?</think>", "", message["content"] or "")
    calls, rest = [], text
    for part in re.findall(r"(?s)<tool_call>.*?</tool_call>", text):
        try:
            asked = json.loads(part.removeprefix("<tool_call>").removesuffix("</tool_call>"))
        except json.JSONDecodeError:
            return message
        if (
            not isinstance(asked, dict)
            or asked.get("name") not in names
            or not isinstance(asked.get("arguments"), dict)
        ):
            return message
        calls.append(made(asked["name"], asked["arguments"]))
        rest = rest.replace(part, "", 1)
    return {"role": "assistant", "content": rest.strip(), "tool_calls": calls} if calls else message
