# REASON: waits for all before it
from concurrent.futures import ThreadPoolExecutor

from dispatch import call_tool


def one(call):
    try:
        return call_tool(call["function"]["name"], call["function"]["arguments"])
    except Exception as error:
        return f"Error: {error}"


def run_calls(calls):
    with ThreadPoolExecutor() as pool:
        return list(pool.map(one, calls))
