class Refused(Exception):
    pass


class Plan:
    marks = {"open": "[ ]", "doing": "[>]", "done": "[x]"}

    def __init__(self, steps):
        self.steps = [(" ".join(each["step"].split()), each.get("state") or "open") for each in steps]

    def in_state(self, state):
        return [text for text, each in self.steps if each == state]

    def demand(self, holds, otherwise):
        if not holds:
            raise Refused(otherwise)

    def look(self, before, shown):
        self.demand(0 < len(self.steps) < 21, "between one step and twenty, please")
        self.demand(all(each in self.marks for _, each in self.steps), "the states are open, doing and done")
        self.demand(len(self.in_state("doing")) <= 1, "two things at once")
        for text in self.in_state("done"):
            self.demand(shown or text in before.in_state("done"), f"{text}: show it first")

    def __str__(self):
        lines = [self.marks[state] + " " + text for text, state in self.steps]
        return "\n".join(lines) + f"\n{len(self.in_state('done'))} of {len(lines)} done"


def plan(steps, before, results):
    mine = Plan(steps)
    try:
        mine.look(Plan(before), any(not each.startswith("Error: ") for each in results))
    except Refused as refused:
        return f"Error: {refused}"
    return str(mine)


def recite(messages, shown):
    return messages + ([{"role": "user", "content": shown}] if shown else [])
