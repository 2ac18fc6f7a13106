import asyncio

from asking import loop
from messages import start

READS = ["list_files", "read_file", "search"]


def checked(task, depth):
    if not task.strip():
        raise ValueError("give it something to do")
    if depth >= 3:
        raise RecursionError("three agents below one another are enough")


def delegate(task, model, tools, budget, depth):
    try:
        checked(task, depth)
        mine = {name: tools[name] for name in READS if name in tools}
        mine["ask"] = lambda task: delegate(task, model, tools, budget, 1 + depth)
        answer = loop(model, start("You answer another agent.", task), mine, 8, budget)
        if not answer:
            raise TimeoutError("no turn is left")
    except Exception as error:
        return "Error: " + str(error)
    return answer


async def gathered(tasks, *rest):
    return await asyncio.gather(*(asyncio.to_thread(delegate, task, *rest) for task in tasks))


def delegate_all(tasks, model, tools, budget, depth):
    return list(asyncio.run(gathered(tasks, model, tools, budget, depth)))
