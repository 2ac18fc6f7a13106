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


def problem(text, schema):
    try:
        data = json.loads(text)
    except ValueError as error:
        return f"it is no JSON: {error}"
    if not isinstance(data, dict):
        return "it is no JSON object"
    for name, field in schema["properties"].items():
        if name not in data:
            return "the field " + name + " is missing"
        value = data[name]
        good = True
        if "enum" in field:
            if value not in field["enum"]:
                good = False
        if "type" in field:
            if not isinstance(value, KINDS[field["type"]]):
                good = False
            if field["type"] == "integer" and isinstance(value, bool):
                good = False
        if not good:
            return "the field " + name + " is " + str(value) + ", but it must be " + may_be(field)
    return ""


def answer(ask, messages, schema, wrong):
    messages = list(messages)
    trouble = ""
    for _ in range(ATTEMPTS):
        reply = ask(messages, response_format(schema))
        if reply["refusal"]:
            raise ValueError(reply["refusal"])
        if reply["finish_reason"] == "length":
            trouble = CUT
        else:
            trouble = problem(reply["text"], schema)
            if trouble == "":
                data = json.loads(reply["text"])
                trouble = wrong(data)
                if trouble == "":
                    return data
        messages = messages + more(reply["text"], AGAIN.format(problem=trouble))
    raise ValueError(GIVEN_UP.format(count=ATTEMPTS, problem=trouble))
