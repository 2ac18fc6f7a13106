"""Lesson 9: the same loop on Gemini."""


def to_gemini(messages):
    """Turn our list of messages into the contents that Gemini takes."""
    contents = []
    names = {}  # id of a call -> name of its tool
    given = set()  # the ids that Gemini gave
    for message in messages:
        if message["role"] == "user":
            contents.append({"role": "user", "parts": [{"text": message["content"]}]})
        elif message["role"] == "assistant":
            for call in message.get("tool_calls", []):
                names[call["id"]] = call["function"]["name"]
            parts = message["raw"]["parts"]
            given.update(part["functionCall"]["id"] for part in parts if "id" in part.get("functionCall", {}))
            raise NotImplementedError("append what the server sent: it lies under raw")
        elif message["role"] == "tool":
            raise NotImplementedError("append a functionResponse, into one content for all results of a message")
    return contents
