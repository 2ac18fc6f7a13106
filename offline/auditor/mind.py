"""The built-in auditor: profile a few fields, test what is suspect with one query each, write down what is proven.

It sees what any model sees: the prompt with the state of the audit, and the results of the last turn.
"""

from __future__ import annotations

import json
import math
import re
import threading
from collections.abc import Iterable, Sequence
from typing import Any

from offline.auditor.hypotheses import IDENTIFIER, missing, suspicions
from offline.auditor.related import copies
from offline.auditor.suspicion import Suspicion, findings_of, tested
from offline.wire.conversation import Call, Conversation, Decision, Step, Think

FIELDS_A_TURN = 8
MOST_QUERIES = 30  # in a turn
RARE = 0.01
SHOWN = 1  # rows of an answer: the count is what matters
PASSED = {"verdict": "pass", "critique": "The query proves what is claimed."}


def decide(conversation: Conversation, think: Think, cancelled: threading.Event) -> Decision:
    """Return the next message: what the last turn proved is written down, what is next is looked at."""
    if "verdict" in conversation.tools:
        return Decision("", (Call("verdict", PASSED),))
    if not conversation.tools:
        return Decision(conclusion(conversation.prompt))
    state = State(conversation.prompt)
    steps = [step for step in conversation.steps if not step.failed]
    schemas = [json.loads(step.result) for step in steps if step.name == "schema_sample"]
    if not schemas and not state.sampled:
        return Decision("I look at the fields first.", (Call("schema_sample", {"sample_size": 1000}),))
    asked = [step for step in steps if step.name == "run_query"]
    stats = [json.loads(step.result) for step in steps if step.name == "get_stats"]
    calls = list(findings(asked, state))
    is_first = bool(schemas and state.left_to_do)
    todo = [field["field"] for field in schemas[0]["fields"]] if is_first else state.todo
    if stats:
        calls += queries(ranked(stats, think))
    elif is_first and schemas[0]["dialect"] != "mongo":
        calls += queries(missing(schemas[0]))
    if calls and stats or state.is_last:
        return Decision("", tuple(calls)) if calls else Decision(conclusion(conversation.prompt))
    if todo:
        return Decision("", (*calls, *(Call("get_stats", {"field": name}) for name in next_fields(todo, state))))
    was_last = any(step.arguments.get("why", "").startswith("copy ") for step in asked)
    if (asked or stats or schemas) and not was_last and state.stats["dialect"] != "mongo":
        if not (state.names_all or schemas):
            return Decision("", (*calls, Call("schema_sample", {"sample_size": 1})))
        calls += queries(copies(state.stats, state.all_fields(schemas), state.unique))
    return Decision("", tuple(calls)) if calls else Decision(conclusion(conversation.prompt))


