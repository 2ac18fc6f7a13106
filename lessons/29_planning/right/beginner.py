MARKS = {"open": "[ ]", "doing": "[>]", "done": "[x]"}
MOST = 20  # steps


def finished(steps):
    """The texts of those steps that are done. A step: {"step": text, "state": a key of MARKS, open where it is missing}"""
    return {each["step"] for each in steps if each.get("state") == "done"}


def plan(steps, before, results):
    if len(steps) < 1:
        return "Error: a plan has at least one step"
    if len(steps) > MOST:
        return "Error: a plan has at most " + str(MOST) + " steps"
    doing = 0
    for step in steps:
        state = step.get("state", "open")
        if state not in MARKS:
            return "Error: there is no state " + str(state) + ", only open, doing and done"
        if state == "doing":
            doing = doing + 1
    if doing > 1:
        return "Error: only one step can be doing"
    something_worked = False
    for result in results:
        if not result.startswith("Error: "):
            something_worked = True
    if not something_worked:
        for text in finished(steps):
            if text not in finished(before):
                return "Error: you have done nothing since that worked, so this is not done: " + text
    answer = ""
    count = 0
    for step in steps:
        state = step.get("state", "open")
        answer = answer + MARKS[state] + " " + " ".join(step["step"].split()) + "\n"
        if state == "done":
            count = count + 1
    return answer + str(count) + " of " + str(len(steps)) + " done"


def recite(messages, shown):
    new = []
    for message in messages:
        new.append(message)
    if shown != "":
        new.append({"role": "user", "content": shown})
    return new
