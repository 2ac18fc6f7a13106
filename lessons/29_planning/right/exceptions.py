MARKS = {"open": "[ ]", "doing": "[>]", "done": "[x]"}
MOST = 20  # steps


def finished(steps):
    """The texts of those steps that are done. A step: {"step": text, "state": a key of MARKS, open where it is missing}"""
    return {each["step"] for each in steps if each.get("state") == "done"}


class BadPlan(Exception):
    pass


def refuse_bad(steps, before, results):
    states = [each.get("state", "open") for each in steps]
    if len(steps) not in range(1, MOST + 1):
        raise BadPlan(f"a plan of {len(steps)} steps; it must have 1 to {MOST}")
    for state in states:
        if state not in MARKS:
            raise BadPlan(f"a state {state!r}; it must be one of {list(MARKS)}")
    if states.count("doing") > 1:
        raise BadPlan("several steps are doing; it must be one")
    if all(result.startswith("Error: ") for result in results):
        for text in finished(steps) - finished(before):
            raise BadPlan(f"{text!r} cannot be done, since no call has worked")


def show(steps):
    for each in steps:
        yield MARKS[each.get("state", "open")] + " " + " ".join(each["step"].split())
    yield f"{sum(each.get('state') == 'done' for each in steps)} of {len(steps)} done"


def plan(steps, before, results):
    try:
        refuse_bad(steps, before, results)
    except BadPlan as error:
        return f"Error: {error}"
    return "\n".join(show(steps))


def recite(messages, shown):
    copied = messages.copy()
    if shown:
        copied.append(dict(role="user", content=shown))
    return copied
