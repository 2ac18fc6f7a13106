def read_reply(chunks, show):
    text = ""
    ids, names, arguments = {}, {}, {}
    ended = False
    for chunk in chunks:
        match chunk:
            case {"choices": [{"delta": delta, **rest}]}:
                if rest.get("finish_reason") is not None:
                    ended = True
                match delta:
                    case {"content": str(piece)} if piece:
                        show(piece)
                        text = text + piece
                for part in delta.get("tool_calls") or ():
                    match part:
                        case {"index": index, "function": function}:
                            if part.get("id"):
                                ids[index] = part["id"]
                            if function.get("name"):
                                names[index] = function["name"]
                            arguments[index] = arguments.get(index, "") + (function.get("arguments") or "")
    if not ended:
        raise ConnectionError("the line went dead")
    if not ids:
        return {"role": "assistant", "content": text}
    calls = [
        {"id": ids[index], "type": "function", "function": {"name": names[index], "arguments": arguments[index]}}
        for index in sorted(ids)
    ]
    return {"role": "assistant", "content": text, "tool_calls": calls}
