import threading

from dispatch import call_tool

WRITES = {"write_file", "edit_file", "run_python", "run_tests"}


class Worker(threading.Thread):
    def __init__(self, call):
        threading.Thread.__init__(self)
        self.call = call
        self.result = None

    def run(self):
        try:
            function = self.call["function"]
            self.result = call_tool(function["name"], function["arguments"])
        except Exception as error:
            self.result = "Error: %r" % error


def run_calls(calls):
    workers = []
    running = []
    for call in calls:
        worker = Worker(call)
        workers.append(worker)
        is_write = call["function"]["name"] in WRITES
        if is_write:
            for other in running:
                other.join()
            running = []
            worker.start()
            worker.join()
        else:
            worker.start()
            running.append(worker)
    for other in running:
        other.join()
    return [worker.result for worker in workers]
