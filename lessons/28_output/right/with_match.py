import json

ATTEMPTS = 2
CUT = "it was cut off by the token limit; say it in fewer words"


def wants(field):
    return f"one of {field['enum']}" if "enum" in field else field["type"]


def problem(text, schema):
    try:
        data = json.loads(text)
    except ValueError as error:
        return f"this is no JSON, at character {error.pos}"
    match data:
        case dict():
            for name, field in schema["properties"].items():
                match field["type"], data.get(name, ...):
                    case _, value if value is ...:
                        return f"there is no {name}: it is {wants(field)}"
                    case ("boolean", bool()) | ("string", str()) | ("array", list()):
                        right = True
                    case "integer", int(number):
                        right = not isinstance(number, bool)
                    case _:
                        right = False
                if not right or data[name] not in field.get("enum", [data[name]]):
                    return f"{name} has to be {wants(field)}"
            return ""
        case other:
            return f"a JSON object, please, and no {type(other).__name__}"


def answer(ask, messages, schema, wrong):
    format, tried, said = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}, 0, ""
    while tried < ATTEMPTS:
        tried += 1
        match ask(messages, format):
            case {"refusal": str(why)} if why:
                raise ValueError(why)
            case {"finish_reason": "length", "text": text}:
                said = CUT
            case {"text": text}:
                said = problem(text, schema)
                if said == "":
                    said = wrong(json.loads(text))
                    if said == "":
                        return json.loads(text)
        messages = [*messages, {"role": "assistant", "content": text}, {"role": "user", "content": f"Wrong: {said}"}]
    raise ValueError(f"tried {tried} times: {said}")
