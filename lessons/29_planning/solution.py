"""Lesson 29: a list against forgetting."""

MARKS = {"open": "[ ]", "doing": "[>]", "done": "[x]"}
MOST = 20  # steps


def finished(steps):
    """The texts of those steps that are done. A step: {"step": text, "state": a key of MARKS, open where it is missing}"""
    return {each["step"] for each in steps if each.get("state") == "done"}


def plan(steps, before, results):
    """The tool. Return the list as it is shown, or "Error: " and what to mend. before: the steps of the last plan;
    results: what all other calls have returned since."""
    states = [each.get("state", "open") for each in steps]
    if not 1 <= len(steps) <= MOST:
        return f"Error: a plan has 1 to {MOST} steps, and this one has {len(steps)}"
    if not set(states) <= set(MARKS):
        return f"Error: a state is one of {', '.join(MARKS)}"
    if states.count("doing") > 1:
        return "Error: one step is being done at a time; mark the others open or done"
    new = finished(steps) - finished(before)
    if new and all(result.startswith("Error: ") for result in results):
        return f"Error: nothing has shown that this is done: {', '.join(new)}; do it, look at the result, then mark it"
    lines = [f"{MARKS[state]} {' '.join(each['step'].split())}" for state, each in zip(states, steps)]
    return "\n".join([*lines, f"{states.count('done')} of {len(steps)} done"])


def recite(messages, shown):
    """Return what is sent to the model: the messages, and at their end the plan as it was shown last, "" for none."""
    if not shown:
        return messages
    return [*messages, {"role": "user", "content": f"Your plan, as it stands:\n{shown}"}]
