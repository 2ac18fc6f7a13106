"""The given loop is not used."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

turnstile = Lock()


def run(call, tools):
    try:
        function = call["function"]
        return tools[function["name"]](**json.loads(function["arguments"]))
    except KeyError as error:
        return f"Error: no tool called {error}"


def may_go_on(budget):
    with turnstile:
        if budget["turns"] == 0:
            return False
        budget["turns"] = budget["turns"] - 1
        return True


def delegate(task, model, tools, budget, depth):
    if depth > 2:
        return "Error: too many agents below one another"
    if task.strip() == "":
        return "Error: no task"
    talk = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": task}]
    mine = {name: tools[name] for name in tools if name in ("search", "read_file", "list_files")}
    mine |= {"ask": lambda task: delegate(task, model, tools, budget, depth + 1)}
    turns = 0
    while turns < 8 and may_go_on(budget):
        turns += 1
        try:
            talk.append(model(talk, sorted(mine)))
        except Exception as error:
            return f"Error: {type(error).__name__}: {error}"
        if "tool_calls" not in talk[-1]:
            return talk[-1]["content"] or "Error: it said nothing"
        for call in list(talk[-1]["tool_calls"]):
            talk.append({"role": "tool", "tool_call_id": call["id"], "content": run(call, mine)})
    return f"Error: no answer in {turns} turns"


def delegate_all(tasks, model, tools, budget, depth):
    pool = ThreadPoolExecutor(max_workers=len(tasks) or 1)
    futures = [pool.submit(delegate, task, model, tools, budget, depth) for task in tasks]
    return [future.result() for future in futures]
