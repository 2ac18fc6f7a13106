"""Going on from a step of a run that is kept: its conversation and its files up to there, and what the person changed.

A fork is a run like any other. It begins at the beginning, and takes what is known from the record of its parent
(records/replay.py) until the step; so its own record is whole, and the parent may be deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from agent.contracts import NOTE, TokenUsage
from agent.run import Run
from config import ConfigError
from functions import Verdict
from records.folders import read_events
from records.replay import KnownResult, KnownTurn
from records.steps import CALL, GLASSBOX, MODEL, NOTICE, PERSON, Step, first_line, said, steps_of
from records.undo.load import by_call, load
from records.undo.put_back import put_back

MOST_NAMED = 5  # tools in a message
KEPT = "The branch is kept as "  # before its name: who starts a fork reads it


@dataclass(frozen=True)
class Fork:
    """What a run that goes on from `step` of the run in `parent` begins with. `changed` names what the person changed,
    `stands` is what can be changed at this step, by name."""

    parent: Path
    step: int
    first: Mapping[str, Any]  # the parent's first line
    prompt: str
    system_prompt: str
    model: str
    continued: Mapping[str, Any] | None
    turns: tuple[KnownTurn, ...]
    stands: Mapping[str, Any] = field(default_factory=dict)
    changed: tuple[str, ...] = ()

    def about(self) -> dict[str, Any]:
        """What the fork's own record says of where it comes from."""
        return {"from": self.parent.name, "step": self.step, "turns": len(self.turns), "changed": list(self.changed)}

    def lacks(self, offered: Container[str]) -> str:
        """A sentence on the tools that the parent had and the fork, which is `offered` these, has not; or nothing."""
        gone = [name for name in (str(tool.get("name", "")) for tool in self.first["tools"]) if name not in offered]
        if not gone:
            return ""
        more = f" and {len(gone) - MOST_NAMED} more" if len(gone) > MOST_NAMED else ""
        named = ", ".join(gone[:MOST_NAMED])
        return f"Not here, though the parent had it: {named}{more}. Servers are named again with --mcp."

    def with_changes(self, changes: Mapping[str, Any]) -> Fork:
        """The fork with other things in the place of what stands there. ConfigError for what cannot be changed."""
        forked = self
        for name, value in changes.items():
            if name not in self.stands:
                raise ConfigError(f"at step {self.step} {name!r} cannot be changed, but {', '.join(self.stands)}.")
            if value != self.stands[name]:
                forked = replace(CHANGE[name](forked, value), changed=(*forked.changed, name))
        return forked


def fork_at(parent: Path, number: int) -> Fork:
    """Read what a fork begins with that goes on from a step, counted from 1 as the page counts. Raises ConfigError."""
    events = list(read_events(parent))
    steps = steps_of(events)
    if not 1 <= number <= len(steps):
        raise ConfigError(f"{parent.name} has no step {number}: choose one from 1 to {len(steps)}.")
    first = first_line(events)
    if "tools" not in first or first.get("provider") == "cli":
        raise ConfigError(f"{parent.name} is no run of this agent's own loop, so nothing can go on from its steps.")
    step = steps[number - 1]
    turns = _turns(events, _again(parent))
    before = _turns_before(events, step.turn)
    known = _up_to(turns, steps, number)[before:]
    prompt = next((each.text for each in steps if each.kind == PERSON), str(first.get("prompt", "")))
    fork = Fork(
        parent,
        number,
        first,
        prompt,
        str(first.get("system_prompt", "")),
        next((str(event["model"]) for event in events if event["kind"] == "started"), ""),
        next((event for event in events if event["kind"] == "continued"), None),
        tuple(known),
    )
    return replace(fork, stands=_stands(fork, replace(step, turn=step.turn - before)))


def _turns_before(events: list[dict[str, Any]], turn: int) -> int:
    """How many turns belong to tries before that of a turn; each try began anew, with the same files."""
    before = last = 0
    for event in events:
        if event["kind"] == "try":
            before = last
        elif event["kind"] == "asking":
            last = int(event["turn"])
            if last >= turn:
                break
    return before


def _up_to(turns: list[KnownTurn], steps: list[Step], number: int) -> list[KnownTurn]:
    """The turns that are over by a step, and of the last what there was by then."""
    step = next((each for each in reversed(steps[:number]) if each.kind != NOTICE), steps[number - 1])
    whole = turns[: max(step.turn - 1, 0)]
    if not 0 < step.turn <= len(turns):
        return turns[: step.turn]
    now = turns[step.turn - 1]
    if step.kind == MODEL:
        return [*whole, replace(now, results=(), typed=())]
    if step.kind == CALL:
        results = now.results[: step.calls]
        return [*whole, replace(now, results=results, typed=now.typed if step.calls == len(now.calls) else ())]
    typed = sum(each.kind == PERSON and each.turn == step.turn for each in steps[:number])
    return [*whole, replace(now, typed=now.typed[:typed] if step.kind == PERSON else now.typed)]


def _stands(fork: Fork, step: Step) -> dict[str, Any]:
    stands: dict[str, Any] = {"prompt": fork.prompt, "system prompt": fork.system_prompt}
    if not fork.turns or step.kind in (GLASSBOX, NOTICE) or len(fork.turns) < step.turn:
        return stands
    now = fork.turns[-1]
    if step.kind == MODEL:
        calls = [{"name": call["name"], "arguments": call["arguments"]} for call in now.calls]
        return {"text": now.text, "calls": calls, **stands}
    if step.kind == CALL and now.results:
        return {"result": now.results[-1].content, **stands}
    return {"typed": step.text, **stands} if step.kind == PERSON and now.typed else stands


