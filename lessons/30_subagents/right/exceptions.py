from concurrent.futures import as_completed
from concurrent.futures import ThreadPoolExecutor

from asking import loop  # given: lesson 6 once more, with tools and limits of its own
from messages import start  # lesson 1

SYSTEM = "Another agent asks you. It sees nothing but your answer: say all that it needs, and no more."
READS = {"list_files", "read_file", "search"}  # what changes nothing
MOST_TURNS = 8  # of one agent
DEEPEST = 3  # agents below one another


class Cannot(Exception):
    pass


def work(task, model, tools, budget, depth):
    if not task or task.isspace():
        raise Cannot("the task has no word in it")
    if depth >= DEEPEST:
        raise Cannot(f"depth {depth} is too deep")

    def ask(task: str) -> str:
        """Ask another agent, which sees nothing but the task."""
        return delegate(task, model, tools, budget, depth + 1)

    chosen = {name: function for name, function in tools.items() if name in READS}
    text = loop(model, start(SYSTEM, task), {**chosen, "ask": ask}, MOST_TURNS, budget)
    if not text:
        raise Cannot("the agent ran out of turns before it had an answer")
    return text


def delegate(task, model, tools, budget, depth):
    try:
        return work(task, model, tools, budget, depth)
    except Cannot as reason:
        return f"Error: {reason}"
    except Exception as error:
        return f"Error: the model failed with {error}"


def delegate_all(tasks, model, tools, budget, depth):
    results = {}
    with ThreadPoolExecutor(len(tasks) or 1) as pool:
        running = {pool.submit(delegate, task, model, tools, budget, depth): at for at, task in enumerate(tasks)}
        for future in as_completed(running):
            results[running[future]] = future.result()
    return [results[at] for at in sorted(results)]
