from dataclasses import dataclass
from reprlib import Repr


@dataclass(frozen=True, order=True)
class Parameter:
    name: str
    type: str
    required: bool

    def __str__(self) -> str:
        return (
            f"{self.name}: {self.type}{'' if self.required else ' = optional'}{', required' if self.required else ''}"
        )


def explain(error: str, tool: dict, arguments: dict) -> str:
    described = tool["parameters"]
    parameters = [Parameter(n, p["type"], n in described["required"]) for n, p in described["properties"].items()]
    short = Repr()
    short.maxstring = short.maxother = 40
    lines = [
        f"Error: {tool['name']}: {error}",
        f"sent: {short.repr(arguments)[:120]}",
        "wanted:",
        *map(str, parameters),
    ]
    return "\n".join(lines)
