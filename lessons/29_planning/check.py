"""Lesson 29: lists that a model may and may not send, what is recited, and a model that sees six messages back."""

from __future__ import annotations

import re
from typing import Any

MARKS = {"open": "[ ]", "doing": "[>]", "done": "[x]"}
STATES = tuple(MARKS)
MOST = 20
SEES = 6  # messages from the end, by the forgetful model
ACTS = ("read_file", "edit_file", "run_tests")  # one after the other, for each file
LISTED = re.compile(r"(\[[ >x]\]) (\S+)")
Steps = list[dict[str, str]]
Message = dict[str, Any]


def check(lesson: Any) -> None:
    fresh = lesson.fresh

    def steps_in(*states: str) -> Steps:
        return [{"step": fresh.sentence(), "state": state} for state in states]

    def send(steps: Steps, what: str, before: Steps | None = None, results: list[str] | None = None) -> str:
        before, results = before or [], [fresh.sentence()] if results is None else results
        shown = f"plan({len(steps)} steps: {what}, before={len(before)} steps, results={lesson.show(results)})"
        given = [dict(each) for each in steps]
        said = lesson.call("plan", steps, before, results, shown=shown)
        lesson.expect(steps == given, "the steps as they were sent", "the model keeps its own list", got=str(steps))
        return said if isinstance(said, str) else ""

    def accepts(steps: Steps, what: str, why: str, **more: Any) -> None:
        lesson.expect(send(steps, what, **more) == as_shown(steps), repr(as_shown(steps)), why)

    def refuses(steps: Steps, what: str, why: str, *wanted: str, **more: Any) -> None:
        said = send(steps, what, **more)
        named = "".join(f", and it names {each!r}" for each in wanted)
        lesson.expect(
            said.startswith("Error: ") and all(each in said for each in wanted), f'text from "Error: " on{named}', why
        )

    with lesson.case("a list comes back as it is shown", "the model reads its own list in every result"):
        for _ in range(3):
            states = [*fresh.choices(("open", "done"), k=fresh.randint(1, 5)), "doing", "open", "done"]
            fresh.shuffle(states)
            accepts(steps_in(*states), ", ".join(states), "a mark and a step a line, in order, then the count")
        steps = steps_in("doing", "open")
        del steps[1]["state"]
        accepts(steps, "one without a state", "a step without a state is open")
        accepts(
            [{"step": f"{fresh.sentence()} {fresh.sentence()} {fresh.sentence()}", "state": "doing"}],
            "a long one",
            "a long step stays whole",
        )
        old = steps_in("done", "doing")
        stateless = [{"step": old[0]["step"]}, old[1]]
        accepts(stateless, "one without a state, done before", "a step without a state is open", before=old)
    with lesson.case("a step is one line", "text from a model may hold a line that looks like a mark"):
        first, second = fresh.words(2)
        forged = [{"step": f" {first}\n[x]   {second} ", "state": "doing"}]
        accepts(forged, "one with a line break and spaces", "each run of white space becomes one space")
    with lesson.case(f"1 to {MOST} steps", "a list of hundreds fills the window that it should save"):
        for count in (1, MOST):
            accepts(steps_in("doing", *["open"] * (count - 1)), "one being done", "so many are allowed")
        for count in (0, MOST + 1, fresh.randint(30, 50)):
            refuses(steps_in(*["open"] * count), "all open", "so many are no plan")
    with lesson.case("one step at a time", "who does two at once finishes neither"):
        for states in (("doing", "doing"), ("doing", "open", "done", "open", "doing", "doing")):
            refuses(steps_in(*states), ", ".join(states), "more than one is being done")
        accepts(steps_in("open", "done"), "none is being done", "between two steps none is")
    with lesson.case("a state that there is not", "a model writes what it likes; say what there is"):
        for odd in ("finished", fresh.word(), "Done"):
            states = [*STATES, odd, "open"]
            refuses(
                steps_in(*states), f"one is {odd!r}", "a tool never raises, and an error names the choices", *STATES
            )
    with lesson.case(
        "the list is replaced whole", "a model renames steps and drops some: merged, they would stand twice"
    ):
        old, new = steps_in("done", "doing", "open", "open"), steps_in("open", "doing")
        accepts(old, "a first list", "it is the first")
        accepts(new, "others", "what is not in the list that was sent is gone", before=old)
    if not lesson.shipped:
        evidence(lesson, steps_in, accepts, refuses)
    recited(lesson)
    if lesson.holds:
        for_real(lesson)


def as_shown(steps: Steps) -> str:
    states = [each.get("state", "open") for each in steps]
    lines = [f"{MARKS[state]} {' '.join(each['step'].split())}" for state, each in zip(states, steps, strict=True)]
    return "\n".join([*lines, f"{states.count('done')} of {len(steps)} done"])


def evidence(lesson: Any, steps_in: Any, accepts: Any, refuses: Any) -> None:
    fresh = lesson.fresh
    with lesson.case("done is what a result has shown", "saying so is no evidence"):
        failed = [f"Error: {fresh.sentence()}" for _ in range(5)]
        old = steps_in("done", "done", "doing", "done", "done", "open")
        new = [dict(each) for each in old]
        new[2]["state"] = "done"
        named = new[2]["step"]
        for results, what in (([], "nothing was called"), (failed, "all calls failed")):
            refuses(new, "one is newly done", f"{what}: who says so shows nothing", named, before=old, results=results)
            refuses(new[2:3], "it is done", f"{what}, and there was no plan", named, results=results)
        other = [*({**each, "state": "open"} for each in new[:2]), *new[2:]]
        refuses(
            other,
            "one is newly done, two are open again",
            "another is done no more: that shows nothing",
            named,
            before=old,
            results=failed,
        )
        for place in (0, 4):
            passed = f"{fresh.word()}. Error: none" if place else "Errors: none"
            results = [*failed[:place], passed, *failed[place:]]
            accepts(
                new, "one is newly done", "one call did not fail, and may have shown it", before=old, results=results
            )
        accepts(old, "none is newly done", "what was done stays done", before=old, results=[])
        accepts(old[::-1], "the same in another order", "none is newly done", before=old, results=[])
        opened = [{**each, "state": "open"} for each in new]
        accepts(opened, "none is done any more", "a step may turn out not to be done", before=new, results=failed)
        refuses(new, "all were open before", "open is not done", before=opened, results=[])


