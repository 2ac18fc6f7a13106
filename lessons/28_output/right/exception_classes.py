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


class Unfit(Exception):
    pass


def verify(name, field, value):
    if "enum" in field:
        if value not in field["enum"]:
            raise Unfit(f"{name} is {value!r}, and may be {may_be(field)}")
    elif type(value) is not KINDS[field["type"]]:
        raise Unfit(f"{name} is {value!r}, and may be {may_be(field)}")


def problem(text, schema):
    try:
        data = json.loads(text)
    except ValueError as error:
        return f"it is no JSON: {error}"
    if not isinstance(data, dict):
        return "it is no JSON object"
    for name, field in schema["properties"].items():
        try:
            verify(name, field, data[name])
        except KeyError:
            return f"{name} is missing"
        except Unfit as error:
            return str(error)
    return ""


def read(reply, schema, wrong):
    if reply["finish_reason"] == "length":
        raise Unfit(CUT)
    for find in (lambda: problem(reply["text"], schema), lambda: wrong(json.loads(reply["text"]))):
        if sentence := find():
            raise Unfit(sentence)
    return json.loads(reply["text"])


def answer(ask, messages, schema, wrong):
    behind, error = [], None
    for _ in range(ATTEMPTS):
        reply = ask(messages + behind, response_format(schema))
        if reply["refusal"]:
            raise ValueError(reply["refusal"])
        try:
            return read(reply, schema, wrong)
        except Unfit as unfit:
            error = str(unfit)
            behind += more(reply["text"], AGAIN.format(problem=error))
    raise ValueError(GIVEN_UP.format(count=ATTEMPTS, problem=error))
