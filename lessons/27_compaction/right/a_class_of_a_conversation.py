import json

KEEP = 2  # turns that stay as they are: the newest
CHANGES = ("edit_file", "write_file")
MARK = "[A summary of what stood here. A model wrote it, not the person.]"
FACTS = "[What the program knows of it:]"
ORDER = """Do not go on with the task, and make no call. Write a summary for whoever goes on without all this: the names
of the files, what was changed and why, what was tried and failed, what is still to do."""


def size(messages):
    """Tokens, roughly: four characters each."""
    return len(json.dumps(messages)) // 4


def is_summary(message):
    return message["role"] == "user" and message["content"].startswith(MARK)


def steps_of(messages):
    """(name, path, result) of each call, in order."""
    results = {message["tool_call_id"]: message["content"] for message in messages if message["role"] == "tool"}
    calls = [call for message in messages for call in message.get("tool_calls", [])]
    functions = [(call["function"], results.get(call["id"], "")) for call in calls]
    return [(each["name"], json.loads(each["arguments"])["path"], result) for each, result in functions]


def earlier_facts(messages):
    """The lines below FACTS in a summary that is among the messages."""
    found = [message["content"].rpartition(FACTS)[2] for message in messages if is_summary(message)]
    return found[-1].split("\n")[1:] if found else []


class Conversation:
    def __init__(self, messages):
        self.messages = messages
        self.turns = [at for at, message in enumerate(messages) if message["role"] == "assistant"]

    @property
    def can_be_shorter(self):
        return len(self.turns) > KEEP

    @property
    def old(self):
        return self.messages[: self.turns[-KEEP]]

    @property
    def new(self):
        return self.messages[self.turns[-KEEP] :]

    def persons(self):
        return [m for m in self.old[2:] if m["role"] == "user" and not is_summary(m)]

    def summarised(self, ask):
        text = ask(self.old + [{"role": "user", "content": ORDER}])
        content = f"{MARK}\n{text}\n{FACTS}"
        for fact in facts(self.old):
            content += f"\n{fact}"
        return self.messages[:2] + self.persons() + [{"role": "user", "content": content}] + self.new


def facts(messages):
    noted = dict.fromkeys(earlier_facts(messages))
    for name, path, result in steps_of(messages):
        if result.startswith("Error: "):
            noted[f"failed {name} {path}: " + result.split("\n", 1)[0]] = None
        elif name in CHANGES:
            noted[f"changed {path}"] = None
    return list(noted)


def compact(messages, budget, ask):
    conversation = Conversation(messages)
    if size(messages) > budget and conversation.can_be_shorter:
        return conversation.summarised(ask)
    return messages
