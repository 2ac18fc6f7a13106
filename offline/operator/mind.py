"""The operator's mind: picks among tools it has never seen, by the words of the task, and follows a skill's steps.

It is no language model. It matches words with the names, descriptions and parameters of the tools that the request
offers, takes arguments from the task and from earlier results, and says what it cannot. A tool that changes something
is only called for a plain order (orders.py); where a part of the task is neither that nor a wish to see something, or
denies something, nothing is changed and it is asked.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from offline.operator.answers import NONE_FITS, Plan, asked, cannot, told
from offline.operator.looking import MOST_LISTS, look, named_in
from offline.operator.menu import KNOWN, Offered, enriched, menu_of, short_of
from offline.operator.orders import (
    BY,
    EXTREME,
    GREETING,
    MANNER,
    PRONOUN,
    Order,
    bare,
    denies,
    does,
    is_known,
    is_question,
    looks_for,
    order_in,
    unreal,
    verb_of,
)
from offline.operator.records import chosen, records_of, selects, shown, unknown_in
from offline.operator.remarks import heard
from offline.operator.sayings import FIRST, plainly
from offline.operator.words import QUOTED, Clause, clauses_of, stem, stems, words_of
from offline.wire.conversation import Call, Conversation, Decision, Think

MOST_CHECKED = 5  # services that are looked at again after a change
MOST_LOOKED_AT = 20  # where the list does not say which are meant
DOING = frozenset(("do", "make", "perform", "run", "handle", "follow", "use"))  # verbs that a skill is started by

STOPPED = "I was not allowed another step, so I stopped before I was done."
NAMED = re.compile(r"\bthe skill ([a-z0-9]+(?:-[a-z0-9]+)*)\b")
SKILL = re.compile(r"^- ([a-z0-9]+(?:-[a-z0-9]+)*): (.*)$", re.MULTILINE)
STEP = re.compile(r"^\s*\d+[.)]\s+(.*(?:\n(?!\s*(?:\d+[.)]|#|$)).*)*)", re.MULTILINE)
CONDITION = re.compile(
    r"\bif\s+(?:the\s+|its\s+)?`?(\w+)`?\s+(?:is|are)\s+"
    r"(less than|fewer than|below|more than|above|at least|not)?\s*`?([\w.]+)",
    re.IGNORECASE,
)

# "for every degraded service of the team shop": the skill is followed for each.
EACH = (
    r"\b(?:each|every|all)\b(?: of)?(?: the)?"
    r"(?P<which>(?: [\w-]+)*? (?:{kinds})s?\b(?: (?:of|in|that|which)\b(?: (?!with\b)[\w-]+)*)?)"
)

NONE_STOPS = re.compile(r"\b(?:none|zero|0)\b[^.;]*\bstops?\b", re.IGNORECASE)  # "replicas; none stops it"

# "Is this right? Restart billing.", "What happened?" and a list below: what is asked about is no order.
ASKED_ABOUT = re.compile(r"\b(?:this|these|following|below)\b[^?.!:]*\?|\?\s*\n\s*(?:[-*•]|\d+[.)])\s.*", re.IGNORECASE)


def decide(conversation: Conversation, think: Think, cancelled: threading.Event) -> Decision:
    """Play the plan again over the steps that were made, and return the calls that come next, or the answer."""
    # A pattern takes the square of a run of blanks.
    conversation = replace(conversation, prompt=re.sub(r"[ \t]{100,}", " ", conversation.prompt))
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


def plan_for(conversation: Conversation, menu: Sequence[Offered], *, listed: bool = False) -> Plan:
    """What is done, and said in the end. Where an order is not understood it is read once more with the names that
    lists of what there is have: some are of several words."""
    clauses, remarks = read(conversation.prompt, menu)
    if denied := next((clause for clause in clauses if clause not in remarks and denies(clause.text)), None):
        return asked(f"{denied.text!r} is no plain order", menu)
    before: list[dict[str, Any]] = []
    done: list[str] = []
    changing = [clause for clause in clauses if clause not in remarks and not looks_for(clause.text)]
    if changing and (about := ASKED_ABOUT.search(QUOTED.sub(" ", conversation.prompt))):
        return asked(f"{about[0].strip()!r} asks about what stands there", menu)
    skills = {clause: skill_for(clause, conversation, menu) for clause in changing}
    # What "it" will mean is known when it comes to that: here, that something was spoken of before is enough.
    spoken = {clause: "it" * (clause is not clauses[0]) for clause in changing if not skills[clause]}
    unclear = [each for each, it in spoken.items() if isinstance(order_in(each, menu, it.split(), it), str)]
    listers = [tool for tool in menu if tool.lists] if any(not tool.looks for tool in menu) else []
    if unclear and not listed and listers:
        lists = yield [Call(tool.name, {}) for tool in listers[:MOST_LISTS]]
        known = enriched(menu, {step.name: step.result for step in lists if not step.failed})
        return (yield from plan_for(conversation, known, listed=True))
    if menu and unclear and len(unclear) < len(changing):
        return refused(unclear[0], menu, spoken[unclear[0]].split(), spoken[unclear[0]])
    said: list[str] = []
    for number, clause in enumerate(clauses):
        if clause in remarks:
            remarked = " ".join(["about", *(each.text for each in clauses[: number + 1] if each in remarks)])
            yield from note(replace(clause, text=remarked), changing, menu, before)
        elif skill := skills.get(clause):
            said.append((yield from by_skill(skill, clause, menu)))
        elif not menu:
            return cannot("there are none", menu)
        elif clause in skills:
            said.append((yield from carry_out(clause, menu, before, done)))
        else:
            said.append((yield from look(clause, menu, before)))
    return "\n".join(filter(None, said))


def read(prompt: str, menu: Sequence[Offered]) -> tuple[list[Clause], set[Clause]]:
    """The clauses of a task, each as a plain order says it, and which of them are remarks."""
    verbs = {verb for tool in menu for verb in tool.verbs} | set(map(stem, FIRST)) | {"do"}
    clauses = clauses_of(prompt, verbs)
    clauses = [clause for clause in clauses if not GREETING.fullmatch(clause.text)] or clauses
    acting = [tool for tool in menu if not tool.looks]
    counted = {name for tool in acting for name in tool.counted}
    clauses, remarks = heard(clauses, menu, counted)
    stopping = next((tool.counted[0] for tool in acting if tool.counted and NONE_STOPS.search(tool.description)), "")
    return [clause if clause in remarks else plainly(clause, counted, stopping) for clause in clauses], remarks


def note(remark: Clause, changing: Sequence[Clause], menu: Sequence[Offered], before: list[dict[str, Any]]) -> Plan:
    """See what a remark speaks of, where an order beside it says "it"."""
    if any(PRONOUN.search(clause.text) for clause in changing):
        records = (yield from listing(menu)) or []
        named = named_in(records, remark)
        before[:] = [record for record in records if record.get("name") in named] or before


def skill_for(clause: Clause, conversation: Conversation, menu: Sequence[Offered]) -> str:
    """The skill whose name an order says, word for word or in another form, and whose business its verb is; else ""."""
    if "read_skill" not in conversation.schemas or is_question(clause.text):
        return ""
    text = bare(clause.text)
    verb, words = verb_of(text), stems(clause.text)
    if unreal(clause, text):
        return ""
    _, _, listed = conversation.system.partition("read_skill")
    known = {**dict.fromkeys(NAMED.findall(clause.text), ""), **dict(SKILL.findall(listed))}
    fitting = [name for name in known if stems(name.replace("-", " ")) <= words]
    fitting = [name for name in fitting if verb in DOING or business(stems(name.replace("-", " ")), verb, text, menu)]
    name = max(fitting, key=len, default="")
    tells = any(tool.tells and set(tool.nouns) & stems(name.replace("-", " ")) for tool in menu)
    text = bare(clause.text, message=not tells)
    spoken = {verb, *stems(f"skill {name} {known.get(name)}"), *MANNER}
    spoken |= stems(" ".join(f"{short_of(tool.name)} {tool.description} {' '.join(tool.properties)}" for tool in menu))
    spoken |= {stem(value) for tool in menu for value in tool.choices()}
    left = {token for token in Clause(NAMED.sub(" ", text)).tokens if token and not is_known(token, spoken, 0)}
    return name if len(left) <= 1 else ""  # one is what it is done to


def business(skill: set[str], verb: str, text: str, menu: Sequence[Offered]) -> bool:
    """Whether a skill is about what a verb does: it has the verb in its name, or what the tool for it makes."""
    made = {noun for tool in menu if does(tool, verb, text) for noun in tool.nouns}
    return bool(skill & (made | {stem(verb)}))


def by_skill(skill: str, clause: Clause, menu: Sequence[Offered]) -> Plan:
    (read,) = yield [Call("read_skill", {"name": skill})]
    if not menu:
        return f"I have no tools to do it with. This is how the skill {skill} says it is done:\n\n{read.result}"
    if read.failed:
        return read.result
    about = replace(clause, text=NAMED.sub("it", clause.text))  # the skill's own name is nothing to work on
    lister = next((tool for tool in menu if tool.lists), None)
    kinds = "|".join(word.rstrip("s") for word in words_of(lister.short)[1:]) if lister else "(?!)"
    each = re.search(EACH.format(kinds=kinds), about.text, re.IGNORECASE)
    if not each:
        return (yield from follow(read.result, about, menu))
    records = (yield from listing(menu)) or []
    if odd := unknown_in(records, each["which"], frozenset(stems(lister.name))):
        return asked(f"I do not understand {', '.join(map(repr, odd))}", menu)
    said = []
    for name in (str(record["name"]) for record in chosen(records, each["which"]) if "name" in record):
        one = replace(about, text=about.text.replace(each[0], name))
        said.append((yield from follow(read.result, one, menu)))
    return "\n".join(said) or NONE_FITS


def refused(clause: Clause, menu: Sequence[Offered], seen: Sequence[str], done: str) -> str:
    """Say why a clause is no plain order; a name of what there is is not called unknown."""
    there = {value.lower() for tool in menu for part in tool.properties.values() for value in part.get(KNOWN, ())}
    why = str(order_in(clause, menu, seen, done, there))
    return cannot(why, menu) if why.startswith("none of them") else asked(why, menu)


def carry_out(clause: Clause, menu: Sequence[Offered], before: list[dict[str, Any]], done: list[str]) -> Plan:
    """Do what a plain order says; return what there is to say about it. `before` are the records seen so far, `done` is
    what was changed last."""
    names = list(dict.fromkeys(str(record["name"]) for record in before if "name" in record))
    order = order_in(clause, menu, names, "; ".join(done))
    if isinstance(order, str):
        return refused(clause, menu, names, "; ".join(done))
    tool = order.tool
    found = yield from targets(order, menu, names)
    if isinstance(found, str):
        return found
    calls = [{**order.arguments, **({tool.entity: name} if tool.entity else {})} for name in found]
    if order.direction or order.limit:
        wrong = yield from moved(order, calls, menu)
        if wrong:
            return wrong
    made = yield [Call(tool.name, arguments) for arguments in calls]
    done[:] = [told(step).removeprefix("- ") for step in made if not step.failed]
    before[:] = [{"name": name} for name in found if name]
    checks = yield from check(tool, calls, menu) if len(done) == len(made) else nothing()
    return "\n".join([*(told(step) for step in made), *checks])


def targets(order: Order, menu: Sequence[Offered], seen: Sequence[str]) -> Plan:
    """Return the names of what a change is for: those that the task says, or those that are chosen by what they are
    ("every degraded service", "if it is stopped"); or a sentence where there are none."""
    tool = order.tool
    names = list(order.names) or ([order.subject or seen[0]] if order.it else [])
    without = {name.lower() for name in order.clause.without}
    records = (yield from listing(menu)) if without else None
    there = {str(record.get("name")).lower() for record in records or ()}
    if odd := without - there or without & {name.lower() for name in names}:
        return asked(f"I do not understand what is meant by {', '.join(map(repr, sorted(odd)))}", menu)
    if len(names) > 1:  # "billing, perhaps": each must be there before one is changed
        if getter := getter_of(tool, menu):
            looked = yield [Call(getter.name, {getter.entity: name}) for name in names]
            odd = [name for name, step in zip(names, looked, strict=True) if step.failed]
        else:
            records = records or (yield from listing(menu)) or []
            odd = [name for name in names if not any(record.get(tool.entity) == name for record in records)]
        if odd:
            return asked(f"I do not know {', '.join(map(repr, odd))}", menu)
    if order.condition:
        getter, about = getter_of(tool, menu), order.subject or (names[0] if len(names) == 1 else "")
        if getter is None or not about:
            return asked(f"I cannot look whether it is {order.condition}", menu)
        (looked,) = yield [Call(getter.name, {getter.entity: about})]
        seen_now = records_of(looked.result)
        if looked.failed:
            return looked.result
        if not selects(seen_now, order.condition) or (unknown_in(seen_now, order.condition, frozenset())):
            return f"{asked(f'I do not understand {order.condition!r}', menu)}\n{shown(seen_now)}"
        if not chosen(seen_now, order.condition):
            return f"{about} is not so, and nothing was changed: {shown(seen_now)}"
    if not order.every:
        return names or [""]
    if records is None and (records := (yield from listing(menu))) is None:
        return asked("I have no tool that lists what there is", menu)
    text = order.clause.text
    for value in order.arguments.values():  # where it goes does not say which go
        text = re.sub(rf"\bto\s+(?:the\s+)?{re.escape(str(value))}(?![\w-])", " ", text, flags=re.IGNORECASE)
    words = bare(text, selection=True, message=not tool.tells)
    if unknown_in(records, words, order.known) or not (order.clause.selects or selects(records, text)):
        records = yield from looked_at(records, getter_of(tool, menu))  # its region stands in no list
    if odd := unknown_in(records, words, order.known):
        return asked(f"I do not understand {', '.join(map(repr, odd))}", menu)
    if not order.clause.selects and not selects(records, text):
        return asked(f"{text!r} does not say which of them", menu)
    key = tool.entity if any(tool.entity in record for record in records) else "name"
    found = list(dict.fromkeys(str(record[key]) for record in chosen(records, text) if key in record))
    found = [name for name in found if name.lower() not in without]
    if len(found) > 1 and (order.one or EXTREME.search(text)) and not order.clause.selects:
        return asked(f"there are several: {', '.join(found)}", menu)
    return found or NONE_FITS


def looked_at(records: list[dict[str, Any]], getter: Offered | None) -> Plan:
    """The records with all that there is to see of each; as they are where they are too many, or one cannot be seen."""
    names = [str(record["name"]) for record in records if "name" in record]
    if getter is None or not names or len(names) > MOST_LOOKED_AT:
        return records
    looked = yield [Call(getter.name, {getter.entity: name}) for name in names]
    seen = [record for step in looked if not step.failed for record in records_of(step.result)]
    return seen if [record.get("name") for record in seen] == names else records


def listing(menu: Sequence[Offered]) -> Plan:
    """The records of what there is, None where no tool lists it."""
    lister = next((tool for tool in menu if tool.lists), None)
    if lister is None:
        return None
    (listed,) = yield [Call(lister.name, {})]
    return records_of(listed.result)


def moved(order: Order, calls: list[dict[str, Any]], menu: Sequence[Offered]) -> Plan:
    """See that "up" is more than there is and "down" less, and reckon what "by 2" comes to, or "to its maximum"; return
    what is wrong."""
    tool, getter = order.tool, getter_of(order.tool, menu)
    said = (name for name, value in order.arguments.items() if isinstance(value, int))
    number = tool.counted[0] if order.limit else next(said, "")
    by = BY.search(order.clause.text)
    if getter is None or not number:
        return asked(f"I cannot look how many it has, and {tool.short} is not told more or less", menu)
    for arguments in calls:
        like = order.limit if order.limit not in ("max", "min") else ""
        (looked,) = yield [Call(getter.name, {getter.entity: like or arguments[tool.entity]})]
        seen = next((each for each in records_of(looked.result) if isinstance(each.get(number), int)), None)
        if seen is None:
            return looked.result if looked.failed else asked(f"I cannot see its {number}", menu)
        if order.limit:
            if (end := seen[number] if like else end_of(seen, number, order.limit)) is None:
                return asked(f"I cannot see its {order.limit}imum of {number}", menu)
            arguments[number] = end
            continue
        now = seen[number]
        wanted = arguments[number]
        if by and by[1]:
            wanted = now * int(by[2]) if order.direction > 0 else now / max(1, int(by[2]))
        elif by:
            wanted = now + order.direction * int(by[2])
        if wanted != int(wanted) or (wanted - now) * order.direction <= 0:
            odd = "is no whole number" if wanted != int(wanted) else "goes the other way"
            return asked(f"{arguments[tool.entity]} has {now} {number}, and {wanted:g} {odd}", menu)
        arguments[number] = int(wanted)
    return ""


def end_of(record: Mapping[str, Any], number: str, limit: str) -> int | None:
    """The most ("max") or the least ("min") that a record says its number may be: most_replicas, min_replicas."""
    words = {"most", "max", "maximum", "highest", "limit"} if limit == "max" else {"least", "min", "minimum", "lowest"}
    ends = (value for field, value in record.items() if words & {*words_of(field)} and stems(number) & stems(field))
    return next((value for value in ends if isinstance(value, int)), None)


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
    return [f"Now {shown(records_of(step.result))}" for step in looked if not step.failed]


def nothing() -> Plan:
    return []
    yield


def getter_of(tool: Offered, menu: Sequence[Offered]) -> Offered | None:
    """The tool that looks at one thing of the kind that `tool` changes."""
    same = [other for other in menu if other.looks and other.required == [other.entity] and other.entity == tool.entity]
    return next((other for other in same if set(other.nouns) & set(tool.nouns)), None)
