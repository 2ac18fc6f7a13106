import json


class Explanation:
    LIMIT = 100

    def __init__(self, tool):
        self.tool = tool
        self.parts = []

    def say(self, what):
        self.parts.append(what)
        return self

    def parameters(self):
        schema = self.tool["parameters"]
        for name, prop in schema["properties"].items():
            self.say(f"- {name}, type {prop['type']}, {'required' if name in schema['required'] else 'not required'}")
        return self

    def sent(self, arguments):
        return self.say("You sent " + json.dumps(arguments, ensure_ascii=False)[: self.LIMIT])

    def __str__(self):
        return "\n".join(self.parts)


def explain(error, tool, arguments):
    return str(Explanation(tool).say(f"Error: {error} ({tool['name']})").parameters().sent(arguments))
