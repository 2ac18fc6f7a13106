from concurrent.futures import ThreadPoolExecutor
from itertools import groupby

from dispatch import call_tool

WRITES = {"write_file", "edit_file", "run_python", "run_tests"}


def one(call):
    try:
        return call_tool(call["function"]["name"], call["function"]["arguments"])
    except Exception as e:
        return "Error: " + str(e)


def run_calls(calls):
    results = []
    for writes, group in groupby(calls, key=lambda call: call["function"]["name"] in WRITES):
        if writes:
            results += map(one, group)
        else:
            group = list(group)
            with ThreadPoolExecutor(len(group)) as pool:
                results += pool.map(one, group)
    return results
