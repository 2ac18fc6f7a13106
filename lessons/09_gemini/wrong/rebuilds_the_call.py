# REASON: signature
import json


def to_gemini(messages):
    contents, names = [], {}
    for message in messages:
        if message["role"] == "user":
            contents.append({"role": "user", "parts": [{"text": message["content"]}]})
        elif message["role"] == "assistant":
            parts = [{"text": message["content"]}] if message["content"] else []
            for call in message.get("tool_calls", []):
                names[call["id"]] = call["function"]["name"]
                arguments = json.loads(call["function"]["arguments"])
                parts.append({"functionCall": {"name": call["function"]["name"], "args": arguments}})
            contents.append({"role": "model", "parts": parts})
        elif message["role"] == "tool":
            response = {"name": names[message["tool_call_id"]], "response": {"result": message["content"]}}
            if "functionResponse" not in contents[-1]["parts"][0]:
                contents.append({"role": "user", "parts": []})
            contents[-1]["parts"].append({"functionResponse": response})
    return contents
