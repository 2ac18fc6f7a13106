# REASON: waits for
from concurrent.futures import ThreadPoolExecutor

from dispatch import call_tool

WRITES = {"write_file", "edit_file", "run_python", "run_tests"}


def one(call):
    try:
        return call_tool(call["function"]["name"], call["function"]["arguments"])
    except Exception as error:
        return f"Error: {error}"


def run_calls(calls):
    under_way = []
    with ThreadPoolExecutor() as pool:
        for call in calls:
            if call["function"]["name"] in WRITES:
                for future in under_way:
                    future.result()
            under_way.append(pool.submit(one, call))
        return [future.result() for future in under_way]
