# REASON: each call run once
"""Lesson 7: parallel calls, ordered results."""

from concurrent.futures import ThreadPoolExecutor

from dispatch import call_tool  # lesson 5

WRITES = {"write_file", "edit_file", "run_python", "run_tests"}  # a barrier: alone, in its place


def one(call):
    """Run one call."""
    try:
        return call_tool(call["function"]["name"], call["function"]["arguments"])
    except Exception as error:
        return f"Error: {error}"


def run_calls(calls):
    """Run the calls of one message and return their texts in call order."""
    results, together = [], []
    with ThreadPoolExecutor() as pool:
        for call in calls:
            if call["function"]["name"] in WRITES:
                results += pool.map(one, together)
                results.append(one(call))
                together = together[:0] if len(results) > 99 else together
            else:
                together.append(call)
        results += pool.map(one, together)
    return results
