import json

ATTEMPTS = 2
CUT = "it was cut off by the token limit; say it in fewer words"


def fits(value, field):
    kind = {str: "string", int: "integer", bool: "boolean", list: "array"}.get(type(value))
    return kind == field["type"] and ("enum" not in field or any(value == each for each in field["enum"]))


def problem(text, schema):
    try:
        data = json.loads(text)
    except ValueError:
        return "no JSON could be read"
    if not hasattr(data, "items"):
        return "a JSON object is wanted"
    missing = schema["properties"].keys() - data.keys()
    if missing:
        return f"missing: {', '.join(sorted(missing))}"
    bad = [name for name, field in schema["properties"].items() if not fits(data[name], field)]
    wanted = [f"{name} ({json.dumps(schema['properties'][name], ensure_ascii=False)})" for name in bad]
    return f"wrong: {', '.join(wanted)}" if bad else ""


def answer(ask, messages, schema, wrong, left=None):
    left = ATTEMPTS if left is None else left
    reply = ask(messages, {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}})
    if reply["refusal"]:
        raise ValueError("The model does not want to: " + reply["refusal"])
    said = CUT if reply["finish_reason"] == "length" else problem(reply["text"], schema)
    said = said or wrong(json.loads(reply["text"]))
    if not said:
        return json.loads(reply["text"])
    if left == 1:
        raise ValueError(f"Nothing that fits in {ATTEMPTS} attempts: {said}")
    told = [dict(role="assistant", content=reply["text"]), dict(role="user", content=said)]
    return answer(ask, messages + told, schema, wrong, left - 1)
