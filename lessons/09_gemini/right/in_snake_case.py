def to_gemini(messages):
    """The library takes Python's spelling, too."""
    contents, pending = [], []
    for message in messages[1:]:
        match message:
            case {"role": "assistant", "raw": raw}:
                contents.append(raw)
                pending = [part["functionCall"] for part in raw["parts"] if "functionCall" in part]
                if pending:
                    contents.append({"role": "user", "parts": []})
            case {"role": "tool", "content": text}:
                call = pending.pop(0)
                response = {"name": call["name"], "response": {"result": text}}
                if call.get("id"):
                    response["id"] = call["id"]
                contents[-1]["parts"].append({"function_response": response})
            case {"role": "user", "content": text}:
                contents.append({"role": "user", "parts": [{"text": text}]})
    return [content for content in contents if content["parts"]]
