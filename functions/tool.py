"""What the dispatcher, the gates, the terminal and undo know of a tool: what it says of itself, and nothing else.

A tool's file ends in `TOOL = Tool(...)`; one that is only known at run time (an MCP server's) is the same value, made
then.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from functions.schema import SchemaError, check_schema

Arguments = Mapping[str, Any]
Resources = Mapping[str, Any]  # what the tools of a run hold, by name: "root" is the working directory


class Call(Protocol):
    """A call as far as a catalogue knows it: the name, and the arguments as data where they are an object."""

    @property
    def name(self) -> str: ...
    @property
    def readable(self) -> Any: ...


@dataclass(frozen=True)
class Tool:
    """A tool: what to call, what it takes, and what it says of itself.

    `function` is called with the `resource` that it holds, by its name among the run's, then the model's arguments;
    with the arguments alone where that is "". `reads_only` is a value, or a function of the arguments, and has no
    default: a tool that says nothing of itself must not pass for harmless. `path` names the parameter that is a path.
    `verifies`: running it counts as a look at what was changed. The functions are None where there is nothing to say:
    `change` gives the text that a call is about to replace and what replaces it, `read_on` the note that stands behind
    the beginning of a result when its end had to be left out. What a result rests on stands in the Result.
    """

    name: str
    function: Callable[..., str]
    schema: dict[str, Any]
    reads_only: bool | Callable[[Arguments], bool]
    path: str = ""
    changes_files: bool = False
    verifies: bool = False
    resource: str = "root"
    change: Callable[[Any, Arguments], tuple[str, str]] | None = None
    read_on: Callable[[Arguments, str], str] | None = None

    @property
    def parameters(self) -> dict[str, Any]:
        """The schema of the arguments, an object."""
        parameters: dict[str, Any] = self.schema["parameters"]
        return parameters

    def path_in(self, arguments: object) -> str:
        """The path that a call is about, "" where there is none."""
        path = arguments.get(self.path, "") if self.path and isinstance(arguments, Mapping) else ""
        return path if isinstance(path, str) else ""


class Catalogue(Mapping[str, Tool]):
    """The tools of one run, by name, in the order in which a model is told of them."""

    def __init__(self, tools: Iterable[Tool]) -> None:
        """Raises SchemaError for a schema that the validator does not know, or a name that stands twice."""
        self._tools: dict[str, Tool] = {}
        self.ever: dict[str, Tool] = {}  # what was offered at some time: calls of it stand in the trajectory
        self.replace(tools)

    def replace(self, tools: Iterable[Tool]) -> None:
        """Offer these tools from now on: what a server says at run time may change while the run goes on."""
        checked: dict[str, Tool] = {}
        for tool in tools:
            check_schema(tool.parameters, tool.name)
            if tool.name in checked:
                raise SchemaError(f"two tools have the name {tool.name!r}")
            checked[tool.name] = tool
        self._tools = checked
        self.ever |= checked

    def reads_only(self, call: Call) -> bool:
        """Whether a call changes nothing; one of a tool that does not exist never runs, so it does not. Where it hangs
        on the arguments and they are no object, it may."""
        tool = self._tools.get(call.name)
        if tool is None or isinstance(tool.reads_only, bool):
            return tool is None or bool(tool.reads_only)
        return isinstance(call.readable, Mapping) and tool.reads_only(call.readable)

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)
