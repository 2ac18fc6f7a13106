from collections import Counter
from itertools import chain

MARK = "[ ]", "[>]", "[x]"
STATE = "open", "doing", "done"


def plan(steps, before, results):
    count = Counter(each.get("state", "open") for each in steps)
    good = sum(not result.startswith("Error: ") for result in results)
    if count.total() < 1 or count.total() > 20:
        return "Error: too few or too many steps"
    if count.keys() - set(STATE):
        return "Error: use " + "/".join(STATE)
    if count["doing"] >= 2:
        return "Error: one after the other"
    known = {each["step"]: each.get("state") for each in before}
    for each in steps:
        fresh = each.get("state") == "done" and known.get(each["step"]) != "done"
        if fresh and good == 0:
            return "Error: not shown: " + each["step"]
    lines = (MARK[STATE.index(each.get("state", "open"))] + " " + " ".join(each["step"].split()) for each in steps)
    return "\n".join(chain(lines, [f"{count['done']} of {count.total()} done"]))


def recite(messages, shown):
    last = {"role": "user", "content": shown}
    return [each for each in (*messages, last) if each is not last or shown]
