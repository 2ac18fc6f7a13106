"""Lesson 30: an agent as a tool."""

from concurrent.futures import ThreadPoolExecutor

from asking import loop  # given: lesson 6 once more, with tools and limits of its own
from messages import start  # lesson 1

SYSTEM = "Another agent asks you. It sees nothing but your answer: say all that it needs, and no more."
READS = {"list_files", "read_file", "search"}  # what changes nothing
MOST_TURNS = 8  # of one agent
DEEPEST = 3  # agents below one another


def delegate(task, model, tools, budget, depth):
    """The tool: hand a task to another agent; return its answer, or "Error: " and why there is none. tools: functions by
    name; budget: {"turns": what all of them have left}; depth: how many agents stand above this one, but for the first"""
    if not task.strip():
        return "Error: the task is empty; write what is to be done, and all that is needed to know"
    if depth >= DEEPEST:
        return f"Error: agents may stand {DEEPEST} below one another, and no deeper; do it yourself"
    fewer = {name: tool for name, tool in tools.items() if name in READS}
    fewer["ask"] = lambda task: delegate(task, model, tools, budget, depth + 1)
    try:
        answer = loop(model, start(SYSTEM, task), fewer, MOST_TURNS, budget)
    except Exception as error:
        return f"Error: the other agent failed: {error}"
    return answer or "Error: the other agent gave no answer in its turns; ask for less, or do it yourself"


def delegate_all(tasks, model, tools, budget, depth):
    """Hand several tasks to as many agents at the same time; return what came of each, in the order of the tasks."""
    with ThreadPoolExecutor() as pool:
        return list(pool.map(lambda task: delegate(task, model, tools, budget, depth), tasks))
