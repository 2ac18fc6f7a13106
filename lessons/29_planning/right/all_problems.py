"""Everything that is wrong is said at once."""

import re

MARKS = dict(open="[ ]", doing="[>]", done="[x]")


def plan(steps, before, results):
    states = [each.get("state", "open") for each in steps]
    old = [each["step"] for each in before if each.get("state") == "done"]
    new = [each["step"] for each in steps if each.get("state") == "done" and each["step"] not in old]
    odd = sorted({state for state in states if state not in MARKS})
    shown = [result for result in results if not re.match("Error: ", result)]
    wrong = [
        len(steps) in range(1, 21) or "1 to 20 steps",
        not odd or f"no such states: {odd}; there are {list(MARKS)}",
        states.count("doing") < 2 or "do one at a time",
        not new or bool(shown) or "not shown: " + "; ".join(new),
    ]
    wrong = [each for each in wrong if each is not True]
    if wrong:
        return "Error: " + ". ".join(wrong)
    lines = [MARKS[state] + " " + re.sub(r"\s+", " ", each["step"]).strip() for state, each in zip(states, steps)]
    lines.append(f"{states.count('done')} of {len(states)} done")
    return "\n".join(lines)


def recite(messages, shown):
    return (
        list(messages) if shown == "" else list(messages) + [{"role": "user", "content": f"<plan>\n{shown}\n</plan>"}]
    )
