from concurrent.futures import ThreadPoolExecutor, wait

from dispatch import call_tool

WRITES = {"write_file", "edit_file", "run_python", "run_tests"}


def run_calls(calls):
    futures = []
    with ThreadPoolExecutor(max_workers=8) as pool:
        for call in calls:
            alone = call["function"]["name"] in WRITES
            if alone:
                wait(futures)
            futures.append(pool.submit(call_tool, call["function"]["name"], call["function"]["arguments"]))
            if alone:
                wait(futures)
    errors = [future.exception() for future in futures]
    return [f"Error: {error}" if error else future.result() for error, future in zip(errors, futures)]
