"""How the operator helps a small model: it is shown what there is, a question is answered from that, and what changes
something is called as the order says, for what it names, once.

Measured with Qwen2.5-Coder 1.5B and "restart every degraded service": shown nothing it restarted "service1"; shown the
list of the services it restarted all eight, twice.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from agent.contracts import NOTE, ToolCall, ToolResult, same_call
from agent.gates import Gate
from agent.mechanisms import Idle, InWords, parts_for
from agent.run import Run
from agent.setup import Help, Hook
from config import Settings
from functions.tool import Tool
from jobs.first_look import Calls, looks_anew, made_for, make_calls, most_calls

MECHANISMS = ("opening", "idle", "done", "protect")
OF_A_SERVER = re.compile(r"\w+?__.+")
LISTS = re.compile(r"list|status|state|overview|health", re.IGNORECASE)
PARTS = re.compile(r"(?<=[.!?;])\s+|,?\s+but\s+|\n+", re.IGNORECASE)  # one may deny what another orders
CONDITION = re.compile(r"\b(?:if|unless|when|whenever|while|until|once|after|before|in case)\b", re.IGNORECASE)
ANSWER = NOTE + "This is what the servers say:\n\n{read}\n\nAnswer in plain text, from this alone: {prompt}"
NO_ANSWER = "The model gave no answer. What was asked for it stands in the trace of this run."
ANOTHER = "the order is about {meant}, and not about {named}."
NOT_SAID = "the order does not say to {verb}; it says what {tools} does."
ONCE = "this was done in turn {turn}, and is not done twice."
LEFT = "What is left to do: {calls}."
NOTHING_LEFT = "All that was ordered is done: answer in plain text what was done."
DENIED = "the order says what not to do, and nothing is changed for it. Answer in plain text, and ask what is wanted."
NO_ORDER = "nothing was ordered, so nothing is changed. Answer the question from what was shown."


def help_for(settings: Settings, run: Run) -> Help | None:
    """Return what this run's model is given, None for one that needs nothing."""
    names = parts_for(settings, run, MECHANISMS)
    if names is None:
        return None
    idle, looks = Idle(left_to_do), only_looks(run.prompt)
    gates: Mapping[str, Gate] = {"idle": idle, "protect": Ordered(), "done": InWords(lambda: not looks)}
    chosen = [gate for name, gate in gates.items() if name in names]
    hooks = [gate for gate in chosen if isinstance(gate, Hook)]
    return Help(chosen, hooks, look_first if "opening" in names else None)


def look_first(context: Any, run: Run) -> None:
    """Ask what there is; for a question also what is known of the things that it names, after which nothing is left but
    to answer, in words."""
    if not looks_anew(run):
        return
    lists = listed(run)[: most_calls(run)]
    if not only_looks(run.prompt):
        make_calls(context, run, lists)
        return
    results = made_for(context, run, lists) if lists else []
    looks = list(told_of(run))[: most_calls(run)]
    results += made_for(context, run, looks) if looks else []
    if looks:
        run.answer_due = NO_ANSWER
    if results:
        read = "\n\n".join(f"{each.call.name} {json.dumps(each.call.readable)}:\n{each.content}" for each in results)
        context.append(context.wire.user_message(ANSWER.format(read=read, prompt=run.prompt)))


def only_looks(prompt: str) -> bool:
    """Whether a prompt asks to see something: then nothing is changed for it."""
    from offline.operator.orders import looks_for

    return looks_for(prompt)


def listed(run: Run) -> Calls:
    """The calls of the servers' tools that by their names list or tell a state, and need no argument."""
    return [(name, {}) for name, tool in looking(run) if LISTS.search(name) and not needed(tool)]


def told_of(run: Run) -> Iterator[tuple[str, dict[str, str]]]:
    """The calls of those that need one name, for each thing that the prompt names."""
    for name in named(run):
        for tool_name, tool in looking(run):
            if len(needed(tool)) == 1:
                yield tool_name, {needed(tool)[0]: name}


def named(run: Run) -> list[str]:
    """The things seen whose names stand in the prompt."""
    words = set(re.findall(r"[\w.:/@-]*\w", run.prompt.casefold()))
    return [name for name in names_of(seen(run)) if name.casefold() in words]


def looking(run: Run) -> Iterator[tuple[str, Tool]]:
    """The servers' tools that only read: as a server that is trusted says, or as every word of the name does. Such a
    call passes the same gates as one of the model's own."""
    from offline.operator.menu import Offered

    for name, tool in run.catalogue.items():
        if OF_A_SERVER.fullmatch(name) and (tool.reads_only is True or Offered(name, "", {}).looks):
            yield name, tool


def needed(tool: Tool) -> list[str]:
    return list(tool.parameters.get("required", ()))


class Ordered(Gate, Hook):
    """What changes something is called as the order says, for what it names or selects, and once."""

    def after_call(self, result: ToolResult, run: Run) -> ToolResult:
        left = left_to_do(run, result.call) if result.ok and changes(result.call.name, run) else ""
        return replace(result, content=f"{result.content}\n\n{left}") if left else result

    def action(self, call: ToolCall, run: Run) -> str | None:
        if call.name not in run.catalogue or not changes(call.name, run):
            return None
        if only_looks(run.prompt):
            return NO_ORDER
        if denied(call, run):
            return DENIED
        why = done_before(call, run) or another_verb(call.name, run) or another_thing(call, run)
        return f"{why} {left_to_do(run)}".strip() if why else None


