import json

ATTEMPTS = 2
CUT = "it was cut off by the token limit; say it in fewer words"
KINDS = {"string": (str,), "integer": (int,), "boolean": (bool,), "array": (list, tuple)}


class Shape:
    def __init__(self, schema):
        self.schema, self.fields = schema, schema["properties"]

    @property
    def format(self):
        return {"type": "json_schema", "json_schema": {"name": "shape", "strict": True, "schema": self.schema}}

    def wrong_field(self, name, field, data):
        if name not in data:
            return f"the field {name} is missing"
        if type(data[name]) not in KINDS[field["type"]]:
            choices = field.get("enum")
            return f"the field {name} must be {choices or field['type']}"
        if data[name] not in field.get("enum", (data[name],)):
            return f"the field {name} may be {', '.join(str(each) for each in field['enum'])}"
        return None

    def problem(self, text):
        try:
            data = json.loads(text)
        except Exception as error:
            return f"JSON is wanted; {error}"
        if not isinstance(data, dict):
            return "a JSON object is wanted"
        return next(filter(None, (self.wrong_field(*each, data) for each in self.fields.items())), "")


def problem(text, schema):
    return Shape(schema).problem(text)


def answer(ask, messages, schema, wrong):
    shape, problems = Shape(schema), []
    messages = messages.copy()
    while len(problems) < ATTEMPTS:
        reply = ask(messages, shape.format)
        text = reply["text"]
        if reply["refusal"]:
            raise ValueError("refusal: " + reply["refusal"])
        problems.append(CUT if reply["finish_reason"] == "length" else shape.problem(text))
        if not problems[-1]:
            problems[-1] = wrong(json.loads(text))
        if not problems[-1]:
            return json.loads(text)
        messages += [{"role": "assistant", "content": text}, {"role": "user", "content": "Again. " + problems[-1]}]
    raise ValueError(f"after {len(problems)} attempts: {problems[-1]}")
