"""One line of a trace, believed only where it has the form that docs/trace-format.md gives its kind.

A trace is read long after it was written, by other versions, and a kill, a disk or an editor may have damaged it. What
is not whole is passed over here, in one place, so that no reader of a run has to look twice at what it takes out.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from functions.schema import check_arguments

Schema = dict[str, Any]


def _object(needs: str = "", /, **properties: Schema) -> Schema:
    """An object that has at least what it `needs`; what it does not know may be anything."""
    return {"type": "object", "properties": properties, "required": needs.split(), "additionalProperties": True}


def _list(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _or_null(schema: Schema) -> Schema:
    return {**schema, "nullable": True}


def _a(kind: str) -> Schema:
    return {"type": kind}


TEXT, WHOLE, NUMBER, TRUTH, OBJECT = map(_a, ("string", "integer", "number", "boolean", "object"))
CALL = _object("id name arguments", id=TEXT, name=TEXT)
RESULT = _object("name content ok", name=TEXT, content=TEXT, ok=TRUTH)
MESSAGE = _object(role=TEXT, parts=_or_null(_list(OBJECT)), tool_calls=_or_null(_list(_object(id=TEXT))))
TOKENS = _object("input output", input=_or_null(WHOLE), output=_or_null(WHOLE))
VERDICT = _object("line failing", line=TEXT, failing=_list(TEXT))
TAKEN = _object(
    "id name arguments status",
    **dict.fromkeys(("id", "name", "status"), TEXT),
    turn=WHOLE,
    result=_or_null(TEXT),
    seconds=_or_null(NUMBER),
)
ENTRIES = {
    "user": _object("text", text=TEXT),
    "model": _object(
        "text calls", text=TEXT, calls=_list(CALL), native=_object("wire message", wire=TEXT, message=MESSAGE)
    ),
    "results": _object("results", results=_list(RESULT)),
}
KINDS = {
    "run": _object(
        **dict.fromkeys(("prompt", "provider", "working_directory", "undoes", "system_prompt", "job"), TEXT),
        began=NUMBER,
        settings=OBJECT,
        tools=_list(_object(name=TEXT)),
        forked=_object("from step", **{"from": TEXT, "step": WHOLE}),
    ),
    "continued": _object("conversation"),
    "started": _object("model", model=TEXT),
    "message": _object("number message", number=WHOLE, message=MESSAGE),
    "asking": _object("turn", turn=WHOLE),
    "request": _object(
        "wire history set unset messages",
        **dict.fromkeys(("wire", "history"), TEXT),
        set=OBJECT,
        unset=_list(TEXT),
        messages=_list(_list(WHOLE)),
    ),
    "text": _object("text", text=TEXT),
    "thought": _object("text", text=TEXT),
    "replied": _object(
        "text calls usage finish_reason",
        text=TEXT,
        calls=_list(CALL),
        usage=TOKENS,
        finish_reason=TEXT,
        message=_or_null(WHOLE),
        fault=TEXT,
    ),
    "call_started": _object("call", call=CALL),
    "call_finished": _object(
        "id content ok seconds",
        id=TEXT,
        content=TEXT,
        ok=TRUTH,
        seconds=NUMBER,
        sources=_list({"type": "array"}),
        verdict=VERDICT,
    ),
    "sandbox": _object(line=TEXT),
    "try": _object("number", number=WHOLE),
    "kept": _object("number", number=WHOLE),
    "notice": _object("text", text=TEXT),
    "error": _object("text", text=TEXT),
    "finished": _object(
        "result",
        result=_object(
            "answer stop_reason turns",
            **dict.fromkeys(("answer", "stop_reason", "provider", "model", "sandbox", "job"), TEXT),
            turns=WHOLE,
            seconds=NUMBER,
            tokens=TOKENS,
            errors=_list(TEXT),
            tool_calls=_list(TAKEN),
            sources=_list(_object("path lines", path=TEXT, lines=_list(_list(WHOLE)))),
            report=_or_null(OBJECT),
        ),
    ),
}
CONVERSATION = _object("entries", entries=_list(_object("role", role=TEXT)))
EVERY = _object("kind", kind=TEXT, at=NUMBER, turn=WHOLE)


def event_in(line: bytes) -> dict[str, Any] | None:
    """The event that a line of a trace holds; None for one that is not whole, or no event of its kind."""
    try:
        event = json.loads(line)
        check_arguments(event, EVERY)
        check_arguments(event, KINDS.get(event["kind"], EVERY))
        if not all(isinstance(call["arguments"], (str, dict)) for call in _calls_of(event)):
            return None
        if not all(isinstance(path, str) and _ranges(lines) for path, lines in _sources_of(event)):
            return None
        if event["kind"] == "message" and not isinstance(event["message"].get("content"), (str, list, type(None))):
            return None
        if event["kind"] == "request" and not _ranges(event["messages"]):
            return None
        if event["kind"] == "continued" and not is_conversation(event["conversation"]):
            return None
    except (ValueError, RecursionError, TypeError, KeyError, AttributeError):
        return None
    return event if isinstance(event, dict) else None


def is_conversation(entries: Any) -> bool:
    """Whether this is a list of entries as records/history.py has them."""
    try:
        asked: list[Any] = []
        for entry in check_arguments({"entries": entries}, CONVERSATION)["entries"]:
            check_arguments(entry, ENTRIES[entry["role"]])
            asked = entry["calls"] if entry["role"] == "model" else asked
            if not all(isinstance(call["arguments"], (str, dict)) for call in asked):
                return False
            if entry["role"] == "results" and len(entry["results"]) != len(asked):
                return False
    except (ValueError, TypeError, KeyError, AttributeError):
        return False
    return True


def _ranges(ranges: Any) -> bool:
    return isinstance(ranges, list) and all([type(end) for end in each] == [int, int] for each in ranges)


def _sources_of(event: Mapping[str, Any]) -> Iterator[Any]:
    """What an event's content rests on, as pairs of a path and lines."""
    if event["kind"] == "finished":
        return ((each["path"], each["lines"]) for each in event["result"].get("sources") or ())
    return iter(event.get("sources") or ()) if event["kind"] == "call_finished" else iter(())


def _calls_of(event: Mapping[str, Any]) -> list[Any]:
    """The calls that an event tells of."""
    if event["kind"] == "finished":
        return list(event["result"].get("tool_calls") or ())
    return event["calls"] if event["kind"] == "replied" else [event["call"]] if event["kind"] == "call_started" else []
