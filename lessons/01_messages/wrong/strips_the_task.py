# REASON: to the last space
"""Lesson 1: an agent is a list of messages."""


def start(system, task):
    """Return the messages of the first request: what the model is, then what it is to do."""
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": task.strip()},
    ]
