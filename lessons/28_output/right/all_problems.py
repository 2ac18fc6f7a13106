"""problem() names all that is wrong at once: the model need not find out one by one."""

import json

ATTEMPTS = 2
CUT = "it was cut off by the token limit; say it in fewer words"
TYPES = {"string": "str", "integer": "int", "boolean": "bool", "array": "list"}


def problem(text, schema):
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        return f"it is no JSON ({error.msg})"
    if type(data) is not dict:
        return f"it is JSON, and no object: {text}"
    found = []
    for name, field in schema["properties"].items():
        if name not in data:
            found.append(f"{name} is not there")
        elif type(data[name]).__name__ != TYPES[field["type"]]:
            found.append(f"{name} must be of the type {field['type']}")
        elif "enum" in field and data[name] not in field["enum"]:
            found.append(f"{name} must be one of {field['enum']}")
        if name not in data and "enum" in field:
            found.append(f"it must be one of {field['enum']}")
        elif name in data and "enum" in field:
            found += [] if data[name] in field["enum"] else [f"its choices are {field['enum']}"]
    return "; ".join(found)


def answer(ask, messages, schema, wrong):
    history, shape = list(messages), {"type": "json_schema", "json_schema": {"name": "it", "schema": schema}}
    said = ""
    for attempt in range(ATTEMPTS):
        reply = ask(list(history), shape)
        if reply["refusal"] is not None:
            raise ValueError(reply["refusal"])
        if reply["finish_reason"] == "length":
            said = CUT
        elif not (said := problem(reply["text"], schema)):
            data = json.loads(reply["text"])
            if not (said := wrong(data)):
                return data
        history.append({"role": "assistant", "content": reply["text"]})
        history.append({"role": "user", "content": f"That does not fit: {said}. Write the JSON object again."})
    raise ValueError(f"{ATTEMPTS} answers, and none that fits. The last: {said}")
