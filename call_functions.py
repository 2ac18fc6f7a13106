"""Tool calls in, tool results out: validate, dispatch, run concurrently, keep the order.

Every call gets exactly one result, in call order, whatever happens. Calls that only read run together; a call that
writes or runs code waits for those before it and holds those after it.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from agent.contracts import ToolCall, ToolResult, too_deep
from config import MAX_WORKERS
from functions import ToolError
from list_functions import TOOLS, Tool
from sandbox.files.root import Root

CUT_FINISH = ("length", "MAX_TOKENS")  # what the two wires call a reply that hit the token limit
CUT = (
    "{name} was not run: the reply hit the token limit before the call was whole, so nothing of it was done. Write a "
    "short skeleton first, then fill it in with edit_file, in several small calls"
)
AS_TEXT = (
    "{name} was not run: it was written as text. Call it through the tool interface instead, with these arguments: "
    "{expected}. Do not write calls into your answer"
)


def run_calls(
    calls: Sequence[ToolCall],
    working_directory: str | Path | Root,
    on_start: Callable[[ToolCall], None] = lambda call: None,
    on_finish: Callable[[ToolResult], None] = lambda result: None,
    approve: Callable[[ToolCall], str | None] = lambda call: None,
) -> list[ToolResult]:
    """Run the calls of one turn and return their results in call order.

    `on_start` and `on_finish` hear of each call from the thread that runs it. `approve` is asked before a call that
    writes or runs code; what it returns, if anything, is why the call does not run, and becomes its result.
    """

    refused: dict[tuple[str, str], str | None] = {}

    def run(call: ToolCall) -> ToolResult:
        on_start(call)
        why = refused.get(key(call))
        result = ToolResult(call, ToolError(why), False, 0.0) if why else run_call(call, working_directory)
        on_finish(result)
        return result

    results: list[ToolResult] = []
    for batch in batches(calls):
        distinct = {key(call): call for call in reversed(batch)}
        # Here and not in a thread: Ctrl-C must reach a person's prompt.
        refused = {name: approve(call) for name, call in distinct.items() if not reads_only(call)}
        with ThreadPoolExecutor(max_workers=min(MAX_WORKERS, len(distinct))) as executor:
            try:
                ran = dict(zip(distinct, executor.map(run, distinct.values()), strict=True))
            except BaseException:  # Ctrl-C: stop what runs, or leaving the executor would wait for it
                if isinstance(working_directory, Root):
                    working_directory.cancelled.set()
                raise
        for call in batch:
            result = ran[key(call)]
            if result.call is not call:  # the same call again in one message: run once, answered each time
                result = ToolResult(call, result.content, result.ok, 0.0)
                on_start(call)
                on_finish(result)
            results.append(result)
    return results


def batches(calls: Sequence[ToolCall]) -> Iterator[list[ToolCall]]:
    """Split the calls, in order, into batches that may run together."""
    batch: list[ToolCall] = []
    for call in calls:
        together = reads_only(call) and all(reads_only(other) for other in batch)
        if batch and not together and key(call) != key(batch[-1]):
            yield batch
            batch = []
        batch.append(call)
    if batch:
        yield batch


def reads_only(call: ToolCall) -> bool:
    return call.name not in TOOLS or TOOLS[call.name].reads_only


def key(call: ToolCall) -> tuple[str, str]:
    """What makes two calls the same: the name and the arguments."""
    arguments = call.arguments
    return call.name, arguments if isinstance(arguments, str) else json.dumps(arguments, sort_keys=True, default=str)


def run_call(call: ToolCall, working_directory: str | Path | Root) -> ToolResult:
    """Validate and run one call; whatever goes wrong becomes a result that says what would be right."""
    began = time.perf_counter()
    content = dispatch(call, working_directory)
    ok = not isinstance(content, ToolError)
    return ToolResult(call, without_path(content, working_directory), ok, time.perf_counter() - began)


def without_path(content: str, working_directory: str | Path | Root) -> str:
    """Take the absolute path of the working directory out of a result, such as a traceback: it is not the model's."""
    path = working_directory.path if isinstance(working_directory, Root) else Path(working_directory).resolve()
    return content.replace(f"{path}{os.sep}", "").replace(str(path), ".")