# ---------------------------------------------------------------- what was


def _turns(events: list[dict[str, Any]], again: Callable[[int], Callable[[Run], None]]) -> list[KnownTurn]:
    return [_turn(part, again) for part in _parts(events) if part["replied"]]


def _parts(events: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """What belongs to each turn, gathered; the fields of a request are kept up as each line changes them."""
    part: dict[str, Any] = {}
    messages: dict[int, Any] = {}
    rest: dict[str, Any] = {}
    ended = 0
    wire = next((event["wire"] for event in events if event["kind"] == "request"), "")  # a run has one
    for event in events:
        kind = event["kind"]
        if kind == "message":
            messages[event["number"]] = event["message"]
            text = None if event.get("only_sent") else said(event["message"])
            if part and part["replied"] and text is not None and not text.startswith(NOTE):
                part["typed"].append(text)
        elif kind == "asking":
            if part:
                yield part
            part = {"replied": None, "request": None, "wire": wire, "thought": "", "results": {}, "typed": []}
        elif kind == "request" and part:
            gone = set(event["unset"])
            rest = {name: value for name, value in {**rest, **event["set"]}.items() if name not in gone}
            part.update(request=(event["history"], rest), thought="")
        elif kind == "thought" and part:
            part["thought"] += event["text"]
        elif kind == "replied" and part:
            part.update(replied=event, native=messages.get(event.get("message", -1)))
        elif kind == "call_finished" and part:
            part["results"][event["id"]] = (ended, event)
            ended += 1
    if part:
        yield part


def _result(ended: Mapping[str, Any], again: Callable[[Run], None]) -> KnownResult:
    sources = [(path, [(first, last) for first, last in lines]) for path, lines in ended.get("sources", ())]
    told = ended.get("verdict")
    verdict = Verdict(told["line"], told["failing"]) if told else None
    return KnownResult(ended["content"], ended["ok"], ended["seconds"], sources, verdict, again)


def _turn(part: Mapping[str, Any], again: Callable[[int], Callable[[Run], None]]) -> KnownTurn:
    event, results = part["replied"], []
    for call in event["calls"]:
        if call["id"] not in part["results"]:
            break  # the run was killed here: the rest is run
        number, ended = part["results"][call["id"]]
        results.append(_result(ended, again(number)))
    return KnownTurn(
        event["text"],
        event["calls"],
        TokenUsage(event["usage"]["input"], event["usage"]["output"]),
        event["finish_reason"],
        event.get("fault", ""),
        part["thought"],
        part["wire"],
        part["native"],
        part["request"],
        tuple(results),
        tuple(part["typed"]),
    )


def _again(parent: Path) -> Callable[[int], Callable[[Run], None]]:
    """By the number of a call among those that ended: what makes its changes to the files once more."""
    kept = load(parent)
    changed = by_call(kept) if kept is not None else {}

    def of(number: int) -> Callable[[Run], None]:
        changes = changed.get(number)
        if kept is None or not changes:
            return lambda run: None

        def make(run: Run) -> None:
            whole = {path: entry for path, entry in changes.items() if entry is None or entry.kept}
            top = run.root.again()
            try:
                failed = put_back(top.fileno(), whole, kept.bytes_of)
            finally:
                top.close()
            for path in sorted({*failed, *(changes.keys() - whole.keys())}):
                run.notice(f"Not as it was then: {path!r}.")

        return make

    return of


# ---------------------------------------------------------------- what is changed


def _last(fork: Fork, **fields: Any) -> Fork:
    return replace(fork, turns=(*fork.turns[:-1], replace(fork.turns[-1], **fields)))


def _with_text(fork: Fork, text: str) -> Fork:
    return _last(fork, text=_a_text("text", text), native=None, thought="")


def _with_calls(fork: Fork, calls: Any) -> Fork:
    """Calls as a list of names and arguments; each gets an id of its own."""
    whole = isinstance(calls, list) and all(
        isinstance(call, dict) and isinstance(call.get("name"), str) and isinstance(call.get("arguments"), (dict, str))
        for call in calls
    )
    if not whole:
        raise ConfigError('calls are a JSON list such as [{"name": "run_tests", "arguments": {"path": "."}}].')
    turn = len(fork.turns)
    named = [{"id": f"fork_{turn}_{number}", **call} for number, call in enumerate(calls, 1)]
    return _last(fork, calls=named, native=None, thought="", finish_reason="")


def _with_result(fork: Fork, content: str) -> Fork:
    *before, last = fork.turns[-1].results
    return _last(fork, results=(*before, replace(last, content=_a_text("result", content))))


def _with_typed(fork: Fork, text: str) -> Fork:
    return _last(fork, typed=(*fork.turns[-1].typed[:-1], _a_text("typed", text)))


def _a_text(name: str, value: Any) -> str:
    if not isinstance(value, str):
        raise ConfigError(f"{name} must be a text.")
    return value.encode("utf-8", "replace").decode()


CHANGE: Mapping[str, Callable[[Fork, Any], Fork]] = {
    "prompt": lambda fork, text: replace(fork, prompt=_a_text("prompt", text)),
    "system prompt": lambda fork, text: replace(fork, system_prompt=_a_text("system prompt", text)),
    "text": _with_text,
    "calls": _with_calls,
    "result": _with_result,
    "typed": _with_typed,
}
