import queue
import threading

from dispatch import call_tool

WRITES = {"write_file", "edit_file", "run_python", "run_tests"}


def run_calls(calls):
    results = [""] * len(calls)
    todo = queue.Queue()

    def work():
        while (item := todo.get()) is not None:
            index, call = item
            try:
                results[index] = call_tool(call["function"]["name"], call["function"]["arguments"])
            except Exception as error:
                results[index] = f"Error: {error}"
            finally:
                todo.task_done()

    threads = [threading.Thread(target=work) for _ in calls]
    for thread in threads:
        thread.start()
    for index, call in enumerate(calls):
        alone = call["function"]["name"] in WRITES
        if alone:
            todo.join()
        todo.put((index, call))
        if alone:
            todo.join()
    todo.join()
    for _ in threads:
        todo.put(None)
    for thread in threads:
        thread.join()
    return results
