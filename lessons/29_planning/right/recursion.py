MARKS = {"open": "[ ]", "doing": "[>]", "done": "[x]"}
MOST = 20  # steps


def finished(steps):
    """The texts of those steps that are done. A step: {"step": text, "state": a key of MARKS, open where it is missing}"""
    return {each["step"] for each in steps if each.get("state") == "done"}


def lines(steps):
    if not steps:
        return []
    first, *rest = steps
    return [f"{MARKS[first.get('state', 'open')]} {' '.join(first['step'].split())}"] + lines(rest)


def objection(steps, before, results):
    states = [each.get("state", "open") for each in steps]
    match [state for state in states if state not in MARKS], states.count("doing"), len(steps):
        case _, _, 0:
            return "no steps; write at least one"
        case _, _, number if number > MOST:
            return f"{number} steps; write at most {MOST}"
        case [state, *_], _, _:
            return f"no such state: {state}. Take open, doing or done"
        case _, doing, _ if doing > 1:
            return f"{doing} steps are doing; take one"
    early = finished(steps) - finished(before)
    if early and not [result for result in results if not result.startswith("Error: ")]:
        return f"{early.pop()} is not done"


def plan(steps, before, results):
    wrong = objection(steps, before, results)
    if wrong:
        return "Error: " + wrong
    done = [each for each in steps if each.get("state") == "done"]
    return "\n".join(lines(steps) + [f"{len(done)} of {len(steps)} done"])


def recite(messages, shown):
    return list(messages) if not shown else [message for message in messages] + [{"role": "user", "content": shown}]
