"""Questions: answered by the tools that only look, about what a list names, or from the list itself."""

from __future__ import annotations

import re
from collections.abc import Sequence

from offline.operator.answers import Plan, cannot
from offline.operator.menu import Offered, best
from offline.operator.orders import PRONOUN, UNREAL
from offline.operator.records import Record, chosen, field_asked_for, records_of, selects, shown, total_of
from offline.operator.words import Clause, stem, stems, words_of
from offline.wire.conversation import Call, Step

HOW_MANY = re.compile(r"\bhow many\b", re.IGNORECASE)
UNCERTAIN = re.compile(rf"{UNREAL.pattern}|\band\b", re.IGNORECASE)  # asks of another time, or more than one thing
LONGEST = 3_000  # characters of a result that are given back as the answer
MOST_LOOKED_AT = 5
MOST_LISTS = 4  # that are read for what there is
HAVING = stems("have has having run runs running now current currently present service")


def look(clause: Clause, menu: Sequence[Offered], before: list[Record]) -> Plan:
    """Call a tool that only looks, and answer from what it gives. `before` are the records seen so far, then these."""
    tool = best(clause, menu)
    if tool is None:
        return (yield from search(clause, menu, before))
    if tool.entity:
        return (yield from look_at(tool, clause, menu, before))
    (step,) = yield [Call(tool.name, arguments := tool.fill(clause, before))]
    odd: list[str] = []
    if arguments and tool.lists and (step.failed or not records_of(step.result)):  # what it was narrowed by was a guess
        (step,) = yield [Call(tool.name, {})]
        odd = [repr(value) for value in arguments.values() if str(value) not in step.result]
    before[:] = records_of(step.result)
    unknown = f"I do not know {', '.join(odd)}. Without it:\n" if odd else ""
    return unknown + told_by([step], clause, tool, menu)


def search(clause: Clause, menu: Sequence[Offered], before: list[Record]) -> Plan:
    """Where no tool fits a question: what the lists say of each thing that it names."""
    listers = [tool for tool in menu if tool.lists][:MOST_LISTS]
    listed = (yield [Call(tool.name, {}) for tool in listers]) if listers else []
    records = [record for step in listed if not step.failed for record in records_of(step.result)]
    named = named_in(records, clause)
    before[:] = [record for record in records if record.get("name") in named]
    return shown(before) or cannot("no tool fits what you ask", menu)


def look_at(tool: Offered, clause: Clause, menu: Sequence[Offered], before: list[Record]) -> Plan:
    """Look at each thing that the question names, as the list calls it; where it names none, answer from the list."""
    listed: list[Step] = []
    if lister := lister_of(tool, menu):
        listed = yield [Call(lister.name, {})]
    records = [record for step in listed if not step.failed for record in records_of(step.result)]
    names = named_in(records, clause)
    which = lister and re.search(
        rf"\b(?:which|what)\b(?:\s+\w+)?\s+(?:{'|'.join(word.rstrip('s') for word in words_of(lister.short)[1:])})s?\b",
        clause.text,
        re.IGNORECASE,
    )
    if lister and selects(records, clause.text) and (which or not names):
        before[:] = records  # all: what "it" is to be changed is not guessed from a question
        return told_by(listed, clause, lister, menu)
    if not names and PRONOUN.search(clause.text) and len(before) <= MOST_LOOKED_AT:
        names = [str(record["name"]) for record in before if "name" in record]
    arguments = tool.fill(clause, before)
    calls = [{**arguments, tool.entity: name} for name in names[:MOST_LOOKED_AT]] or [arguments]
    missing, looked = tool.missing(calls[0]), []
    if not missing:
        looked = yield [Call(tool.name, arguments) for arguments in calls]
    seen = [record for step in looked if not step.failed for record in records_of(step.result)]
    before[:] = seen or [{"name": name} for name, step in zip(names, looked, strict=False) if not step.failed]
    if lister and records and all(step.failed for step in looked):
        return f"I do not know which one you mean. This is what is there:\n{shown(records)}"
    if missing:
        return cannot(f"{tool.short} needs {', '.join(missing)}, and the task does not say", menu)
    return told_by(looked, clause, tool, menu)


def told_by(steps: Sequence[Step], clause: Clause, tool: Offered, menu: Sequence[Offered]) -> str:
    """The answer that results give; one that failed is none."""
    good = [step for step in steps if not step.failed]
    if not good:
        return cannot(f"{tool.short} says: {steps[0].result[:LONGEST]}", menu)
    records = [record for step in good for record in records_of(step.result)]
    if not records:
        return "\n".join(step.result for step in good)[:LONGEST]
    about = tool.verbs | set(tool.nouns) | HAVING
    if (field := field_asked_for(records, clause, about)) and not UNCERTAIN.search(clause.text):
        return "\n".join(f"{record.get('name', tool.short)}: {field} is {record[field]}" for record in records)
    named = named_in(records, clause) if tool.lists else []
    if tool.lists and len(records) > 1 and selects(records, clause.text):
        records = chosen(records, clause.text) or [record for record in records if record.get("name") in named]
    elif named:
        records = [record for record in records if record.get("name") in named]
    counted = f"{len(records)}:\n" if tool.lists and HOW_MANY.search(clause.text) else ""
    counted = total_of(records, clause.text) or counted
    return counted + shown(records) if records else "None of them fits."


def lister_of(tool: Offered, menu: Sequence[Offered]) -> Offered | None:
    """The tool that lists what there is of the kind that a tool looks at."""
    about = {*tool.nouns, *stems(tool.description), *map(stem, words_of(tool.entity))}
    return next((other for other in menu if other.lists and set(other.nouns) & about), None)


def named_in(records: Sequence[Record], clause: Clause) -> list[str]:
    """The names of records that stand in a question; its verb only where nothing else does ("search the logs of")."""
    names = {str(record["name"]) for record in records if "name" in record}
    found = {name: re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", clause.text, re.IGNORECASE) for name in names}
    said = sorted((match.start(), name) for name, match in found.items() if match)
    return [name for _, name in said if name.lower() != clause.first or len(said) == 1]
