import json
from collections import OrderedDict

KEEP = 2
CHANGES = ("edit_file", "write_file")
MARK = "[A summary of what stood here. A model wrote it, not the person.]"
FACTS = "[What the program knows of it:]"
ORDER = "Do not go on. Summarise what stands above: files, changes, failures, what is left to do."


class Facts:
    def __init__(self):
        self.lines, self.open = OrderedDict(), {}

    def see(self, message):
        content = message["content"]
        if message["role"] == "user" and content.startswith(MARK):
            self.lines.update((line, True) for line in content[content.rindex(FACTS) :].splitlines()[1:])
        for call in message.get("tool_calls", ()):
            self.open[call["id"]] = (call["function"]["name"], json.loads(call["function"]["arguments"])["path"])
        if message["role"] == "tool":
            self.close(*self.open.pop(message["tool_call_id"]), content)

    def close(self, name, path, result):
        if result.startswith("Error: "):
            self.lines[f"failed {name} {path}: {result.splitlines()[0]}"] = True
        elif name in CHANGES:
            self.lines[f"changed {path}"] = True


def facts(messages):
    known = Facts()
    for message in messages:
        known.see(message)
    return [*known.lines]


def compact(messages, budget, ask):
    places = [place for place in range(len(messages)) if messages[place]["role"] == "assistant"]
    small = len(json.dumps(messages)) // 4 <= budget
    if small or not places[:-KEEP]:
        return messages
    cut = places[-KEEP]
    text = ask([*messages, {"role": "user", "content": ORDER}])
    made = {"role": "user", "content": f"{MARK}\n{text}\n{FACTS}\n" + "\n".join(facts(messages[:cut]))}
    kept = list(messages[:2])
    kept += (each for each in messages[2:cut] if each["role"] == "user" and not each["content"].startswith(MARK))
    return [*kept, made, *messages[cut:]]
