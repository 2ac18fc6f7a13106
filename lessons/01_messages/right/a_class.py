class Conversation:
    def __init__(self, system):
        self.messages = []
        self.add("system", system)

    def add(self, role, content):
        message = {}
        message["role"] = role
        message["content"] = content
        self.messages.append(message)
        return self


def start(system, task):
    conversation = Conversation(system)
    conversation.add("user", task)
    return conversation.messages
