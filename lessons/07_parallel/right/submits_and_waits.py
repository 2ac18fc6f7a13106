from concurrent.futures import ThreadPoolExecutor, wait

from dispatch import call_tool

WRITES = {"write_file", "edit_file", "run_python", "run_tests"}


def safe(call):
    try:
        return call_tool(call["function"]["name"], call["function"]["arguments"])
    except Exception as error:
        return f"Error: {error}"


def run_calls(calls):
    futures, reads = [], []
    with ThreadPoolExecutor(max_workers=max(1, len(calls))) as pool:
        for call in calls:
            if call["function"]["name"] in WRITES:
                wait(reads)
                future = pool.submit(safe, call)
                wait([future])
                reads = []
            else:
                future = pool.submit(safe, call)
                reads.append(future)
            futures.append(future)
    return [future.result() for future in futures]
