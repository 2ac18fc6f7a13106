import copy

TEMPLATE = [{"content": None, "role": "system"}, {"content": None, "role": "user"}]


def start(system, task):
    messages = copy.deepcopy(TEMPLATE)
    for message, text in zip(messages, (system, task)):
        message["content"] = text
    return messages
