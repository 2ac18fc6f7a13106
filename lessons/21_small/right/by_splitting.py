import json

BEGIN, END = "<tool_call>", "</tool_call>"


def without_thoughts(text):
    while "<think>" in text and "</think>" in text:
        before, _, rest = text.partition("<think>")
        text = before + rest.partition("</think>")[2]
    return text


def call_of(number, name, arguments):
    return dict(id=f"t{number}", type="function", function=dict(name=name, arguments=json.dumps(arguments)))


def mended(message, names):
    if message.get("tool_calls") or BEGIN not in (message.get("content") or ""):
        return message
    first, *pieces = without_thoughts(message["content"]).split(BEGIN)
    calls, said = [], [first]
    try:
        for number, piece in enumerate(pieces):
            raw, rest = piece.split(END)
            asked = json.loads(raw)
            if asked["name"] not in names or type(asked["arguments"]) is not dict:
                return message
            calls.append(call_of(number, asked["name"], asked["arguments"]))
            said.append(rest)
    except (ValueError, LookupError, TypeError):
        return message
    return {**message, "content": "".join(said).strip(), "tool_calls": calls} if calls else message


def opening(messages, looks, call_tool):
    calls = [call_of(f"look{number}", *look) for number, look in enumerate(looks)]
    model = {"role": "assistant", "content": None, "tool_calls": calls}
    tools = [
        {
            "role": "tool",
            "tool_call_id": call["id"],
            "content": call_tool(**{"name": call["function"]["name"], "raw_arguments": call["function"]["arguments"]}),
        }
        for call in calls
    ]
    return messages + [model] + tools
