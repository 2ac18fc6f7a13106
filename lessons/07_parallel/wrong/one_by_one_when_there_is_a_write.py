# REASON: a wall between two groups
from concurrent.futures import ThreadPoolExecutor

from dispatch import call_tool

WRITES = {"write_file", "edit_file", "run_python", "run_tests"}


def one(call):
    try:
        return call_tool(call["function"]["name"], call["function"]["arguments"])
    except Exception as error:
        return f"Error: {error}"


def run_calls(calls):
    if any(call["function"]["name"] in WRITES for call in calls):
        return [one(call) for call in calls]
    with ThreadPoolExecutor() as pool:
        return list(pool.map(one, calls))
