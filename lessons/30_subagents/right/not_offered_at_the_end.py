"""The deepest agent is not offered the tool at all."""

from concurrent.futures import ThreadPoolExecutor
from itertools import repeat

from asking import loop
from messages import start


def delegate(task, model, tools, budget, depth):
    if len(task.strip()) == 0 or depth >= 3:
        return "Error: " + ("this is too deep" if depth >= 3 else "there is no task")

    def ask(task):
        return delegate(task, model, tools, budget, depth + 1)

    mine = {}
    for name, tool in tools.items():
        if name in ("list_files", "read_file", "search"):
            mine[name] = tool
    if depth < 2:
        mine["ask"] = ask
    messages = start("Another agent wants to know:", task)
    try:
        answer = loop(model, messages, mine, 8, budget)
    except Exception as error:
        answer = f"Error: it ended with {error!r}"
    if answer == "":
        answer = "Error: there is no answer"
    return answer


def delegate_all(tasks, model, tools, budget, depth):
    with ThreadPoolExecutor() as pool:
        return [*pool.map(delegate, tasks, *(repeat(each) for each in (model, tools, budget, depth)))]