def changes(name: str, run: Run) -> bool:
    """Whether a name is that of a server's tool that may change something."""
    return bool(OF_A_SERVER.fullmatch(name)) and name not in dict(looking(run))


def denied(call: ToolCall, run: Run) -> bool:
    """Whether every part of the prompt that names what a call is for denies something ("do not restart billing"); where
    none names it, whether any part does."""
    from offline.operator.menu import short_of
    from offline.operator.orders import denies
    from offline.operator.words import words_of

    does = words_of(short_of(call.name))[:1]  # "stop" denies nothing where that is what the tool does
    said = re.sub(rf"\b{does[0]}\b", "do", run.prompt, flags=re.IGNORECASE) if does else run.prompt
    parts = [part for part in PARTS.split(said) if part.strip()]
    values = [str(value) for value in call.readable.values()] if isinstance(call.readable, Mapping) else []
    naming = [
        part for part in parts if any(re.search(rf"(?<![\w-]){re.escape(value)}(?![\w-])", part) for value in values)
    ]
    return all(map(denies, naming)) if naming else any(map(denies, parts))


def left_to_do(run: Run, just: ToolCall | None = None) -> str:
    """What an order is still for, as calls, `just` this one made; where that is nothing the answer is due.
    "" where it cannot be told, or where the order is for more than one tool."""
    from offline.operator.menu import NAMES
    from offline.operator.words import words_of

    ordered, meant = tools_ordered(run), things_meant(run)
    if CONDITION.search(run.prompt):  # whether it holds is the model's to see
        return ""
    if len(ordered) != 1 or not meant or skills_read(run) or not {*words_of(ordered[0].entity.lower())} & NAMES:
        return ""  # whom to notify, and of what, is in other words
    calls = [(each["name"], each["arguments"]) for each in made(run)] + ([(just.name, just.readable)] if just else [])
    done = {(name, value) for name, arguments in calls for value in arguments.values() if value in meant}
    left = [f"{ordered[0].name} for {thing}" for thing in meant if not any((o.name, thing) in done for o in ordered)]
    if left:
        return LEFT.format(calls=", ".join(left))
    run.answer_due = f"{ordered[0].short} was called for {', '.join(meant)}."
    return NOTHING_LEFT


def made(run: Run) -> list[dict[str, Any]]:
    """The calls that have succeeded, and that changed something."""
    looks = dict(looking(run))
    return [each for each in run.trajectory if each["name"] not in looks and each["status"] == "completed"]


def done_before(call: ToolCall, run: Run) -> str:
    same = same_call(call.name, call.readable)
    turns = [each["turn"] for each in made(run) if same_call(each["name"], each["arguments"]) == same]
    return ONCE.format(turn=turns[0]) if turns else ""


def tools_ordered(run: Run) -> list[Any]:
    """The tools that change something and whose verb, or one that means the same, stands in the order."""
    from offline.operator.menu import menu_of
    from offline.operator.words import stems

    said = stems(run.prompt)
    menu = menu_of({name: tool.schema for name, tool in run.catalogue.ever.items()})
    return [tool for tool in menu if not tool.looks and tool.verbs & said]


def another_verb(name: str, run: Run) -> str:
    """Why a tool is not called where the order says, in its words, what another does."""
    from offline.operator.menu import short_of

    ordered = [tool.name for tool in tools_ordered(run)]
    if short_of(name) in skills_read(run):  # a skill may take more than the order says: to scale before a restart
        return ""
    verb = short_of(name).replace("_", " ")
    return NOT_SAID.format(verb=verb, tools=" or ".join(ordered)) if ordered and name not in ordered else ""


def skills_read(run: Run) -> str:
    """What the skills say that were read in this run."""
    return "\n".join(str(each["result"]) for each in run.trajectory if each["name"] == "read_skill")


def another_thing(call: ToolCall, run: Run) -> str:
    """Why a call is not made for a thing that the order neither names nor selects; "" where that cannot be told."""
    values = call.readable.values() if isinstance(call.readable, Mapping) else ()
    meant, there = things_meant(run), names_of(seen(run))
    odd = [value for value in values if isinstance(value, str) and value in there and value not in meant]
    return ANOTHER.format(meant=" and ".join(meant), named=", ".join(odd)) if meant and odd else ""


def things_meant(run: Run) -> list[str]:
    """What of all that was seen an order names; where it names none, what it selects ("every degraded service")."""
    from offline.operator.records import chosen, selects

    records = seen(run)
    return named(run) or (names_of(chosen(records, run.prompt)) if selects(records, run.prompt) else [])


def seen(run: Run) -> list[dict[str, Any]]:
    """The records of the first look: what was there before anything was changed."""
    from offline.operator.records import records_of

    looks = dict(looking(run))
    looked = [each for each in run.trajectory if each["name"] in looks and each["status"] == "completed"]
    return records_of(str(looked[0]["result"])) if looked else []


def names_of(records: Iterable[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(str(record["name"]) for record in records if "name" in record))
