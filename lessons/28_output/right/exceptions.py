import json

ATTEMPTS = 2
CUT = "it was cut off by the token limit; say it in fewer words"
KINDS = {"string": str, "integer": int, "boolean": bool, "array": list}


class DoesNotFit(Exception):
    pass


def read(text, schema):
    try:
        data = json.loads(text)
        fields = [(name, field, data[name]) for name, field in schema["properties"].items()]
    except KeyError as error:
        raise DoesNotFit(f"{error.args[0]} is missing") from None
    except (ValueError, TypeError) as error:
        raise DoesNotFit(f"that is no JSON object: {error}") from None
    for name, field, value in fields:
        if value.__class__ is not KINDS[field["type"]]:
            raise DoesNotFit(f"{name} is no {field['type']}: {value!r}" + str(field.get("enum", "")))
        if "enum" in field and value not in field["enum"]:
            raise DoesNotFit(f"{name} is {value!r}, and may be {' or '.join(map(str, field['enum']))}")
    return data


def problem(text, schema):
    try:
        read(text, schema)
    except DoesNotFit as why:
        return str(why)
    return ""


def attempt(ask, messages, schema, wrong):
    held = {"name": "answer", "strict": True, "schema": schema}
    reply = ask(messages, {"type": "json_schema", "json_schema": held})
    if reply["refusal"]:
        raise ValueError(f"refused: {reply['refusal']}")
    try:
        if reply["finish_reason"] == "length":
            raise DoesNotFit(CUT)
        data = read(reply["text"], schema)
        if said := wrong(data):
            raise DoesNotFit(said)
    except DoesNotFit as why:
        told = {"role": "user", "content": f"{why}. Once more, please."}
        return None, [*messages, {"role": "assistant", "content": reply["text"]}, told], str(why)
    return data, messages, ""


def answer(ask, messages, schema, wrong):
    for _ in range(ATTEMPTS):
        data, messages, why = attempt(ask, messages, schema, wrong)
        if not why:
            return data
    raise ValueError(f"no answer in {ATTEMPTS} attempts ({why})")
