# REASON: in call order
from concurrent.futures import ThreadPoolExecutor, as_completed

from dispatch import call_tool


def one(call):
    try:
        return call_tool(call["function"]["name"], call["function"]["arguments"])
    except Exception as error:
        return f"Error: {error}"


def run_calls(calls):
    with ThreadPoolExecutor() as pool:
        return [done.result() for done in as_completed([pool.submit(one, call) for call in calls])]
