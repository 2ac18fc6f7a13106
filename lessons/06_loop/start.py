"""Lesson 6: the loop, and when it stops."""

from dispatch import call_tool  # lesson 5
from messages import start  # lesson 1

SYSTEM = "You are a careful coding agent."


def run(model, task, max_turns):
    """Ask, act, repeat, until the model answers in text alone or must be stopped."""
    messages = start(SYSTEM, task)
    seen = []  # (name, arguments, result) of every call so far
    raise NotImplementedError("ask the model, run its calls, append what they gave, ask again")
