# REASON: what comes after write_file waits
from concurrent.futures import ThreadPoolExecutor

from dispatch import call_tool

WRITES = {"write_file", "edit_file", "run_python", "run_tests"}


def one(call):
    try:
        return call_tool(call["function"]["name"], call["function"]["arguments"])
    except Exception as error:
        return f"Error: {error}"


def run_calls(calls):
    reads = [call for call in calls if call["function"]["name"] not in WRITES]
    writes = [call for call in calls if call["function"]["name"] in WRITES]
    with ThreadPoolExecutor() as pool:
        return list(pool.map(one, reads)) + [one(call) for call in writes]
