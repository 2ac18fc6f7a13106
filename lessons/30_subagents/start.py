"""Lesson 30: an agent as a tool."""

from concurrent.futures import ThreadPoolExecutor

from asking import loop  # given: lesson 6 once more, with tools and limits of its own
from messages import start  # lesson 1

SYSTEM = "Another agent asks you. It sees nothing but your answer: say all that it needs, and no more."
READS = {"list_files", "read_file", "search"}  # what changes nothing
MOST_TURNS = 8  # of one agent
DEEPEST = 3  # agents below one another


def delegate(task, model, tools, budget, depth):
    """The tool: hand a task to another agent; return its answer, or "Error: " and why there is none. tools: functions
    by name; budget: {"turns": what all of them have left}; depth: 0 for the agent that yours asks, 1 for the next"""
    raise NotImplementedError("refuse what may not be, choose its tools, run the loop, and see what came of it")


def delegate_all(tasks, model, tools, budget, depth):
    """Hand several tasks to as many agents at the same time; return what came of each, in the order of the tasks."""
    raise NotImplementedError("one thread for each task")
