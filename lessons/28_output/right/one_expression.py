import json

ATTEMPTS = 2
KINDS = {"string": str, "integer": int, "boolean": bool, "array": list}
CUT = "it was cut off by the token limit; say it in fewer words"
AGAIN = "Your answer does not fit: {problem}. Answer again, with the whole JSON object and nothing else."
GIVEN_UP = "No answer in {count} attempts: {problem}. Ask for less at a time, or take a larger model."


def response_format(schema):
    """What goes beside the messages, on OpenAI's wire."""
    return {"type": "json_schema", "json_schema": {"name": "answer", "strict": True, "schema": schema}}


def may_be(field):
    """What a field may be, in words."""
    return f"one of {', '.join(map(str, field['enum']))}" if "enum" in field else f"of the type {field['type']}"


def more(text, sentence):
    """The messages that say what was answered, and what is wrong with it."""
    return [{"role": "assistant", "content": text}, {"role": "user", "content": sentence}]


def complaint(name, field, data):
    if name not in data:
        return f"The field {name} is missing."
    value = data[name]
    strange = "enum" in field and value not in field["enum"]
    other = "type" in field and (
        not isinstance(value, KINDS[field["type"]])
        or field["type"] != "boolean"
        and value in (True, False)
        and isinstance(value, bool)
    )
    return f"The field {name} is {value!r}; it may be {may_be(field)}." if strange or other else ""


def problem(text, schema):
    try:
        data = json.loads(text)
    except ValueError as error:
        return f"it is no JSON: {error}"
    if not isinstance(data, dict):
        return "it is no JSON object"
    return " ".join(filter(None, (complaint(name, field, data) for name, field in schema["properties"].items())))


def answer(ask, messages, schema, wrong, attempt=1):
    reply = ask(messages, response_format(schema))
    if reply["refusal"]:
        raise ValueError(reply["refusal"])
    said = (
        CUT
        if reply["finish_reason"] == "length"
        else problem(reply["text"], schema) or wrong(json.loads(reply["text"]))
    )
    if said and attempt == ATTEMPTS:
        raise ValueError(GIVEN_UP.format(count=attempt, problem=said))
    if said:
        return answer(ask, messages + more(reply["text"], AGAIN.format(problem=said)), schema, wrong, attempt + 1)
    return json.loads(reply["text"])
