def to_gemini(messages):
    contents, names, given, results = [], {}, set(), None
    for message in messages:
        match message:
            case {"role": "user", "content": text}:
                results = None
                contents.append({"role": "user", "parts": [{"text": text}]})
            case {"role": "assistant", "raw": raw}:
                results = None
                for call in message.get("tool_calls", ()):
                    names[call["id"]] = call["function"]["name"]
                for part in raw["parts"]:
                    match part:
                        case {"functionCall": {"id": id}}:
                            given.add(id)
                contents.append(raw)
            case {"role": "tool", "tool_call_id": id, "content": text}:
                if results is None:
                    results = []
                    contents.append({"role": "user", "parts": results})
                answer = {"name": names[id], "response": {"result": text}}
                if id in given:
                    answer["id"] = id
                results.append({"functionResponse": answer})
    return contents
