import itertools
import threading

from dispatch import call_tool

WRITES = {"write_file", "edit_file", "run_python", "run_tests"}


def run_calls(calls):
    results = [""] * len(calls)

    def one(index):
        function = calls[index]["function"]
        try:
            results[index] = call_tool(function["name"], function["arguments"])
        except Exception as error:
            results[index] = f"Error: {type(error).__name__}: {error}"

    def group(index):
        return index if calls[index]["function"]["name"] in WRITES else -1

    for _, members in itertools.groupby(range(len(calls)), key=group):
        threads = [threading.Thread(target=one, args=(index,)) for index in members]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return results
