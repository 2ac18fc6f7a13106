"""Lesson 28: an answer as a value."""

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
    """Return a sentence that says what is wrong with an answer, "" when it fits. Each field is required."""
    try:
        data = json.loads(text)
    except ValueError as error:
        return f"it is no JSON: {error}"
    if not isinstance(data, dict):
        return "it is no JSON object"
    for name, field in schema["properties"].items():
        if name not in data:
            return f"{name} is missing"
        if type(data[name]) is not KINDS[field["type"]] or data[name] not in field.get("enum", [data[name]]):
            return f"{name} is {json.dumps(data[name])}, and must be {may_be(field)}"
    return ""


def answer(ask, messages, schema, wrong):
    """Return what the model answers, as a dictionary. ask(messages, response_format(schema)) makes a request;
    wrong(data) says what is wrong with an answer of the right shape, "" when nothing is. Raises ValueError."""
    for _ in range(ATTEMPTS):
        reply = ask(messages, response_format(schema))  # {"text": ..., "finish_reason": ..., "refusal": ...}
        if reply["refusal"]:
            raise ValueError(f"The model refuses: {reply['refusal']}")
        said = CUT if reply["finish_reason"] == "length" else problem(reply["text"], schema)
        said = said or wrong(json.loads(reply["text"]))
        if not said:
            return json.loads(reply["text"])
        messages = messages + more(reply["text"], AGAIN.format(problem=said))
    raise ValueError(GIVEN_UP.format(count=ATTEMPTS, problem=said))
