"""Tool calls in, tool results out: validate, dispatch, run concurrently, keep the order.

Every call gets exactly one result, in call order, whatever happens. Calls that only read run together; a call that
writes or runs code waits for those before it and holds those after it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import repeat
from typing import Any

from agent.contracts import ToolCall, ToolResult, same_call, too_deep
from agent.run import Run
from config import MAX_WORKERS
from functions import Result, ToolError
from functions.misfit import describe, expected, suggestion
from functions.schema import check_arguments
from functions.tool import Catalogue, Resources

CUT = (
    "{name} was not run: the reply hit the token limit before the call was whole, so nothing of it was done. Write a "
    "short skeleton first, then fill it in, in several small calls"
)


def run_calls(calls: Sequence[ToolCall], run: Run) -> list[ToolResult]:
    """Run the calls of one turn and return their results in call order. The run hears of each from the thread that runs
    it, and is asked before whether the call may run: if not, why not is the call's result."""
    results: list[ToolResult] = []
    for batch in batches(calls, run.catalogue):
        ran = run_batch(batch, run)
        for call in batch:
            result = ran[key(call)]
            if result.call is not call:  # the same call again in one message: run once, answered each time
                result = replace(result, call=call, seconds=0.0)
                run.call_started(call)
                run.call_finished(result)
            results.append(result)
    return results


def run_batch(batch: Sequence[ToolCall], run: Run) -> dict[tuple[str, str], ToolResult]:
    """Run calls together, those that are the same once; return the result of each by its key."""
    distinct: dict[tuple[str, str], ToolCall] = {}
    for call in batch:
        distinct.setdefault(key(call), call)
    # Here and not in a thread: Ctrl-C must reach a person's prompt.
    refusals = [run.refused(call) for call in distinct.values()]
    with ThreadPoolExecutor(max_workers=min(MAX_WORKERS, len(distinct))) as executor:
        try:
            results = executor.map(run_one, distinct.values(), refusals, repeat(run))
            return dict(zip(distinct, results, strict=True))
        except BaseException:  # Ctrl-C: stop what runs, or leaving the executor would wait for it
            cancel(run.resources)
            raise


def run_one(call: ToolCall, refusal: str | None, run: Run) -> ToolResult:
    """Run one call and tell the run of it; where it is refused or known already, that is its result."""
    run.call_started(call)
    known = run.known.result(call, run) if run.known else None
    refused = ToolResult(call, ToolError(refusal), False, 0.0) if refusal else None
    result = known or refused or run_call(call, run.catalogue, run.resources)
    for hook in () if refused else run.hooks:
        heard = hook.after_call(result, run)
        result = known or heard  # a result that is known has what a hook adds to it already
    run.call_finished(result)
    return result


def cancel(resources: Resources) -> None:
    """Tell every resource that can be stopped to stop what is under way."""
    for value in resources.values():
        if stop := getattr(value, "cancelled", None):
            stop.set()


def batches(calls: Sequence[ToolCall], catalogue: Catalogue) -> Iterator[list[ToolCall]]:
    """Split the calls, in order, into batches that may run together."""
    batch: list[ToolCall] = []
    for call in calls:
        together = all(map(catalogue.reads_only, [*batch, call]))
        if batch and not together and key(call) != key(batch[-1]):
            yield batch
            batch = []
        batch.append(call)
    if batch:
        yield batch


def key(call: ToolCall) -> tuple[str, str]:
    """What makes two calls the same."""
    return same_call(call.name, call.arguments)


def run_call(call: ToolCall, catalogue: Catalogue, resources: Resources) -> ToolResult:
    """Validate and run one call; whatever goes wrong becomes a result that says what would be right."""
    began = time.perf_counter()
    content = dispatch(call, catalogue, resources)
    ok = not isinstance(content, ToolError)
    seconds = time.perf_counter() - began
    if isinstance(content, Result):
        return ToolResult(call, str(content), ok, seconds, content.sources, content.verdict)
    return ToolResult(call, str(content), ok, seconds)


def dispatch(call: ToolCall, catalogue: Catalogue, resources: Resources) -> str:
    tool = catalogue.get(call.name)
    if tool is None:
        near = suggestion(call.name, catalogue)
        return ToolError(f"there is no tool {call.name[:80]!r}{near}; the tools are {', '.join(catalogue)}")
    harmless = catalogue.reads_only(call)
    if call.cut and not harmless:  # even when it reads as whole: a server may have closed the brackets itself
        return ToolError(CUT.format(name=call.name))
    try:
        arguments = check_arguments(parse_arguments(call.arguments), tool.parameters)
    except ValueError as problem:
        if call.cut:
            return ToolError(CUT.format(name=call.name))
        return ToolError(f"{call.name} was not run: {problem}. It takes {expected(tool.parameters)}")
    try:
        return tool.function(*([resources[tool.resource]] if tool.resource else []), **arguments)
    except Exception as error:  # a defect of the tool is still one result for the model, and never stops the others
        said = (error.strerror or error) if isinstance(error, OSError) else error  # which names no path of this system
        return ToolError(f"{call.name} failed unexpectedly ({type(error).__name__}: {said}); try another way")


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
