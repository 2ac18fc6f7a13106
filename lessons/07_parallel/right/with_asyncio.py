import asyncio

from dispatch import call_tool

WRITES = {"write_file", "edit_file", "run_python", "run_tests"}


async def one(call):
    try:
        return await asyncio.to_thread(call_tool, call["function"]["name"], call["function"]["arguments"])
    except Exception as error:
        return f"Error: {error}"


async def in_order(calls):
    results, waiting = [], []
    for call in calls:
        if call["function"]["name"] in WRITES:
            results += await asyncio.gather(*waiting)
            results.append(await one(call))
            waiting = []
        else:
            waiting.append(one(call))
    return results + await asyncio.gather(*waiting)


def run_calls(calls):
    return asyncio.run(in_order(calls))
