# REASON: two messages
def start(system, task):
    return [
        {"role": "system", "content": system},
        {"role": "assistant", "content": "How can I help?"},
        {"role": "user", "content": task},
    ]
