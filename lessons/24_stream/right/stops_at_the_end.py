"""It takes no chunk after the one with the finish reason: what comes then is about tokens."""


def read_reply(chunks, show):
    message, by_index = {"role": "assistant", "content": ""}, {}
    for chunk in chunks:
        if not chunk["choices"]:
            continue
        [choice] = chunk["choices"]
        if content := choice["delta"].get("content"):
            message["content"] += content
            show(content)
        for piece in choice["delta"].get("tool_calls") or []:
            if piece["index"] not in by_index:
                by_index[piece["index"]] = {
                    "id": piece["id"],
                    "type": "function",
                    "function": {"name": piece["function"]["name"], "arguments": ""},
                }
                message["tool_calls"] = [by_index[index] for index in sorted(by_index)]
            by_index[piece["index"]]["function"]["arguments"] += piece["function"].get("arguments") or ""
        if choice.get("finish_reason"):
            return message
    raise ConnectionError("broke off")
