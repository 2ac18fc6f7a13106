from concurrent.futures import ThreadPoolExecutor

from dispatch import call_tool

WRITES = {"write_file", "edit_file", "run_python", "run_tests"}


def name_of(call):
    return call["function"]["name"]


def one(call):
    try:
        return call_tool(name_of(call), call["function"]["arguments"])
    except BaseException as problem:
        return f"Error: {type(problem).__name__}: {problem}"


def run_calls(calls):
    if not calls:
        return []
    if name_of(calls[0]) in WRITES:
        return [one(calls[0]), *run_calls(calls[1:])]
    n = 0
    while n < len(calls) and name_of(calls[n]) not in WRITES:
        n += 1
    with ThreadPoolExecutor(n) as pool:
        first = list(pool.map(one, calls[:n]))
    return first + run_calls(calls[n:])
