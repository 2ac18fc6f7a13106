"""Everything is kept as it came, and put together at the end."""

from collections import defaultdict


def read_reply(chunks, show):
    texts, reasons, parts = [], set(), defaultdict(list)
    for choice in (choice for chunk in chunks for choice in chunk.get("choices", [])):
        reasons.add(choice.get("finish_reason") or "")
        text = choice["delta"].get("content") or ""
        if text != "":
            show(text)
        texts.append(text)
        for piece in choice["delta"].get("tool_calls") or []:
            parts[piece["index"]].append(piece)
    if not any(reasons):
        raise ConnectionAbortedError
    reply = dict(role="assistant", content="".join(texts))
    if parts:
        reply["tool_calls"] = [whole(parts[index]) for index in sorted(parts)]
    return reply


def whole(pieces):
    def all_of(key):
        return "".join(each["function"].get(key) or "" for each in pieces)

    return {
        "id": next(each["id"] for each in pieces if each.get("id")),
        "type": "function",
        "function": {"name": all_of("name"), "arguments": all_of("arguments")},
    }
