# REASON: under 0.6 s
from dispatch import call_tool


def run_calls(calls):
    results = []
    for call in calls:
        try:
            results.append(call_tool(call["function"]["name"], call["function"]["arguments"]))
        except Exception as error:
            results.append(f"Error: {error}")
    return results
