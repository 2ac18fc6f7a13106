# REASON: the other results
from concurrent.futures import ThreadPoolExecutor

from dispatch import call_tool

WRITES = {"write_file", "edit_file", "run_python", "run_tests"}


def one(call):
    return call_tool(call["function"]["name"], call["function"]["arguments"])


def run_calls(calls):
    results, together = [], []
    with ThreadPoolExecutor() as pool:
        for call in calls:
            if call["function"]["name"] in WRITES:
                results += pool.map(one, together)
                results.append(one(call))
                together = []
            else:
                together.append(call)
        results += pool.map(one, together)
    return results
