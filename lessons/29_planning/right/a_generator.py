MARKS = {"open": "[ ]", "doing": "[>]", "done": "[x]"}


def problems(steps, before, results):
    if not steps:
        yield "there is no step"
    if len(steps) > 20:
        yield "there are more than 20 steps"
    doing = 0
    for each in steps:
        state = each.get("state", "open")
        if state not in MARKS:
            yield f"{state!r} is no state: open, doing, done"
        doing += state == "doing"
        if state == "done" and {**each, "state": "done"} not in before:
            if not [result for result in results if result[:7] != "Error: "]:
                yield f"what shows that {each['step']} is done?"
    if doing > 1:
        yield f"{doing} steps are being done"


def plan(steps, before, results):
    for problem in problems(steps, before, results):
        return "Error: " + problem
    done, text = 0, ""
    for each in steps:
        state = each.get("state", "open")
        done += state == "done"
        text += MARKS[state] + " " + " ".join(each["step"].split()) + "\n"
    return text + "%d of %d done" % (done, len(steps))


def recite(messages, shown):
    sent = messages.copy()
    if shown:
        sent.append({"content": "This is left:\n\n" + shown, "role": "user"})
    return sent
