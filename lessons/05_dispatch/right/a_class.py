import json

ROOT = "."
TOOLS = {}


class Call:
    def __init__(self, name: str, raw: str) -> None:
        self.name = name
        self.raw = raw

    @property
    def tool(self):
        try:
            return TOOLS[self.name]
        except KeyError:
            raise LookupError(f"no tool named {self.name!r}; choose one of {sorted(TOOLS)}") from None

    @property
    def arguments(self) -> dict:
        arguments = json.loads(self.raw) if self.raw else {}
        if not isinstance(arguments, dict):
            raise TypeError(f"an object is wanted, not {arguments!r}")
        return arguments

    def __call__(self) -> str:
        return self.tool(ROOT, **self.arguments)


def call_tool(name, raw_arguments):
    try:
        return Call(name, raw_arguments)()
    except Exception as problem:
        return f"Error: {type(problem).__name__}: {problem}"
