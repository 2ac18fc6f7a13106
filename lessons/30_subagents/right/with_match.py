from itertools import repeat
from concurrent.futures import ThreadPoolExecutor

from asking import loop  # given: lesson 6 once more, with tools and limits of its own
from messages import start  # lesson 1

SYSTEM = "Another agent asks you. It sees nothing but your answer: say all that it needs, and no more."
READS = {"list_files", "read_file", "search"}  # what changes nothing
MOST_TURNS = 8  # of one agent
DEEPEST = 3  # agents below one another


def delegate(task, model, tools, budget, depth):
    match task.split(), depth:
        case [], _:
            return "Error: give me a task"
        case _, deep if deep >= DEEPEST:
            return f"Error: {deep} agents stand above this one already"
    offered = {name: tools[name] for name in sorted(READS) if name in tools}
    offered.update(ask=lambda task: delegate(task, model, tools, budget, depth + 1))
    try:
        result = loop(model, start(SYSTEM, task), offered, MOST_TURNS, budget)
    except BaseException as error:
        result = f"Error: it broke with {error}"
    match result:
        case str() if result.strip():
            return result
        case _:
            return "Error: not a word came back"


def delegate_all(tasks, model, tools, budget, depth):
    with ThreadPoolExecutor(max_workers=max(1, len(tasks))) as pool:
        return [*pool.map(delegate, tasks, repeat(model), repeat(tools), repeat(budget), repeat(depth))]
