from concurrent.futures import ThreadPoolExecutor, as_completed

from dispatch import call_tool

WRITES = frozenset(["write_file", "edit_file", "run_python", "run_tests"])


def batches(calls):
    batch = []
    for index, call in enumerate(calls):
        writes = call["function"]["name"] in WRITES
        if writes and batch:
            yield batch
            batch = []
        batch.append(index)
        if writes:
            yield batch
            batch = []
    if batch:
        yield batch


def run_calls(calls):
    results = {}
    for batch in batches(calls):
        with ThreadPoolExecutor(len(batch)) as pool:
            jobs = {pool.submit(call_tool, **named(calls[index])): index for index in batch}
            for job in as_completed(jobs):
                failed = job.exception()
                results[jobs[job]] = "Error: " + str(failed) if failed else job.result()
    return [results[index] for index in range(len(calls))]


def named(call):
    return {"name": call["function"]["name"], "raw_arguments": call["function"]["arguments"]}
