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


IS = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: type(value) is int,
    "boolean": lambda value: value is True or value is False,
    "array": lambda value: isinstance(value, list),
}
MISSING = object()


def problem(text, schema):
    try:
        data = json.loads(text)
    except ValueError as error:
        return f"it is no JSON: {error}"
    if not isinstance(data, dict):
        return "it is no JSON object"
    sentences = []
    for name, field in schema["properties"].items():
        value = data.get(name, MISSING)
        if value is MISSING:
            sentences.append(f"{name} is missing")
        elif "enum" in field and value not in field["enum"]:
            sentences.append(f"{name} may be {may_be(field)}, not {value!r}")
        elif "type" in field and not IS[field["type"]](value):
            sentences.append(f"{name} may be {may_be(field)}, not {value!r}")
    return ". ".join(sentences)


def answer(ask, messages, schema, wrong):
    history, last = messages[:], None
    while True:
        reply = ask(history[:], response_format(schema))
        if reply.get("refusal"):
            raise ValueError(f"{reply['refusal']}")
        last = CUT if reply["finish_reason"] == "length" else problem(reply["text"], schema)
        if not last:
            last = wrong(json.loads(reply["text"]))
        if not last:
            return json.loads(reply["text"])
        history += more(reply["text"], AGAIN.format(problem=last))
        if len(history) == len(messages) + 2 * ATTEMPTS:
            raise ValueError(GIVEN_UP.format(problem=last, count=ATTEMPTS))
