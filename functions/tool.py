"""What a tool is, and what it returns: what the dispatcher, the gates, the terminal and undo know of it, and no more.

A tool's file ends in `TOOL = Tool(...)`; one that is only known at run time (an MCP server's) is the same value, made
then.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from functions.schema import SchemaError, check_schema
from sandbox.files.root import Refusal

Arguments = Mapping[str, Any]
Resources = Mapping[str, Any]  # what the tools of a run hold, by name: "root" is the working directory
Lines = list[tuple[int, int]]  # ranges of lines, first and last, counted from 1
Sources = Sequence[tuple[str, Lines]]  # what a text rests on: paths (or endpoints, or addresses), and lines of them

LARGEST_COMPILED = 500_000  # characters
OF_TESTS = re.compile(r"^(?:(\d+) of|All) (\d+) tests (failed|passed)")  # unittest's (sandbox/running/reports.py)
ENDS = re.compile(r"\b(\d+) (passed|failed|error)")  # pytest's


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

    def needs(self, resource: str) -> bool:
        """Whether one of the tools holds this."""
        return any(tool.resource == resource for tool in self.values())

    def __getitem__(self, name: str) -> Tool:
        return self._tools[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tools)

    def __len__(self) -> int:
        return len(self._tools)


class Verdict(NamedTuple):
    """A result as a person wants to see it at once: one line, and what is wrong, a line each."""

    line: str
    failing: list[str]

    @property
    def names(self) -> frozenset[str]:
        """What fails, without why."""
        return frozenset(each.split("  ")[0] for each in self.failing)

    @property
    def counted(self) -> tuple[int, int]:
        """How many tests passed, and how many were run, of unittest's line or pytest's; (0, 0) where none could be."""
        if said := OF_TESTS.search(self.line):
            return max(0, int(said[2]) - int(said[1] or 0)) if said[3] == "failed" else int(said[2]), int(said[2])
        ends = {end: int(count) for count, end in ENDS.findall(self.line)}
        return ends.get("passed", 0), sum(ends.values())


class Result(str):
    """What a tool returns: the text for the model, and beside it what nobody should read out of that text again.

    `sources` are the files and lines that it rests on, `verdict` what a person should see of it at once.
    """

    sources: Sources
    verdict: Verdict | None

    def __new__(cls, text: str, sources: Sources = (), verdict: Verdict | None = None) -> Result:
        result = super().__new__(cls, text)
        result.sources, result.verdict = sources, verdict
        return result


class ToolError(str):
    """A failure as text: begins with "Error: ", and tells the model what to do instead. It rests on nothing."""

    __slots__ = ()

    def __new__(cls, sentence: object) -> ToolError:
        return super().__new__(cls, f"Error: {sentence}")


def lines_of(text: str, first: int = 1) -> Lines:
    """The lines that a text fills from `first` on, none for an empty one; a line feed at its end begins no line."""
    count = text.count("\n") + (not text.endswith("\n")) if text else 0
    return [(first, first + count - 1)] if count else []


def must_compile(path: str, before: str, after: str, line: int = 0) -> None:
    """Raise Refusal where a Python file that compiled would not any more: it says what is wrong, where, and what the
    file has at `line`, where the change was to be made. Nothing is run."""
    problem = _syntax_error(after) if path.endswith(".py") and len(after) <= LARGEST_COMPILED else None
    if problem and before.strip() and _syntax_error(before) is None:
        from functions.uncompiled import would_not_compile

        raise Refusal(would_not_compile(path, before, after, line, problem), "syntax")


def _syntax_error(text: str) -> SyntaxError | None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(text, "<text>", "exec", dont_inherit=True)
        except SyntaxError as error:
            return error
        except (ValueError, RecursionError, MemoryError, OverflowError):  # it cannot be told here
            return None
    return None
