from concurrent.futures import ThreadPoolExecutor

from asking import loop  # given: lesson 6 once more, with tools and limits of its own
from messages import start  # lesson 1

SYSTEM = "Another agent asks you. It sees nothing but your answer: say all that it needs, and no more."
READS = {"list_files", "read_file", "search"}  # what changes nothing
MOST_TURNS = 8  # of one agent
DEEPEST = 3  # agents below one another


def delegate(task, model, tools, budget, depth):
    if task.strip() == "":
        return "Error: the task is empty"
    if depth >= DEEPEST:
        return "Error: there are too many agents below one another"
    own_tools = {}
    for name in tools:
        if name in READS:
            own_tools[name] = tools[name]

    def ask(task):
        return delegate(task, model, tools, budget, depth + 1)

    own_tools["ask"] = ask
    messages = start(SYSTEM, task)
    try:
        answer = loop(model, messages, own_tools, MOST_TURNS, budget)
    except Exception as error:
        return "Error: the agent failed: " + str(error)
    if answer == "" or answer is None:
        return "Error: the agent gave no answer"
    return answer


def delegate_all(tasks, model, tools, budget, depth):
    if len(tasks) == 0:
        return []
    pool = ThreadPoolExecutor(len(tasks))
    futures = []
    for task in tasks:
        futures.append(pool.submit(delegate, task, model, tools, budget, depth))
    results = []
    for future in futures:
        results.append(future.result())
    pool.shutdown()
    return results