def next_fields(todo: Sequence[str], state: State) -> Sequence[str]:
    """So many that the iterations that are left suffice: two for each set, statistics and queries."""
    needed = -(-max(state.left_to_do, len(todo)) // max(1, state.left // 2 - 2))
    return todo[: max(FIELDS_A_TURN, needed)]


class State:
    """What the summary of the audit says, as far as the plan needs it."""

    def __init__(self, text: str) -> None:
        self.rows = number_in(text, r"^rows: ([\d,]+)")
        self.sampled = number_in(text, r"^rows: .*\(sampled: ([\d,]+)\)")
        iteration, budget = number_in(text, r"^iteration: (\d+)"), number_in(text, r"^iteration: \d+ of (\d+)")
        self.left = (budget - iteration) if budget else 1000
        self.is_last = self.left <= 1
        self.left_to_do = number_in(text, r"^to do \((\d+)\)")  # not all of them are named where they are many
        self.todo = names_in(text, r"^to do \(\d+\): (.*)$")
        lines = re.findall(r"^- (.+): (\S+), ([\d.]+) % missing, (\d+) different", text, re.MULTILINE)
        self.fields = {name: int(distinct) for name, _, _, distinct in lines if "[]" not in name}
        self.names_all = len(lines) >= number_in(text, r"^## Schema \((\d+) fields\)")
        keys = names_in(text, r"^rows alike by chance: .* has its own, (\[.*\]): [\d.]+$")
        self.unique = [name for name in keys if IDENTIFIER.search(name)][:1]
        alike = re.search(r"^rows alike by chance: ([\d.]+), .*: ([\d.]+)$", text, re.MULTILINE)
        self.alike = float(alike[2 if self.unique else 1]) if alike else 0.0
        table, dialect = (re.search(rf"^{word}: (.*)$", text, re.MULTILINE) for word in ("table", "dialect"))
        self.stats: dict[str, Any] = {
            "table": table[1] if table else "",
            "key": names_in(text, r"^key: (.*)$"),
            "dialect": dialect[1] if dialect else "",
            "rows": self.rows,
        }

    def all_fields(self, schemas: Sequence[dict[str, Any]]) -> dict[str, int]:
        """The collection's fields, each with how many different values it has, or may have where the state has no room
        to say it. None where there are so many that nothing names them all: rows are copies in all of them alone."""
        if self.names_all:
            return self.fields
        told = schemas[0]["fields"] if not schemas[0]["fields_not_shown"] else ()
        return {each["field"]: self.fields.get(each["field"], 2) for each in told if "table" not in each}


def findings(asked: Sequence[Step], state: State) -> Iterable[Call]:
    """What queries found, but for copies that chance would have made as well."""
    found = (
        tested(step.arguments.get("why", ""), step.arguments.get("query", ""), json.loads(step.result))
        for step in asked
    )
    return findings_of(
        (each for each in found if each and not (each.kind == "copy" and by_chance(each.count, state.alike))),
        state.rows,
    )


def by_chance(count: int, expected: float) -> bool:
    """Whether so many could be there where so many are expected: one time in a hundred or more often (Poisson). Terms
    are made in logarithms: those of a large expectation begin below the smallest number that a computer has."""
    if expected <= 0:
        return count <= 0
    width = 40 * math.sqrt(expected) + 40  # beyond it the terms add up to nothing
    if count > expected + width:
        return False
    low = max(0, int(expected - width))
    fewer = sum(math.exp(at * math.log(expected) - expected - math.lgamma(at + 1)) for at in range(low, count))
    return 1 - fewer >= RARE


def ranked(stats: Sequence[dict[str, Any]], think: Think) -> list[Suspicion]:
    """The suspicions of several fields, the most surprising first."""
    found: list[Suspicion] = []
    for each in stats:
        mine = suspicions(each)
        think(f"{each['field']}: {', '.join(suspicion.kind for suspicion in mine) or 'nothing is suspect'}")
        found += mine
    return sorted(found, key=lambda suspicion: -suspicion.surprise)[:MOST_QUERIES]


def queries(found: Iterable[Suspicion]) -> list[Call]:
    return [Call("run_query", {"query": each.query, "why": each.why, "show": SHOWN}) for each in found]


def conclusion(prompt: str) -> str:
    """The answer: the findings, as the summary lists them."""
    listed = re.search(r"^## Findings so far.*?\n(.*?)(?=^## |\Z)", prompt, re.MULTILINE | re.DOTALL)
    count = number_in(prompt, r"^## Findings so far \((\d+)\)")
    if not listed or not count:
        return "I found nothing that I could prove to be wrong."
    return f"I found {count} things that are wrong, each with a query that proves it:\n{listed[1].strip()}"


def number_in(text: str, pattern: str) -> int:
    found = re.search(pattern, text, re.MULTILINE)
    return int(found[1].replace(",", "")) if found else 0


def names_in(text: str, pattern: str) -> list[str]:
    found = re.search(pattern, text, re.MULTILINE)
    return json.loads(found[1]) if found else []