def dispatch(call: ToolCall, working_directory: str | Path | Root) -> str:
    tool = TOOLS.get(call.name)
    if tool is None:
        near = suggestion(call.name, TOOLS)
        return ToolError(f"there is no tool {call.name[:80]!r}{near}; the tools are {', '.join(TOOLS)}")
    if call.cut and not tool.reads_only:  # even when it reads as whole: a server may have closed the brackets itself
        return ToolError(CUT.format(name=call.name))
    if call.as_text and not tool.reads_only:
        return ToolError(AS_TEXT.format(name=call.name, expected=expected(tool)))
    try:
        arguments = parse_arguments(call.arguments)
        check_arguments(arguments, tool)
    except ValueError as problem:
        if call.cut:
            return ToolError(CUT.format(name=call.name))
        return ToolError(f"{call.name} was not run: {problem}. It takes {expected(tool)}")
    try:
        return tool.function(working_directory, **arguments)
    except Exception as error:  # a defect of the tool is still one result for the model, and never stops the others
        return ToolError(f"{call.name} failed unexpectedly ({type(error).__name__}: {error}); try another way")


def is_cut(finish_reason: str) -> bool:
    """Whether a reply ended because it hit the token limit, on either wire."""
    return finish_reason in CUT_FINISH


def parse_arguments(arguments: str | Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments as a mapping. Raises ValueError for anything but one JSON object; nothing is repaired."""
    if isinstance(arguments, str):
        arguments = parse_text(arguments)
    if too_deep(arguments):
        raise ValueError("its arguments are nested too deeply")
    try:
        json.dumps(arguments, ensure_ascii=False).encode()
    except UnicodeEncodeError:  # JSON can spell half of a character (\ud800), and no file can hold it
        raise ValueError("its arguments hold a lone surrogate, which is not a character") from None
    return dict(arguments)


def parse_text(arguments: str) -> dict[str, Any]:
    """Return the JSON object that stands in a text; nothing at all counts as an empty one."""
    if not arguments.strip():
        return {}
    try:
        parsed = json.loads(arguments, parse_constant=refuse_constant, object_pairs_hook=refuse_duplicates)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"its arguments are not valid JSON ({error.msg} at line {error.lineno} column {error.colno})"
        ) from None
    except RecursionError:
        raise ValueError("its arguments are nested too deeply") from None
    if not isinstance(parsed, dict):
        raise ValueError(f"its arguments are {describe(parsed)} where a JSON object is needed")
    return parsed


def refuse_constant(name: str) -> None:
    raise ValueError(f"its arguments hold {name}, which is not JSON")


def refuse_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) != len(pairs):
        raise ValueError("its arguments name the same parameter twice")
    return mapping


def check_arguments(arguments: dict[str, Any], tool: Tool) -> None:
    """Raise ValueError, naming the parameter, when the arguments do not fit the tool's schema."""
    parameters = tool.schema["parameters"]
    properties = parameters["properties"]
    for name in arguments:
        if name not in properties:
            raise ValueError(f"it has no parameter {name!r}{suggestion(name, properties)}")
    for name in parameters["required"]:
        if name not in arguments:
            raise ValueError(f"it needs {name!r}")
    for name, value in arguments.items():
        wanted = properties[name]
        if wanted["type"] == "integer" and isinstance(value, float) and value.is_integer():
            arguments[name] = value = int(value)  # JSON has one kind of number, and Gemini's wire makes it 3.0
        if not fits(value, wanted):
            raise ValueError(f"{name!r} is {describe(value)} where {describe_type(wanted)} is needed")


def fits(value: Any, schema: dict[str, Any]) -> bool:
    if isinstance(value, bool) or schema["type"] == "boolean":
        return isinstance(value, bool) and schema["type"] == "boolean"
    if schema["type"] == "array":
        return isinstance(value, list) and all(fits(item, schema["items"]) for item in value)
    return isinstance(value, {"string": str, "integer": int}[schema["type"]])


def describe(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return "null" if value is None else str(value).lower()
    names = {str: "text", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return names.get(type(value), type(value).__name__)


def describe_type(schema: dict[str, Any]) -> str:
    if schema["type"] == "array":
        return "a list of strings"
    return {"string": "a string", "integer": "a whole number", "boolean": "true or false"}[schema["type"]]


def suggestion(name: str, valid: Mapping[str, Any]) -> str:
    """Name the valid choice that comes closest, if one is close."""
    near = get_close_matches(name.lower().replace(".", "_")[:80], list(valid), n=1, cutoff=0.6)
    return f" (did you mean {near[0]!r}?)" if near else ""


def expected(tool: Tool) -> str:
    """Show the shape that a call must have."""
    parameters = tool.schema["parameters"]
    parts = [
        f'"{name}": {describe_type(schema)}{"" if name in parameters["required"] else " (optional)"}'
        for name, schema in parameters["properties"].items()
    ]
    return "{" + ", ".join(parts) + "}"
