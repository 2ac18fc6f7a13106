"""The operator's mind: picks among tools it has never seen, by the words of the task, and follows a skill's steps.

It is no language model. It matches words with the names, descriptions and parameters of the tools that the request
offers, takes arguments from the task and from earlier results, and says what it cannot. A tool that changes something
is only called when its verb was said.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Generator, Sequence
from typing import Any

from offline.operator.menu import Offered, best, menu_of, short_of, unknown_verb
from offline.operator.records import chosen, field_asked_for, meets, records_of, selects, shown
from offline.operator.words import Clause, clauses_of, stems
from offline.wire.conversation import Call, Conversation, Decision, Step, Think

TOOLS = frozenset(("read_skill", "*__*"))
MOST_CHECKED = 5  # services that are looked at again after a change
LONGEST = 3_000  # characters of a result that are given back as the answer

CANNOT = (
    "I can't do that with the tools that I have: {why}. I am Glassbox's built-in model, a small program that matches "
    "words with tools. The tools are: {tools}. Say it with the words of one of them, or ask a language model: start LM "
    "Studio, or set GEMINI_API_KEY."
)
NONE_FITS = "None of them fits, so nothing was changed."
STOPPED = "I was not allowed another step, so I stopped before I was done."
SKILL = re.compile(r"^- ([a-z0-9]+(?:-[a-z0-9]+)*): (.*)$", re.MULTILINE)
STEP = re.compile(r"^\s*\d+[.)]\s+(.*(?:\n(?!\s*(?:\d+[.)]|#|$)).*)*)", re.MULTILINE)
CONDITION = re.compile(
    r"\bif\s+(?:the\s+|its\s+)?`?(\w+)`?\s+(?:is|are)\s+"
    r"(less than|fewer than|below|more than|above|at least|not)?\s*`?([\w.]+)",
    re.IGNORECASE,
)

Plan = Generator[list[Call], list[Step], str]


def decide(conversation: Conversation, think: Think, cancelled: threading.Event) -> Decision:
    """Play the plan again over the steps that were made, and return the calls that come next, or the answer."""
    menu = menu_of(conversation.schemas)
    plan, left = plan_for(conversation, menu), list(conversation.steps)
    try:
        wanted = next(plan)
        while len(left) >= len(wanted):
            made, left = left[: len(wanted)], left[len(wanted) :]
            wanted = plan.send(made)
    except StopIteration as end:
        return Decision(end.value)
    return Decision("", tuple(wanted)) if conversation.tools else Decision(STOPPED)


def plan_for(conversation: Conversation, menu: Sequence[Offered]) -> Plan:
    skill = skill_for(conversation)
    if skill:
        (read,) = yield [Call("read_skill", {"name": skill})]
        if not menu:
            return f"I have no tools to do it with. This is how the skill {skill} says it is done:\n\n{read.result}"
        if not read.failed:
            return (yield from follow(read.result, Clause(conversation.prompt), menu))
    if not menu:
        return cannot("there are none", menu)
    said: list[str] = []
    before: list[dict[str, Any]] = []
    for clause in clauses_of(conversation.prompt, {verb for tool in menu for verb in tool.verbs}):
        said.append((yield from do(clause, menu, before)))
    return "\n".join(filter(None, said))


def skill_for(conversation: Conversation) -> str:
    """The skill whose name is said in the task, word for word or in another form; "" where none is."""
    if "read_skill" not in conversation.schemas:
        return ""
    words = stems(conversation.prompt)
    _, _, listed = conversation.system.partition("read_skill")
    fitting = [name for name, _ in SKILL.findall(listed) if stems(name.replace("-", " ")) <= words]
    return max(fitting, key=len, default="")


def do(clause: Clause, menu: Sequence[Offered], before: list[dict[str, Any]]) -> Plan:
    """Do one clause of the task; return what there is to say about it. `before` are the records seen so far."""
    if verb := unknown_verb(clause, menu):
        return cannot(f"none of them can {verb}", menu)
    tool = best(clause, menu)
    if tool is None:
        return cannot("no tool fits what you ask", menu)
    if tool.looks:
        return (yield from look(clause, tool, menu, before))
    found = yield from targets(clause, tool, menu, before)
    if isinstance(found, str):
        return found
    calls = [{**tool.fill(clause, [target, *before]), **named_by(tool, target)} for target in found]
    if missing := next((names for names in (tool.missing(arguments) for arguments in calls) if names), None):
        return cannot(f"{tool.short} needs {', '.join(missing)}, and the task does not say", menu)
    done = yield [Call(tool.name, arguments) for arguments in calls]
    checks = yield from check(tool, calls, menu) if not any(step.failed for step in done) else nothing()
    return "\n".join([*(told(step) for step in done), *checks])


def targets(clause: Clause, tool: Offered, menu: Sequence[Offered], before: list[dict[str, Any]]) -> Plan:
    """Return the records that a change is for: one that is empty where the task names it, or those that are chosen by
    what they are ("every degraded service", "if it is stopped"); or a sentence where there are none."""
    lister = next((other for other in menu if other.lists), None)
    named = tool.entity_in(clause)
    if clause.condition and named:
        getter = getter_of(tool, menu)
        if getter:
            (looked,) = yield [Call(getter.name, getter.fill(clause, before))]
            before[:0] = records_of(looked.result)
            if not meets(records_of(looked.result), clause.condition):
                return f"{named} is not so, and nothing was changed: {shown(records_of(looked.result), clause)}"
        return [{}]
    if lister is None or not clause.selects:
        return [{}]
    (listed,) = yield [Call(lister.name, {})]
    records = records_of(listed.result)
    if selects(records, clause.text) or not restricted(clause, tool):
        return chosen(records, clause.text) or NONE_FITS
    return NONE_FITS


def restricted(clause: Clause, tool: Offered) -> bool:
    """Whether it says more than what to do and with what: then it does not mean all of them."""
    return bool(clause.stems - tool.verbs - set(tool.nouns) - stems(" ".join(tool.properties)))


def named_by(tool: Offered, target: dict[str, Any]) -> dict[str, Any]:
    """The argument that says which thing it is about, where the target is one that was listed."""
    return {tool.entity: target["name"]} if tool.entity and "name" in target else {}


def look(clause: Clause, tool: Offered, menu: Sequence[Offered], before: list[dict[str, Any]]) -> Plan:
    """Call a tool that only looks, and answer from what it gives."""
    arguments = tool.fill(clause, before)
    if missing := tool.missing(arguments):
        tool = next((other for other in menu if other.lists), tool)
        arguments = tool.fill(clause, before)
        if tool.missing(arguments):
            return cannot(f"{tool.short} needs {', '.join(missing)}, and the task does not say", menu)
    (step,) = yield [Call(tool.name, arguments)]
    if step.failed:
        return step.result
    records = records_of(step.result)
    before[:0] = records
    if not records:
        return step.result[:LONGEST]
    if field := field_asked_for(records, clause):
        return "\n".join(f"{record.get('name', tool.short)}: {field} is {record[field]}" for record in records)
    if len(records) > 1 and selects(records, clause.text):
        fitting = chosen(records, clause.text)
        return shown(fitting, clause) if fitting else "None of them fits."
    return shown(records, clause)


def follow(instructions: str, task: Clause, menu: Sequence[Offered]) -> Plan:
    """Follow the numbered steps of a skill: each names a tool in backquotes, and may begin with a condition."""
    records: list[dict[str, Any]] = []
    said: list[str] = []
    for text in STEP.findall(instructions):
        tool = next((tool for tool in menu if f"`{tool.short}`" in text), None)
        if tool is None or not holds(text, records):
            continue
        arguments = tool.fill(task, records, said_in_step=text)
        if missing := tool.missing(arguments):
            return "\n".join([*said, cannot(f"{tool.short} needs {', '.join(missing)}", menu)])
        (step,) = yield [Call(tool.name, arguments)]
        said.append(told(step))
        if step.failed:
            return "\n".join([*said, "I stopped there."])
        records[:0] = records_of(step.result)
    return "\n".join(said) or "The skill has no step that names one of my tools."


def holds(text: str, records: Sequence[dict[str, Any]]) -> bool:
    """Whether the condition of a step is true of what was seen last; a step without one always is."""
    match = CONDITION.search(text)
    if match is None:
        return True
    field, how, value = match[1], (match[2] or "").lower(), match[3].rstrip(".,")
    seen = next((record[field] for record in records if field in record), None)
    if how in ("", "not"):
        return (str(seen).lower() == value.lower()) is (how == "")
    try:
        number, bound = float(str(seen)), float(value)
    except ValueError:
        return False
    return {"more than": number > bound, "above": number > bound, "at least": number >= bound}.get(how, number < bound)


def check(tool: Offered, calls: Sequence[dict[str, Any]], menu: Sequence[Offered]) -> Plan:
    """Look at what was changed; return a line for each."""
    getter = getter_of(tool, menu)
    names = list(dict.fromkeys(str(arguments[tool.entity]) for arguments in calls if tool.entity in arguments))
    if getter is None or not names or len(names) > MOST_CHECKED:
        return []
    looked = yield [Call(getter.name, {getter.entity: name}) for name in names]
    return [f"Now {shown(records_of(step.result), Clause(''))}" for step in looked if not step.failed]


def nothing() -> Plan:
    return []
    yield


def getter_of(tool: Offered, menu: Sequence[Offered]) -> Offered | None:
    """The tool that looks at one thing of the kind that `tool` changes."""
    same = [other for other in menu if other.looks and other.required == [other.entity] and other.entity == tool.entity]
    return next((other for other in same if set(other.nouns) & set(tool.nouns)), None)


def told(step: Step) -> str:
    arguments = ", ".join(f"{name}={value}" for name, value in step.arguments.items())
    return f"- {short_of(step.name)}({arguments}): {' '.join(step.result.split())[:400]}"


def cannot(why: str, menu: Sequence[Offered]) -> str:
    return CANNOT.format(why=why, tools=", ".join(tool.short for tool in menu) or "none")
