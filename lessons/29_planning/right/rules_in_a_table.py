from collections import Counter

MARKS = {"open": "[ ]", "doing": "[>]", "done": "[x]"}
MOST = 20  # steps


def finished(steps):
    """The texts of those steps that are done. A step: {"step": text, "state": a key of MARKS, open where it is missing}"""
    return {each["step"] for each in steps if each.get("state") == "done"}


def plan(steps, before, results):
    count = Counter(each.get("state", "open") for each in steps)
    helped = [result for result in results if result[:7] != "Error: "]
    ticked = [] if helped else [text for text in finished(steps) if text not in finished(before)]
    rules = {
        f"write 1 to {MOST} steps": len(steps) == 0 or len(steps) > MOST,
        f"a state is one of {' '.join(MARKS)}": set(count) - set(MARKS),
        "only one step can be in the state doing": count["doing"] > 1,
        f"not yet done, for nothing worked: {ticked}": ticked,
    }
    for sentence, broken in rules.items():
        if broken:
            return f"Error: {sentence}"
    lines = ["{} {}".format(MARKS[each.get("state", "open")], " ".join(each["step"].split())) for each in steps]
    return "\n".join(lines) + "\n{} of {} done".format(count["done"], len(steps))


def recite(messages, shown):
    return messages + [{"role": "user", "content": shown}] * bool(shown)
