import threading

from dispatch import call_tool

READS = {"read_file", "list_files"}


def run_calls(calls):
    """Each call is a thread; those that write wait for all before them, and all after them wait for those."""
    results = [None] * len(calls)
    done = [threading.Event() for _ in calls]
    alone = [call["function"]["name"] not in READS for call in calls]

    def work(index):
        for other in range(index):
            if alone[index] or alone[other]:
                done[other].wait()
        try:
            results[index] = call_tool(calls[index]["function"]["name"], calls[index]["function"]["arguments"])
        except Exception as error:
            results[index] = f"Error: it raised {error!s}"
        finally:
            done[index].set()

    threads = [threading.Thread(target=work, args=[index]) for index in range(len(calls))]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    return results
