class Conversation(list):
    """A list that knows who speaks."""

    def say(self, role, content):
        self.append({"role": role, "content": content})
        return self


def start(system, task):
    return Conversation().say("system", system).say("user", task)
