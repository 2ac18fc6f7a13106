from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial

from asking import loop
from messages import start

READS = frozenset({"list_files", "read_file", "search"})


def sentence(text):
    return f"Error: {text}"


def delegate(task, model, tools, budget, depth):
    if not task or task.isspace():
        return sentence("an empty task")
    if depth not in range(3):
        return sentence("no deeper")
    ask = partial(delegate, model=model, tools=tools, budget=budget, depth=depth + 1)
    mine = dict([(name, tools[name]) for name in READS & tools.keys()], ask=ask)
    try:
        return loop(model, start("", task), mine, 8, budget) or sentence("no answer")
    except Exception as error:
        return sentence(error)


def delegate_all(tasks, model, tools, budget, depth):
    results = [None] * len(tasks)
    with ThreadPoolExecutor(16) as pool:
        places = {pool.submit(delegate, task, model, tools, budget, depth): n for n, task in enumerate(tasks)}
        for future in as_completed(places):
            results[places[future]] = future.result()
    return results