def recited(lesson: Any) -> None:
    fresh = lesson.fresh

    def conversation() -> list[Message]:
        turns = fresh.randint(2, 6)
        pair = [{"role": "assistant", "content": fresh.sentence()}, {"role": "user", "content": fresh.sentence()}]
        return [{"role": "system", "content": fresh.sentence()}, {"role": "user", "content": "Go."}, *pair * turns]

    def recite(messages: list[Message], shown: str) -> list[Message]:
        before = list(messages)
        said = lesson.call("recite", messages, shown, shown=f"recite({len(messages)} messages, {shown!r})")
        why = "or each turn leaves a list behind, and the old ones are wrong"
        lesson.expect(messages == before, "messages as they were", why, got=f"messages: {lesson.show(messages)}")
        return said if isinstance(said, list) else []

    with lesson.case("the plan stands at the very end", "what comes last is forgotten last"):
        for _ in range(2):
            states = ("done", "doing", "open")
            steps = [{"step": fresh.sentence(), "state": state} for state in states]
            messages, shown = conversation(), as_shown(steps)
            said = recite(messages, shown)
            lesson.expect(
                said[:-1] == messages, "all messages in order, and one more", "nothing is lost, and the plan comes last"
            )
            last = said[-1] if isinstance(said[-1], dict) else {}
            lesson.expect(
                last.get("role") == "user",
                'the last has the role "user"',
                "some servers take a system message at the beginning alone",
            )
            lesson.expect(
                shown in str(last.get("content")), f"{shown!r} in the last", "the whole list, as it was shown"
            )
    with lesson.case("no plan: the messages alone", "an empty message is noise, and some servers refuse it"):
        messages = conversation()
        lesson.expect(recite(messages, "") == messages, "the messages as they are", "there is no plan yet")


def for_real(lesson: Any) -> None:
    """A model that reads the last messages alone, with eight files to change, which takes three calls each."""
    ways = {"no list": "", "a list, in its result alone": "result", "a list, recited at the end": "recited"}
    files = [f"{word}.py" for word in lesson.fresh.words(8)]
    lines = [f"A model that sees {SEES} messages back, and 8 files to change:"]
    with lesson.case("for real: a forgetful model", "the list is the only thing that it still sees"):
        for title, way in ways.items():
            done, shown = play(lesson, files, way)
            wanted = len(files) if way == "recited" else 1
            got = f"{done} files, and then: All done."
            lesson.expect(done == wanted, f"with {title}: {wanted} of 8 files changed", "", got=got)
            lines.append(f"{title:28}{done} of 8, and then it says: All done.")
    lesson.picture.append("\n".join([*lines, "", "The list at the end:", shown]))


def play(lesson: Any, files: list[str], way: str) -> tuple[int, str]:
    """Run the forgetful model. Returns how many files it changed, and its list."""
    messages: list[Message] = [{"role": "user", "content": "Change " + " ".join(files)}]
    steps: Steps = []
    shown, results, changed = "", [], set()
    while len(messages) < 200:
        sent = lesson.call("recite", messages, shown, shown="recite(...)") if way == "recited" else messages
        name, given = forgetful(sent[-SEES:], bool(way))
        if name == "answer":
            break
        if name == "plan":
            shown = lesson.call("plan", given, steps, results, shown="plan(...)")
            steps, result, results = given, shown, []
        else:
            result = f"{name} {given}: ok"
            results.append(result)
            changed |= {given} if name == "edit_file" else set()
        messages += [{"role": "assistant", "content": "", "called": name}, {"role": "tool", "content": result}]
    return len(changed), shown


def forgetful(seen: list[Message], plans: bool) -> tuple[str, Any]:
    """What the model does next, by what it sees and nothing else: a tool and what it is given."""
    last = next((each["content"] for each in reversed(seen) if each["role"] == "tool"), "")
    act, _, rest = last.partition(" ")
    if act in ACTS[:-1]:
        return ACTS[ACTS.index(act) + 1], rest.removesuffix(": ok")
    task = next((each["content"].split()[1:] for each in seen if each["content"].startswith("Change ")), None)
    lists = [LISTED.findall(each["content"]) for each in seen if LISTED.search(each["content"])]
    if lists:
        known = [(step, mark) for mark, step in lists[-1]]
        doing = next((step for step, mark in known if mark == MARKS["doing"]), None)
        if act != "run_tests" and doing:
            return ACTS[0], doing
        left = [step for step, mark in known if mark == MARKS["open"]]
        if doing:
            states = {doing: "done", **{step: "doing" for step in left[:1]}}
            by_mark = {mark: state for state, mark in MARKS.items()}
            return "plan", [{"step": step, "state": states.get(step, by_mark[mark])} for step, mark in known]
        return "answer", None
    if task and plans:
        return "plan", [{"step": each, "state": "open" if number else "doing"} for number, each in enumerate(task)]
    return (ACTS[0], task[0]) if task else ("answer", None)
