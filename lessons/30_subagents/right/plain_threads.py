import threading
from concurrent.futures import ThreadPoolExecutor

from asking import loop  # given: lesson 6 once more, with tools and limits of its own
from messages import start  # lesson 1

SYSTEM = "Another agent asks you. It sees nothing but your answer: say all that it needs, and no more."
READS = {"list_files", "read_file", "search"}  # what changes nothing
MOST_TURNS = 8  # of one agent
DEEPEST = 3  # agents below one another


def delegate(task, model, tools, budget, depth):
    why = "nobody can do a task without words" if not task.strip() else "too deep" if depth >= DEEPEST else None
    if why:
        return f"Error: {why}"
    mine = dict((name, tools[name]) for name in READS & tools.keys())
    mine["ask"] = lambda task: delegate(task, model, tools, budget, depth + 1)
    try:
        return loop(model, start(SYSTEM, task), mine, MOST_TURNS, budget) or "Error: it came to no end"
    except Exception as error:
        return f"Error: {error!r}"


def delegate_all(tasks, model, tools, budget, depth):
    came = [None] * len(tasks)

    def work(number):
        came[number] = delegate(tasks[number], model, tools, budget, depth)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(tasks))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return came
