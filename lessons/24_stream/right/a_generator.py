"""Chunks become events first: ("text", ...), ("call", ...), ("end", ...)."""


def events(chunks):
    for chunk in chunks:
        for choice in chunk["choices"][:1]:
            if choice["delta"].get("content"):
                yield "text", choice["delta"]["content"]
            yield from (("call", piece) for piece in choice["delta"].get("tool_calls") or [])
            if choice.get("finish_reason"):
                yield "end", choice["finish_reason"]


def read_reply(chunks, show):
    said, calls, end = [], {}, ""
    for kind, value in events(chunks):
        if kind == "text":
            show(value)
            said += [value]
        elif kind == "end":
            end = value
        else:
            id, name, arguments = calls.get(value["index"], ("", "", ""))
            function = value["function"]
            calls[value["index"]] = (
                id or value.get("id"),
                name or function.get("name"),
                arguments + (function.get("arguments") or ""),
            )
    if end == "":
        raise ConnectionError(f"broke off after {''.join(said)!r}")
    message = {"role": "assistant", "content": "".join(said), "tool_calls": []}
    for _, (id, name, arguments) in sorted(calls.items()):
        message["tool_calls"].append({"id": id, "type": "function", "function": {"name": name, "arguments": arguments}})
    if not calls:
        del message["tool_calls"]
    return message
